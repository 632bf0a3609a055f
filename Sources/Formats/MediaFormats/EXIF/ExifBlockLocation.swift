// The start of an EXIF block, which is a TIFF, within the data that contains it.
import ByteReading

/// The TIFF block in the `Exif` item of a HEIF or the `Exif` box of a JPEG XL.
///
/// The first four bytes are the distance from their end to the block (ISO/IEC 23008-12 §A.2.1, ISO/IEC 18181-2 §9.4).
/// Some writers ignore the six bytes of an `Exif\0\0` in it. Others omit the four bytes, so that the item begins with
/// the TIFF header or with `Exif\0\0`.
///
/// - Returns: nil if there is no TIFF header at any of these offsets.
package func tiffBlock(inExifItem item: [UInt8]) -> [UInt8]? {
  guard let skip = item.u32(at: 0) else { return nil }
  return tiffBlock(in: item.bytes(from: 4), atOneOf: [Int(skip), Int(skip) + 6, 0, 6])
    ?? tiffBlock(in: item, atOneOf: [0, 6])
}

/// The TIFF block at an offset, after an `Exif\0\0`, or at the start of the data; nil if there is none.
func tiffBlock(in content: [UInt8], at offset: Int) -> [UInt8]? {
  tiffBlock(in: content, atOneOf: [offset, 6, 0])
}

private func tiffBlock(in content: [UInt8], atOneOf starts: [Int]) -> [UInt8]? {
  starts.first {
    content.hasBytes([0x49, 0x49, 0x2A, 0], at: $0)
      || content.hasBytes([0x4D, 0x4D, 0, 0x2A], at: $0)
  }.map { content.bytes(from: $0) }
}
