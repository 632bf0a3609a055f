import ByteReading

/// Text in EXIF: ASCII according to the standard, UTF-8 or Windows-1252 in practice, padded with NULs or
/// spaces, not always terminated by a NUL.
package enum ExifText {
  /// Bytes up to the first NUL as text, without surrounding white space; nil if nothing is left.
  package static func trimmed(_ bytes: some Collection<UInt8>) -> String? {
    let upToNUL = bytes.prefix { $0 != 0 }
    guard let first = upToNUL.firstIndex(where: { !isBlank($0) }) else { return nil }
    var last = Array(upToNUL[first...])
    while let byte = last.last, isBlank(byte) { last.removeLast() }
    return decode(last)
  }

  /// UTF-8 if valid, else Windows-1252, which any bytes are.
  static func decode(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return windows1252Text(bytes)
  }

  /// UTF-16 up to the first NUL, without surrounding white space; nil if nothing is left.
  static func utf16(_ bytes: some Collection<UInt8>, _ order: ByteOrder) -> String? {
    var units: [UInt16] = []
    var high: UInt8?
    for byte in bytes {
      guard let first = high else {
        high = byte
        continue
      }
      high = nil
      let unit =
        order == .big
        ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first)
      if unit == 0 { break }
      units.append(unit)
    }
    return trimmed(Array(String(decoding: units, as: UTF16.self).utf8))
  }

  /// EXIF 2.32 §4.6.5 "UserComment": eight bytes name the character code, the text follows.
  ///
  /// Comments in JIS are left out: they are very rare, and no conversion table is available.
  static func userComment(_ bytes: [UInt8], _ order: ByteOrder) -> String? {
    guard bytes.count > 8 else { return nil }
    let text = bytes[8...]
    switch String(decoding: bytes[..<8], as: UTF8.self) {
    case "UNICODE\0":
      if text.starts(with: [0xFE, 0xFF]) { return utf16(text.dropFirst(2), .big) }
      if text.starts(with: [0xFF, 0xFE]) { return utf16(text.dropFirst(2), .little) }
      return utf16(text, likelyOrder(text) ?? order)
    case "JIS\0\0\0\0\0": return nil
    case "ASCII\0\0\0", "\0\0\0\0\0\0\0\0": return trimmed(text)
    // Some writers omit the character code.
    default: return trimmed(bytes)
    }
  }

  /// The byte order in which most high bytes are zero, as in Latin text. Writers disagree on whether the
  /// block's own byte order applies.
  private static func likelyOrder(_ text: ArraySlice<UInt8>) -> ByteOrder? {
    var zeros = (even: 0, odd: 0)
    for (index, byte) in text.prefix(256).enumerated() where byte == 0 {
      if index.isMultiple(of: 2) { zeros.even += 1 } else { zeros.odd += 1 }
    }
    if zeros.even == zeros.odd { return nil }
    return zeros.even > zeros.odd ? .big : .little
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
