package import ByteReading
package import MediaModel

/// JPEG (ITU-T T.81), in the file formats JFIF and EXIF.
package enum JPEGFormat: PictureFormat {
  package static let uniformTypes: Set<UniformType> = [.jpeg]

  package static func recognize(_ head: FileHead) -> UniformType? {
    head.bytes.hasBytes([0xFF, 0xD8, 0xFF]) ? .jpeg : nil
  }

  package static func metadata(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureMetadata {
    try PictureMetadata.jpeg(source)
  }
}
