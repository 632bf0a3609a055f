package import ByteReading
package import MediaModel

/// PNG, and APNG, which adds chunks for animation.
package enum PNGFormat: PictureFormat {
  package static let uniformTypes: Set<UniformType> = [.png]

  package static func recognize(_ head: FileHead) -> UniformType? {
    head.bytes.hasBytes(PNGChunk.signature) ? .png : nil
  }

  package static func metadata(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureMetadata {
    let file = try PNGFile(source)
    var metadata = PictureMetadata(
      exif: file.exif, xmp: file.xmp,
      imageResources: file.iptc.map { PhotoshopResource.made(PhotoshopResource.iptc, $0) },
      icc: try PNGFile.profile(of: source))
    // ImageMagick 7 repeats the profile in a text. It would describe pixels that are converted to sRGB.
    metadata.texts = file.texts
      .filter { !["Raw profile type icc", "Raw profile type icm"].contains($0.keyword) }
      .map { PictureText(keyword: $0.keyword, text: $0.text) }
    metadata.density = file.density
    if file.xmp == nil, file.hasUnreadXMP { metadata.noteUnreadXMP() }
    return metadata
  }
}

extension PNGFile {
  /// The limit on a profile in bytes, compressed or not.
  private static let maximumProfile = 4 << 20

  /// The ICC profile of the `iCCP` chunk, which comes before the pixels.
  fileprivate static func profile(of source: any ByteSource) throws -> [UInt8]? {
    guard let chunk = try PNGChunk.beforePixels("iCCP", in: source, limit: 256),
      let content = try source.bytes(in: chunk.content, limit: maximumProfile),
      let name = content.prefix(80).firstIndex(of: 0)
    else { return nil }
    return inflateZlib(content.bytes(from: name + 2), limit: maximumProfile)
  }
}
