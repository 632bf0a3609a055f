package import ByteReading

/// One block of a GIF (GIF89a §12): a picture with its data, or an extension.
package struct GIFBlock {
  /// The label of an extension; nil for a picture.
  package var label: UInt8?
  /// The range of the block with its data.
  package var range: Range<UInt64>
  /// The first bytes of the block.
  package var head: [UInt8]

  /// The range of a picture's code size and data, and its number of pixels; nil for an extension.
  package var pixelData: (range: Range<UInt64>, pixels: Int)? {
    guard label == nil, let width = head.u16(at: 5, .little), let height = head.u16(at: 7, .little),
      let flags = head.u8(at: 9)
    else { return nil }
    let start = range.lowerBound + 10 + GIFBlockWalk.colorTableSize(flags)
    guard start < range.upperBound else { return nil }
    return (start..<range.upperBound, Int(width) * Int(height))
  }

  /// The name of an application extension (§26); nil for other blocks.
  package var application: String? {
    label == 0xFF ? head.bytes(at: 3, count: 11)?.text : nil
  }

  /// Hundredths of a second before the picture after this block is replaced (§23); nil for other blocks.
  var delay: Int? {
    label == 0xF9 && head.u8(at: 2) == 4 ? head.u16(at: 4, .little).map(Int.init) : nil
  }

  /// Whether the block is an extension of animations: how often they are repeated.
  var declaresLoop: Bool { application == "NETSCAPE2.0" || application == "ANIMEXTS1.0" }

  /// The range of the XMP packet; nil for other blocks. The packet is not split into sub-blocks. The bytes after it,
  /// ``xmpTrailer``, make any reader of sub-blocks reach their end (XMP specification part 3 §1.1.2).
  package var xmpPacket: Range<UInt64>? {
    let (start, trailer): (UInt64, UInt64) = (14, UInt64(Self.xmpTrailer.count))
    guard application == Self.xmpApplication,
      range.upperBound - range.lowerBound > start + trailer
    else { return nil }
    return (range.lowerBound + start)..<(range.upperBound - trailer)
  }

  /// What the sub-blocks of an extension contain, joined (§15): each is after its length, and a length of 0 ends them.
  /// Those of an application extension follow its name.
  ///
  /// - Parameter limit: the most bytes that the block may have; nil is returned for a longer one.
  package func content(of source: any ByteSource, limit: Int = 1 << 20) throws -> [UInt8]? {
    guard let bytes = try source.bytes(in: range, limit: limit) else { return nil }
    var content: [UInt8] = []
    var position = application == nil ? 2 : 14
    while let length = bytes.u8(at: position), length > 0,
      let part = bytes.bytes(at: position + 1, count: Int(length))
    {
      content += part
      position += 1 + part.count
    }
    return content
  }

  /// The sub-blocks of an extension with this content.
  package static func subBlocks(_ content: [UInt8]) -> [UInt8] {
    stride(from: 0, to: content.count, by: 255).flatMap { start in
      let part = content[start..<min(start + 255, content.count)]
      return [UInt8(part.count)] + part
    } + [0]
  }

  /// The label of comments (§24).
  static let commentLabel: UInt8 = 0xFE
  package static let xmpApplication = "XMP DataXMP"
  /// The 258 bytes after an XMP packet.
  package static let xmpTrailer: [UInt8] = [1] + (0...255).reversed() + [0]
}

/// Steps from block to block of a GIF.
package struct GIFBlockWalk {
  private static let imageSeparator: UInt8 = 0x2C
  private static let extensionIntroducer: UInt8 = 0x21

  private let source: any ByteSource
  private let limit: UInt64
  /// The offset of the next block; after the last block, the offset of the trailer or of damage.
  package private(set) var position: UInt64

  /// - Parameter limit: the offset at which the walk ends.
  package init(_ source: any ByteSource, limit: UInt64 = .max) throws {
    self.source = source
    self.limit = min(limit, source.count)
    position = 13 + Self.colorTableSize(try source.bytes(at: 10, count: 1).first ?? 0)
  }

  /// Whether the next block is a picture.
  func isAtPicture() throws -> Bool {
    try source.bytes(at: position, count: 1).first == Self.imageSeparator
  }

  /// The next block; nil at the trailer, at the limit, and at bytes that are not a block.
  package mutating func next() throws -> GIFBlock? {
    guard position < limit else { return nil }
    let head = try source.bytes(at: position, count: 16)
    var end = position
    switch head.first {
    case Self.imageSeparator:
      guard let flags = head.u8(at: 9) else { return nil }
      // The descriptor, its colour table and the code size precede the data.
      end += 10 + Self.colorTableSize(flags) + 1
    case Self.extensionIntroducer: end += 2
    default: return nil
    }
    // Sub-blocks, each after its length. A length of 0 ends them.
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

  /// The length in bytes of the colour table that a descriptor's flags declare.
  static func colorTableSize(_ flags: UInt8) -> UInt64 {
    flags & 0x80 == 0 ? 0 : 3 << UInt64(flags & 7 + 1)
  }
}
