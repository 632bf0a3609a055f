import ByteReading

/// The texts in data that is not a text as a whole, such as a maker note, a coded picture or a property list.
///
/// In a megabyte of compressed data, a word such as `GPS` and a number with a degree sign each occur about once by chance.
/// Only longer runs of characters are texts.
enum TextsInData {
  /// The shortest text with a latitude and a longitude.
  static let shortest = 10

  /// The ranges of texts in ASCII and UTF-8, without control characters.
  static func ranges(in data: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = 0
    var position = 0
    while position <= data.count {
      if let length = length(ofCharacterIn: data, at: position) {
        position += length
        continue
      }
      if position - start >= shortest { found.append(start..<position) }
      position += 1
      start = position
    }
    return found
  }

  /// The bytes of a character; nil for a control character, for bytes that are not UTF-8, and at the end. Overlong forms do
  /// not matter.
  private static func length(ofCharacterIn data: [UInt8], at position: Int) -> Int? {
    guard let lead = data.u8(at: position) else { return nil }
    let length: Int
    switch lead {
    case 0x20...0x7E: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF: length = 3
    case 0xF0...0xF4: length = 4
    default: return nil
    }
    let end = position + length
    guard end <= data.count, data[(position + 1)..<end].allSatisfy({ $0 & 0xC0 == 0x80 }) else {
      return nil
    }
    return length
  }

  /// Whether data contains coordinates as a text in ASCII, UTF-8 or UTF-16.
  static func haveCoordinates(_ data: [UInt8]) -> Bool {
    ranges(in: data).contains { WrittenCoordinates.occur(inPlain: Array(data[$0])) }
      || [0, 1].contains { WrittenCoordinates.occur(inPlain: wideText(in: data, from: $0)) }
  }

  /// The ASCII in UTF-16 at odd or even offsets, with a zero between texts.
  private static func wideText(in data: [UInt8], from start: Int) -> [UInt8] {
    var text: [UInt8] = []
    var length = 0
    for index in stride(from: start, to: data.count - 1, by: 2) {
      if data[index] == 0, (0x20...0x7E).contains(data[index + 1]) {
        text.append(data[index + 1])
        length += 1
        continue
      }
      if length < shortest { text.removeLast(length) } else { text.append(0) }
      length = 0
    }
    if length < shortest { text.removeLast(length) }
    return text
  }
}
