import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Workbench

/// A failure of the tests' own means: a program does not start, or does not answer as its protocol says.
struct PageTestError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// Sends JSON to a program on this machine. URLSession does not read chromedriver's headers, which have no space after
/// the colon.
struct LocalClient: Sendable {
  private let port: Int
  private let headers: [(String, String)]

  /// - Parameter headers: sent with every request.
  init(port: Int, headers: [(String, String)] = []) {
    (self.port, self.headers) = (port, headers)
  }

  private typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

  /// - Returns: the status and the body.
  func send(
    _ method: HTTPMethod, _ path: String, _ body: JSON? = nil
  ) async throws -> (status: Int, body: Data) {
    let content = try body.map { try JSONEncoder().encode($0) } ?? Data()
    var head = HTTPRequestHead(version: .http1_1, method: method, uri: path)
    head.headers.add(contentsOf: HTTPHeaders(headers))
    head.headers.add(name: "Host", value: "127.0.0.1:\(port)")
    head.headers.add(name: "Connection", value: "close")
    if body != nil {
      head.headers.add(name: "Content-Type", value: "application/json")
      head.headers.add(name: "Content-Length", value: String(content.count))
    }
    let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          return try Connection(wrappingChannelSynchronously: channel)
        }
      }
    return try await connection.executeThenClose { [head] inbound, outbound in
      var parts: [HTTPClientRequestPart] = [.head(head)]
      if !content.isEmpty { parts.append(.body(.byteBuffer(ByteBuffer(bytes: content)))) }
      // At once: the program may have answered a head and closed the connection before a further write.
      try await outbound.write(contentsOf: parts + [.end(nil)])
      var status: Int?
      var answer = Data()
      for try await part in inbound {
        switch part {
        case .head(let head): status = Int(head.status.code)
        case .body(let bytes): answer.append(contentsOf: bytes.readableBytesView)
        case .end:
          guard let status else { break }
          return (status, answer)
        }
      }
      throw PageTestError("\(method) \(path): the connection ended early")
    }
  }
}
