import ByteReading

/// The ways to read bytes as a text whose encoding is unknown: ASCII and its supersets, UTF-16, and UTF-32.
enum TextReadings {
  /// Whether a reading has a property: the bytes as they are and, if they could be UTF-16 or UTF-32, as UTF-8.
  ///
  /// The other readings are text only in part if the bytes contain other fields, such as the length of a subtitle. Each is
  /// made only if those before it do not have the property.
  ///
  /// - Parameter predicate: is false for less than three characters of ASCII, since no coordinate is shorter.
  static func contain(_ bytes: [UInt8], where predicate: ([UInt8]) -> Bool) -> Bool {
    guard bytes.count >= shortest else { return false }
    if predicate(bytes) { return true }
    // UTF-16 has a zero in each ASCII character. Texts in other scripts begin with a mark, or have digits.
    guard bytes.contains(0) || hasMark(bytes) else { return false }
    // Without its zeros, UTF-16 and UTF-32 are ASCII where they are at odd offsets too.
    if predicate(bytes.filter { $0 != 0 }) { return true }
    guard bytes.count >= 2 * shortest else { return false }
    return [0, 1].contains { start in
      [ByteOrder.big, .little].contains { predicate(utf8(bytes, from: start, $0)) }
    }
  }

  private static let shortest = 3

  /// Whether bytes contain a byte order mark of UTF-16.
  private static func hasMark(_ bytes: [UInt8]) -> Bool {
    var previous: UInt8 = 0
    for byte in bytes {
      if byte == 0xFF && previous == 0xFE || byte == 0xFE && previous == 0xFF { return true }
      previous = byte
    }
    return false
  }

  /// UTF-16 as UTF-8, with replacement characters for other bytes.
  private static func utf8(_ bytes: [UInt8], from start: Int, _ order: ByteOrder) -> [UInt8] {
    let (high, low) = order == .big ? (0, 1) : (1, 0)
    func unit(at position: Int) -> UInt32? {
      guard position < bytes.count - 1 else { return nil }
      return UInt32(bytes[position + high]) << 8 | UInt32(bytes[position + low])
    }
    func trail(_ bits: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: bits & 0x3F | 0x80) }
    func lead(_ bits: UInt32, _ mark: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: bits | mark) }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var position = start
    while var code = unit(at: position) {
      position += 2
      if code & 0xFC00 == 0xD800, let second = unit(at: position), second & 0xFC00 == 0xDC00 {
        position += 2
        code = 0x10000 + (code & 0x3FF) << 10 + (second & 0x3FF)
        result.append(lead(code >> 18, 0xF0))
        result.append(trail(code >> 12))
        result.append(trail(code >> 6))
        result.append(trail(code))
        continue
      }
      // A surrogate without the other one of its pair.
      if code & 0xF800 == 0xD800 { code = 0xFFFD }
      if code < 0x80 {
        result.append(UInt8(truncatingIfNeeded: code))
      } else if code < 0x800 {
        result.append(lead(code >> 6, 0xC0))
        result.append(trail(code))
      } else {
        result.append(lead(code >> 12, 0xE0))
        result.append(trail(code >> 6))
        result.append(trail(code))
      }
    }
    return result
  }
}
