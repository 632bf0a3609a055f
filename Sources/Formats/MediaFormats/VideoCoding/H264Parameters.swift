import ByteReading
import MediaModel

extension VideoParameters {
  /// Profiles with chroma formats and scaling matrices.
  private static let highProfiles: Set<Int> = [
    100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
  ]
  /// A sequence parameter set has at most this number of reference offsets (§7.4.2.1.1).
  private static let maximumOffsets = 255

  /// Reads a sequence parameter set of H.264 (ITU-T H.264 §7.3.2.1.1).
  ///
  /// - Parameter unit: the NAL unit with its header of one byte.
  /// - Returns: nil for another kind of unit and for a damaged one.
  init?(h264 unit: some Collection<UInt8>) {
    let bytes = withoutEmulationPrevention(unit.prefix(1024))
    guard let first = bytes.first, first & 0x1F == 7 else { return nil }
    var bits = BitstreamReader(bytes.bytes(from: 1))
    let profile = bits.read(8)
    bits.skip(16)
    _ = bits.exponential()
    var chroma = 1
    if Self.highProfiles.contains(profile) {
      chroma = bits.exponential()
      if chroma == 3 { bits.skip(1) }
      // Bit depths.
      for _ in 0..<2 { _ = bits.exponential() }
      bits.skip(1)
      if bits.flag() {
        for index in 0..<(chroma == 3 ? 12 : 8) where bits.flag() {
          Self.skipScalingList(&bits, count: index < 6 ? 16 : 64)
        }
      }
    }
    _ = bits.exponential()
    switch bits.exponential() {
    case 0: _ = bits.exponential()
    case 1:
      bits.skip(1)
      for _ in 0..<2 { _ = bits.signedExponential() }
      for _ in 0..<min(bits.exponential(), Self.maximumOffsets) { _ = bits.signedExponential() }
    default: break
    }
    _ = bits.exponential()
    bits.skip(1)
    let (columns, rows) = (bits.exponential() + 1, bits.exponential() + 1)
    let hasFrames = bits.flag()
    if !hasFrames { bits.skip(1) }
    bits.skip(1)
    var (width, height) = (columns * 16, rows * 16 * (hasFrames ? 1 : 2))
    if bits.flag() {
      let unitX = chroma == 1 || chroma == 2 ? 2 : 1
      let unitY = (chroma == 1 ? 2 : 1) * (hasFrames ? 1 : 2)
      width -= (bits.exponential() + bits.exponential()) * unitX
      height -= (bits.exponential() + bits.exponential()) * unitY
    }
    guard !bits.isAtEnd, width > 0, height > 0, width < 1 << 20, height < 1 << 20
    else { return nil }
    size = PixelSize(width: width, height: height)
    mayHaveFields = !hasFrames
    guard bits.flag() else { return }
    readUsability(&bits)
    // A frame takes two ticks: one for each field.
    if bits.flag() { readTiming(&bits, ticks: 2) }
  }

  private static func skipScalingList(_ bits: inout BitstreamReader, count: Int) {
    var (last, next) = (8, 8)
    for _ in 0..<count where next != 0 && !bits.isAtEnd {
      next = (last + bits.signedExponential() + 256) % 256
      if next != 0 { last = next }
    }
  }

  /// Reads the first sequence parameter set in an `avcC` box (ISO/IEC 14496-15 §5.3.3.1).
  init?(avcC content: [UInt8]) {
    guard content.first == 1, let count = content.u8(at: 5), count & 31 > 0,
      let length = content.u16(at: 6), let unit = content.bytes(at: 8, count: Int(length))
    else { return nil }
    self.init(h264: unit)
  }
}
