import ByteReading

/// The gain map metadata of ISO 21496-1 annex C, as stored in JPEG's APP2 segments and, after a byte with the version,
/// in HEIF's `tmap` items.
package enum ISOGainMap {
  /// Flags of the first byte after the versions.
  private static let isMultichannel: UInt8 = 0x80
  private static let usesBaseColorSpace: UInt8 = 0x40
  private static let hasCommonDenominator: UInt8 = 0x08

  /// The name of an APP2 segment.
  package static let segmentName = Array(JPEGSegmentName.gainMap.utf8)
  /// The segment of the base picture: the lowest version that a reader must know, and the writer's.
  package static let versions = encoded(0, width: 2) + encoded(0, width: 2)

  /// The metadata in the content of a `tmap` item.
  package static func toneMap(_ content: [UInt8]) -> GainMapDescription {
    content.u8(at: 0) == 0
      ? description(content.bytes(from: 1)) : .unusable("is of a later version of ISO 21496-1")
  }

  /// The metadata from its versions on.
  package static func description(_ bytes: [UInt8]) -> GainMapDescription {
    guard let minimumVersion = bytes.u16(at: 0), let flags = bytes.u8(at: 4) else {
      return .unusable("has no parameters")
    }
    guard minimumVersion == 0 else { return .unusable("is of a later version of ISO 21496-1") }
    var fields = Fields(bytes: bytes, isCommon: flags & hasCommonDenominator != 0)
    guard let base = fields.next(), let alternate = fields.next() else {
      return .unusable("has incomplete parameters")
    }
    var channels: [GainMapMetadata.Channel] = []
    for _ in 0..<(flags & isMultichannel != 0 ? 3 : 1) {
      guard let minimum = fields.next(isSigned: true), let maximum = fields.next(isSigned: true),
        let gamma = fields.next(), let baseOffset = fields.next(isSigned: true),
        let alternateOffset = fields.next(isSigned: true)
      else { return .unusable("has incomplete parameters") }
      channels.append(
        GainMapMetadata.Channel(
          minimum: minimum, maximum: maximum, gamma: gamma, baseOffset: baseOffset,
          alternateOffset: alternateOffset))
    }
    let metadata = GainMapMetadata(
      channels: channels, baseHeadroom: base, alternateHeadroom: alternate,
      usesBaseColorSpace: flags & usesBaseColorSpace != 0)
    return metadata.isValid ? .standard(metadata) : .unusable("has impossible parameters")
  }

  /// The fractions one after another.
  private struct Fields {
    let bytes: [UInt8]
    var position = 5
    /// The one denominator of all; nil if each number has its own.
    var denominator: UInt32?

    init(bytes: [UInt8], isCommon: Bool) {
      self.bytes = bytes
      if isCommon {
        denominator = bytes.u32(at: position) ?? 0
        position += 4
      }
    }

    /// - Returns: nil at the end of the bytes, and for a fraction without a value.
    mutating func next(isSigned: Bool = false) -> Double? {
      guard let numerator = bytes.u32(at: position),
        let divisor = denominator ?? bytes.u32(at: position + 4), divisor > 0
      else { return nil }
      position += denominator == nil ? 8 : 4
      let value = isSigned ? Double(Int32(bitPattern: numerator)) : Double(numerator)
      return value / Double(divisor)
    }
  }

  /// Metadata as bytes, from the versions on. Every number has the denominator 1,000,000, as Apple's have, which is finer
  /// than any map's 256 steps.
  package static func bytes(_ metadata: GainMapMetadata) -> [UInt8] {
    var flags: UInt8 = metadata.channels.count > 1 ? isMultichannel : 0
    if metadata.usesBaseColorSpace { flags |= usesBaseColorSpace }
    var result = versions + [flags]
    result += fraction(metadata.baseHeadroom) + fraction(metadata.alternateHeadroom)
    for channel in metadata.channels {
      result += fraction(channel.minimum) + fraction(channel.maximum) + fraction(channel.gamma)
      result += fraction(channel.baseOffset) + fraction(channel.alternateOffset)
    }
    return result
  }

  /// - Parameter value: between −2000 and 2000, as valid metadata is.
  private static func fraction(_ value: Double) -> [UInt8] {
    let unit = 1_000_000
    let numerator = Int32(exactly: (value * Double(unit)).rounded()) ?? 0
    return encoded(numerator, width: 4) + encoded(unit, width: 4)
  }
}
