import ByteReading
import MediaModel

extension VideoParameters {
  /// A sequence parameter set has at most this number of sets of reference pictures (§7.4.3.2.1).
  private static let maximumReferenceSets = 64
  /// The number of pictures in one set.
  private static let maximumReferences = 16

  /// Reads a sequence parameter set of HEVC (ITU-T H.265 §7.3.2.2).
  ///
  /// - Parameter unit: the NAL unit with its header of two bytes.
  /// - Returns: nil for another kind of unit, for a layer other than the base layer, and for a damaged unit.
  init?(hevc unit: some Collection<UInt8>) {
    let bytes = withoutEmulationPrevention(unit.prefix(4096))
    guard let header = bytes.u16(at: 0), header >> 9 & 0x3F == 33, header >> 3 & 0x3F == 0
    else { return nil }
    var bits = BitstreamReader(bytes.bytes(from: 2))
    bits.skip(4)
    let layers = bits.read(3)
    bits.skip(1)
    Self.skipProfiles(&bits, layers: layers)
    _ = bits.exponential()
    let chroma = bits.exponential()
    if chroma == 3 { bits.skip(1) }
    var (width, height) = (bits.exponential(), bits.exponential())
    if bits.flag() {
      width -= (bits.exponential() + bits.exponential()) * (chroma == 1 || chroma == 2 ? 2 : 1)
      height -= (bits.exponential() + bits.exponential()) * (chroma == 1 ? 2 : 1)
    }
    guard !bits.isAtEnd, width > 0, height > 0, width < 1 << 20, height < 1 << 20
    else { return nil }
    size = PixelSize(width: width, height: height)
    // Bit depths.
    for _ in 0..<2 { _ = bits.exponential() }
    let countBits = bits.exponential() + 4
    for _ in 0..<(bits.flag() ? layers + 1 : 1) { for _ in 0..<3 { _ = bits.exponential() } }
    // The sizes of blocks, and the depths of their division.
    for _ in 0..<6 { _ = bits.exponential() }
    if bits.flag(), bits.flag() { Self.skipScalingLists(&bits) }
    bits.skip(2)
    if bits.flag() {
      bits.skip(8)
      for _ in 0..<2 { _ = bits.exponential() }
      bits.skip(1)
    }
    guard Self.skipReferenceSets(&bits) else { return }
    if bits.flag() {
      for _ in 0..<min(bits.exponential(), 33) { bits.skip(countBits + 1) }
    }
    bits.skip(2)
    guard bits.flag(), !bits.isAtEnd else { return }
    readUsability(&bits)
    bits.skip(1)
    mayHaveFields = bits.flag()
    bits.skip(1)
    if bits.flag() { for _ in 0..<4 { _ = bits.exponential() } }
    if bits.flag() { readTiming(&bits, ticks: 1) }
  }

  /// `profile_tier_level` (§7.3.3).
  private static func skipProfiles(_ bits: inout BitstreamReader, layers: Int) {
    bits.skip(96)
    let present = (0..<layers).map { _ in (profile: bits.flag(), level: bits.flag()) }
    if layers > 0 { bits.skip(2 * (8 - layers)) }
    for layer in present { bits.skip((layer.profile ? 88 : 0) + (layer.level ? 8 : 0)) }
  }

  /// `scaling_list_data` (§7.3.4).
  private static func skipScalingLists(_ bits: inout BitstreamReader) {
    for size in 0..<4 {
      for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
        guard bits.flag() else {
          _ = bits.exponential()
          continue
        }
        if size > 1 { _ = bits.signedExponential() }
        for _ in 0..<min(64, 16 << (2 * size)) where !bits.isAtEnd { _ = bits.signedExponential() }
      }
    }
  }

  /// `st_ref_pic_set` of all sets (§7.3.7); false for a damaged one.
  private static func skipReferenceSets(_ bits: inout BitstreamReader) -> Bool {
    let sets = bits.exponential()
    guard sets <= maximumReferenceSets else { return false }
    var previous = 0
    for index in 0..<sets {
      if index > 0, bits.flag() {
        bits.skip(1)
        _ = bits.exponential()
        var count = 0
        // A flag whether a picture is used, and otherwise one whether the difference counts.
        for _ in 0...previous where bits.flag() || bits.flag() { count += 1 }
        previous = count
      } else {
        let (before, after) = (bits.exponential(), bits.exponential())
        guard before <= maximumReferences, after <= maximumReferences else { return false }
        for _ in 0..<(before + after) {
          _ = bits.exponential()
          bits.skip(1)
        }
        previous = before + after
      }
      guard !bits.isAtEnd else { return false }
    }
    return true
  }

  /// Reads the first sequence parameter set of the base layer in an `hvcC` box (ISO/IEC 14496-15 §8.3.3.1).
  init?(hvcC content: [UInt8]) {
    guard let arrays = content.u8(at: 22) else { return nil }
    var position = 23
    for _ in 0..<arrays {
      guard let kind = content.u8(at: position), let count = content.u16(at: position + 1)
      else { return nil }
      position += 3
      for _ in 0..<count {
        guard let length = content.u16(at: position),
          let unit = content.bytes(at: position + 2, count: Int(length))
        else { return nil }
        position += 2 + Int(length)
        if kind & 0x3F == 33, let found = VideoParameters(hevc: unit) {
          self = found
          return
        }
      }
    }
    return nil
  }
}
