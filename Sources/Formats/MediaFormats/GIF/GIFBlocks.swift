package import ByteReading

/// One block of a GIF (GIF89a §12): a picture with its data, or an extension.
package struct GIFBlock {
  /// The label of an extension; nil for a picture.
  package var label: UInt8?
  /// From its first byte to behind the data's end.
  package var range: Range<UInt64>
  /// Its first bytes.
  package var head: [UInt8]

  /// The code size and the data of a picture, and how many pixels it has; nil for an extension.
  package var pixelData: (range: Range<UInt64>, pixels: Int)? {
    guard label == nil, let width = head.u16(at: 5, .little), let height = head.u16(at: 7, .little),
      let flags = head.u8(at: 9)
    else { return nil }
    let start = range.lowerBound + 10 + GIFBlockWalk.colorTableSize(flags)
    guard start < range.upperBound else { return nil }
    return (start..<range.upperBound, Int(width) * Int(height))
  }

  /// The name of an application's extension (§26).
  package var application: String? {
    label == 0xFF ? head.bytes(at: 3, count: 11)?.text : nil
  }

  /// The XMP packet, which stands there as it is, not cut into blocks, before 258 bytes that lead any walk
  /// of blocks to its end (XMP specification part 3 §1.1.2).
  package var xmpPacket: Range<UInt64>? {
    let (start, trailer): (UInt64, UInt64) = (14, 258)
    guard application == Self.xmpApplication,
      range.upperBound - range.lowerBound > start + trailer
    else { return nil }
    return (range.lowerBound + start)..<(range.upperBound - trailer)
  }

  /// Of comments (§24).
  static let commentLabel: UInt8 = 0xFE
  package static let xmpApplication = "XMP DataXMP"
}

/// Steps from block to block of a GIF.
package struct GIFBlockWalk {
  private static let imageSeparator: UInt8 = 0x2C
  private static let extensionIntroducer: UInt8 = 0x21

  private let source: any ByteSource
  private let limit: UInt64
  /// Where the next block begins; in the end where there is none.
  package private(set) var position: UInt64

  /// - Parameter limit: bytes of the file that are walked.
  package init(_ source: any ByteSource, limit: UInt64 = .max) throws {
    self.source = source
    self.limit = min(limit, source.count)
    position = 13 + Self.colorTableSize(try source.bytes(at: 10, count: 1).first ?? 0)
  }

  /// Whether the next block is a picture.
  func isAtPicture() throws -> Bool {
    try source.bytes(at: position, count: 1).first == Self.imageSeparator
  }

  /// Nil at the trailer, at the limit, and at what is no block.
  package mutating func next() throws -> GIFBlock? {
    guard position < limit else { return nil }
    let head = try source.bytes(at: position, count: 16)
    var end = position
    switch head.first {
    case Self.imageSeparator:
      guard let flags = head.u8(at: 9) else { return nil }
      // The descriptor, its colour table and the code size, then data.
      end += 10 + Self.colorTableSize(flags) + 1
    case Self.extensionIntroducer: end += 2
    default: return nil
    }
    // A chain of blocks behind their lengths, which a length of 0 ends.
    while end < limit, let length = try source.bytes(at: end, count: 1).first {
      end += UInt64(length) + 1
      if length == 0 { break }
    }
    let range = position..<min(end, source.count)
    position = range.upperBound
    return GIFBlock(
      label: head.first == Self.extensionIntroducer ? head.u8(at: 1) ?? 0 : nil, range: range,
      head: head)
  }

  /// Bytes of the colour table that a descriptor's flags announce.
  static func colorTableSize(_ flags: UInt8) -> UInt64 {
    flags & 0x80 == 0 ? 0 : 3 << UInt64(flags & 7 + 1)
  }
}
