/// Reads the bits of a JPEG's entropy-coded data up to a marker (ITU-T T.81 §F.1.2.3).
struct JPEGBits {
  private let bytes: [UInt8]
  /// The offset of the next byte to read.
  private var index = 0
  /// Bits that were read and not used, the first one highest; zeros after them.
  private var bits: UInt64 = 0
  /// The number of these bits; negative if more were used than there are.
  private var count = 0

  /// - Parameter start: the offset of the first byte to read.
  init(_ bytes: [UInt8], from start: Int = 0) {
    self.bytes = bytes
    index = start
  }

  /// Whether more bits were used than there are before the marker.
  var isExhausted: Bool { count < 0 }

  /// The next 16 bits, zeros after the end. At least 32 bits can be skipped before the next call.
  @inline(__always)
  mutating func peek() -> Int {
    if count < 32 { fill() }
    return Int(bits >> 48)
  }

  /// - Parameter width: 0–32, after a call of ``peek()``.
  @inline(__always)
  mutating func skip(_ width: Int) {
    bits <<= UInt64(width)
    count -= width
  }

  /// The next 0–16 bits.
  mutating func next(_ width: Int) -> Int {
    let value = peek() >> (16 - width)
    skip(width)
    return value
  }

  /// Skips any number of bits.
  mutating func skipAll(_ width: Int) {
    var left = width
    while left > 0, !isExhausted {
      _ = peek()
      skip(min(left, 32))
      left -= 32
    }
  }

  private mutating func fill() {
    // Most of the time four bytes can be taken at once.
    if count >= 0, count <= 32, bytes.count - index >= 4 {
      let four =
        UInt32(bytes[index]) << 24 | UInt32(bytes[index + 1]) << 16 | UInt32(bytes[index + 2]) << 8
        | UInt32(bytes[index + 3])
      if !Self.contains0xFF(four) {
        bits |= UInt64(four) << UInt64(32 - count)
        index += 4
        count += 32
        return
      }
    }
    while count >= 0, count <= 56, index < bytes.count {
      let byte = bytes[index]
      if byte == 0xFF {
        // A zero follows a byte 0xFF that is not part of a marker.
        guard index + 1 < bytes.count, bytes[index + 1] == 0 else { return }
        index += 1
      }
      index += 1
      bits |= UInt64(byte) << UInt64(56 - count)
      count += 8
    }
  }

  /// Whether one of four bytes is 0xFF. May be true for others, which costs only time.
  @inline(__always)
  private static func contains0xFF(_ four: UInt32) -> Bool {
    // A byte of the inverse is zero: subtracting one from it borrows from its highest bit.
    (~four &- 0x0101_0101) & four & 0x8080_8080 != 0
  }

  /// Whether only padding is left: one bits up to the end of a byte, and fill bytes 0xFF.
  mutating func isAtEnd() -> Bool {
    if count < 8 { fill() }
    guard (0..<8).contains(count) else { return false }
    let padding = bits >> UInt64(64 - count)
    return padding == 1 << UInt64(count) - 1 && bytes[index...].allSatisfy { $0 == 0xFF }
  }

  /// The offset after the last byte of which a bit was used.
  var position: Int {
    var found = index
    for _ in 0..<(max(0, count) / 8) {
      let isStuffed = found >= 2 && bytes[found - 1] == 0 && bytes[found - 2] == 0xFF
      found -= isStuffed ? 2 : 1
    }
    return found
  }

  /// Moves on to the byte after the next restart marker.
  ///
  /// - Returns: the offset of the marker; nil if there is none.
  mutating func moveAfterRestart() -> Int? {
    var marker = position
    while marker + 1 < bytes.count {
      if bytes[marker] == 0xFF, bytes[marker + 1] != 0, bytes[marker + 1] != 0xFF {
        guard (0xD0...0xD7).contains(bytes[marker + 1]) else { return nil }
        (index, bits, count) = (marker + 2, 0, 0)
        return marker
      }
      marker += 1
    }
    return nil
  }
}
