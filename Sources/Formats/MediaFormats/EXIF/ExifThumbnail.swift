import ByteReading

/// The thumbnail in an EXIF block (Exif 2.32 §4.5.5): a JPEG to which the second directory points.
///
/// - Parameter block: the block from its TIFF header on.
/// - Returns: nil if there is none. Only the first three bytes of the JPEG are checked.
package func exifThumbnail(in block: [UInt8]) -> [UInt8]? {
  guard let tiff = try? TIFFFile(ArraySource(block)),
    let directories = try? tiff.directories(limit: 2), directories.count == 2,
    let offset = try? tiff.unsigned(TIFFTag.jpegInterchangeFormat, in: directories[1]),
    let length = try? tiff.unsigned(TIFFTag.jpegInterchangeFormatLength, in: directories[1]),
    offset <= UInt64(block.count), length <= UInt64(block.count) - offset
  else { return nil }
  let start = Int(offset)
  let bytes = Array(block[start..<(start + Int(length))])
  return bytes.starts(with: [0xFF, 0xD8, 0xFF]) ? bytes : nil
}
