import GRDB

// The rows of a catalog that a bulk merge takes in.

/// How the bulk merge of a catalog begins.
enum BulkStart {
  /// It was merged in this state before. The rows are what ``PartsLoad`` has not taken then, if any.
  case taken(Rows?)
  /// It knows folders that are filled already.
  case overlapping
  case new(Rows)

  struct Rows {
    var state: CatalogMerge.State
    /// The row of the merge in the history.
    var scan: Int64
    /// What is added to the other catalog's numbers of files.
    var offset: Int64
    /// The numbers of its folders, and those that they have in the new catalog.
    var folders: [(Int64, Int64)]

    /// The least number that a file gets.
    var firstFile: Int64 { offset + 1 }
  }
}

extension CatalogMerge {
  /// Copies the folders of the attached catalog, and gives its files their numbers.
  ///
  /// - Parameter lacking: the first files of catalogs that ``PartsLoad`` has not taken.
  /// - Throws: ``CatalogError/damaged(_:)`` for numbers of rows that no scan gives.
  func beginBulk(lacking: Set<Int64>) throws -> BulkStart {
    let numbers = try Row.fetchOne(
      database,
      sql: """
        SELECT min(first), max(last) FROM (
          SELECT min(id) AS first, max(id) AS last FROM shard.files
          UNION ALL SELECT min(id), max(id) FROM shard.assets)
        """)
    let (first, last): (Int64?, Int64?) = (numbers?[0], numbers?[1])
    guard first ?? 1 >= 1, last ?? 1 <= Self.largestFile else { throw CatalogError.damaged(path) }
    let state = try state()
    guard state.isNew || !lacking.isEmpty else { return .taken(nil) }
    guard !state.isNew || !state.isKnown else { return .overlapping }
    try copyRoots()
    let coverage = try MergedCoverage(database)
    try copyFolders()
    guard state.isNew else { return .taken(try takenRows(state, lacking)) }
    try findOwnFolders(of: nil, coverage)
    let isFilled = try Bool.fetchOne(
      database,
      sql:
        "SELECT EXISTS (SELECT 1 FROM merged_own_folders WHERE id IN (SELECT id FROM filled_folders))"
    )
    guard isFilled == false else { return .overlapping }
    return .new(
      .init(
        state: state, scan: try addScan(), offset: try database.lastFile,
        folders: try newFolders()))
  }

  /// The rows of a catalog that was merged before, if its first file is one of the given.
  private func takenRows(_ state: State, _ lacking: Set<Int64>) throws -> BulkStart.Rows? {
    let row = try Row.fetchOne(
      database, sql: "SELECT first_file, scan FROM merging_files WHERE identity = ?",
      arguments: [state.identity])
    guard let row, lacking.contains(row[0]) else { return nil }
    return .init(state: state, scan: row[1], offset: row[0] - 1, folders: try newFolders())
  }

  private func newFolders() throws -> [(Int64, Int64)] {
    try Row.fetchAll(database, sql: "SELECT old, new FROM merged_folders").map { ($0[0], $0[1]) }
  }

  /// The largest number of a file that is taken, far above what scans reach and below what the sum of many overflows.
  private static let largestFile: Int64 = 1 << 40

  /// Copies what ``PartsLoad`` does not.
  func copyRows(_ rows: BulkStart.Rows) throws -> MergeCounts {
    var counts = MergeCounts(total: try count())
    try copyOrigins()
    counts.added = try insertAssets(offset: rows.offset)
    try copyReaders()
    if try hasMore() {
      try addFiles(offset: rows.offset)
      try copyQueues()
      try copyFailures(rows.scan)
      try copyChecks()
      try copyAlbums(after: rows.state.latestTaken)
      try copySearches(after: rows.state.latestTaken)
    }
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO filled_folders
        SELECT new FROM merged_folders WHERE EXISTS (SELECT 1 FROM shard.files WHERE folder_id = old)
        """)
    try database.execute(
      sql: """
        INSERT INTO merging_files
        SELECT ?1, ?1 - 1 + max(id), ?2, ?3 FROM (SELECT id FROM shard.files UNION ALL SELECT id FROM shard.assets)
        HAVING count(*) > 0
        """, arguments: [rows.firstFile, rows.state.identity, rows.scan])
    try finish(rows.state, counts, rows.scan)
    try database.execute(sql: "UPDATE changes SET revision = revision + 1")
    return counts
  }

  /// Whether the other catalog has rows in tables that are often empty.
  private func hasMore() throws -> Bool {
    let tables = [
      "known_failures", "file_checks", "albums", "saved_searches", "unsettled_zones",
      "unsettled_families", "unsettled_identifiers", "unsettled_contents",
    ]
    let isAny = tables.map { "EXISTS (SELECT 1 FROM shard.\($0))" }.joined(separator: " OR ")
    return try Bool.fetchOne(database, sql: "SELECT \(isAny)") ?? false
  }
}

extension Database {
  /// The first file of each catalog that a bulk merge has taken.
  var firstFiles: [Int64] {
    get throws { try Int64.fetchAll(self, sql: "SELECT first_file FROM merging_files") }
  }

  /// The largest number that a file has had.
  var lastFile: Int64 {
    get throws { try Int64.fetchOne(self, sql: "SELECT max(last_file) FROM merging_files") ?? 0 }
  }
}
