/// How the last two bytes of a Brotli stream's output select the code of the next literal (RFC 7932 §7.1).
enum BrotliContext {
  /// A number from 0 to 63.
  ///
  /// - Parameters:
  ///   - mode: 0 for the low bits, 1 for the high bits, 2 for UTF-8, 3 for signed numbers.
  ///   - last: the last byte of the output.
  ///   - second: the byte before it.
  static func literal(mode: Int, _ last: UInt8, _ second: UInt8) -> Int {
    switch mode {
    case 0: Int(last & 0x3F)
    case 1: Int(last >> 2)
    case 2: Int(lastOfText[Int(last)] | secondOfText(second))
    default: size(last) << 3 | size(second)
    }
  }

  /// The RFC's table 0. Bytes from 128 on are 0 and 1, those from 192 on 2 and 3, in turn.
  private static let lastOfText: [UInt8] =
    [
      0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 0, 0, 4, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      8, 12, 16, 12, 12, 20, 12, 16, 24, 28, 12, 12, 32, 12, 36, 12,
      44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 32, 32, 24, 40, 28, 12,
      12, 48, 52, 52, 52, 48, 52, 52, 52, 48, 52, 52, 52, 52, 52, 48,
      52, 52, 52, 52, 52, 48, 52, 52, 52, 52, 52, 24, 12, 28, 12, 12,
      12, 56, 60, 60, 60, 56, 60, 60, 60, 56, 60, 60, 60, 60, 60, 56,
      60, 60, 60, 60, 60, 56, 60, 60, 60, 60, 60, 24, 12, 28, 12, 0,
    ] + (128..<256).map { UInt8($0 & 1 + ($0 < 192 ? 0 : 2)) }

  /// The RFC's table 1: 3 for lower case, 2 for upper case, digits and the first bytes of long characters, 1 for marks.
  private static func secondOfText(_ byte: UInt8) -> UInt8 {
    switch byte {
    case 0x61...0x7A: 3
    case 0x30...0x39, 0x41...0x5A, 0xE0...0xFF: 2
    case 0x21...0x7E: 1
    default: 0
    }
  }

  /// The RFC's table 2.
  private static func size(_ byte: UInt8) -> Int {
    switch byte {
    case 0: 0
    case 1...15: 1
    case 16...63: 2
    case 64...127: 3
    case 128...191: 4
    case 192...239: 5
    case 240...254: 6
    default: 7
    }
  }
}
