package import ByteReading
package import MediaModel

/// JPEG XL, as a bare codestream or in boxes (ISO/IEC 18181-2).
package enum JPEGXLFormat: PictureFormat {
  package static let uniformTypes: Set<UniformType> = [.jpegXL]

  package static func recognize(_ head: FileHead) -> UniformType? {
    let bytes = head.bytes
    if bytes.hasText("JXL ", at: 4), bytes.hasBytes([0x0D, 0x0A, 0x87, 0x0A], at: 8) {
      return .jpegXL
    }
    guard bytes.hasBytes([0xFF, 0x0A]) else { return nil }
    // Two bytes are little evidence: a valid size must follow.
    var bits = PackedBits(bytes.bytes(at: 2, count: min(32, bytes.count - 2)) ?? [])
    return bits.jpegXLSize() == nil ? nil : .jpegXL
  }

  package static func metadata(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureMetadata {
    let file = try JPEGXLFile(source)
    var metadata = PictureMetadata(exif: file.exif, xmp: file.xmp)
    metadata.notes = file.warnings
    if file.hasUnreadXMP { metadata.noteUnreadXMP() }
    return metadata
  }
}
