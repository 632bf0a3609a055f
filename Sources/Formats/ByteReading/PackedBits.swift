/// Reads bits as DEFLATE, Brotli and JPEG XL store them, starting with the least significant one of each byte.
package struct PackedBits {
  private(set) var bytes: SpannedBytes
  private var buffer: UInt64 = 0
  /// The number of bits in the buffer.
  private var available = 0

  init(_ bytes: SpannedBytes) {
    self.bytes = bytes
  }

  package init(_ bytes: [UInt8]) {
    self.init(SpannedBytes(ArraySource(bytes), [0..<UInt64(bytes.count)]))
  }

  /// The number of bytes of which at least one bit was read.
  var bytesRead: UInt64 { bytes.position - UInt64(available / 8) }

  private mutating func load() {
    while available <= 56, let byte = bytes.next() {
      buffer |= UInt64(byte) << UInt64(available)
      available += 8
    }
  }

  /// The next 16 bits, with zeros after the end. They stay in the buffer.
  mutating func peek() -> Int {
    if available < 16 { load() }
    return Int(buffer & 0xFFFF)
  }

  /// Skips up to 16 bits; false if there are fewer.
  mutating func skip(_ count: Int) -> Bool {
    if available < count { load() }
    guard count <= available else { return false }
    buffer >>= UInt64(count)
    available -= count
    return true
  }

  /// A number of up to 32 bits; nil at the end.
  package mutating func read(_ count: Int) -> Int? {
    guard count <= 16 else {
      guard let low = read(16), let high = read(count - 16) else { return nil }
      return low | high << 16
    }
    let value = peek() & (1 << count - 1)
    return skip(count) ? value : nil
  }

  /// Moves to the first bit of the next byte.
  package mutating func skipToByte() {
    _ = skip(available % 8)
  }
}
