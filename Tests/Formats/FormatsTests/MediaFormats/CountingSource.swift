import ByteReading

/// A source that counts how often, and how many bytes, are read from it.
final class CountingSource: ByteSource {
  private let base: ArraySource
  private(set) var reads = 0
  private(set) var bytesRead = 0

  init(_ bytes: [UInt8]) {
    base = ArraySource(bytes)
  }

  var count: UInt64 { base.count }

  func bytes(at offset: UInt64, count: Int) -> [UInt8] {
    let found = base.bytes(at: offset, count: count)
    reads += 1
    bytesRead += found.count
    return found
  }
}
