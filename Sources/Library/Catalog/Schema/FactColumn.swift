import Foundation
import GRDB
import MediaModel

/// The values from which a row of `assets` is written.
struct AssetSource {
  var facts: MediaFacts
  var subtypes: MediaSubtypes
  /// The row of `origins`.
  var origin: Int64?
  var recording: FileRecording
  var fileID: Int64
  var status: AssetStatus
  /// Milliseconds since 1970 UTC.
  var now: Int64
}

/// A column of `assets` with a fact about the asset's file.
struct FactColumn: Sendable {
  private let name: String
  /// Whether it is also written when the file is examined again.
  private let isUpdated: Bool
  private let value: @Sendable (AssetSource) -> (any DatabaseValueConvertible)?

  private init(
    _ name: String, isUpdated: Bool = true,
    _ value: @escaping @Sendable (AssetSource) -> (any DatabaseValueConvertible)?
  ) {
    self.name = name
    self.isUpdated = isUpdated
    self.value = value
  }

  /// Inserts an asset, or gives the one that its file already has the new facts; the identifier and the
  /// date it was added stay. Gives the row's number.
  static let upsert = """
    INSERT INTO assets (\(all.map(\.name).joined(separator: ", ")))
    VALUES (\(all.map { _ in "?" }.joined(separator: ", ")))
    ON CONFLICT (file_id) DO UPDATE SET
    \(all.filter(\.isUpdated).map { "\($0.name) = excluded.\($0.name)" }.joined(separator: ", "))
    RETURNING id
    """

  /// The values that ``upsert`` takes.
  static func arguments(_ source: AssetSource) -> StatementArguments {
    StatementArguments(all.map { $0.value(source) })
  }

  private static let all = kind + time + place + camera + video + words + file + identity

  private static let kind = [
    FactColumn("subtypes") { Int64($0.subtypes.rawValue) },
    FactColumn("media_type") { $0.facts.mediaType },
    FactColumn("uniform_type") { $0.facts.uniformType.rawValue },
    FactColumn("pixel_width") { $0.facts.pixelSize?.width },
    FactColumn("pixel_height") { $0.facts.pixelSize?.height },
    FactColumn("orientation") { $0.facts.orientation.map { Int($0.rawValue) } },
    FactColumn("duration") { $0.facts.duration },
    FactColumn("content_identifier") { $0.facts.contentIdentifier },
    FactColumn("burst_identifier") { $0.facts.burstIdentifier },
    FactColumn("clip_offset") { $0.facts.embeddedClip.map { Int64(clamping: $0.offset) } },
    FactColumn("clip_length") { $0.facts.embeddedClip.map { Int64(clamping: $0.length) } },
    FactColumn("clip_evidence") { $0.facts.embeddedClip?.evidence },
  ]

  private static let time = [
    FactColumn("capture_wall") { $0.facts.captureTime?.wallMilliseconds },
    FactColumn("capture_utc") { $0.facts.captureTime?.utcMilliseconds },
    FactColumn("capture_offset") { $0.facts.captureTime?.offsetMinutes },
    FactColumn("capture_date") { $0.facts.captureTime?.iso8601 },
    FactColumn("capture_source") { $0.facts.captureTime?.source },
  ]

  private static let place = [
    FactColumn("latitude") { $0.facts.location?.latitude },
    FactColumn("longitude") { $0.facts.location?.longitude },
    FactColumn("altitude") { $0.facts.location?.altitude },
  ]

  private static let camera = [
    FactColumn("make") { $0.facts.camera.make },
    FactColumn("model") { $0.facts.camera.model },
    FactColumn("lens") { $0.facts.camera.lens },
    FactColumn("software") { $0.facts.camera.software },
    FactColumn("exposure_time") { $0.facts.exposure.time },
    FactColumn("f_number") { $0.facts.exposure.fNumber },
    FactColumn("iso") { $0.facts.exposure.iso },
    FactColumn("focal_length") { $0.facts.exposure.focalLength },
    FactColumn("focal_length_35mm") { $0.facts.exposure.focalLengthIn35mm },
  ]

  private static let video = [
    FactColumn("video_codec") { $0.facts.video?.codec },
    FactColumn("frame_rate") { $0.facts.video?.frameRate },
    FactColumn("dynamic_range") { $0.facts.video?.dynamicRange?.rawValue },
    FactColumn("audio_codec") { $0.facts.video?.audioCodec },
  ]

  private static let words = [
    FactColumn("title") { $0.facts.title },
    FactColumn("caption") { $0.facts.caption },
    FactColumn("rating") { $0.facts.rating },
    FactColumn("clues") { lines($0.facts.clues.map(\.line)) },
    FactColumn("warnings") { lines($0.facts.warnings) },
    // Sidecars have not spoken yet.
    FactColumn("embedded_values") { _ in nil },
  ]

  private static let file = [
    FactColumn("origin_id") { $0.origin },
    FactColumn("file_folder_id") { $0.recording.folderID },
    FactColumn("status") { $0.status.rawValue },
    FactColumn("name") { BytePath(bytes: $0.recording.name).display },
    FactColumn("size") { $0.recording.stamp.size },
    // Of other content than before, until copies of this are found.
    FactColumn("is_duplicate") { _ in false },
    FactColumn("is_spare") { _ in false },
  ]

  /// What stays as long as the asset is known.
  private static let identity = [
    FactColumn("file_id", isUpdated: false) { $0.fileID },
    FactColumn("identifier", isUpdated: false) { _ in UUID().uuidString },
    FactColumn("added_date", isUpdated: false) { $0.now },
  ]

  private static func lines(_ lines: [String]) -> String? {
    lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}
