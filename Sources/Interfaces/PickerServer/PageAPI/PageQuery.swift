import Hummingbird
import ShoeboxKit

/// What a page shows of the library: the kinds, words and album of its address.
struct PageQuery: Hashable {
  private var kinds: [Kind] = []
  private var search: String?
  private var album: String?
  private var month: Month?

  /// A kind of asset that the page has a chip for, in the order of the chips.
  enum Kind: String, CaseIterable {
    case images, videos, livePhotos, motionPhotos, screenshots, screenRecordings, panoramas
    case bursts, slomoVideos, timelapseVideos, cinematicVideos, depthEffectPhotos, spatialMedia
    case hdr, raw, edited

    /// The assets of the kind.
    var filter: AssetFilter {
      switch self {
      case .images: .images
      case .videos: .videos
      case .livePhotos: .livePhotos
      case .motionPhotos: .motionPhotos
      case .screenshots: .screenshots
      case .screenRecordings: .screenRecordings
      case .panoramas: .panoramas
      case .bursts: .bursts
      case .slomoVideos: .slomoVideos
      case .timelapseVideos: .timelapseVideos
      case .cinematicVideos: .cinematicVideos
      case .depthEffectPhotos: .depthEffectPhotos
      case .spatialMedia: .spatialMedia
      case .hdr: .hdr
      case .raw: .raw
      case .edited: .edited
      }
    }
  }

  private enum Month: Hashable {
    /// `2024-06`.
    case of(String)
    /// The time of capture is unknown.
    case unknown
  }

  /// - Parameters:
  ///   - parameters: `kinds`, `search`, `album` and `month`, all optional.
  ///   - session: says which of them the host allows.
  init(_ parameters: Parameters, in session: PickerSession) throws {
    let isNavigable = !session.config.disabledCapabilities.contains(.collectionNavigation)
    for name in (parameters["kinds"] ?? "").split(separator: ",") {
      guard let kind = Kind(rawValue: String(name)) else {
        throw InvalidField(field: "kinds", reason: "has an unknown kind")
      }
      if isNavigable { kinds.append(kind) }
    }
    if isNavigable { album = parameters["album"].flatMap { $0.isEmpty ? nil : String($0) } }
    if !session.config.disabledCapabilities.contains(.search) {
      search = parameters["search"].flatMap { $0.isEmpty ? nil : String($0) }
    }
    guard let month = parameters["month"] else { return }
    self.month = month == "unknown" ? .unknown : .of(String(month))
  }

  /// The assets.
  var filter: AssetFilter {
    get throws(PhotoLibraryError) {
      var filters: [AssetFilter] = []
      if !kinds.isEmpty { filters.append(.any(of: kinds.map(\.filter))) }
      if let search { filters.append(.search(search)) }
      if let album { filters.append(.album(album)) }
      switch month {
      case .of(let month): filters.append(.captured(from: month, through: month))
      case .unknown: filters.append(try .expression("not has(captureDate)"))
      case nil: break
      }
      return .all(of: filters)
    }
  }
}
