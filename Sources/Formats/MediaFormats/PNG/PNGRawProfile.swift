import ByteReading
import MediaModel

/// A metadata block as ImageMagick writes it into a PNG text named `Raw profile type …`: a line with a name, a
/// line with the length in decimal digits, then hexadecimal digits.
package enum PNGRawProfile {
  private static let prefix = "raw profile type"

  /// The kind of block that a text with a keyword contains, such as `exif`; nil for another keyword.
  package static func kind(ofKeyword keyword: String) -> String? {
    guard keyword.lowercased().hasPrefix(prefix) else { return nil }
    return String(keyword.dropFirst(prefix.count)).trimmed
  }

  private static let names: Set<String> = ["exif", "APP1", "iptc", "8bim", "xmp", "icc", "icm"]

  /// Whether a text has nothing but one of these names, the length, two digits for each byte, and spaces.
  package static func isPlain(_ text: [UInt8]) -> Bool {
    let fields = fields(of: text)
    guard fields.count == 3, names.contains(String(decoding: fields[0], as: UTF8.self)),
      let length = Int(String(decoding: fields[1], as: UTF8.self).trimmed), length >= 0,
      length <= text.count
    else { return false }
    let digits = fields[2].filter { $0 > 0x20 }
    return digits.count == 2 * length
      && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }

  private static func fields(of text: [UInt8]) -> [ArraySlice<UInt8>] {
    text.split(maxSplits: 2, omittingEmptySubsequences: true) { $0 == 0x0A || $0 == 0x0D }
  }

  /// The block in a text; nil for a text in another form or with too few digits.
  package static func block(in text: [UInt8]) -> [UInt8]? {
    let fields = fields(of: text)
    guard fields.count == 3, let length = Int(String(decoding: fields[1], as: UTF8.self).trimmed),
      length > 0, length <= text.count
    else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in fields[2] {
      guard let digit = Character(Unicode.Scalar(character)).hexDigitValue else { continue }
      if let first = high {
        bytes.append(first << 4 | UInt8(digit))
        high = nil
      } else {
        high = UInt8(digit)
      }
    }
    return bytes.count >= length ? Array(bytes.prefix(length)) : nil
  }

  /// The text for a block, in lines of 72 digits.
  package static func text(_ name: String, _ block: [UInt8]) -> [UInt8] {
    var text = Array("\n\(name)\n\(block.count)\n".utf8)
    for (index, byte) in block.enumerated() {
      for digit in [byte >> 4, byte & 15] { text.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
      if index % 36 == 35 { text.append(0x0A) }
    }
    return text + [0x0A]
  }
}
