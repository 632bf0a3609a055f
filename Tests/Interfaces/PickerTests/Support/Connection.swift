import Dispatch
import Glibc

/// A TCP connection to a server of this machine, on which a test sends the bytes that it likes, when it likes.
final class Connection: Sendable {
  /// The other end did not answer in time, or closed the connection.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let descriptor: Int32

  /// - Parameters:
  ///   - port: the server's.
  ///   - seconds: the longest wait for each call.
  ///   - receiveBuffer: bytes that the kernel receives before the test asks for them; nil for the usual number.
  init(port: Int, seconds: Int = 20, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(description: "no socket: \(errno)") }
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    if var receiveBuffer {
      _ = unsafe setsockopt(
        descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      throw Failure(description: "no connection to port \(port): \(errno)")
    }
  }

  deinit { close(descriptor) }

  /// Sends all bytes.
  ///
  /// - Throws: ``Failure`` if the server closed the connection, or does not receive.
  func send(_ bytes: [UInt8]) async throws {
    try await Self.blocking { [self] in
      var sent = 0
      while sent < bytes.count {
        let count = unsafe bytes[sent...].withUnsafeBytes { buffer in
          unsafe Glibc.send(
            descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { throw Failure(description: "nothing can be sent: \(errno)") }
        sent += count
      }
    }
  }

  /// Sends a text.
  func send(_ text: String) async throws { try await send(Array(text.utf8)) }

  /// Receives some bytes; none if the server has closed the connection.
  func receive(most: Int = 1 << 16) async throws -> [UInt8] {
    try await Self.blocking { [self] in
      var buffer = [UInt8](repeating: 0, count: most)
      let count = unsafe recv(descriptor, &buffer, most, 0)
      guard count >= 0 else {
        if errno == ECONNRESET { return [] }
        throw Failure(description: "nothing is received: \(errno)")
      }
      return Array(buffer.prefix(count))
    }
  }

  /// Receives all bytes until the server closes the connection.
  func receiveAll() async throws -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let bytes = try await receive()
      if bytes.isEmpty { return all }
      all += bytes
    }
  }

  /// Runs a call that waits outside of the threads on which all tests run.
  private static func blocking<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
    }
  }
}
