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
    status = asset.status.rawValue
  }
}
