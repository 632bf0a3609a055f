import GRDB
import MediaModel

/// One SQL statement that answers a filter, with its values bound and its index named.
///
/// The index is named (`INDEXED BY`) because the choice is known here and must not depend on what
/// SQLite guesses about a catalog it has no statistics of: a listing of the newest hundred
/// screenshots has to touch a hundred rows in one with a million assets.
struct AssetQuery {
  /// Everything from `FROM` to the end of `WHERE`.
  private(set) var source: String
  private(set) var arguments: [any DatabaseValueConvertible]

  /// Assets, joined to the tables that are read or asked of, in the order that the listing walks them;
  /// without an order, as it is done soonest.
  init(
    _ filter: AssetFilter, order: AssetOrder.Key?, reading tables: JoinedTables = .all,
    in database: Database
  ) throws {
    var required = filter.requirements
    var tables = required.reduce(tables) { $0.union($1.tables) }
    let folders = Self.takeFolders(filter.folders, &required)
    var below = try FoldersBelow(folders, in: database)
    let walk: (sql: String, arguments: [any DatabaseValueConvertible])
    if let folders = below, try folders.isSmall(in: database) {
      walk = (
        """
        FROM (\(folders.sql)) AS below CROSS JOIN files AS f INDEXED BY files_by_folder \
        ON f.folder_id = below.id CROSS JOIN assets AS a ON a.file_id = f.id
        """, folders.arguments
      )
      tables.remove(.files)
      below = nil
    } else if below == nil, let found = try Self.takeSearch(&required, in: database) {
      walk = (
        "FROM (\(SearchText.sql)) AS found CROSS JOIN assets AS a ON a.id = found.rowid",
        [found.pattern]
      )
    } else {
      walk = ("FROM assets AS a \(Self.access(required, order))", [])
    }
    var conditions = try AssetConditions(required, in: database)
    if let below {
      conditions.require("f.folder_id IN (\(below.sql))", below.arguments)
      tables.insert(.files)
    }
    source = "\(walk.sql)\(tables.joins) WHERE \(conditions.sql)"
    arguments = walk.arguments + conditions.arguments
  }

  /// The folders that are required, taken out of what else is.
  private static func takeFolders(
    _ folders: [BytePath], _ required: inout [Condition]
  ) -> [BytePath] {
    guard folders.isEmpty, let index = required.firstIndex(where: \.isUnder),
      case .under(let folder) = required[index]
    else { return folders }
    required.remove(at: index)
    return [folder]
  }

  /// A required search that finds little, taken out of what else is required.
  private static func takeSearch(
    _ required: inout [Condition], in database: Database
  ) throws -> SearchText? {
    for index in required.indices {
      guard case .search(let text) = required[index], try text.isSmall(in: database) else {
        continue
      }
      required.remove(at: index)
      return text
    }
    return nil
  }

  /// The statement that reads `columns` of the rows wanted, and its values.
  func listing(_ columns: String, _ order: AssetOrder) -> (
    sql: String, arguments: StatementArguments
  ) {
    var sql = "SELECT \(columns) \(source) ORDER BY \(Self.terms(order))"
    var arguments = self.arguments
    if order.limit != nil || order.offset > 0 {
      sql += " LIMIT ? OFFSET ?"
      arguments += [order.limit ?? -1, order.offset]
    }
    return (sql, StatementArguments(arguments))
  }

  private static func terms(_ order: AssetOrder) -> String {
    let (column, descends) =
      switch order.key {
      case .captureDate: ("a.capture_wall", true)
      case .name: ("a.name", false)
      case .size: ("a.size", true)
      case .duration: ("a.duration", true)
      case .addedDate: ("a.added_date", true)
      }
    let isDescending = descends != order.isReversed
    // The row's number makes the order total, so that --offset neither repeats nor drops a row.
    return isDescending
      ? "\(column) DESC, a.id DESC" : "\(column) ASC NULLS LAST, a.id ASC"
  }

  private static func access(_ required: [Condition], _ order: AssetOrder.Key?) -> String {
    if let index = index(required, order) { return "INDEXED BY \(index)" }
    return "NOT INDEXED"
  }

