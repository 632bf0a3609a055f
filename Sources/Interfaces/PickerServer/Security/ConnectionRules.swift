import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Ends connections whose clients misuse them: those that send more than the server wants to read, or less than it can
/// wait for. It also completes responses that no middleware has seen.
///
/// The server reads a request to its end before it reads the next one, however long it is. So a response that comes before
/// the end of its request closes the connection.
final class ConnectionRules: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// Times and sizes.
  private enum Limit {
    /// The longest time from the connection to the end of the first request's head.
    static let head = TimeAmount.seconds(10)
    /// The longest time from the head of a request to its end.
    static let body = TimeAmount.seconds(30)
    /// The longest time from a response to the end of the next request's head; connections without traffic end earlier.
    static let next = TimeAmount.seconds(PickerLimits.idleSeconds + 10)
    /// The longest time in which a client receives nothing of a response.
    static let receiving = TimeAmount.seconds(60)
    /// The time for a client that still sends to receive the response: closing at once would discard it.
    static let lingering = TimeAmount.seconds(2)
    /// Bytes that are discarded in that time.
    static let lingeringBytes = 8 << 20
  }

  private var begunRequests = 0
  private var endedRequests = 0
  private var begunResponses = 0
  private var isLast = false
  private var isLingering = false
  private var discarded = 0
  /// Closes the connection of a client that sends too slowly.
  private var sending: Scheduled<Void>?
  /// Closes the connection of a client that receives nothing.
  private var receiving: Scheduled<Void>?

  func channelActive(context: ChannelHandlerContext) {
    sending = close(context, in: Limit.head)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    sending?.cancel()
    receiving?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    guard !isLingering else {
      if case .body(let bytes) = part { discarded += bytes.readableBytes }
      if discarded > Limit.lingeringBytes { context.close(promise: nil) }
      return
    }
    switch part {
    case .head:
      begunRequests += 1
      sending?.cancel()
      sending = close(context, in: Limit.body)
    case .body: break
    case .end:
      endedRequests += 1
      sending?.cancel()
    }
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()
    // The server does not ask for what is discarded.
    if isLingering { context.read() }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    receiving?.cancel()
    // It also changes when the connection ends.
    if !context.channel.isWritable, context.channel.isActive {
      receiving = close(context, in: Limit.receiving)
    }
    context.fireChannelWritabilityChanged()
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head):
      // An interim response is followed by another one.
      guard head.status.kind != .informational else { break }
      begunResponses += 1
      let isEarly = endedRequests < begunResponses
      isLast = isEarly || head.headerFields[.connection] == "close"
      if isLast { head.headerFields[.connection] = "close" }
      // The parser's own responses lack them.
      for (name, value) in ResponseFields.all where head.headerFields[name] == nil {
        head.headerFields[name] = value
      }
      if head.headerFields[.cacheControl] == nil { head.headerFields[.cacheControl] = "no-store" }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
      return
    case .end where isLast:
      let promise = promise ?? context.eventLoop.makePromise()
      promise.futureResult.assumeIsolated().whenComplete { _ in self.linger(context) }
      context.writeAndFlush(data, promise: promise)
      return
    case .end where begunRequests == begunResponses: sending = close(context, in: Limit.next)
    case .end, .body: break
    }
    context.write(data, promise: promise)
  }

  /// Closes the connection when the client has received the response, and reads no other request.
  private func linger(_ context: ChannelHandlerContext) {
    isLingering = true
    sending?.cancel()
    guard begunResponses > endedRequests else {
      context.close(promise: nil)
      return
    }
    context.close(mode: .output, promise: nil)
    sending = close(context, in: Limit.lingering)
    context.read()
  }

  private func close(_ context: ChannelHandlerContext, in time: TimeAmount) -> Scheduled<Void> {
    context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
  }
}
