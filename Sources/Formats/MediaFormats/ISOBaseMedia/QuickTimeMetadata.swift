package import ByteReading
import MediaModel

/// A metadata value by its stored type (QuickTime File Format, "Well-known types").
package enum QuickTimeValue: Sendable, Hashable {
  case text(String)
  case integer(Int64)
  case number(Double)
  /// Other types, such as pictures and property lists: the bytes, and the number of the type.
  case data([UInt8], kind: UInt32)

  /// The text, or the number in decimal; nil for data.
  package var text: String? {
    switch self {
    case .text(let text): text
    case .integer(let value): String(value)
    case .number(let value): String(value)
    case .data: nil
    }
  }

  package var number: Double? {
    switch self {
    case .text(let text): Double(text)
    case .integer(let value): Double(value)
    case .number(let value): value.isFinite ? value : nil
    case .data: nil
    }
  }
}

/// One metadata item: `com.apple.quicktime.make` from `keys`, or a four-character code such as `©nam`.
package struct QuickTimeItem: Sendable, Hashable {
  package var key: String
  package var value: QuickTimeValue
}

/// Items of one box. Further ones are ignored.
private let maximumItems = 512
/// The longest value in bytes.
private let maximumValueSize = 64 << 10

/// Reads a `meta` box in QuickTime's form, or in the standard's, which begins with version and flags.
func quickTimeMetadata(_ meta: ISOBox, _ source: any ByteSource) throws -> [QuickTimeItem] {
  let start = try source.start(of: meta, 8)
  let skip: UInt64 = start.hasText("hdlr", at: 4) ? 0 : 4
  let boxes = try source.boxes(inside: meta, skip: skip, limit: 64)
  let keys = try boxes.first { $0.type == "keys" }.map { try quickTimeKeys($0, source) }
  guard let list = boxes.first(where: { $0.type == "ilst" }) else { return [] }
  var items: [QuickTimeItem] = []
  for box in try source.boxes(inside: list, limit: maximumItems) {
    guard let key = try quickTimeItemKey(box, keys: keys, source),
      let data = try source.child("data", of: box),
      let content = try source.content(of: data, limit: maximumValueSize),
      let kind = content.u32(at: 0)
    else { continue }
    let value = quickTimeValue(kind: kind & 0xFF_FFFF, content.bytes(from: 8))
    items.append(QuickTimeItem(key: key, value: value))
  }
  return items
}

/// An item's key. With a list of keys it is the one at the item's index, otherwise the item's code, or for `----` the
/// meaning and name inside.
package func quickTimeItemKey(_ box: ISOBox, keys: [String]?, _ source: any ByteSource) throws
  -> String?
{
  if let keys {
    let index = Int(box.type.rawValue)
    return index >= 1 && index <= keys.count ? keys[index - 1] : nil
  }
  guard box.type == "----" else { return box.type.description }
  let parts = try ["mean", "name"].compactMap { type -> String? in
    guard let part = try source.child(FourCC(stringLiteral: type), of: box) else { return nil }
    return try source.start(of: part, 256).bytes(from: 4).trimmedText
  }
  return parts.isEmpty ? nil : parts.joined(separator: ".")
}

/// The names in a `keys` box, in order.
package func quickTimeKeys(_ box: ISOBox, _ source: any ByteSource) throws -> [String] {
  guard let content = try source.content(of: box, limit: maximumValueSize) else { return [] }
  var names: [String] = []
  var position = 8
  while names.count < maximumItems, let size = content.u32(at: position), size >= 8,
    let name = content.bytes(at: position + 8, count: Int(size) - 8)
  {
    names.append(name.text)
    position += Int(size)
  }
  return names
}

