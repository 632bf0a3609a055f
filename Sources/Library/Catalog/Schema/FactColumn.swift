import Foundation
import GRDB
import MediaModel

/// The values from which a row of `assets` is written.
struct AssetSource {
  var facts: MediaFacts
  var subtypes: MediaSubtypes
  /// The rows of `origins` and `capture_sources`.
  var origin: Int64
  var captureSource: Int64?
  var recording: FileRecording
  var fileID: Int64
  var status: AssetStatus
}

/// A column of `assets` with a fact about the asset's file.
struct FactColumn: Sendable {
  private let name: String
  private let value: @Sendable (AssetSource) -> DatabaseValue

  private init<Value: DatabaseValueConvertible & SendableMetatype>(
    _ name: String, _ value: @escaping @Sendable (AssetSource) -> Value?
  ) {
    self.name = name
    self.value = { value($0)?.databaseValue ?? .null }
  }

  /// Inserts an asset: the facts, then the identifier, the date it was added and its id.
  static let insertion = """
    INSERT INTO assets (\(all.map(\.name).joined(separator: ", ")), identifier, added_date, id, revision)
    VALUES (\(all.map { _ in "?" }.joined(separator: ", ")), ?, ?, ?, (SELECT revision + 1 FROM changes))
    """

  /// Gives an asset new facts; its id is the last argument. The identifier and the date it was added stay.
  static let update = """
    UPDATE assets SET \(all.map { "\($0.name) = ?" }.joined(separator: ", ")) WHERE id = ?
    """

  /// The values of the facts in either statement.
  static func values(_ source: AssetSource) -> [DatabaseValue] {
    all.map { $0.value(source) }
  }

  private static let all = file + kind + time + place + texts

  private static let file = [
    FactColumn("folder_id") { $0.recording.folderID },
    FactColumn("name") { BytePath(bytes: $0.recording.name).display },
    FactColumn("size") { $0.recording.stamp.size },
    FactColumn("is_missing") { _ in 0 },
    FactColumn("is_unreadable") { $0.status == .unreadable ? 1 : 0 },
    // The content has changed; until copies of it are found, there are none.
    FactColumn("is_duplicate") { _ in 0 },
    FactColumn("is_spare") { _ in 0 },
  ]

  private static let kind = [
    FactColumn("origin_id") { $0.origin },
    FactColumn("is_video") { $0.facts.mediaType == .video ? 1 : 0 },
    FactColumn("subtypes") { Int64($0.subtypes.rawValue) },
    FactColumn("pixel_width") { $0.facts.pixelSize?.width },
    FactColumn("pixel_height") { $0.facts.pixelSize?.height },
    FactColumn("orientation") { $0.facts.orientation.map { Int($0.rawValue) } },
    FactColumn("duration") { $0.facts.duration },
    FactColumn("frame_rate") { $0.facts.video?.frameRate },
    FactColumn("content_identifier") { $0.facts.contentIdentifier.map(StoredIdentifier.init) },
    FactColumn("burst_identifier") { $0.facts.burstIdentifier.map(StoredIdentifier.init) },
  ]

  private static let time = [
    FactColumn("capture_wall") { $0.facts.captureTime?.wallMilliseconds },
    FactColumn("capture_offset") { $0.facts.captureTime?.offsetMinutes },
    FactColumn("capture_fraction") { $0.facts.captureTime.flatMap(CaptureTimeColumns.fraction) },
    FactColumn("capture_source_id") { $0.captureSource },
    // Until its neighbours are known.
    FactColumn("capture_zone_evidence") { _ -> String? in nil },
  ]

  private static let place = [
    FactColumn("latitude") { $0.facts.location?.latitude },
    FactColumn("longitude") { $0.facts.location?.longitude },
    FactColumn("altitude") { $0.facts.location?.altitude },
  ]

  private static let texts = [
    FactColumn("title") { $0.facts.title },
    FactColumn("caption") { $0.facts.caption },
    FactColumn("rating") { $0.facts.rating },
    FactColumn("is_favorite") { $0.facts.isFavorite },
    FactColumn("label") { $0.facts.label },
    FactColumn("pick") { $0.facts.pick?.rawValue },
  ]
}

/// A row of `asset_details`: the part of an asset's facts that few questions ask for.
enum DetailColumns {
  /// All but `embedded_values`, which a sidecar sets.
  static let insertion = """
    INSERT INTO asset_details (asset_id, exposure_time, f_number, iso, focal_length, focal_length_35mm, clip_offset,
      clip_length, clip_evidence, clues, warnings) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  /// The values of ``insertion`` after the asset; nil if there are none.
  static func values(_ facts: MediaFacts) -> [DatabaseValue]? {
    let exposure = facts.exposure
    let clip = facts.embeddedClip
    let values = [
      exposure.time?.databaseValue, exposure.fNumber?.databaseValue, exposure.iso?.databaseValue,
      exposure.focalLength?.databaseValue, exposure.focalLengthIn35mm?.databaseValue,
      (clip?.offset).map { Int64(clamping: $0).databaseValue },
      (clip?.length).map { Int64(clamping: $0).databaseValue }, clip?.evidence.databaseValue,
      lines(facts.clues.map(\.line))?.databaseValue, lines(facts.warnings)?.databaseValue,
    ]
    guard values.contains(where: { $0 != nil }) else { return nil }
    return values.map { $0 ?? .null }
  }

  private static func lines(_ lines: [String]) -> String? {
    lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}
