import ShoeboxKit

/// An asset as the page knows it. It contains no path.
struct PageItem: Encodable {
  private let id: String
  private let type: String
  private let kinds: [String]
  private let captureDate: String?
  private let duration: Double?
  private let width: Int?
  private let height: Int?
  private let format: String
  private let name: String
  private let title: String?
  private let revision: Int64
  private let status: String
  private let burstCount: Int?

  init(_ asset: Asset) {
    id = asset.id
    type = asset.mediaType.rawValue
    kinds = asset.subtypes.names
    captureDate = asset.captureDate.map { WallClock.text(milliseconds: $0.wallMilliseconds) }
    duration = asset.duration
    (width, height) = (asset.pixelSize?.width, asset.pixelSize?.height)
    format = (asset.path.extension ?? "").uppercased()
    name = asset.path.lastComponent?.string ?? ""
    title = asset.title
    revision = asset.revision
    // As the page calls an item that is in the library no longer.
    status = asset.status == .missing ? "gone" : asset.status.rawValue
    burstCount = asset.burstCount
  }

  private enum CodingKeys: String, CodingKey {
    case id, type, kinds, captureDate, duration, width, height, format, name, title, revision
    case status, burstCount
  }

  /// Writes null for what is unknown, where the synthesized form omits the key: the page compares with null.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(type, forKey: .type)
    try container.encode(kinds, forKey: .kinds)
    try container.encode(captureDate, forKey: .captureDate)
    try container.encode(duration, forKey: .duration)
    try container.encode(width, forKey: .width)
    try container.encode(height, forKey: .height)
    try container.encode(format, forKey: .format)
    try container.encode(name, forKey: .name)
    try container.encode(title, forKey: .title)
    try container.encode(revision, forKey: .revision)
    try container.encode(burstCount, forKey: .burstCount)
    try container.encode(status, forKey: .status)
  }
}
