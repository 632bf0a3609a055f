/// What remains of a picture to compare it with others: a small grey picture, stretched to a square, with little colour.
///
/// A worker makes it of the upright picture in sRGB, see `docs/duplicates.md`. Its size is fixed, so that reading one
/// costs the same for every picture.
package struct PictureSignature: Sendable, Hashable {
  /// Rows and columns of the grey picture.
  package static let side = 32
  /// Rows and columns of each of both colour differences.
  package static let colorSide = 8
  /// The size of the picture, the grey picture, and both colour differences.
  package static let byteCount = 4 + side * side + 2 * colorSide * colorSide

  /// Big-endian width and height in pixels of the picture it was made of, then rows of Y, Cb and Cr of JFIF, a byte each.
  package let bytes: [UInt8]

  /// Nil if the bytes have another size: they may come from a worker that a hostile file has taken over.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
    guard width > 0, height > 0 else { return nil }
  }

  /// - Parameters:
  ///   - size: of the picture, 1 to 65535 on each side.
  ///   - grey: ``side``² values in rows.
  ///   - colors: ``colorSide``² values of Cb, then of Cr.
  package init?(size: PixelSize, grey: [UInt8], colors: [UInt8]) {
    guard let width = UInt16(exactly: size.width), let height = UInt16(exactly: size.height) else {
      return nil
    }
    let head = [width, height].flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    self.init(bytes: head + grey + colors)
  }

  private var width: Int { Int(bytes[0]) << 8 | Int(bytes[1]) }
  private var height: Int { Int(bytes[2]) << 8 | Int(bytes[3]) }

  /// Width divided by height.
  package var aspect: Float { Float(width) / Float(height) }

  /// ``side``² values in rows.
  package var grey: ArraySlice<UInt8> { bytes[4..<(4 + Self.side * Self.side)] }

  /// ``colorSide``² values of Cb, then of Cr.
  package var colors: ArraySlice<UInt8> { bytes[(4 + Self.side * Self.side)...] }
}
