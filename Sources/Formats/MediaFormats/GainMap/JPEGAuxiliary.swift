/// The kind of a picture after the first one of a JPEG file, by its own segments.
///
/// A statement in the first picture is not sufficient, because programs that drop the gain map keep it.
package enum JPEGAuxiliary: Sendable, Hashable {
  /// A gain map by the segment of ISO 21496-1, or by Adobe's or Apple's schema.
  case gainMap
  /// The kind by Apple's pixel data schema: the URN of a gain map or matte, `disparity` or `depth`.
  case apple(kind: String)

  /// Nil for other pictures.
  package init?(_ file: JPEGFile) {
    let xmp = file.xmp.flatMap { XMPPacket($0) }
    if let kind = xmp?.value(XMPNamespace.applePixelData, "AuxiliaryImageType") {
      self = .apple(kind: kind)
    } else if file.hasGainMapSegment || xmp?.has(XMPNamespace.hdrGainMap) == true
      || xmp?.has(XMPNamespace.appleHDRGainMap) == true
    {
      self = .gainMap
    } else {
      return nil
    }
  }

  /// Whether the picture is a gain map.
  package var isGainMap: Bool {
    switch self {
    case .gainMap: true
    case .apple(let kind): kind.contains("hdrgainmap")
    }
  }
}
