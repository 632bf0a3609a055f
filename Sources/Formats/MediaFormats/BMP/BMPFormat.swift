package import ByteReading
package import MediaModel

/// Bitmaps of Windows and OS/2.
package enum BMPFormat: PictureFormat {
  package static let uniformTypes: Set<UniformType> = [.bmp]

  package static func recognize(_ head: FileHead) -> UniformType? {
    guard head.bytes.hasText("BM"), let headerSize = head.bytes.u32(at: 14, .little),
      BMPFile.headerSizes.contains(headerSize), head.bytes.u32(at: 6, .little) == 0
    else { return nil }
    return .bmp
  }

  package static func metadata(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureMetadata {
    var metadata = PictureMetadata()
    metadata.density = try PixelDensity(bmp: source)
    return metadata
  }
}
