import Query

extension Attribute {
  /// Its value as SQL on `a` (assets), `o` (origins), `e` (asset_details), `f` (files), `d` (folders), `r` (roots) and, for each
  /// keyword or person of an asset, `k` (keywords) or `p` (people).
  var sql: String {
    switch self {
    case .size: "a.size"
    case .duration: "a.duration"
    case .captureDate, .year: "a.capture_wall"
    case .addedDate: "a.added_date"
    case .modifiedDate: "(f.modified / 1000000)"
    case .orientation: "a.orientation"
    case .extension:
      "iif(instr(a.name, '.') > 0, "
        + "substr(a.name, length(rtrim(a.name, replace(a.name, '.', ''))) + 1), NULL)"
    case .folder:
      "(rtrim(CAST(r.path AS TEXT), '/') || iif(d.parent_id IS NULL, '', '/' || CAST(d.path AS TEXT)))"
    case .month: "CAST(\(Self.capture("%m")) AS INTEGER)"
    case .camera: "nullif(trim(ifnull(o.make, '') || ' ' || ifnull(o.model, '')), '')"
    case .make: "o.make"
    case .model: "o.model"
    case .lens: "o.lens"
    case .software: "o.software"
    case .codec: "o.video_codec"
    case .uniformType: "o.uniform_type"
    case .iso: "e.iso"
    case .focalLength: "e.focal_length"
    case .aperture: "e.f_number"
    case .exposureTime: "e.exposure_time"
    case .width: "a.pixel_width"
    case .height: "a.pixel_height"
    case .pixels: "(a.pixel_width * a.pixel_height)"
    case .rating: "a.rating"
    case .label: "a.label"
    case .pick:
      "CASE \(Self.pickNumber) WHEN 1 THEN 'picked' WHEN -1 THEN 'rejected' WHEN 2 THEN 'pending' "
        + "ELSE 'none' END"
    case .frameRate: "a.frame_rate"
    case .name: "a.name"
    case .path:
      "(rtrim(CAST(r.path AS TEXT), '/') || '/' || ltrim(CAST(d.path AS TEXT) || '/', '/') "
        + "|| CAST(f.name AS TEXT))"
    case .album:
      "ifnull(d.title, iif(d.parent_id IS NULL, \(Self.rootName), CAST(d.name AS TEXT)))"
    case .title: "a.title"
    case .description: "a.caption"
    case .keyword: "k.keyword"
    case .person: "p.name"
    case .status: "a.status"
    case .warning: "e.warnings"
    case .latitude, .location: "a.latitude"
    case .longitude: "a.longitude"
    case .altitude: "a.altitude"
    }
  }

  /// The number of ``AssetRecord/pick``.
  static let pickNumber = "ifnull(a.pick, iif(a.rating = -1, -1, 0))"

  /// Whether it is a column of `origins`.
  var isOfOrigin: Bool {
    switch self {
    case .camera, .make, .model, .lens, .software, .uniformType, .codec: true
    default: false
    }
  }

  /// The table of an attribute of which an asset may have several, with its alias; nil for all others.
  var listTable: String? {
    switch self {
    case .keyword: "keywords AS k"
    case .person: "people AS p"
    default: nil
    }
  }

  /// The condition that a row of ``listTable`` is the asset's.
  var listJoin: String { self == .person ? "p.asset_id = a.id" : "k.asset_id = a.id" }

  /// The table that it is in, if that is not `assets`.
  var table: JoinedTables {
    switch self {
    case .path: .all
    case .album, .folder: .folders
    case .modifiedDate: .files
    default: isDetail ? .details : isOfOrigin ? .origins : []
    }
  }

  /// A table of an asset's warnings, which are a line each. While they are quoted for JSON, a character that no text
  /// contains separates them.
  static let warningLines =
    "json_each('[' || replace(json_quote(replace(e.warnings, char(10), char(57344))), char(57344), '\",\"') || ']')"

  /// The name of a library folder: its path from after the last slash.
  private static let rootName =
    "substr(CAST(r.path AS TEXT), "
    + "length(rtrim(CAST(r.path AS TEXT), replace(CAST(r.path AS TEXT), '/', ''))) + 1)"

  /// Parts of the time on the wall clock, as `strftime` writes them.
  ///
  /// Divided as a real number: whole division would put times before 1970 a second late.
  static func capture(_ parts: String) -> String {
    "strftime('\(parts)', a.capture_wall / 1000.0, 'unixepoch')"
  }
}
