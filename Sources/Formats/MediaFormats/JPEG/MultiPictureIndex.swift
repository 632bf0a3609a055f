import ByteReading

/// One picture of a multi-picture file (CIPA DC-007 §5.2.3.3).
package struct MultiPicture: Sendable, Hashable {
  /// The offset in the file.
  package var offset: UInt64
  /// The length in bytes.
  package var length: UInt64
  /// MP type code: 0x030000 baseline primary, 0x010001/2 large thumbnail, 0x020001 panorama,
  /// 0x020002 disparity, 0x020003 multi-angle, 0 undefined (gain maps).
  package var type: UInt32

  /// The type of pictures that belong to the first one and are not another view of it.
  package static let undefinedType: UInt32 = 0

  package init(offset: UInt64, length: UInt64, type: UInt32) {
    self.offset = offset
    self.length = length
    self.type = type
  }
}

/// The pictures in a multi-picture index.
///
/// - Parameters:
///   - index: the index from its TIFF header on.
///   - base: the offset of that header in the file. Offsets in the index count from it, except the primary picture's:
///     0 is the start of the file.
func multiPictures(index: [UInt8], at base: UInt64, fileSize: UInt64) -> [MultiPicture] {
  guard let tiff = try? TIFFFile(ArraySource(index)),
    let directory = try? tiff.directory(at: tiff.firstDirectoryOffset),
    let entry = directory[0xB002], let table = try? tiff.bytes(of: entry, limit: 16 * 256)
  else { return [] }
  var pictures: [MultiPicture] = []
  for start in stride(from: 0, to: table.count - 15, by: 16) {
    guard let attributes = table.u32(at: start, tiff.order),
      let length = table.u32(at: start + 4, tiff.order),
      let offset = table.u32(at: start + 8, tiff.order)
    else { break }
    let absolute = offset == 0 ? 0 : base + UInt64(offset)
    guard absolute < fileSize else { continue }
    pictures.append(
      MultiPicture(
        offset: absolute, length: min(UInt64(length), fileSize - absolute),
        type: attributes & 0xFF_FFFF))
  }
  return pictures
}
