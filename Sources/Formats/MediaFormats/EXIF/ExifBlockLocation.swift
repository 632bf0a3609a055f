// Where EXIF's block, which is a TIFF, begins in what holds it.
import ByteReading

/// The TIFF block in the `Exif` item of a HEIF or the `Exif` box of a JPEG XL.
///
/// Its first four bytes are the distance from their end to the block (ISO/IEC 23008-12 §A.2.1,
/// ISO/IEC 18181-2 §9.4). Some writers get it wrong by the six bytes of an `Exif\0\0`; others leave the four
/// bytes out, so that the item begins with the TIFF header or with `Exif\0\0`.
package func tiffBlock(inExifItem item: [UInt8]) -> [UInt8]? {
  guard let skip = item.u32(at: 0) else { return nil }
  return tiffBlock(in: item.bytes(from: 4), atOneOf: [Int(skip), Int(skip) + 6, 0, 6])
    ?? tiffBlock(in: item, atOneOf: [0, 6])
}

/// The TIFF block in what should be one: where it is said to begin, or behind an `Exif\0\0` that was not
/// counted.
func tiffBlock(in content: [UInt8], at offset: Int) -> [UInt8]? {
  tiffBlock(in: content, atOneOf: [offset, 6, 0])
}

private func tiffBlock(in content: [UInt8], atOneOf starts: [Int]) -> [UInt8]? {
  starts.first {
    content.hasBytes([0x49, 0x49, 0x2A, 0], at: $0)
      || content.hasBytes([0x4D, 0x4D, 0, 0x2A], at: $0)
  }.map { content.bytes(from: $0) }
}
