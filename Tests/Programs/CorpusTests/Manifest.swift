import Foundation
import Workbench

/// What exiftool, ffprobe and libheif say of one file of the corpus.
struct ManifestFile: Sendable {
  private var columns: [String: String]

  subscript(column: String) -> String? {
    columns[column].flatMap { $0.isEmpty ? nil : $0 }
  }

  var path: String { columns["path"] ?? "" }
  var fileType: String { self["file_type"] ?? "unknown type" }

  /// Whether a photo library should show it, or say why it cannot. The hostile half has no such column:
  /// there, what the references found a picture in is asked for.
  var isMedia: Bool {
    if let type = self["media_type"] { return ["image", "video", "raw"].contains(type) }
    guard columns["media_type"] == nil, let mime = self["mime"], self["width"] != nil else {
      return false
    }
    return mime.hasPrefix("image/") || mime.hasPrefix("video/")
  }

  /// Reads a table of tab-separated values whose first line names the columns.
  static func read(_ path: String) throws -> [ManifestFile] {
    let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: true).makeIterator()
    let names = (lines.next() ?? "").split(separator: "\t", omittingEmptySubsequences: false)
    var files: [ManifestFile] = []
    while let line = lines.next() {
      let values = line.split(separator: "\t", omittingEmptySubsequences: false)
      files.append(
        ManifestFile(
          columns: Dictionary(zip(names, values).map { (String($0), String($1)) }) { $1 }))
    }
    return files
  }
}

/// What the catalog says of one file, absorbed clips included.
struct CatalogFacts: Decodable {
  var path: String
  var pixel_width: Int?
  var pixel_height: Int?
  var orientation: Int?
  var duration: Double?
  var capture_date: String?
  var make: String?
  var model: String?
  var latitude: Double?
  var longitude: Double?
  var video_codec: String?
}

extension Workbench {
  /// The catalog's facts by path below `root`.
  ///
  /// The references know nothing of sidecars, so where one has set a column, this is what the file
  /// itself says.
  func facts(under root: String) async throws -> [String: CatalogFacts] {
    let columns = [
      "pixel_width", "pixel_height", "orientation", "duration", "make", "model", "latitude",
      "longitude", "video_codec",
    ].map { column in
      """
      CASE WHEN json_type(e.embedded_values, '$.\(column)') IS NULL THEN \(column)
        ELSE json_extract(e.embedded_values, '$.\(column)') END AS \(column)
      """
    }
    let rows = try await rows(
      CatalogFacts.self,
      """
      SELECT CASE d.path WHEN '' THEN '' ELSE d.path || '/' END || f.name AS path,
        \(columns.joined(separator: ", ")),
        CASE WHEN json_type(e.embedded_values, '$.capture_wall') IS NULL THEN a.capture_date
          ELSE strftime('%Y-%m-%dT%H:%M:%S', json_extract(e.embedded_values, '$.capture_wall') / 1000, 'unixepoch')
          END AS capture_date
      FROM assets a JOIN files f ON f.id = a.id JOIN folders d ON d.id = f.folder_id
      JOIN origins o ON o.id = a.origin_id LEFT JOIN asset_details e ON e.asset_id = a.id
      WHERE a.status = 'present' AND typeof(f.name) = 'text' AND typeof(d.path) = 'text'
      """)
    return Dictionary(rows.map { ($0.path, $0) }) { $1 }
  }
}
