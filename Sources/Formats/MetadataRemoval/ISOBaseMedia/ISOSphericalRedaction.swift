import ByteReading
import MediaEdits
import MediaFormats

// Descriptions of 360° video. Without them a player shows the whole sphere as a flat picture, so they stay, without
// their texts.
extension ISORedaction {
  /// Visits an `sv3d` box (Google, "Spherical Video V2"): the program that made the video in `svhd`, and the projection.
  mutating func visit(spherical box: ISOBox) throws {
    for child in try children(of: box) {
      switch child.type {
      case "svhd": try visit(sphericalHeader: child)
      case "proj": continue
      default: try visitCommon(child)
      }
    }
  }

  /// Visits the name of the program, a text after version and flags.
  private mutating func visit(sphericalHeader box: ISOBox) throws {
    let text = box.payload.dropping(4)
    let name = try source.bytes(in: text, limit: Self.longestXML)
    if policy == .appearanceOnly || name.map({ policy.removes(text: $0) }) ?? true {
      redaction.fill(text)
    }
  }

  /// Visits the `uuid` box of Google's "Spherical Video V1", which contains XML with the name of a program and, in some
  /// files, further elements.
  mutating func visit(sphericalXML box: ISOBox) throws {
    guard try policy == .appearanceOnly || recordsPlace(box.payload) else { return }
    guard let content = try source.content(of: box, limit: Self.longestXML),
      let changed = Self.essential(content)
    else { return try erase(box) }
    redaction.overwrite(at: box.payload.lowerBound, with: changed)
  }

  private static let longestXML = 1 << 20
  /// The elements that change how the video looks.
  private static let elements = [
    "Spherical", "Stitched", "ProjectionType", "StereoMode", "InitialViewHeadingDegrees",
    "InitialViewPitchDegrees", "InitialViewRollDegrees", "CroppedAreaImageWidthPixels",
    "CroppedAreaImageHeightPixels", "FullPanoWidthPixels", "FullPanoHeightPixels",
    "CroppedAreaLeftPixels", "CroppedAreaTopPixels",
  ]
  private static let words: Set<String> = [
    "true", "false", "equirectangular", "cubemap", "mono", "left-right", "top-bottom",
  ]

  /// XML of the same length with nothing but the known elements and values; nil for another kind of content.
  private static func essential(_ content: [UInt8]) -> [UInt8]? {
    let text = String(decoding: content, as: UTF8.self)
    var kept = ""
    for name in elements {
      guard let start = text.firstRange(of: "<GSpherical:\(name)>"),
        let end = text[start.upperBound...].firstRange(of: "</GSpherical:\(name)>")
      else { continue }
      let value = text[start.upperBound..<end.lowerBound]
      let isNumber = value.utf8.count < 7 && Int(value) != nil
      guard isNumber || words.contains(String(value)) else { continue }
      kept += "<GSpherical:\(name)>\(value)</GSpherical:\(name)>"
    }
    guard !kept.isEmpty else { return nil }
    let whole =
      #"<rdf:SphericalVideo xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" "#
      + #"xmlns:GSpherical="http://ns.google.com/videos/1.0/spherical/">"# + kept
      + "</rdf:SphericalVideo>"
    let bytes = Array(whole.utf8)
    guard bytes.count <= content.count else { return nil }
    return bytes + [UInt8](repeating: 0x20, count: content.count - bytes.count)
  }
}
