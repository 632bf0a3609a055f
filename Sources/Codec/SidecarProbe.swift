import Containers
import MediaModel

extension SidecarFacts {
  /// Larger companions are no companions.
  private static let maximumSize: UInt64 = 1 << 20

  /// What a companion file of a type that its name promises says; nil where its content is something
  /// else.
  init?(type: UniformType, _ source: any ByteSource) throws {
    guard source.count > 0, source.count <= Self.maximumSize else { return nil }
    let bytes = try source.bytes(at: 0, count: Int(source.count))
    switch type {
    case .aae:
      guard Self.isPropertyList(bytes) else { return nil }
      self.init(kind: .adjustmentData)
    case .xmp:
      guard let packet = XMPPacket(bytes) else { return nil }
      self.init(packet)
    case .json: self.init(takeoutJSON: bytes)
    default: return nil
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

  private static func isPropertyList(_ bytes: [UInt8]) -> Bool {
    bytes.hasText("bplist") || Array(bytes.prefix(1024)).firstIndex(of: "<plist") != nil
      || Array(bytes.prefix(1024)).firstIndex(of: "<!DOCTYPE plist") != nil
  }
}
