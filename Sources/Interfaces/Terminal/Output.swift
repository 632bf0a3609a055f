/// Where results go: bytes, collected and written in large pieces.
package final class Output {
  private static let limit = 1 << 16

  private var buffer: [UInt8] = []
  private let write: ([UInt8]) throws -> Void

  /// - Parameter write: takes all bytes it is given, or throws.
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

  /// Writes what was collected. What was handed over once is not written again, whatever came of it.
  package func flush() throws {
    guard !buffer.isEmpty else { return }
    defer { buffer.removeAll(keepingCapacity: true) }
    try write(buffer)
  }
}
