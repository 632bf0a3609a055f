package import ByteReading
package import MediaModel

/// What a GIF's blocks tell (GIF89a specification).
package struct GIFFile {
  /// The logical screen's size.
  package private(set) var size: PixelSize
  /// Pictures in the part of the file that is walked.
  package private(set) var frameCount = 0
  package private(set) var xmp: [UInt8]?

  /// Bytes of the file that are walked to count pictures.
  static let maximumWalk: UInt64 = 16 << 20

  /// How much of a file is read.
  package enum Extent: Sendable {
    /// All of it, up to a limit.
    case whole
    /// What comes before the first picture, and the file's end. Pictures are not counted, and an XMP packet
    /// between two pictures of an animation is not found; no known program writes one there.
    case description
  }

  /// Files up to this many bytes are read whole anyway.
  private static let smallFile: UInt64 = 128 << 10

  /// - Throws: ``ContainerError`` without header; what the source throws.
  package init(_ source: any ByteSource, extent: Extent = .whole) throws {
    let head = try source.bytes(at: 0, count: 13)
    guard head.hasText("GIF87a") || head.hasText("GIF89a") else {
      throw ContainerError.notThisFormat("GIF")
    }
    guard let width = head.u16(at: 6, .little), let height = head.u16(at: 8, .little),
      head.count > 10
    else { throw ContainerError.damaged("ends before the GIF screen descriptor") }
    size = PixelSize(width: Int(width), height: Int(height))
    var walk = try GIFBlockWalk(source, limit: Self.maximumWalk)
    if extent == .description, source.count > Self.smallFile {
      while try !walk.isAtPicture(), let block = try walk.next() {
        if let range = block.xmpPacket { xmp = try source.bytes(in: range, limit: 4 << 20) }
      }
      if xmp == nil { xmp = try GIFTail.xmp(of: source) }
      return
    }
    while let block = try walk.next() {
      if block.label == nil { frameCount += 1 }
      if let range = block.xmpPacket { xmp = try source.bytes(in: range, limit: 4 << 20) }
    }
  }
}

extension GIFFile {
  /// Whether the first picture has a transparent colour (GIF89a §23).
  package static func hasTransparentColor(_ source: any ByteSource) throws -> Bool {
    var walk = try GIFBlockWalk(source, limit: maximumWalk)
    while let block = try walk.next(), let label = block.label {
      if label == 0xF9 { return block.head.u8(at: 3).map { $0 & 1 == 1 } ?? false }
    }
    return false
  }
}
