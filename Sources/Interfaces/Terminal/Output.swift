import Linux

/// The destination of results. Bytes are collected and written in large blocks.
package final class Output {
  private static let limit = 1 << 16

  private var buffer: [UInt8] = []
  private let write: ([UInt8]) throws -> Void

  /// Whether nothing is thrown after the reader has closed the pipe: for commands that do more than print.
  package var outlivesReader = false

  /// - Parameter write: writes all bytes, or throws.
  package init(_ write: @escaping ([UInt8]) throws -> Void) {
    self.write = write
  }

  package func append(_ bytes: some Sequence<UInt8>) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.limit { try flush() }
  }

  /// Text and the end of its line.
  package func line(_ text: String) throws {
    try append(text.utf8)
    try append(CollectionOfOne(UInt8(ascii: "\n")))
  }

  /// Writes the collected bytes. Bytes that were passed on are not written again, even if writing failed.
  package func flush() throws {
    guard !buffer.isEmpty else { return }
    defer { buffer.removeAll(keepingCapacity: true) }
    do {
      try write(buffer)
    } catch {
      guard outlivesReader, (error as? SystemError)?.isBrokenPipe == true else { throw error }
    }
  }
}
