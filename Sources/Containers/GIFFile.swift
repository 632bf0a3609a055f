package import MediaModel

/// What a GIF's blocks tell (GIF89a specification).
package struct GIFFile {
  /// The logical screen's size.
  package private(set) var size: PixelSize
  /// Pictures counted; all of them if ``isFullyCounted``.
  package private(set) var frameCount = 0
  package private(set) var isFullyCounted = false
  package private(set) var xmp: [UInt8]?
  package private(set) var comments: [String] = []

  /// Bytes of the file that are walked to count pictures.
  private static let maximumWalk: UInt64 = 16 << 20
  private static let imageSeparator: UInt8 = 0x2C
  private static let extensionIntroducer: UInt8 = 0x21
  private static let trailer: UInt8 = 0x3B

  /// - Throws: ``ContainerError`` without header; what the source throws.
  package init(_ source: any ByteSource) throws {
    let head = try source.bytes(at: 0, count: 13)
    guard head.hasText("GIF87a") || head.hasText("GIF89a") else {
      throw ContainerError.notThisFormat("GIF")
    }
    guard let width = head.u16(at: 6, .little), let height = head.u16(at: 8, .little),
      let flags = head.u8(at: 10)
    else { throw ContainerError.damaged("ends before the GIF screen descriptor") }
    size = PixelSize(width: Int(width), height: Int(height))
    try walk(source, from: 13 + Self.colorTableSize(flags))
  }

  private static func colorTableSize(_ flags: UInt8) -> UInt64 {
    flags & 0x80 == 0 ? 0 : 3 << UInt64(flags & 7 + 1)
  }

  private mutating func walk(_ source: any ByteSource, from start: UInt64) throws {
    var position = start
    while position < Self.maximumWalk {
      let head = try source.bytes(at: position, count: 14)
      switch head.first {
      case Self.imageSeparator:
        guard let flags = head.u8(at: 9) else { return }
        frameCount += 1
        // The descriptor, its colour table and the code size, then data.
        position = try endOfBlocks(source, position + 10 + Self.colorTableSize(flags) + 1)
      case Self.extensionIntroducer:
        let end = try endOfBlocks(source, position + 2)
        try takeExtension(head, (position + 2)..<end, source)
        position = end
      case Self.trailer:
        isFullyCounted = true
        return
      default: return
      }
    }
  }

  /// Behind the chain of length-prefixed blocks that a length of 0 ends.
  private func endOfBlocks(_ source: any ByteSource, _ start: UInt64) throws -> UInt64 {
    var position = start
    while position < Self.maximumWalk, let length = try source.bytes(at: position, count: 1).first {
      position += UInt64(length) + 1
      if length == 0 { break }
    }
    return position
  }

  private mutating func takeExtension(
    _ head: [UInt8], _ blocks: Range<UInt64>, _ source: any ByteSource
  ) throws {
    // XMP stands there as it is, not cut into blocks, before 258 bytes that lead any walk of blocks
    // to its end (XMP specification part 3 §1.1.2).
    let trailer: UInt64 = 258
    if head.u8(at: 1) == 0xFF, head.hasText("XMP DataXMP", at: 3),
      blocks.upperBound - blocks.lowerBound > 12 + trailer
    {
      xmp = try source.bytes(
        in: (blocks.lowerBound + 12)..<(blocks.upperBound - trailer), limit: 4 << 20)
    }
    if head.u8(at: 1) == 0xFE, comments.count < 16, let length = head.u8(at: 2),
      let comment = try source.bytes(at: blocks.lowerBound + 1, count: Int(length)).trimmedText
    {
      comments.append(comment)
    }
  }
}
