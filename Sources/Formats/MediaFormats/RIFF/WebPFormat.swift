package import ByteReading
package import MediaModel

/// WebP, a picture in RIFF chunks.
package enum WebPFormat: PictureFormat {
  package static let uniformTypes: Set<UniformType> = [.webP]
  private static let maximumProfile = 64 << 20

  package static func recognize(_ head: FileHead) -> UniformType? {
    head.bytes.hasText("RIFF") && head.bytes.hasText("WEBP", at: 8) ? .webP : nil
  }

  package static func metadata(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureMetadata {
    let file = try WebPFile(source)
    let chunks = try source.webPChunks()
    let profile = chunks.first { $0.type == "ICCP" }
    var metadata = PictureMetadata(
      exif: file.exif, xmp: file.xmp,
      icc: try profile.flatMap { try source.bytes(in: $0.payload, limit: maximumProfile) })
    if metadata.xmp == nil, chunks.contains(where: { $0.type == "XMP " }) {
      metadata.noteUnreadXMP()
    }
    return metadata
  }
}
