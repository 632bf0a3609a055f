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
