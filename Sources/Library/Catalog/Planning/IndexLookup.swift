import Foundation
import GRDB
import MediaModel
import Query

/// A statement that finds the assets that meet a condition, or a few more, by an index.
///
/// If they are few, reading each of them is faster than walking the library in the order of a listing.
struct IndexLookup {
  /// `FROM …`, with the assets as `a`, and the condition that belongs to it.
  let source: String
  let condition: String
  let arguments: [any DatabaseValueConvertible]
  /// Whether all of them meet the condition, so that it need not be checked again.
  let isExact: Bool
  /// A statement with a row for each of them, and perhaps for some that are not listed.
  private let counted: String
  /// Whether its index has the kinds, and the capture times, of the assets.
  private(set) var hasKinds = false
  private(set) var hasCaptureTimes = false

  /// The ids that a statement gives, in a column `id`.
  init(ids sql: String, _ arguments: [any DatabaseValueConvertible], isExact: Bool = true) {
    source = "FROM (\(sql)) AS found CROSS JOIN assets AS a ON a.id = found.id"
    condition = "a.is_listed"
    counted = sql
    (self.arguments, self.isExact) = (arguments, isExact)
  }

  /// A range of an index of assets.
  init(
    _ index: IndexHint, where condition: String, _ arguments: [any DatabaseValueConvertible] = [],
    isExact: Bool = true
  ) {
    source = "FROM assets AS a\(index.sql)"
    self.condition = "a.is_listed AND \(condition)"
    counted = "SELECT 1 \(source) WHERE \(self.condition)"
    (self.arguments, self.isExact) = (arguments, isExact)
    (hasKinds, hasCaptureTimes) = (index.hasKinds, index.hasCaptureTimes)
  }

  /// The assets of several lookups.
  ///
  /// - Parameter isExact: whether these are all of a condition's alternatives, each exact.
  init(union lookups: [IndexLookup], isExact: Bool = false) {
    self.init(
      ids: lookups.map { "SELECT a.id \($0.source) WHERE \($0.condition)" }
        .joined(separator: " UNION "),
      lookups.flatMap(\.arguments), isExact: isExact)
  }

  /// Only the assets that meet conditions on kinds, too, which its index has.
  func narrowed(to kinds: [Condition], in database: Database) throws -> IndexLookup {
    guard hasKinds, !kinds.isEmpty else { return self }
    return IndexLookup(self, try kinds.map { try ConditionSQL($0, in: database).sql })
  }

  private init(_ wide: IndexLookup, _ kinds: [String]) {
    (source, arguments, isExact) = (wide.source, wide.arguments, wide.isExact)
    condition = ([wide.condition] + kinds).joined(separator: " AND ")
    counted = "SELECT 1 \(source) WHERE \(condition)"
    (hasKinds, hasCaptureTimes) = (wide.hasKinds, wide.hasCaptureTimes)
  }

  /// The number of assets; nil if there are more than `limit`.
  func count(atMost limit: Int, in database: Database) throws -> Int? {
    let count = try Int.fetchOne(
      database, sql: "SELECT count(*) FROM (\(counted) LIMIT ?)",
      arguments: StatementArguments(arguments + [limit + 1]))
    return count.flatMap { $0 <= limit ? $0 : nil }
  }
}

/// The name of an index for `INDEXED BY`. If the catalog lacks the index, SQLite chooses: the statement is slower
/// then, but does not fail.
struct IndexHint {
  /// With a blank before it; empty if there is no such index.
  let sql: String
  /// Whether the index has the kinds, and the capture times, of the assets.
  let hasKinds: Bool
  let hasCaptureTimes: Bool

  init(_ name: String, in database: Database) throws {
    let exists = try Bool.fetchOne(
      database.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?)"),
      arguments: [name])
    sql = exists == true ? " INDEXED BY \(name)" : ""
    hasKinds = ["assets_by_capture", "assets_by_folder", "assets_by_size", "assets_by_duration"]
      .contains(name)
    hasCaptureTimes = ["assets_by_capture", "assets_by_folder", "assets_by_origin"].contains(name)
  }
}

