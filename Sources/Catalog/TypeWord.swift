import GRDB
package import MediaModel

/// The words a person filters by: the media types and PhotoKit's picker's kinds, in the plural.
package enum TypeWord: String, Sendable, CaseIterable {
  case images, videos, livePhotos, motionPhotos, screenshots, screenRecordings, bursts, panoramas
  case depthEffectPhotos, cinematicVideos, slomoVideos, timelapseVideos, spatialMedia, hdr, raw
  case edited
  /// Exact copies, all of each set.
  case duplicates
  /// All but one of each set of exact copies.
  case spareCopies

  /// Reads a word as a user types it, in any case; another one is refused, naming the nearest.
  package init(typed word: String) throws(UnknownWord) {
    guard let known = Self(word: word) else {
      throw UnknownWord(
        word, kind: "type", among: Self.allCases.map(\.rawValue),
        remedy: "`shoebox list --help` names them all")
    }
    self = known
  }

  /// A word in any case, in the plural, in the singular as JSON prints it, or as a table shows it; nil for any
  /// other word.
  package init?(word: String) {
    guard let known = Self.words[word.lowercased()] else { return nil }
    self = known
  }

  /// Every word in lower case.
  private static let words = Dictionary(
    allCases.flatMap { kind in
      ([kind.rawValue] + kind.synonyms).map { ($0.lowercased(), kind) }
    }, uniquingKeysWith: { first, _ in first })

  /// Other words for the same kind.
  private var synonyms: [String] {
    switch self {
    case .images: ["image", "photo", "photos"]
    case .videos: ["video"]
    case .livePhotos: ["livePhoto", "live"]
    case .motionPhotos: ["motionPhoto", "motion"]
    case .screenshots: ["screenshot"]
    case .screenRecordings: ["screenRecording", "recording", "recordings"]
    case .bursts: ["burst"]
    case .panoramas: ["panorama"]
    case .depthEffectPhotos: ["depthEffectPhoto", "depthEffect", "portrait", "portraits"]
    case .cinematicVideos: ["cinematicVideo", "cinematic"]
    case .slomoVideos: ["slomoVideo", "slomo", "slo-mo"]
    case .timelapseVideos: ["timelapseVideo", "timelapse", "time-lapse"]
    case .spatialMedia: ["spatial"]
    case .duplicates: ["duplicate"]
    case .spareCopies: ["spareCopy", "spare", "spares"]
    case .hdr, .raw, .edited: []
    }
  }

  /// What the word asks of a row, as SQL, and the index whose condition is literally the same.
  var sql: (condition: String, index: String) {
    switch self {
    case .images: ("a.media_type = 'image'", "assets_by_type")
    case .videos: ("a.media_type = 'video'", "assets_by_type")
    case .livePhotos: Self.subtype(.livePhoto, "assets_live_photos")
    case .motionPhotos: Self.subtype(.motionPhoto, "assets_motion_photos")
    case .screenshots: Self.subtype(.screenshot, "assets_screenshots")
    case .screenRecordings: Self.subtype(.screenRecording, "assets_screen_recordings")
    case .bursts: Self.subtype(.burst, "assets_bursts")
    case .panoramas: Self.subtype(.panorama, "assets_panoramas")
    case .depthEffectPhotos: Self.subtype(.depthEffect, "assets_depth_effect")
    case .cinematicVideos: Self.subtype(.cinematic, "assets_cinematic")
    case .slomoVideos: Self.subtype(.slomo, "assets_slomo")
    case .timelapseVideos: Self.subtype(.timelapse, "assets_timelapse")
    case .spatialMedia: Self.subtype(.spatial, "assets_spatial")
    case .hdr: Self.subtype(.hdr, "assets_hdr")
    case .raw: Self.subtype(.raw, "assets_raw")
    case .edited: Self.subtype(.edited, "assets_edited")
    case .duplicates: ("a.is_duplicate <> 0", "assets_duplicates")
    case .spareCopies: ("a.is_spare <> 0", "assets_spare")
    }
  }

  /// Checks that the catalog records this kind. One of an earlier version that cannot be written may not.
  ///
  /// - Throws: ``CatalogError/withoutSpareCopies``.
  func require(in database: Database) throws {
    guard self == .spareCopies else { return }
    guard try database.columns(in: "assets").contains(where: { $0.name == "is_spare" }) else {
      throw CatalogError.withoutSpareCopies
    }
  }

  /// Whether only a few assets can be meant, so that sorting them beats walking all in order.
  var isSelective: Bool { self != .images && self != .videos }

  private static func subtype(
    _ subtype: MediaSubtypes, _ index: String
  ) -> (condition: String, index: String) {
    // Written as in the index's own condition: SQLite compares the two word by word.
    ("a.subtypes & \(subtype.rawValue) <> 0", index)
  }
}
