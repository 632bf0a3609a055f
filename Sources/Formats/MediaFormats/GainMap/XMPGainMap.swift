import Glibc
import ByteReading

extension XMPPacket {
  /// What the packet of a gain map says of it, by Adobe's schema (Ultra HDR image format 1.1, "HDR gain map metadata") or
  /// Apple's; nil if it says nothing.
  package var gainMap: GainMapDescription? {
    if let description = adobeGainMap { return description }
    guard has(XMPNamespace.appleHDRGainMap) || isAppleGainMap else { return nil }
    return appleHeadroom.map { .apple(headroom: $0) }
  }

  /// Whether the picture with this packet is a gain map of Apple's.
  package var isAppleGainMap: Bool {
    value(XMPNamespace.applePixelData, "AuxiliaryImageType") == HEIFContainer.appleGainMap
  }

  /// The gain of the brightest sample, which iPhones record since iOS 18; nil for numbers that are not above 1.
  package var appleHeadroom: Double? {
    value(XMPNamespace.appleHDRGainMap, "HDRGainMapHeadroom").flatMap(xmpNumber)
      .flatMap { $0 > 1.001 && $0 < 1000 ? $0 : nil }
  }

  private var adobeGainMap: GainMapDescription? {
    let schema = XMPNamespace.hdrGainMap
    guard value(schema, "Version") != nil, value(schema, "GainMapMax") != nil else { return nil }
    /// One value for all colours, or three.
    func numbers(_ name: String, _ standard: Double) -> [Double]? {
      let texts = values(schema, name)
      if texts.isEmpty { return [standard] }
      let numbers = texts.compactMap(xmpNumber)
      return numbers.count == texts.count && (numbers.count == 1 || numbers.count == 3)
        ? numbers : nil
    }
    guard let minimum = numbers("GainMapMin", 0), let maximum = numbers("GainMapMax", 0),
      let gamma = numbers("Gamma", 1), let sdr = numbers("OffsetSDR", 1 / 64),
      let hdr = numbers("OffsetHDR", 1 / 64), let low = numbers("HDRCapacityMin", 0),
      let high = numbers("HDRCapacityMax", 0)
    else { return .unusable("has impossible parameters") }
    let isHDR = value(schema, "BaseRenditionIsHDR")?.lowercased() == "true"
    let count = [minimum, maximum, gamma, sdr, hdr].contains { $0.count == 3 } ? 3 : 1
    let channels = (0..<count).map { index in
      func own(_ numbers: [Double]) -> Double { numbers[numbers.count == 1 ? 0 : index] }
      return GainMapMetadata.Channel(
        minimum: own(minimum), maximum: own(maximum), gamma: own(gamma),
        baseOffset: own(isHDR ? hdr : sdr), alternateOffset: own(isHDR ? sdr : hdr))
    }
    let metadata = GainMapMetadata(
      channels: channels, baseHeadroom: isHDR ? high[0] : low[0],
      alternateHeadroom: isHDR ? low[0] : high[0])
    return metadata.isValid ? .standard(metadata) : .unusable("has impossible parameters")
  }
}

extension AppleMakerNote {
  /// The gain of a gain map's brightest sample by the camera's own numbers, for pictures before iOS 18; nil without
  /// them.
  ///
  /// The formula is Apple's ("Applying Apple HDR effect to your photos").
  package var gainMapHeadroom: Double? {
    guard let headroom = number(0x21), let gain = number(0x30) else { return nil }
    let stops: Double =
      switch (headroom < 1, gain <= 0.01) {
      case (true, true): -20 * gain + 1.8
      case (true, false): -0.101 * gain + 1.601
      case (false, true): -70 * gain + 3
      case (false, false): -0.303 * gain + 2.303
      }
    return stops > 0.001 && stops < 10 ? exp2(stops) : nil
  }
}
