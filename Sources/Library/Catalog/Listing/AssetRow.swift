import GRDB
import MediaModel

/// The columns an ``Asset`` is read from, and the reading.
///
/// The order of ``columns`` and of the indices below must be the same: columns are read by number,
/// since finding each by name would cost more than reading it.
enum AssetRow {
  /// `a` is `assets`, `f` is `files`. A folder's path is looked up once for all of its files, see
  /// ``AssetReader``.
  static let columns = """
    a.id, a.identifier, a.media_type, a.subtypes, a.uniform_type, f.declared_type, f.folder_id,
    f.name, a.size, f.modified, a.pixel_width, a.pixel_height, a.orientation, a.duration,
    a.capture_wall, a.capture_date, a.capture_source, a.latitude, a.longitude, a.altitude, a.make,
    a.model, a.lens, a.software, a.exposure_time, a.f_number, a.iso, a.focal_length,
    a.focal_length_35mm, a.video_codec, a.frame_rate, a.dynamic_range, a.audio_codec, a.title,
    a.caption, a.rating, a.content_identifier, a.burst_identifier, a.clip_evidence, a.status,
    f.error, a.warnings, a.added_date, a.is_duplicate,
    CASE WHEN a.is_duplicate <> 0 THEN lower(hex(f.content_digest)) END
    """

  /// The columns of an asset's folder and of its file's name.
  static let folder = 6
  static let name = 7

  static func asset(_ row: Row, at path: BytePath) -> Asset {
    Asset(
      rowID: row[0], identifier: row[1], mediaType: row[2],
      subtypes: MediaSubtypes(rawValue: row[3]), uniformType: UniformType(rawValue: row[4]),
      declaredType: (row[5] as String?).map(UniformType.init(rawValue:)), path: path,
      size: row[8], modified: row[9], pixelSize: pixelSize(row), orientation: row[12],
      duration: row[13], captureWall: row[14], captureDate: row[15], captureSource: row[16],
      location: location(row),
      camera: Camera(make: row[20], model: row[21], lens: row[22], software: row[23]),
      exposure: Exposure(
        time: row[24], fNumber: row[25], iso: row[26], focalLength: row[27],
        focalLengthIn35mm: row[28]),
      video: VideoProperties(
        codec: row[29], frameRate: row[30],
        dynamicRange: (row[31] as String?).flatMap(DynamicRange.init(rawValue:)),
        audioCodec: row[32]),
      title: row[33], caption: row[34], rating: row[35], contentIdentifier: row[36],
      burstIdentifier: row[37], clipEvidence: row[38],
      status: AssetStatus(rawValue: row[39]) ?? .present, error: row[40], warnings: lines(row[41]),
      added: row[42], isDuplicate: row[43], duplicateSet: row[44])
  }

  /// A file's path out of the three columns it is kept in.
  static func path(_ row: Row, root: Int, folder: Int, name: Int) -> BytePath {
    path(row, root: root, folder: folder).appending(bytes(row[name]))
  }

  /// A folder's path out of the two columns it is kept in.
  static func path(_ row: Row, root: Int, folder: Int) -> BytePath {
    BytePath(bytes: bytes(row[root])).appending(bytes(row[folder]))
  }

  static func bytes(_ value: DatabaseValue) -> [UInt8] {
    BytePath.fromDatabaseValue(value)?.bytes ?? []
  }

  /// What is kept a line each.
  static func lines(_ text: String?) -> [String] {
    text.map { $0.split(separator: "\n").map(String.init) } ?? []
  }

  private static func pixelSize(_ row: Row) -> PixelSize? {
    guard let width = row[10] as Int?, let height = row[11] as Int? else { return nil }
    return PixelSize(width: width, height: height)
  }

  private static func location(_ row: Row) -> Location? {
    guard let latitude = row[17] as Double?, let longitude = row[18] as Double? else { return nil }
    return Location(latitude: latitude, longitude: longitude, altitude: row[19])
  }
}
