import GRDB
import MediaModel

/// One SQL statement that answers a filter, with its values bound and its index named.
///
/// The index is named (`INDEXED BY`) because the choice is known here and must not depend on what
/// SQLite guesses about a catalog it has no statistics of: a listing of the newest hundred
/// screenshots has to touch a hundred rows in one with a million assets.
struct AssetQuery {
  /// Everything from `FROM` to the end of `WHERE`.
  var source: String { walk.source + asked.union(read).joins + " WHERE " + conditions.sql }
  var arguments: [any DatabaseValueConvertible] { walk.arguments + conditions.arguments }

  private let walk: AssetWalk
  private let order: AssetOrder?
  private let conditions: AssetConditions
  /// The tables that the conditions speak of, and those that are to be read.
  private let asked: JoinedTables
  private let read: JoinedTables

  /// Assets, joined to the tables that are read or asked of, in the order that the listing walks them;
  /// without an order, as it is done soonest.
  init(
    _ filter: AssetFilter, order: AssetOrder?, reading tables: JoinedTables = .all,
    in database: Database
  ) throws {
    var required = filter.requirements
    var asked: JoinedTables = required.reduce([]) { $0.union($1.tables) }
    let folders = Self.takeFolders(filter.folders, &required)
    var below = try FoldersBelow(folders, in: database)
    let walk: AssetWalk
    // The index of folders knows only what is there.
    if let folders = below, !required.contains(.missing),
      try folders.isStart(of: order, in: database)
    {
      walk = AssetWalk(folders.source, folders.arguments)
      asked = required.reduce([]) { $0.union($1.tables) }
      below = nil
    } else if below == nil, let found = try AssetWalk(takingSearch: &required, order, in: database)
    {
      walk = found
    } else {
      walk = try AssetWalk(required, order, in: database)
    }
    var conditions = try AssetConditions(required, in: database)
    if let below {
      conditions.require("f.folder_id IN (\(below.sql))", below.arguments)
      asked.insert(.files)
    }
    (self.walk, self.order, self.conditions) = (walk, order, conditions)
    (self.asked, read) = (asked, tables)
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
}

extension AssetQuery {
  /// The statement that reads `columns` of the rows wanted, and its values.
  ///
  /// Where they have to be sorted for one page, only what orders them is: reading all columns of every
  /// row that is sorted would take five times as long.
  func listing(_ columns: String) -> (sql: String, arguments: StatementArguments) {
    let order = order ?? AssetOrder()
    let sorted = " ORDER BY \(order.terms)"
    let cut = order.limit != nil || order.offset > 0 ? " LIMIT ? OFFSET ?" : ""
    let values = arguments + (cut.isEmpty ? [] : [order.limit ?? -1, order.offset])
    guard order.page != nil, !walk.isInOrder else {
      return ("SELECT \(columns) \(source)\(sorted)\(cut)", StatementArguments(values))
    }
    let page = "SELECT a.id \(walk.source)\(asked.joins) WHERE \(conditions.sql)\(sorted)\(cut)"
    return (
      """
      SELECT \(columns) FROM (\(page)) AS page CROSS JOIN assets AS a ON a.id = page.id\(read.joins)\
      \(sorted)
      """, StatementArguments(values)
    )
  }
}

extension AssetOrder {
  /// How many rows are looked through, if that is no more than can be held to be sorted.
  var page: Int? {
    guard let limit else { return nil }
    let (rows, isTooMany) = limit.addingReportingOverflow(offset)
    return isTooMany || rows > 10_000 ? nil : rows
  }

  /// What stands behind `ORDER BY`.
  var terms: String {
    let (column, descends) =
      switch key {
      case .captureDate: ("a.capture_wall", true)
      case .name: ("a.name", false)
      case .size: ("a.size", true)
      case .duration: ("a.duration", true)
      case .addedDate: ("a.added_date", true)
      }
    // The row's number makes the order total, so that --offset neither repeats nor drops a row.
    return descends != isReversed
      ? "\(column) DESC, a.id DESC" : "\(column) ASC NULLS LAST, a.id ASC"
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
  fileprivate var isUnder: Bool {
    if case .under = self { true } else { false }
  }

  /// The tables that its SQL speaks of, beside the assets' own.
  var tables: JoinedTables {
    switch self {
    case .all(let parts), .any(let parts): parts.reduce([]) { $0.union($1.tables) }
    case .not(let part): part.tables
    case .comparison(.path, _), .has(.path): .all
    case .under: .files
    default: []
    }
  }
}
