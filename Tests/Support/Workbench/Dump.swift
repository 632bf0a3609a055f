extension Workbench {
  /// All that a catalog contains about the files that exist now, without what may differ between two catalogs
  /// of one library: row numbers, asset IDs, times of recording, and missing files.
  ///
  /// Two catalogs with equal information have equal dumps, line by line.
  ///
  /// - Parameter file: a catalog other than the bench's own.
  package func dump(of file: String? = nil) async throws -> [String] {
    let columns = try await query("SELECT name FROM pragma_table_xinfo('assets')", of: file)
      .filter { !Self.ownColumns.contains($0) && !$0.isEmpty }
    return try await query(
      """
      CREATE TEMP VIEW place AS SELECT f.*, d.path || '/' || f.name AS path
        FROM files f JOIN folders d ON d.id = f.folder_id WHERE f.status <> 'missing';
      CREATE TEMP VIEW item AS SELECT a.*, p.path AS path
        FROM assets a JOIN place p ON p.id = a.id WHERE NOT a.is_missing;
      """
        + Self.section(
          "folder", ["path"] + Self.folderCounts,
          from: "folders WHERE digest IS NOT NULL")
        + Self.section("file", ["path"] + Self.fileColumns, from: "place")
        + Self.section(
          "asset",
          ["path", "(SELECT o.path FROM item o WHERE o.id = i.absorbed_by)"] + columns
            + ["(SELECT s.name FROM capture_sources s WHERE s.id = i.capture_source_id)"],
          from: "item i")
        + Self.section(
          "origin",
          ["i.path"]
            + [
              "uniform_type", "make", "model", "lens", "software", "video_codec", "audio_codec",
              "dynamic_range",
            ].map { "o.\($0)" }, from: "item i JOIN origins o ON o.id = i.origin_id")
        + Self.section(
          "detail", ["i.path"] + Self.detailColumns.map { $0.contains("(") ? $0 : "e.\($0)" },
          from: "item i JOIN asset_details e ON e.asset_id = i.id")
        + Self.section(
          "facet", ["i.path", "k.facet", "k.capture_wall", "k.subtypes", "k.is_video"],
          from: "item i JOIN facets k ON k.asset_id = i.id WHERE k.facet <> 1 << 19")
        + Self.section(
          "label", ["i.path", "l.subtype", "l.is_given", "l.score", "l.evidence"],
          from: "labels l JOIN item i ON i.id = l.asset_id")
        + Self.section(
          "link", ["i.path", "p.path"],
          from:
            "asset_sidecars r JOIN item i ON i.id = r.asset_id LEFT JOIN place p ON p.id = r.file_id"
        )
        + Self.section(
          "keyword", ["i.path", "k.keyword"], from: "keywords k JOIN item i ON i.id = k.asset_id")
        + Self.section(
          "person", ["i.path", "k.name"], from: "people k JOIN item i ON i.id = k.asset_id")
        + Self.section(
          "sidecar",
          ["p.path", "s.kind", "s.title", "s.rating", "s.capture_wall", "s.adjustment_format"]
            + ["s.adjustments", "s.crop_width", "s.crop_height"],
          from: "sidecars s JOIN place p ON p.id = s.file_id")
        + Self.section(
          "text", ["i.path"] + ["name", "title", "caption", "keywords"].map { "s.\($0)" },
          from: "asset_search s JOIN item i ON i.id = s.rowid")
        + Self.searchedWords.map { word in
          Self.section(
            "found \(word)", ["i.path"],
            from: "asset_search('\(word)') s JOIN item i ON i.id = s.rowid")
        }.joined(), of: file)
  }

  /// The differences between catalogs of the same library. Which of several equal copies is spare depends on
  /// which the catalog has known longest.
  private static let ownColumns: Set = [
    "id", "identifier", "revision", "folder_id", "origin_id", "capture_source_id", "absorbed_by",
    "added_date", "is_spare", "facets",
  ]

  /// Without those that repeat the sidecars' files, by the order of which they were linked.
  private static let detailColumns = [
    "exposure_time", "f_number", "iso", "focal_length", "focal_length_35mm", "clip_offset",
    "clip_length",
    "clip_evidence", "clues", "warnings", "json(e.embedded_values)",
  ]

  /// Words in names, folders, titles and keywords, from the pool of the random histories.
  private static let searchedWords = [
    "img*", "0001", "deep", "trip", "screenshots", "own", "snow", "winter", "river", "title",
    "apple",
  ]

  private static let folderCounts = [
    "media_count", "unreadable_count", "sidecar_count", "ignored_count",
  ]
  private static let fileColumns = [
    "size", "modified", "inode", "kind", "status", "error", "fingerprint", "declared_type",
  ]

  /// A statement that prints a line for each row of a table: a label, then the columns.
  private static func section(
    _ kind: String, _ columns: [String], from table: String
  ) -> String {
    let values = columns.map { "replace(quote(\($0)), char(10), '⏎')" }
    return
      "SELECT '\(kind) ' || \(values.joined(separator: " || ' ' || ")) FROM \(table) ORDER BY 1;\n"
  }
}
