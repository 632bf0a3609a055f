package import ByteReading
package import MediaModel

/// Minolta's MRW: blocks after `\0MRM`. `TTW` contains the EXIF block, `PRD` the sizes.
package struct MRWFile {
  package private(set) var size: PixelSize?
  /// The EXIF block from its TIFF header on.
  package private(set) var exif: [UInt8]?
  /// The range of the EXIF block in the file.
  package private(set) var exifRange: Range<UInt64>?

  /// - Throws: ``ContainerError/notThisFormat(_:)`` for another header; the errors of the source.
  package init(_ source: any ByteSource) throws {
    let header = try source.bytes(at: 0, count: 8)
    guard header.hasText("\0MRM"), let length = header.u32(at: 4) else {
      throw ContainerError.notThisFormat("Minolta RAW file")
    }
    let end = min(8 + UInt64(length), source.count)
    var position: UInt64 = 8
    for _ in 0..<32 where position + 8 <= end {
      let head = try source.bytes(at: position, count: 8)
      guard let size = head.u32(at: 4) else { break }
      let content = (position + 8)..<(position + 8 + UInt64(size))
      if head.hasText("\0TTW") {
        exif = try source.bytes(in: content, limit: 4 << 20)
        exifRange = content
      }
      if head.hasText("\0PRD"), let block = try source.bytes(in: content, limit: 256),
        let height = block.u16(at: 12), let width = block.u16(at: 14)
      {
        self.size = PixelSize(width: Int(width), height: Int(height))
      }
      position = content.upperBound
    }
  }
}
