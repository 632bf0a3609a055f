import Workbench

/// What is true of every catalog after every scan.
enum CatalogInvariants {
  /// What is wrong in a bench's catalog; empty if nothing is.
  static func violations(on bench: Workbench) async throws -> [String] {
    try await bench.query(
      rules.map { "SELECT '\($0.name): ' || \($0.what)" }
        .joined(separator: "\nUNION ALL "))
  }

  private static let rules: [(name: String, what: String)] = [
    ("a broken reference", "\"table\" FROM pragma_foreign_key_check"),
    ("an unsettled family", "folder_id FROM unsettled_families"),
    ("an unsettled content", "hex(fingerprint) FROM unsettled_contents"),
    ("an unsettled identifier", "quote(content_identifier) FROM unsettled_identifiers"),
    ("an unsettled zone", "folder_id FROM unsettled_zones"),
    (
      "a zone without evidence",
      """
      a.name FROM assets a JOIN capture_sources s ON s.id = a.capture_source_id
        WHERE (s.name LIKE '%+neighbor' OR s.name LIKE '%+place') <> (a.capture_zone_evidence IS NOT NULL)
      """
    ),
    (
      "an inferred zone of a resource",
      "name FROM assets WHERE capture_zone_evidence IS NOT NULL AND absorbed_by IS NOT NULL"
    ),
    ("an asset that is not searched", "asset_id FROM search_changes"),
    (
      "an asset without a searched text",
      "name FROM assets WHERE id NOT IN (SELECT rowid FROM asset_search)"
    ),
    (
      "a searched text without an asset",
      "name FROM asset_search WHERE rowid NOT IN (SELECT id FROM assets)"
    ),
    (
      "an asset in another folder than its file",
      """
      a.name FROM assets a JOIN files f ON f.id = a.id WHERE a.folder_id <> f.folder_id
      """
    ),
    (
      "a file that is missing where its content is",
      """
      m.name FROM files m JOIN files f ON f.folder_id = m.folder_id AND f.name = m.name
        WHERE m.status = 'missing' AND f.status <> 'missing' AND f.fingerprint = m.fingerprint
          AND f.size = m.size
      """
    ),
    (
      "two clips of one still",
      """
      absorbed_by FROM assets WHERE absorbed_as = 'pairedVideo'
        GROUP BY absorbed_by HAVING count(*) > 1
      """
    ),
    (
      "a resource of a resource",
      """
      a.name FROM assets a JOIN assets o ON o.id = a.absorbed_by WHERE o.absorbed_by IS NOT NULL
        AND NOT (a.absorbed_as = 'pairedVideo' AND o.absorbed_as = 'fullSizePhoto')
      """
    ),
    (
      "a tie to what is gone",
      """
      a.name FROM assets a JOIN assets o ON o.id = a.absorbed_by
        WHERE a.status <> 'present' OR o.status <> 'present'
      """
    ),
    (
      "half a tie",
      "name FROM assets WHERE (absorbed_by IS NULL) <> (absorbed_as IS NULL)"
    ),
    (
      "facets that differ from their assets",
      """
      count(*) FROM (SELECT bit, id FROM assets JOIN facet_bits ON facets & bit
        EXCEPT SELECT facet, asset_id FROM facets)
        HAVING count(*) > 0 OR (SELECT count(*) FROM facets)
          <> (SELECT count(*) FROM assets JOIN facet_bits ON facets & bit)
      """
    ),
    (
      "a folder or camera that is not searched",
      """
      id FROM (SELECT id FROM folders EXCEPT SELECT rowid FROM folder_search)
        UNION SELECT 'unsearched camera: ' || id FROM (SELECT id FROM origins EXCEPT SELECT rowid FROM origin_search)
      """
    ),
    (
      "a revision from the future",
      "name FROM assets WHERE revision > (SELECT revision FROM changes)"
    ),
    (
      "two files of one name",
      "name FROM files WHERE missing_since IS NULL GROUP BY folder_id, name HAVING count(*) > 1"
    ),
    (
      "a live photo without a clip",
      """
      o.name FROM assets o WHERE o.subtypes & 1 AND NOT EXISTS
        (SELECT 1 FROM assets a WHERE a.absorbed_by = o.id AND a.absorbed_as = 'pairedVideo')
      """
    ),
    (
      "a label that its subtypes deny",
      """
      a.name FROM assets a JOIN labels l ON l.asset_id = a.id
        WHERE l.subtype = 'livePhoto' AND l.is_given <> (a.subtypes & 1)
      """
    ),
  ]
}

/// A file as the catalog has it after one scan.
struct TrackedFile: Decodable, Hashable {
  /// What a rename leaves as it is.
  struct Stamp: Hashable {
    var inode: Int64
    var size: Int
    var modified: Int64
  }

  /// The asset's; nil for a file that is neither a picture nor a video.
  var id: String?
  var path: String
  var inode: Int64
  var size: Int
  var modified: Int64

  var stamp: Stamp { Stamp(inode: inode, size: size, modified: modified) }

  static func all(on bench: Workbench) async throws -> [TrackedFile] {
    return try await bench.rows(
      TrackedFile.self,
      """
      SELECT nullif(hex(a.identifier), '') AS id, d.path || '/' || f.name AS path, f.inode, f.size, f.modified
      FROM files f JOIN folders d ON d.id = f.folder_id
      LEFT JOIN assets a ON a.id = f.id AND NOT a.is_missing
      WHERE f.status <> 'missing'
      """)
  }

  /// The files that are the same as before, by inode, size and time, and yet have another id.
  ///
  /// Files are left out if another file is now at their old path: there two ways of
  /// working (a copy that is written first, an original that is put aside first) look alike.
  ///
  /// - Parameter linked: inodes of hard links, which are one file in two places.
  static func strayed(
    from before: [TrackedFile], to after: [TrackedFile], butFor linked: Set<Int64>
  ) -> [String] {
    let (old, new) = (
      Dictionary(grouping: before, by: \.stamp), Dictionary(grouping: after, by: \.stamp)
    )
    let holders = Dictionary(grouping: after, by: \.path)
    return old.compactMap { stamp, files in
      guard !linked.contains(stamp.inode), let was = files[0].id, let found = new[stamp]?.first,
        let now = found.id, was != now
      else { return nil }
      if let holder = holders[files[0].path]?.first?.stamp,
        old[holder] == nil || linked.contains(holder.inode)
      {
        return nil
      }
      return "\(files[0].path) is \(found.path) now, with another id"
    }
  }
}
