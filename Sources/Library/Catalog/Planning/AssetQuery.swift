import GRDB
import MediaModel
import Query

/// One SQL statement that answers a filter, with its values bound and its index named.
///
/// The index is named (`INDEXED BY`) so that the choice does not depend on SQLite's estimates for a catalog without
/// statistics: a listing of the newest hundred screenshots must touch a hundred rows among a million assets.
struct AssetQuery {
  /// Everything from `FROM` to the end of `WHERE`.
  var source: String { source(joining: asked.union(read)) }
  var arguments: [any DatabaseValueConvertible] { walk.arguments + conditions.arguments }

  private let walk: AssetWalk
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
    // Before the walk, which names the index of a type.
    for case .type(let word) in filter.requirements { try word.require(in: database) }
    let choice = try WalkChoice(filter.requirements, order, in: database)
    (walk, self.order) = (choice.walk, order)
    conditions = try AssetConditions(choice.remaining, in: database)
    (asked, read) = (choice.remaining.tables, tables)
  }

  private func source(joining tables: JoinedTables) -> String {
    "\(walk.source)\(tables.joins) WHERE \(walk.condition) AND \(conditions.sql)"
  }
}

extension AssetQuery {
  /// The statement that reads `columns` of the requested rows, and its values.
  ///
  /// If rows have to be sorted or skipped for one page, a subquery does that with their sort keys only: reading all
  /// columns of every such row would take five times as long.
  func listing(_ columns: String) -> (sql: String, arguments: StatementArguments) {
    let order = order ?? AssetOrder()
    let sorted = " ORDER BY \(order.terms)"
    let cut = order.limit != nil || order.offset > 0 ? " LIMIT ? OFFSET ?" : ""
    let values = arguments + (cut.isEmpty ? [] : [order.limit ?? -1, order.offset])
    let isPaged =
      walk.isInOrder
      ? order.offset > 0 && order.limit ?? .max <= AssetOrder.mostSorted : order.page != nil
    guard isPaged else {
      return ("SELECT \(columns) \(source)\(sorted)\(cut)", StatementArguments(values))
    }
    let page = "SELECT a.id \(source(joining: asked))\(sorted)\(cut)"
    return (
      """
      SELECT \(columns) FROM (\(page)) AS page CROSS JOIN assets AS a ON a.id = page.id\(read.joins)\
      \(sorted)
      """, StatementArguments(values)
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

  /// The terms of `ORDER BY`.
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

  /// Joins them to the preceding tables; `CROSS` keeps SQLite from starting with them.
  var joins: String {
    (contains(.files) ? " CROSS JOIN files AS f ON f.id = a.file_id" : "")
      + (contains(.folders)
        ? " CROSS JOIN folders AS d ON d.id = f.folder_id CROSS JOIN roots AS r ON r.id = d.root_id"
        : "")
  }
}

extension Condition {
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

extension [Condition] {
  /// The tables that the SQL of all of them speaks of.
  var tables: JoinedTables { reduce([]) { $0.union($1.tables) } }
}