extension IndexLookup {
  /// The lookup for one of the conditions that all have to hold, `all`; nil if no index answers it.
  init?(_ condition: Condition, in database: Database) throws {
    func index(_ name: String) throws -> IndexHint { try IndexHint(name, in: database) }
    /// The whole condition by an index of its columns.
    func range(_ name: String, _ more: String = "true", isExact: Bool = true) throws -> IndexLookup
    {
      let sql = try ConditionSQL(required: condition, in: database)
      return IndexLookup(
        try index(name), where: "\(more) AND \(sql.sql)", sql.arguments, isExact: isExact)
    }
    if let folders = condition.folders {
      guard let below = try FoldersBelow(folders, in: database) else { return nil }
      self.init(
        try index("assets_by_folder"), where: "a.folder_id IN (\(below.sql))", below.arguments)
      return
    }
    if condition.isOfOrigin {
      self = try range("assets_by_origin")
      return
    }
    if let facet = Facet(condition) {
      self.init(
        ids: "SELECT asset_id AS id FROM facets WHERE facet = ?", [facet.bit],
        isExact: Facet.isWhole(condition))
      return
    }
    switch condition {
    case .comparison(.captureDate, _), .comparison(.year, _): self = try range("assets_by_capture")
    case .comparison(.addedDate, _): self = try range("assets_by_added")
    case .comparison(.album, .text(let relation, let name)):
      self = try MatchingAlbums(relation, name, in: database).lookup(in: database)
    case .comparison(.size, _): self = try range("assets_by_size")
    case .comparison(.duration, _), .has(.duration):
      self = try range("assets_by_duration", "a.duration IS NOT NULL")
    case .comparison(.latitude, _), .has(.latitude), .has(.location), .near:
      self = try range("assets_by_place", "a.latitude IS NOT NULL")
    case .comparison(.name, .text(let relation, let text)):
      guard let names = Self.names(relation, text, try index("assets_by_name")) else { return nil }
      self = names
    case .comparison(let attribute, .text(.equal, let text)) where attribute.listTable != nil:
      guard let listed = try Self.listed(text, attribute, in: database) else { return nil }
      self = listed
    case .comparison(.label, _), .has(.label):
      self = try range("assets_by_label", "a.label IS NOT NULL")
    case .comparison(.pick, .text(.equal, let text))
    where ["picked", "pending"].contains(text.comparable):
      self = try range("assets_by_pick", "a.pick <> 0")
    case .has(.keyword): self.init(ids: "SELECT DISTINCT asset_id AS id FROM keywords", [])
    case .has(.person): self.init(ids: "SELECT DISTINCT asset_id AS id FROM people", [])
    case .search(let text): self = try Self.words(text, in: database)
    default: return nil
    }
  }

  /// A whole name is one entry of the index of names, and the beginning of a pattern is a range. Both only as
  /// far as they are ASCII: the index folds the case of ASCII only, and does not normalize.
  private static func names(
    _ relation: TextRelation, _ typed: String, _ index: IndexHint
  ) -> IndexLookup? {
    let text = typed.comparable
    let beginning: String
    switch relation {
    case .equal where text.isASCII:
      return IndexLookup(index, where: "a.name = ?", [text], isExact: false)
    case .equal: beginning = text.beginningOfASCII
    // Comparisons end at a NUL.
    case .like:
      beginning = String(
        ShellPattern(text).glob.beginningOfASCII.prefix { !"*?[\0".contains($0) })
    case .contains: return nil
    }
    guard let end = beginning.endOfRange else { return nil }
    return IndexLookup(
      index, where: "a.name >= ? AND a.name < ?", [beginning, end], isExact: false)
  }

