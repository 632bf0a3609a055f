import ByteReading
import MediaModel

extension VideoParameters {
  /// Reads the first video object layer of MPEG-4 Visual (ISO/IEC 14496-2 §6.2.3).
  ///
  /// - Returns: nil if there is none, or one without a rectangular shape.
  init?(mpeg4Visual bytes: [UInt8]) {
    guard let start = Self.startCode(in: bytes, { $0 & 0xF0 == 0x20 }) else { return nil }
    var bits = BitstreamReader(bytes.bytes(from: start + 4))
    bits.skip(9)
    if bits.flag() { bits.skip(7) }
    let aspect = bits.read(4)
    if aspect == 15 {
      let (width, height) = (bits.read(8), bits.read(8))
      pixelAspect = width > 0 && height > 0 ? Double(width) / Double(height) : nil
    } else {
      pixelAspect = Self.aspect(aspect)
    }
    if bits.flag() {
      bits.skip(3)
      // The buffer's parameters.
      if bits.flag() { bits.skip(79) }
    }
    guard bits.read(2) == 0 else { return nil }
    bits.skip(1)
    let resolution = bits.read(16)
    bits.skip(1)
    if bits.flag() { bits.skip(max(1, Int.bitWidth - max(0, resolution - 1).leadingZeroBitCount)) }
    bits.skip(1)
    let width = bits.read(13)
    bits.skip(1)
    let height = bits.read(13)
    guard !bits.isAtEnd, width > 0, height > 0 else { return nil }
    size = PixelSize(width: width, height: height)
  }

  /// Frame rates by `frame_rate_code` 1 to 8.
  private static let frameRates: [Double] = [
    24000.0 / 1001, 24, 25, 30000.0 / 1001, 30, 50, 60000.0 / 1001, 60,
  ]

  /// Height over width of one pixel by `pel_aspect_ratio` 2 to 14 of MPEG-1 (ISO/IEC 11172-2 §2.4.3.2).
  private static let mpeg1Aspects: [Double] = [
    0.6735, 0.7031, 0.7615, 0.8055, 0.8437, 0.8935, 0.9157, 0.9815, 1.0255, 1.0695, 1.0950, 1.1575,
    1.2015,
  ]

  /// Reads the first sequence header of MPEG-1 or MPEG-2 video (ISO/IEC 13818-2 §6.2.2.1), with its extension.
  ///
  /// - Returns: nil if there is none.
  init?(mpeg2 bytes: [UInt8]) {
    guard let start = Self.startCode(in: bytes, { $0 == 0xB3 }),
      let sizes = bytes.u24(at: start + 4), let codes = bytes.u8(at: start + 7)
    else { return nil }
    var (width, height) = (Int(sizes >> 12), Int(sizes & 0xFFF))
    let rate = Int(codes & 15)
    frameRate = (1...8).contains(rate) ? Self.frameRates[rate - 1] : nil
    let rest = bytes.bytes(from: start + 8)
    let next = Self.startCode(in: rest) { _ in true }
    let shape = Int(codes >> 4)
    if let next, rest.u8(at: next + 3) == 0xB5, let first = rest.u8(at: next + 4), first >> 4 == 1 {
      var bits = BitstreamReader(rest.bytes(from: next + 4))
      bits.skip(12)
      mayHaveFields = !bits.flag()
      bits.skip(2)
      width |= bits.read(2) << 12
      height |= bits.read(2) << 12
      bits.skip(22)
      let (times, divisor) = (bits.read(2) + 1, bits.read(5) + 1)
      frameRate = frameRate.map { $0 * Double(times) / Double(divisor) }
      let display: Double? =
        switch shape {
        case 2: 4.0 / 3
        case 3: 16.0 / 9
        case 4: 2.21
        default: nil
        }
      pixelAspect = display.map { $0 * Double(height) / Double(width) }
    } else if next != nil, (2...14).contains(shape) {
      pixelAspect = 1 / Self.mpeg1Aspects[shape - 2]
    }
    guard width > 0, height > 0 else { return nil }
    size = PixelSize(width: width, height: height)
  }

  /// The offset of the first start code with a matching last byte.
  static func startCode(in bytes: [UInt8], _ matches: (UInt8) -> Bool) -> Int? {
    var position = 0
    while let found = bytes.firstIndex(of: [0, 0, 1], from: position) {
      guard let kind = bytes.u8(at: found + 3) else { return nil }
      if matches(kind) { return found }
      position = found + 3
    }
    return nil
  }
}
