import ByteReading
import MediaFormats
import MediaModel

extension SidecarFacts {
  /// Larger companions are no companions.
  private static let maximumSize: UInt64 = 1 << 20

  /// What a companion file of a kind that the sniffer has told says; nil where it is too large or
  /// cannot be understood.
  init?(_ kind: SidecarKind, _ source: any ByteSource) throws {
    guard source.count <= Self.maximumSize else { return nil }
    let bytes = try source.bytes(at: 0, count: Int(source.count))
    switch kind {
    case .adjustmentData:
      self.init(kind: .adjustmentData)
      adjustmentFormat = adjustmentFormatIdentifier(inPropertyList: bytes)
    case .xmp:
      guard let packet = XMPPacket(bytes) else { return nil }
      self.init(packet)
    case .takeoutJSON: self.init(takeoutJSON: bytes)
    }
  }

  /// What a packet in a file of its own says.
  private init(_ xmp: XMPPacket) {
    self.init(kind: .xmp)
    var dates = StillDates()
    dates.xmp = xmp.dates
    captureTime = dates.captureTime()
    location = xmp.location
    title = xmp.title
    caption = xmp.caption
    keywords = xmp.keywords
    rating = xmp.rating
    orientation = xmp.orientation
  }
}
