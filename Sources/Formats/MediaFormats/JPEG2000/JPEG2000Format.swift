package import ByteReading
package import MediaModel

/// JPEG 2000, as a bare codestream or in boxes (ISO/IEC 15444-1, -2).
package enum JPEG2000Format: PictureFormat {
  package static let uniformTypes: Set<UniformType> = [.jpeg2000]

  package static func recognize(_ head: FileHead) -> UniformType? {
    let bytes = head.bytes
    if bytes.hasText("jP  ", at: 4), bytes.hasBytes([0x0D, 0x0A, 0x87, 0x0A], at: 8) {
      return .jpeg2000
    }
    if bytes.hasBytes([0xFF, 0x4F, 0xFF, 0x51]) { return .jpeg2000 }
    // A file without the signature box.
    return uniformTypes.containing(isoBaseMediaType(head))
  }

  package static func metadata(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureMetadata {
    let file = try JPEG2000File(source)
    var metadata = PictureMetadata(exif: file.exif, xmp: file.xmp)
    if file.xmp == nil, file.hasUnreadXMP { metadata.noteUnreadXMP() }
    metadata.imageResources = file.iptc.map { PhotoshopResource.made(PhotoshopResource.iptc, $0) }
    metadata.icc = file.profile
    return metadata
  }
}
