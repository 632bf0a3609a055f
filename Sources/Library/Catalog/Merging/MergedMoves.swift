import GRDB
import Query

// Files that have moved from the folders of one catalog into those of another. Which of both is merged first does not matter.

extension CatalogTransaction {
  /// Finds the files that merges have added, or found in other places, among those in whose places they have found others. The
  /// asset of each goes with its file, with its identifier and albums; the file that has its old place becomes a new asset,
  /// unless it is such a file, too.
  ///
  /// - Parameters:
  ///   - replaced: of all merges.
  ///   - last: the largest row that a file had before.
  ///   - now: milliseconds since 1970 UTC.
  /// - Returns: the rows of the files that were found.
  package func follow(
    _ replaced: [ReplacedFile], filesAfter last: Int64, now: Int64
  ) throws -> Set<Int64> {
    var places: [Int64: Int64] = [:]
    var taken: Set<Int64> = []
    for file in replaced {
      let found = try rows(
        """
        SELECT id FROM files WHERE fingerprint = ? AND size = ? AND inode = ? AND kind = 'media' AND missing_since IS NULL
        """, [file.fingerprint, file.size, file.inode]
      ) { $0[0] as Int64 }
      guard let place = found.first, found.count == 1, taken.insert(place).inserted else {
        continue
      }
      places[file.id] = place
    }
    // What was in a place before must have gone to another one.
    var count: Int
    repeat {
      count = places.count
      places = places.filter { [places] in $0.value > last || places[$0.value] != nil }
    } while places.count < count
    let assets = try places.keys.sorted().compactMap { try identity(of: $0) }
    try detach(files: RowSet(places.keys))
    for id in Set(places.keys).union(places.values) {
      let isNew = id > last
      if isNew {
        try execute(
          "INSERT OR IGNORE INTO removed_assets SELECT \(Self.next), identifier FROM assets WHERE id = ?",
          [id])
      } else {
        try execute("DELETE FROM album_assets WHERE asset_id = ?", [id])
      }
      try execute(
        "UPDATE assets SET identifier = ?, added_date = ?, revision = \(Self.next) WHERE id = ?",
        [StoredIdentifier.random(), now, id])
    }
    for asset in assets {
      guard let place = places[asset.row] else { continue }
      try give(asset, to: place)
      try execute(
        """
        UPDATE OR IGNORE file_checks SET file_id = ?1
        WHERE file_id = ?2 AND (size, modified) = (SELECT size, modified FROM files WHERE id = ?1)
        """, [place, asset.row])
    }
    return Set(places.values)
  }

  /// What users and other programs know of an asset.
  private struct Identity {
    var row: Int64
    var identifier: DatabaseValue
    /// Milliseconds since 1970 UTC.
    var added: Int64
    var albums: [(id: Int64, added: Int64)]
  }

  /// The number of the next change.
  private static let next = "(SELECT revision + 1 FROM changes)"

  /// Nil if there is no such asset.
  private func identity(of row: Int64) throws -> Identity? {
    let albums = try rows(
      "SELECT album_id, added_date FROM album_assets WHERE asset_id = ?", [row]
    ) { row -> (id: Int64, added: Int64) in (row[0], row[1]) }
    return try rows("SELECT identifier, added_date FROM assets WHERE id = ?", [row]) {
      Identity(row: row, identifier: $0[0], added: $0[1], albums: albums)
    }.first
  }

  private func give(_ identity: Identity, to row: Int64) throws {
    for album in identity.albums { _ = try add([row], toAlbum: album.id, now: album.added) }
    try execute(
      "UPDATE assets SET identifier = ?, added_date = ?, revision = \(Self.next) WHERE id = ?",
      [identity.identifier, identity.added, row])
  }

  /// Finds the files that merges have added among those that they have found gone. They keep identifiers, albums and checks.
  ///
  /// - Parameters:
  ///   - departed: the assets that have become missing.
  ///   - last: the largest row that a file had before.
  ///   - found: the rows of other files that have moved.
  package func reunite(
    _ departed: [Int64], filesAfter last: Int64, except found: Set<Int64> = []
  ) throws {
    var left = Set(departed)
    var found = found
    // As within one catalog, see ``CatalogMerge/matchFiles()``.
    for columns in [
      "fingerprint, size, inode, modified", "fingerprint, size, name", "fingerprint, size",
    ] {
      let pairs = try rows(
        """
        WITH gone AS MATERIALIZED (
            SELECT id, \(columns) FROM files
            WHERE id IN (SELECT value FROM json_each(?1)) AND missing_since IS NOT NULL AND fingerprint IS NOT NULL),
          new AS MATERIALIZED (
            SELECT id, \(columns) FROM files
            WHERE id > ?2 AND fingerprint IN (SELECT fingerprint FROM gone) AND kind = 'media'
              AND missing_since IS NULL AND id NOT IN (SELECT value FROM json_each(?3)))
        SELECT min(gone.id), min(new.id) FROM gone JOIN new USING (\(columns))
        GROUP BY \(columns) HAVING count(*) = 1
        """, [RowSet(left).argument, last, RowSet(found).argument]
      ) { row -> (gone: Int64, new: Int64) in (row[0], row[1]) }
      for pair in pairs {
        try replace(pair.gone, by: pair.new)
        left.remove(pair.gone)
        found.insert(pair.new)
      }
    }
  }

  /// Gives a new asset what users and other programs know of one that is missing, and forgets that one.
  private func replace(_ gone: Int64, by new: Int64) throws {
    guard let old = try identity(of: gone), let discarded = try identity(of: new) else { return }
    try execute("UPDATE OR IGNORE file_checks SET file_id = ? WHERE file_id = ?", [new, gone])
    try detach(files: RowSet([gone]))
    try execute("DELETE FROM files WHERE id = ?", [gone])
    // The trigger has recorded that it was removed.
    try execute(
      "DELETE FROM removed_assets WHERE revision = \(Self.next) AND identifier = ?",
      [old.identifier])
    try give(old, to: new)
    try execute(
      "INSERT OR IGNORE INTO removed_assets VALUES (\(Self.next), ?)", [discarded.identifier])
  }
}
