import ByteReading
import MediaEdits

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
  static func haveCoordinates(_ data: [UInt8]) -> Bool { !withCoordinates(in: data).isEmpty }

  /// The ranges of texts with coordinates, in ASCII, UTF-8 and UTF-16.
  static func withCoordinates(in data: [UInt8]) -> [Range<Int>] {
    ranges(in: data).filter { WrittenCoordinates.occur(inPlain: Array(data[$0])) }
      + [0, 1].flatMap { wideRanges(in: data, from: $0) }.filter { range in
        WrittenCoordinates.occur(
          inPlain: stride(from: range.lowerBound + 1, to: range.upperBound, by: 2)
            .map { data[$0] })
      }
  }

  /// The ranges of ASCII in UTF-16 with the first byte of each character at even or at odd offsets. In the other byte order
  /// the first and the last byte of a text are outside.
  private static func wideRanges(in data: [UInt8], from start: Int) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var first = start
    for index in stride(from: start, to: data.count + 1, by: 2) {
      if data.u8(at: index) == 0, let byte = data.u8(at: index + 1), (0x20...0x7E).contains(byte) {
        continue
      }
      if index - first >= 2 * shortest { found.append(first..<index) }
      first = index + 2
    }
    return found
  }
}

extension Redaction {
  /// The longest data in bytes that is searched. An index of a movie of four days is shorter.
  private static let maximumData: UInt64 = 256 << 20
  /// The bytes that are searched at once, and those of them that are searched again with the next ones. A longer text
  /// between two coordinates would not be part of them.
  private static let (piece, overlap): (UInt64, UInt64) = (4 << 20, 4 << 10)

  /// Overwrites texts with coordinates in data that consists of numbers, such as a table or a header. No decoder reads them.
  ///
  /// - Throws: ``RedactionRefusal`` for data that is too long to be searched; what the source throws.
  mutating func blankPlaces(
    in range: Range<UInt64>, of source: any ByteSource, _ policy: MetadataPolicy
  ) throws {
    let range = range.clamped(to: 0..<source.count)
    guard policy.removesLocation, range.count >= TextsInData.shortest else { return }
    guard UInt64(range.count) <= Self.maximumData else {
      throw RedactionRefusal(
        "A part of the file is too long to be searched, so \(policy.removedText) in it cannot be found."
      )
    }
    var start = range.lowerBound
    while true {
      let end = min(start + Self.piece, range.upperBound)
      for text in TextsInData.withCoordinates(
        in: try source.bytes(at: start, count: Int(end - start)))
      {
        fill((start + UInt64(text.lowerBound))..<(start + UInt64(text.upperBound)))
      }
      guard end < range.upperBound else { return }
      start = end - Self.overlap
    }
  }
}
