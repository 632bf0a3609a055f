import MediaModel
import Query

extension TypeWord {
  /// The condition on a row of `assets`.
  var sql: String {
    switch self {
    case .images: "a.is_video = 0"
    case .videos: "a.is_video = 1"
    case .duplicates: "a.is_duplicate"
    case .spareCopies: "a.is_spare"
    case .favorites: "a.is_favorite"
    default: "a.subtypes & \(facet?.bit ?? 0)"
    }
  }

  /// The facet that lists its assets; nil for images, which most assets are.
  var facet: Facet? {
    switch self {
    case .images: nil
    case .videos: .videos
    case .livePhotos: Facet(.livePhoto)
    case .motionPhotos: Facet(.motionPhoto)
    case .screenshots: Facet(.screenshot)
    case .screenRecordings: Facet(.screenRecording)
    case .bursts: Facet(.burst)
    case .panoramas: Facet(.panorama)
    case .depthEffectPhotos: Facet(.depthEffect)
    case .cinematicVideos: Facet(.cinematic)
    case .slomoVideos: Facet(.slomo)
    case .timelapseVideos: Facet(.timelapse)
    case .spatialMedia: Facet(.spatial)
    case .hdr: Facet(.hdr)
    case .raw: Facet(.raw)
    case .edited: Facet(.edited)
    case .duplicates: .duplicates
    case .spareCopies: .spareCopies
    case .favorites: .favorites
    }
  }
}

/// A group of assets that the table `facets` lists by time of capture: one bit of `assets.facets`.
struct Facet: Hashable {
  let bit: Int64

  init(_ subtype: MediaSubtypes) {
    bit = Int64(subtype.rawValue)
  }

  private init(bit: Int64) {
    self.bit = bit
  }

  // As in the schema.
  static let missing = Facet(bit: 1 << 16)
  static let videos = Facet(bit: 1 << 17)
  static let duplicates = Facet(bit: 1 << 18)
  static let spareCopies = Facet(bit: 1 << 19)
  static let titled = Facet(bit: 1 << 20)
  static let captioned = Facet(bit: 1 << 21)
  static let rated = Facet(bit: 1 << 22)
  static let favorites = Facet(bit: 1 << 23)
}
