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

  /// - Throws: ``ContainerError`` without header; what the source throws.
  package init(_ source: any ByteSource) throws {
    let head = try source.bytes(at: 0, count: 13)
    guard head.hasText("GIF87a") || head.hasText("GIF89a") else {
      throw ContainerError.notThisFormat("GIF")
    }
    guard let width = head.u16(at: 6, .little), let height = head.u16(at: 8, .little),
      head.count > 10
    else { throw ContainerError.damaged("ends before the GIF screen descriptor") }
    size = PixelSize(width: Int(width), height: Int(height))
    var walk = try GIFBlockWalk(source, limit: Self.maximumWalk)
    while let block = try walk.next() {
      if block.label == nil { frameCount += 1 }
      if let range = block.xmpPacket { xmp = try source.bytes(in: range, limit: 4 << 20) }
    }
  }
}
