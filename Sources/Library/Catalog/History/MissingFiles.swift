import GRDB
package import MediaModel

// Files that are gone, and that the catalog keeps in case they return.

/// A media file that a scan found gone.
package struct MissingFile: Sendable, Hashable {
  /// Its last path.
  package var path: BytePath
  /// The identifier of its asset.
  package var asset: String?
  /// Bytes.
  package var size: Int64
  /// When the scan began that found it gone, milliseconds since 1970 UTC; see ``CatalogTransaction/beginningsOfScans()``.
  package var since: Int64
  /// Whether it is in an album of the user.
  package var isInAlbum: Bool
  /// Whether it is a picture or video; else it is a sidecar, or a file that is neither.
  var isMedia: Bool
}

extension CatalogTransaction {
  /// The media files that scans found gone before an instant and that are still gone, the longest missing first; those of
  /// one scan by their paths.
  ///
  /// - Parameters:
  ///   - instant: milliseconds since 1970 UTC.
  ///   - folder: only those in it or below; nil for all.
  package func missingFiles(
    before instant: Int64, under folder: BytePath?
  ) throws -> [MissingFile] {
    try missing(before: instant, under: folder).map(\.file).filter(\.isMedia)
  }

  fileprivate func missing(
    before instant: Int64, under folder: BytePath?
  ) throws -> [(id: Int64, file: MissingFile)] {
    let beginnings = try beginningsOfScans()
    return try rows(
      """
      SELECT roots.path, folders.path, files.name, identifier, files.size, missing_since, files.id,
        EXISTS (SELECT 1 FROM album_assets WHERE asset_id = files.id), kind = 'media'
      FROM files JOIN folders ON folders.id = files.folder_id JOIN roots ON roots.id = folders.root_id
      LEFT JOIN assets ON assets.id = files.id
      WHERE missing_since IS NOT NULL
      ORDER BY missing_since, roots.path, folders.path, files.name
      """
    ) { row in
      let file = MissingFile(
        path: AssetRow.path(row, root: 0, folder: 1, name: 2),
        asset: (row[3] as StoredIdentifier?)?.text, size: row[4], since: beginnings[row[5]] ?? .max,
        isInAlbum: row[7], isMedia: row[8])
      return (row[6], file)
    }.filter {
      $0.file.since < instant && (folder == nil || $0.file.path.isWithin(folder ?? $0.file.path))
    }
  }

  /// Forgets files that are gone: their assets, labels and history. No file is touched.
  fileprivate func forget(missingFiles ids: ArraySlice<Int64>) throws {
    let files = RowSet(ids)
    try detach(files: files)
    try execute(
      "DELETE FROM files WHERE id IN (\(RowSet.sql)) AND missing_since IS NOT NULL",
      [files.argument])
  }
}

extension Catalog {
  /// Forgets the files that scans found gone before an instant and that are still gone, sidecars among them.
  ///
  /// - Parameters:
  ///   - instant: milliseconds since 1970 UTC.
  ///   - folder: only those in it or below; nil for all.
  ///   - includesAlbums: whether assets are forgotten that are in the user's albums.
  /// - Returns: the media files among them.
  package func purgeMissingFiles(
    before instant: Int64, under folder: BytePath?, includesAlbums: Bool
  ) throws -> [MissingFile] {
    let missing = try read { try $0.missing(before: instant, under: folder) }
      .filter { includesAlbums || !$0.file.isInAlbum }
    let ids = missing.map(\.id)
    // Readers and a picker that records a favorite get their turn between the parts.
    for start in stride(from: 0, to: ids.count, by: Self.purgedAtOnce) {
      let part = ids[start..<min(ids.count, start + Self.purgedAtOnce)]
      try write { try $0.forget(missingFiles: part) }
    }
    if !ids.isEmpty { _ = try write { try $0.writeSearch(limit: .max) } }
    return missing.filter(\.file.isMedia).map(\.file)
  }

  private static let purgedAtOnce = 2000
}
