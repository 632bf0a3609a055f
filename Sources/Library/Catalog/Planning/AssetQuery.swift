import GRDB
import MediaModel
import Query

/// One SQL statement that answers a filter, with its values bound.
struct AssetQuery {
  /// Everything from `FROM` to the end of `WHERE`.
  var source: String { source(joining: asked.union(read)) }
  var arguments: [any DatabaseValueConvertible] { start.arguments + conditions.arguments }

  private let start: AssetStart
  private let order: AssetOrder?
  private let conditions: AssetConditions
  /// The tables that the conditions use, and those that are read.
  private let asked: JoinedTables
  private let read: JoinedTables

  /// Assets, joined to the tables that are read or that conditions use, in the order of the listing; without an
  /// order, in the cheapest one.
  init(
    _ filter: AssetFilter, order: AssetOrder?, reading tables: JoinedTables = .all,
    in database: Database
  ) throws {
    start = try AssetStart(filter.requirements, order, in: database)
    self.order = order
    conditions = try AssetConditions(start.remaining, isListed: true, in: database)
    (asked, read) = (start.remaining.tables, tables)
  }

  private func source(joining tables: JoinedTables, _ more: String = "") -> String {
    "\(start.source)\(tables.joins)\(more) WHERE \(start.condition) AND \(conditions.sql)"
  }

  /// ``source`` with another table, of which an asset may have several rows.
  ///
  /// - Parameter join: SQL that begins with `LEFT JOIN`; nil for no table.
  func source(joining join: String?) -> String {
    source(joining: asked.union(read), join.map { " " + $0 } ?? "")
  }
}

extension AssetQuery {
  /// The statement that reads `columns` of the requested rows, and its values.
  ///
  /// If rows have to be sorted or skipped for one page, a subquery does that with their sort keys only: reading all
  /// columns of every such row would take five times as long.
  func listing(_ columns: String) -> (sql: String, arguments: StatementArguments) {
    let order = order ?? AssetOrder()
    let cut = order.limit != nil || order.offset > 0 ? " LIMIT ? OFFSET ?" : ""
    // Optional, as GRDB wants them: it costs more to convert an array of others.
    var values: [(any DatabaseValueConvertible)?] = []
    for value in arguments { values.append(value) }
    if !cut.isEmpty {
      values.append(order.limit ?? -1)
      values.append(order.offset)
    }
    let sorted = " ORDER BY \(start.terms ?? order.terms)"
    let isPaged =
      start.isInOrder
      ? order.offset > 0 && order.limit ?? .max <= AssetOrder.mostSorted : order.page != nil
    guard isPaged else {
      return ("SELECT \(columns) \(source)\(sorted)\(cut)", StatementArguments(values))
    }
    let page = "SELECT a.id \(source(joining: asked))\(sorted)\(cut)"
    return (
      """
      SELECT \(columns) FROM (\(page)) AS page CROSS JOIN assets AS a ON a.id = page.id\(read.joins) \
      ORDER BY \(order.terms)
      """, StatementArguments(values)
    )
  }

  /// The statement for the ids of all requested rows, in order, and its values.
  func ids() -> (sql: String, arguments: StatementArguments) {
    let order = order ?? AssetOrder()
    return (
      "SELECT a.id \(source(joining: asked)) ORDER BY \(start.terms ?? order.terms) LIMIT ? OFFSET ?",
      StatementArguments(arguments + [order.limit ?? -1, order.offset])
    )
  }
}

extension AssetOrder {
  /// The largest number of rows that are kept in memory to be sorted.
  static let mostSorted = 10_000

  /// The number of rows up to the page's end; nil if that is more than ``mostSorted``.
  var page: Int? {
    guard let limit else { return nil }
    let (rows, isTooMany) = limit.addingReportingOverflow(offset)
    return isTooMany || rows > Self.mostSorted ? nil : rows
  }

  /// What it compares first.
  var column: String {
    switch key {
    case .captureDate: "a.capture_wall"
    case .name: "a.name"
    case .size: "a.size"
    case .duration: "a.duration"
    case .addedDate: "a.added_date"
    }
  }

  /// The terms of `ORDER BY`.
  var terms: String {
    // The row's number makes the order total, so that --offset neither repeats nor drops a row.
    return isDescending
      ? "\(column) DESC, a.id DESC" : "\(column) ASC NULLS LAST, a.id ASC"
  }

  /// Names begin with the first letter, all else with the newest or largest.
  var isDescending: Bool { (key != .name) != isReversed }
}

/// The tables that lead from an asset, `a`, to its file, `f`, and on to the folder, `d`, and root, `r`; and to its
/// origin, `o`, and details, `e`.
struct JoinedTables: OptionSet {
  let rawValue: Int

  static let files = JoinedTables(rawValue: 1 << 0)
  static let folders = JoinedTables(rawValue: 1 << 1)
  static let origins = JoinedTables(rawValue: 1 << 2)
  static let details = JoinedTables(rawValue: 1 << 3)
  static let all: JoinedTables = [.files, .folders]

  /// Joins them to the preceding tables; `CROSS` keeps SQLite from starting with them.
  var joins: String {
    (contains(.files) ? " CROSS JOIN files AS f ON f.id = a.id" : "")
      + (contains(.folders)
        ? " CROSS JOIN folders AS d ON d.id = a.folder_id CROSS JOIN roots AS r ON r.id = d.root_id"
        : "")
      + (contains(.origins) ? " CROSS JOIN origins AS o ON o.id = a.origin_id" : "")
      + (contains(.details) ? " LEFT JOIN asset_details AS e ON e.asset_id = a.id" : "")
  }
}

extension Condition {
  /// The tables that its SQL refers to, except the assets' own.
  fileprivate var tables: JoinedTables {
    switch self {
    case .all(let parts), .any(let parts): parts.reduce([]) { $0.union($1.tables) }
    case .not(let part): part.tables
    case .comparison(let attribute, _), .has(let attribute): attribute.table
    default: []
    }
  }
}

extension [Condition] {
  /// The tables that the SQL of all of them, as required conditions, refers to.
  var tables: JoinedTables {
    reduce([]) { $1.isOfOrigin ? $0 : $0.union($1.tables) }
  }
}
