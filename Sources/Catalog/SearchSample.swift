import GRDB

/// What a search finds among the first assets of a listing.
///
/// A word that is everywhere is found in a million texts at the cost of reading a million entries of the
/// index, only to show a hundred. Those stand among the first few hundred of the listing, whose texts are
/// taken apart in the same way in a moment: by FTS5 in memory.
struct SearchSample {
  /// So many texts are taken apart, in some 3 ms.
  static let size = 500

  /// The rows found, in no order.
  let found: [Int64]
  /// Whether there were no more texts.
  let isWhole: Bool

  /// - Parameter rows: a statement whose only column is `id`, in the order of the listing.
  init(
    of pattern: String, among rows: String, _ arguments: [any DatabaseValueConvertible],
    in database: Database
  ) throws {
    let sample = try DatabaseQueue()
    var count = 0
    try sample.inDatabase { memory in
      try memory.execute(sql: Self.table)
      let texts = try Row.fetchCursor(
        database,
        sql: """
          SELECT s.rowid, s.name, s.folder, s.title, s.caption, s.keywords, s.camera \
          FROM (\(rows) LIMIT ?) AS first CROSS JOIN asset_search AS s ON s.rowid = first.id
          """, arguments: StatementArguments(arguments + [Self.size]))
      try memory.inTransaction {
        let insertion = try memory.makeStatement(
          sql: "INSERT INTO sample VALUES (?, ?, ?, ?, ?, ?, ?)")
        while let row = try texts.next() {
          count += 1
          try insertion.execute(
            arguments: StatementArguments((0..<7).map { row[$0] as DatabaseValue }))
        }
        return .commit
      }
    }
    isWhole = count < Self.size
    found = try sample.read {
      try Int64.fetchAll(
        $0, sql: "SELECT id FROM sample WHERE sample MATCH ?", arguments: [pattern])
    }
  }

  /// Divides texts into words just as the catalog's own table does, see `v2-search.sql`.
  private static let table = """
    CREATE VIRTUAL TABLE sample USING fts5(
      id UNINDEXED, name, folder, title, caption, keywords, camera,
      tokenize = 'unicode61 remove_diacritics 2', columnsize = 0
    )
    """
}
