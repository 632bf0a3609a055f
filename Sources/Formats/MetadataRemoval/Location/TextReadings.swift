import ByteReading

/// The ways to read bytes as a text whose encoding is unknown: ASCII and its supersets, UTF-16, and UTF-32.
enum TextReadings {
  /// The bytes as they are and, if they could be UTF-16 or UTF-32, as UTF-8.
  ///
  /// The other readings are text only in part if the bytes contain other fields, such as the length of a subtitle.
  static func readings(of bytes: [UInt8]) -> [[UInt8]] {
    // UTF-16 has a zero in each ASCII character. Texts in other scripts begin with a mark, or have digits.
    guard bytes.contains(0) || hasMark(bytes) else { return [bytes] }
    // Without its zeros, UTF-16 and UTF-32 are ASCII where they are at odd offsets too.
    var found = [bytes, bytes.filter { $0 != 0 }]
    for start in [0, 1] {
      for order in [ByteOrder.big, .little] { found.append(utf8(bytes, from: start, order)) }
    }
    return found
  }

  private static func hasMark(_ bytes: [UInt8]) -> Bool {
    [[0xFE, 0xFF], [0xFF, 0xFE]].contains { bytes.firstIndex(of: $0) != nil }
  }

  /// UTF-16 as UTF-8, with replacement characters for other bytes.
  private static func utf8(_ bytes: [UInt8], from start: Int, _ order: ByteOrder) -> [UInt8] {
    let units = stride(from: start, to: bytes.count - 1, by: 2)
      .compactMap { bytes.u16(at: $0, order) }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
