import Hummingbird
import NIOCore

/// The context of a request, with its connection.
protocol ConnectedContext: RequestContext {
  /// The connection that the response is written to.
  var channel: any Channel { get }
}

/// The context of the server's requests.
struct PickerContext: ConnectedContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}

extension Channel {
  /// Waits until a slow reader has received nearly all that was written. Hummingbird's writer takes what it is given as
  /// long as it has not heard from the event loop, which under load is a whole file.
  ///
  /// - Throws: `ChannelError` if the connection has ended.
  func waitUntilWritable() async throws {
    // The writes so far have reached the event loop when it runs this.
    try await eventLoop.submit {}.get()
    while !isWritable {
      guard isActive else { throw ChannelError.ioOnClosedChannel }
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}