/// A value by its well-known type.
func quickTimeValue(kind: UInt32, _ bytes: [UInt8]) -> QuickTimeValue {
  switch kind {
  case 1, 4: return .text(bytes.text)
  case 2, 5: return .text(utf16Text(bytes, .big))
  case 21, 65, 66, 67, 74:
    guard let value = signed(bytes) else { break }
    return .integer(value)
  case 22, 75, 76, 77, 78:
    guard let value = bytes.unsigned(at: 0, width: min(bytes.count, 8)), !bytes.isEmpty,
      bytes.count <= 8
    else { break }
    return Int64(exactly: value).map(QuickTimeValue.integer) ?? .number(Double(value))
  case 23:
    guard let pattern = bytes.u32(at: 0) else { break }
    return .number(Double(Float(bitPattern: pattern)))
  case 24:
    guard let pattern = bytes.u64(at: 0) else { break }
    return .number(Double(bitPattern: pattern))
  default: break
  }
  return .data(bytes, kind: kind)
}

/// A big-endian signed number of 1–8 bytes.
private func signed(_ bytes: [UInt8]) -> Int64? {
  guard (1...8).contains(bytes.count), let value = bytes.unsigned(at: 0, width: bytes.count)
  else { return nil }
  let shift = UInt64(64 - bytes.count * 8)
  return Int64(bitPattern: value << shift) >> Int64(shift)
}

/// The first text of a user data item: a 16-bit length, a language, then the text. Some writers omit length and
/// language.
func quickTimeUserText(_ content: [UInt8]) -> String? {
  guard let length = content.u16(at: 0), length > 0, let language = content.u16(at: 2),
    let text = content.bytes(at: 4, count: Int(length))
  else { return content.trimmedText }
  // Codes below 0x400 are languages of the Macintosh, with its own encoding (QuickTime File Format, "Language Code
  // Values"). Some writers use UTF-8 with them.
  let isMacintosh = language < 0x400 || language == 0x7FFF
  if isMacintosh, String(validating: text, as: UTF8.self) == nil { return macRomanText(text) }
  return text.trimmedText
}

/// The characters of Mac OS Roman from 0x80 on.
private let macRoman: [Character] = Array(
  "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø"
    + "¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ")

/// A text in Mac OS Roman up to the first NUL, without surrounding white space; nil if nothing is left.
private func macRomanText(_ bytes: [UInt8]) -> String? {
  let characters = bytes.prefix { $0 != 0 }.map { byte in
    byte < 0x80 ? Character(Unicode.Scalar(byte)) : macRoman[Int(byte) - 0x80]
  }
  let text = String(characters).trimmed
  return text.isEmpty ? nil : text
}

/// The boxes of 3GPP TS 26.244 §8 that describe the movie, and the keys of their values.
let threeGPPTexts: [FourCC: String] = ["titl": "title", "dscp": "description"]

/// The text of such a box, in UTF-8 or, after a byte order mark, UTF-16. Version, flags and language come first.
func threeGPPText(_ content: [UInt8]) -> String? {
  let text = content.bytes(from: 6)
  guard text.hasBytes([0xFE, 0xFF]) else { return text.trimmedText }
  return utf16Text(text.bytes(from: 2), .big).nonEmpty
}

/// A `loci` box (3GPP TS 26.244 §8.5) in ISO 6709 notation, such as `+47.3600+008.5400/`.
func threeGPPLocation(_ content: [UInt8]) -> String? {
  // Version, flags and language come first, then the place's name and its role. A name in UTF-16 begins with a byte
  // order mark and ends with two zeros.
  let isWide = content.hasBytes([0xFE, 0xFF], at: 6) || content.hasBytes([0xFF, 0xFE], at: 6)
  let width = isWide ? 2 : 1
  let end = stride(from: 6, to: content.count, by: width).first {
    content.unsigned(at: $0, width: width) == 0
  }
  guard let end, let longitude = content.i32(at: end + width + 1),
    let latitude = content.i32(at: end + width + 5)
  else { return nil }
  func signed(_ value: Int32, digits: Int) -> String {
    // 16.16 in units of 0.0001.
    let units = (Int(value.magnitude) * 10_000 + (1 << 15)) >> 16
    let (whole, rest) = (String(units / 10_000), String(units % 10_000))
    return (value < 0 ? "-" : "+") + String(repeating: "0", count: max(0, digits - whole.count))
      + whole + "." + String(repeating: "0", count: 4 - rest.count) + rest
  }
  return signed(latitude, digits: 2) + signed(longitude, digits: 3) + "/"
}
