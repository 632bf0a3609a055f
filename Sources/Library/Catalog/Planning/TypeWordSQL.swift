import GRDB
import MediaModel
import Query

extension TypeWord {
  /// The word's condition on a row as SQL, and the partial index that has literally the same condition.
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

  private static func subtype(
    _ subtype: MediaSubtypes, _ index: String
  ) -> (condition: String, index: String) {
    // Written as in the index's own condition: SQLite compares the two word by word.
    ("a.subtypes & \(subtype.rawValue) <> 0", index)
  }
}