  /// The index that leads to the fewest rows: that of what is required, or else that of the order.
  private static func index(_ required: [Condition], _ order: AssetOrder.Key?) -> String? {
    if required.contains(.missing) { return "assets_missing" }
    let types = required.compactMap { condition in
      if case .type(let word) = condition { word } else { nil }
    }
    if let type = types.first(where: \.isSelective) { return type.sql.index }
    if let type = types.first, order == .captureDate { return type.sql.index }
    switch order {
    case .captureDate: return "assets_by_capture"
    case .name: return "assets_by_name"
    case .size: return "assets_by_size"
    case .duration: return "assets_by_duration"
    case .addedDate: return "assets_by_added"
    case nil: return nil
    }
  }
}

extension Condition {
  fileprivate var isUnder: Bool {
    if case .under = self { true } else { false }
  }
}

/// The tables that lead from an asset, `a`, to its file, `f`, and on to the folder, `d`, and root, `r`.
struct JoinedTables: OptionSet {
  let rawValue: Int

  static let files = JoinedTables(rawValue: 1 << 0)
  static let folders = JoinedTables(rawValue: 1 << 1)
  static let all: JoinedTables = [.files, .folders]

  /// What joins them to what stands before; `CROSS` keeps SQLite from beginning with them.
  fileprivate var joins: String {
    (contains(.files) ? " CROSS JOIN files AS f ON f.id = a.file_id" : "")
      + (contains(.folders)
        ? " CROSS JOIN folders AS d ON d.id = f.folder_id CROSS JOIN roots AS r ON r.id = d.root_id"
        : "")
  }
}

extension Condition {
  /// The tables that its SQL speaks of, beside the assets' own.
  fileprivate var tables: JoinedTables {
    switch self {
    case .all(let parts), .any(let parts): parts.reduce([]) { $0.union($1.tables) }
    case .not(let part): part.tables
    case .comparison(.path, _), .has(.path): .all
    case .under: .files
    default: []
    }
  }
}

/// The folders in and below those a filter names; a path that is not absolute lies in any root.
struct FoldersBelow {
  /// A statement whose only column is `id`.
  let sql: String
  let arguments: [any DatabaseValueConvertible]

  /// Sorting so few rows costs less than walking a library in order until the first of them comes: what
  /// lies together was taken together, so that may be behind all others.
  private static let smallCount = 100_000

  /// Nil if no folder is named.
  init?(_ folders: [BytePath], in database: Database) throws {
    guard !folders.isEmpty else { return nil }
    let roots = try Row.fetchAll(database, sql: "SELECT id, path FROM roots").compactMap { row in
      BytePath.fromDatabaseValue(row[1]).map { (id: row[0] as Int64, path: $0) }
    }
    var seeds: [String] = []
    var arguments: [any DatabaseValueConvertible] = []
    for folder in folders {
      let isAbsolute = folder.bytes.first == UInt8(ascii: "/")
      for root in roots {
        if !isAbsolute {
          seeds.append("SELECT id FROM folders WHERE root_id = ? AND path = ?")
          arguments += [root.id, folder]
          continue
        }
        let below = root.path.isWithin(folder) ? [] : folder.bytes.dropFirst(root.path.bytes.count)
        guard root.path.isWithin(folder) || folder.isWithin(root.path) else { continue }
        seeds.append("SELECT id FROM folders WHERE root_id = ? AND path = ?")
        arguments += [root.id, BytePath(bytes: Array(below.drop { $0 == UInt8(ascii: "/") }))]
      }
    }
    if seeds.isEmpty { seeds = ["SELECT id FROM folders WHERE 0"] }
    sql = """
      WITH RECURSIVE tree(id) AS (\(seeds.joined(separator: " UNION ")) \
      UNION SELECT folders.id FROM tree CROSS JOIN folders ON folders.parent_id = tree.id) \
      SELECT id FROM tree
      """
    self.arguments = arguments
  }

  func isSmall(in database: Database) throws -> Bool {
    let count = try Int.fetchOne(
      database,
      sql: """
        SELECT count(*) FROM (SELECT 1 FROM (\(sql)) AS below \
        CROSS JOIN files INDEXED BY files_by_folder ON files.folder_id = below.id LIMIT ?)
        """,
      arguments: StatementArguments(arguments + [Self.smallCount + 1]))
    return (count ?? 0) <= Self.smallCount
  }
}
