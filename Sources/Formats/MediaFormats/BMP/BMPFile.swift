package import ByteReading
package import MediaModel

/// The header of a Windows or OS/2 bitmap.
package struct BMPFile {
  package private(set) var size: PixelSize
  package private(set) var bitsPerPixel: Int

  /// The lengths of headers in bytes: OS/2's first one (12), OS/2's second one and its shorter forms (16 to 64), and
  /// those of Windows (40, 52, 56, 108, 124).
  static let headerSizes: Set<UInt32> =
    Set<UInt32>([12, 108, 124]).union(stride(from: 16, through: 64, by: 4))

  /// - Throws: ``ContainerError`` if the header is missing; the errors of the source.
  package init(_ source: any ByteSource) throws {
    let head = try source.bytes(at: 0, count: 32)
    guard head.hasText("BM"), let headerSize = head.u32(at: 14, .little) else {
      throw ContainerError.notThisFormat("BMP")
    }
    // OS/2's first header has 16-bit fields. All later ones begin with the same fields.
    if headerSize == 12, let width = head.u16(at: 18, .little),
      let height = head.u16(at: 20, .little), let bits = head.u16(at: 24, .little)
    {
      size = PixelSize(width: Int(width), height: Int(height))
      bitsPerPixel = Int(bits)
    } else if headerSize >= 16, let width = head.i32(at: 18, .little),
      let height = head.i32(at: 22, .little), let bits = head.u16(at: 28, .little), width >= 0
    {
      // A negative height means that the first row is at the top.
      size = PixelSize(width: Int(width), height: Int(height.magnitude))
      bitsPerPixel = Int(bits)
    } else {
      throw ContainerError.damaged("has no valid BMP header")
    }
  }
}

extension BMPFile {
  private static let windowsHeader = 40
  private static let fileHeader = 14
  /// `BI_BITFIELDS`: three masks follow a header of 40 bytes.
  private static let bitFields: UInt32 = 3

  /// The file with a header that every decoder supports.
  ///
  /// OS/2's second header may end after any of its fields (OS/2 Presentation Manager, `BITMAPINFOHEADER2`). The fields
  /// that Windows has too are at the same offsets, and missing ones count as 0. The result has Windows' first header of
  /// 40 bytes. Other files are returned unchanged.
  package static func withKnownHeader(_ content: [UInt8]) -> [UInt8] {
    guard let stored = content.u32(at: fileHeader, .little),
      let pixels = content.u32(at: 10, .little), (16..<64).contains(stored),
      stored != 40, stored != 56, content.count > fileHeader + Int(stored)
    else { return content }
    let size = Int(stored)
    let hasMasks = size > windowsHeader && content.u32(at: 30, .little) == bitFields
    var header = Array(content[fileHeader..<(fileHeader + min(size, windowsHeader))])
    header += [UInt8](repeating: 0, count: windowsHeader - header.count)
    header.replaceSubrange(0..<4, with: encoded(windowsHeader, width: 4, .little))
    // Masks that were part of the header now follow it, at the same offset.
    let rest = content[(fileHeader + (hasMasks ? windowsHeader : size))...]
    let moved = hasMasks ? 0 : windowsHeader - size
    let start = max(0, Int(pixels) + moved)
    return content[..<10] + encoded(start, width: 4, .little) + header + rest
  }
}

extension BMPFile {
  /// Whether the header contains a mask for transparency that counts (`BITMAPV3INFOHEADER` and later). Without masks,
  /// the fourth byte of a pixel has no meaning (`BI_RGB` in Windows' `BITMAPINFOHEADER`).
  package static func hasAlphaMask(_ source: any ByteSource) throws -> Bool {
    let head = try source.bytes(at: 0, count: 70)
    // OS/2's second header of 64 bytes has other fields there.
    guard let size = head.u32(at: 14, .little), size >= 56, size != 64,
      head.u32(at: 30, .little) == bitFields,
      let mask = head.u32(at: 66, .little)
    else { return false }
    return mask != 0
  }
}
