package import ByteReading
import MediaFormats
package import MediaModel

extension SidecarFacts {
  /// Reads a sidecar file, whose kind was recognised by content; nil if it is too large or invalid.
  package init?(_ kind: SidecarKind, _ source: any ByteSource) throws {
    guard source.count <= ContentType.maximumSidecar else { return nil }
    let bytes = try source.bytes(at: 0, count: Int(source.count))
    switch kind {
    case .adjustmentData:
      self.init(adjustments: AdjustmentFile(bytes))
    case .xmp:
      guard let packet = XMPPacket(bytes) else { return nil }
      self.init(packet)
    case .takeoutJSON: self.init(takeoutJSON: bytes)
    case .albumJSON: self.init(albumJSON: bytes)
    }
  }

  /// The facts of an XMP packet in its own file.
  private init(_ xmp: XMPPacket) {
    self.init(kind: .xmp)
    var dates = StillDates()
    dates.xmp = xmp.dates
    captureTime = dates.captureTime()
    location = xmp.location
    title = xmp.title
    caption = xmp.caption
    keywords = xmp.keywords
    people = xmp.people
    rating = xmp.rating
    isFavorite = xmp.isFavorite
    (label, pick, keywordPaths) = (xmp.label, xmp.pick, xmp.keywordPaths)
    orientation = xmp.orientation
  }
}
