package import ByteReading
package import MediaModel

/// HEIF (ISO/IEC 23008-12): HEIC, AVIF, and image sequences.
package enum HEIFFormat: PictureFormat {
  package static let uniformTypes: Set<UniformType> = [.heic, .heif, .heics, .avif]

  package static func recognize(_ head: FileHead) -> UniformType? {
    uniformTypes.containing(isoBaseMediaType(head))
  }

  package static func metadata(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureMetadata {
    let file = try HEIFContainer(source)
    var metadata = PictureMetadata(
      exif: try file.exif(from: source), xmp: try file.xmp(from: source), icc: file.colorProfile)
    if metadata.xmp == nil, file.hasXMP { metadata.noteUnreadXMP() }
    return metadata
  }
}

extension HEIFContainer {
  /// The ICC profile of the primary picture, or else of the first of its tiles that has one. Profiles of auxiliary
  /// pictures (gain maps, depth) and of thumbnails describe other pixels.
  fileprivate var colorProfile: [UInt8]? {
    var seen: Set<UInt32> = []
    let sources =
      [primaryItem].compactMap(\.self) + primaryParts.filter { seen.insert($0).inserted }
    return sources.prefix(Self.maximumProfileSources).lazy.compactMap { id in
      properties(of: id).lazy.compactMap(\.colorProfile).first
    }.first
  }

  /// Tiles share their properties, so only these are searched for a profile.
  private static let maximumProfileSources = 16
}

extension HEIFProperty {
  /// The ICC profile in a `colr` property of kind `prof` or `rICC`.
  fileprivate var colorProfile: [UInt8]? {
    guard type == "colr", content.hasText("prof") || content.hasText("rICC"), content.count > 4
    else { return nil }
    return content.bytes(from: 4)
  }
}
