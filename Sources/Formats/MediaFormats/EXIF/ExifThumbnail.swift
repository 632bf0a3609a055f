import ByteReading

/// The small JPEG in an EXIF block (Exif 2.32 §4.5.5): the second directory's 0x0201 and 0x0202.
///
/// - Parameter block: from its TIFF header on.
/// - Returns: nil if there is none; what is returned may still be no picture.
package func exifThumbnail(in block: [UInt8]) -> [UInt8]? {
  guard let tiff = try? TIFFFile(ArraySource(block)),
    let directories = try? tiff.directories(limit: 2), directories.count == 2,
    let offset = try? tiff.unsigned(0x0201, in: directories[1]),
    let length = try? tiff.unsigned(0x0202, in: directories[1]),
    offset <= UInt64(block.count), length <= UInt64(block.count) - offset
  else { return nil }
  let start = Int(offset)
  let bytes = Array(block[start..<(start + Int(length))])
  return bytes.starts(with: [0xFF, 0xD8, 0xFF]) ? bytes : nil
}