  /// The assets with a keyword or a person; nil if there are too many different ones to check.
  private static func listed(
    _ typed: String, _ attribute: Attribute, in database: Database
  ) throws -> IndexLookup? {
    var statements: [String] = []
    var arguments: [String] = []
    func add(_ text: String, _ table: String, _ column: String) throws -> Bool {
      let known =
        text.isASCII ? [text] : try words(notASCII: text, in: table, column, database)
      guard let known else { return false }
      let values = known.map { _ in "?" }.joined(separator: ", ")
      statements.append("SELECT asset_id AS id FROM \(table) WHERE \(column) IN (\(values))")
      arguments += known
      return true
    }
    let text = typed.comparable
    if attribute == .person {
      guard try add(text, "people", "name") else { return nil }
    } else {
      guard try add(text, "keywords", "keyword") else { return nil }
      for path in KeywordPath.meanings(ofTyped: text) {
        guard try add(path, "keyword_paths", "path") else { return nil }
      }
    }
    // Each asset once.
    statements.append("SELECT NULL WHERE false")
    return IndexLookup(ids: statements.joined(separator: " UNION "), arguments)
  }

  /// Different keywords or people that are checked in about 20 ms.
  private static let mostKeywords = 10_000

  /// The words of a column that equal a text, in any case. There are few different words, however many assets have
  /// them, so the query repeatedly seeks the next one in the index.
  private static func words(
    notASCII text: String, in table: String, _ column: String, _ database: Database
  ) throws -> [String]? {
    let beginning = text.beginningOfASCII
    // Every text is less than a blob.
    let end = beginning.endOfRange?.databaseValue ?? Data().databaseValue
    let next = "SELECT min(\(column)) FROM \(table) WHERE \(column)"
    let rows = try Row.fetchAll(
      database,
      sql: """
        WITH RECURSIVE words(word) AS (\(next) >= :beginning AND \(column) < :end UNION ALL
          SELECT (\(next) > word AND \(column) < :end) FROM words WHERE word IS NOT NULL LIMIT :most)
        SELECT word, comparable(word) = :text FROM words WHERE word IS NOT NULL
        """,
      arguments: ["beginning": beginning, "end": end, "most": mostKeywords, "text": text])
    guard rows.count < mostKeywords else { return nil }
    return rows.filter { $0[1] }.map { $0[0] }
  }

  /// The assets with a search's words: all words that occur in assets' own texts only, else the first word.
  private static func words(_ text: SearchText, in database: Database) throws -> IndexLookup {
    let own = try text.patterns.filter { try !SearchText.isShared($0, in: database) }
    if !own.isEmpty {
      return IndexLookup(
        ids: "SELECT rowid AS id FROM asset_search WHERE asset_search MATCH ?",
        [own.joined(separator: " AND ")], isExact: own.count == text.patterns.count)
    }
    let pattern = text.patterns[0]
    let isExact = text.patterns.count == 1
    let folder = "a.folder_id IN (SELECT rowid FROM folder_search WHERE folder_search MATCH ?)"
    let origin = "a.origin_id IN (SELECT rowid FROM origin_search WHERE origin_search MATCH ?)"
    let lookups = [
      (
        "asset_search",
        IndexLookup(
          ids: "SELECT rowid AS id FROM asset_search WHERE asset_search MATCH ?", [pattern])
      ),
      (
        "folder_search",
        IndexLookup(
          try IndexHint("assets_by_folder", in: database), where: folder, [pattern],
          isExact: isExact)
      ),
      (
        "origin_search",
        IndexLookup(
          try IndexHint("assets_by_origin", in: database), where: origin, [pattern],
          isExact: isExact)
      ),
    ]
    let holders = try lookups.filter { table, _ in
      try Bool.fetchOne(
        database.cachedStatement(
          sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(table) MATCH ?)"),
        arguments: [pattern])
        == true
    }.map(\.1)
    return holders.count == 1 ? holders[0] : IndexLookup(union: holders)
  }
}

extension String {
  /// The beginning that is ASCII. An accent may belong to its last letter.
  fileprivate var beginningOfASCII: String {
    String(unicodeScalars.prefix(while: \.isASCII))
  }

  /// The first text after all texts with this ASCII prefix; nil if it is empty.
  fileprivate var endOfRange: String? {
    guard let last = unicodeScalars.last, let next = Unicode.Scalar(last.value + 1) else {
      return nil
    }
    return String(unicodeScalars.dropLast()) + String(next)
  }
}
