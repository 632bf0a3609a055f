package import ByteReading
package import MediaModel

/// Fujifilm's RAF: a header with the offsets of a JPEG, which contains the EXIF, and of a list of tags with the size of
/// the sensor's image.
package struct RAFFile {
  package private(set) var size: PixelSize?
  /// The range of the JPEG.
  package private(set) var embeddedJPEG: Range<UInt64>

  /// - Throws: ``ContainerError/notThisFormat(_:)`` for another header; the errors of the source.
  package init(_ source: any ByteSource) throws {
    let header = try source.bytes(at: 0, count: 0x6C)
    guard header.hasText("FUJIFILM"), let offset = header.u32(at: 84),
      let length = header.u32(at: 88), let directory = header.u32(at: 92)
    else { throw ContainerError.notThisFormat("Fujifilm RAW file") }
    embeddedJPEG = UInt64(offset)..<(UInt64(offset) + UInt64(length))
    let table = try source.bytes(at: UInt64(directory), count: 4096)
    var position = 4
    for _ in 0..<min(table.u32(at: 0) ?? 0, 256) {
      guard let tag = table.u16(at: position), let length = table.u16(at: position + 2)
      else { break }
      // RawImageCroppedSize: height, then width.
      if tag == 0x0111, let height = table.u16(at: position + 4),
        let width = table.u16(at: position + 6)
      {
        size = PixelSize(width: Int(width), height: Int(height))
      }
      position += 4 + Int(length)
    }
  }
}
