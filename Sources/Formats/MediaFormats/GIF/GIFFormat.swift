package import ByteReading
package import MediaModel

/// GIF.
package enum GIFFormat: PictureFormat {
  package static let uniformTypes: Set<UniformType> = [.gif]

  package static func recognize(_ head: FileHead) -> UniformType? {
    head.bytes.hasText("GIF87a") || head.bytes.hasText("GIF89a") ? .gif : nil
  }

  package static func metadata(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureMetadata {
    let file = try GIFFile(source)
    var metadata = PictureMetadata(xmp: file.xmp)
    if file.hasUnreadXMP { metadata.noteUnreadXMP() }
    metadata.texts = try PictureText.comments(ofGIF: source)
    return metadata
  }
}
