import ByteReading
import MediaModel

extension VideoParameters {
  /// Reads the sequence header among some open bitstream units.
  ///
  /// - Returns: nil if there is none, or a damaged one.
  init?(av1 units: [UInt8]) {
    guard let header = AV1Unit.units(in: units).first(where: { $0.type == 1 }) else { return nil }
    self.init(sequenceHeader: Array(units[header.content]))
  }

  /// Reads the units in an `av1C` box, which has four bytes before them (AV1 Codec ISO Media File Format Binding
  /// §2.3.3).
  init?(av1C content: [UInt8]) {
    self.init(av1: content.bytes(from: 4))
  }

  /// Reads `sequence_header_obu` (§5.5.1) up to the colour.
  private init?(sequenceHeader: [UInt8]) {
    var bits = BitstreamReader(sequenceHeader)
    let profile = bits.read(3)
    bits.skip(1)
    let isReduced = bits.flag()
    if isReduced { bits.skip(5) } else { readOperatingPoints(&bits) }
    let (widthBits, heightBits) = (bits.read(4) + 1, bits.read(4) + 1)
    size = PixelSize(width: bits.read(widthBits) + 1, height: bits.read(heightBits) + 1)
    if !isReduced, bits.flag() { bits.skip(7) }
    bits.skip(3)
    if !isReduced { Self.skipTools(&bits) }
    bits.skip(3)
    let isDeep = bits.flag()
    if profile == 2, isDeep { bits.skip(1) }
    if profile != 1 { bits.skip(1) }
    if bits.flag() {
      bits.skip(8)
      let number = bits.read(8)
      transfer = number == 2 || number == 0 ? nil : number
    }
    if bits.isAtEnd { return nil }
  }

  private mutating func readOperatingPoints(_ bits: inout BitstreamReader) {
    var delayBits: Int?
    if bits.flag() {
      readTiming(&bits, ticks: 1)
      // The ticks of one picture are in `uvlc`, which is coded like ue(v).
      if bits.flag() {
        let ticks = bits.exponential() + 1
        frameRate = frameRate.map { $0 / Double(ticks) }
      } else {
        frameRate = nil
      }
      if bits.flag() {
        delayBits = bits.read(5) + 1
        bits.skip(42)
      }
    }
    let hasDelays = bits.flag()
    for _ in 0...bits.read(5) {
      bits.skip(12)
      if bits.read(5) > 7 { bits.skip(1) }
      if let delayBits, bits.flag() { bits.skip(2 * delayBits + 1) }
      if hasDelays, bits.flag() { bits.skip(4) }
    }
  }

  /// The coding tools that a sequence enables.
  private static func skipTools(_ bits: inout BitstreamReader) {
    bits.skip(4)
    let hasOrder = bits.flag()
    if hasOrder { bits.skip(2) }
    // Whether frames choose the tools for screen content; then they are possible.
    let hasScreenContent = bits.flag() || bits.flag()
    if hasScreenContent, !bits.flag() { bits.skip(1) }
    if hasOrder { bits.skip(3) }
  }
}
