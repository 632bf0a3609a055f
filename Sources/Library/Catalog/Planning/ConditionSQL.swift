import Foundation
import GRDB
import MediaModel
import Query

/// One condition as SQL on `a` (assets), `o` (origins), `e` (asset_details), `f` (files), `d` (folders) and `r` (roots).
/// Users' values are bound as arguments.
///
/// A comparison with an unknown value is NULL, which `AND`, `OR` and `WHERE` treat as false. Only `NOT` would return
/// NULL again, so `IS NOT TRUE` replaces it. The comparisons need no other wrapping, so SQLite can use an index for
/// them.
struct ConditionSQL {
  private(set) var sql: String
  private(set) var arguments: [any DatabaseValueConvertible] = []

  /// A condition that all assets of a listing have to meet. If it is one on origins, it is asked of that table, of
  /// which the result is a few rows, and not of each asset's.
  init(required condition: Condition, in database: Database) throws {
    try self.init(condition, in: database)
    if condition.isOfOrigin {
      sql = "a.origin_id IN (SELECT o.id FROM origins AS o WHERE \(sql))"
    }
  }

  init(_ condition: Condition, in database: Database) throws {
    switch condition {
    case .under,
      .any where condition.folders != nil:
      let below = try FoldersBelow(condition.folders ?? [], in: database)
      self.init("a.folder_id IN (\(below?.sql ?? "NULL"))", below?.arguments ?? [])
    case _ where condition.brackets > Self.mostBrackets:
      try self.init(decisions: condition, in: database)
    case .all(let parts): self = try Self.joined(parts, " AND ", in: database)
    case .any(let parts): self = try Self.joined(parts, " OR ", in: database)
    case .not(let part):
      let part = try ConditionSQL(part, in: database)
      self.init("(\(part.sql) IS NOT TRUE)", part.arguments)
    case .type(let word): self.init("(\(word.sql))")
    case .comparison(.album, .text(let relation, let name)):
      self = try MatchingAlbums(relation, name, in: database).condition(in: database)
    case .comparison(let attribute, let comparison): self = Self.comparison(attribute, comparison)
    case .has(.pick): self.init("(\(Attribute.pickNumber) <> 0)")
    case .has(let attribute):
      self.init(
        attribute.listTable.map {
          "EXISTS (SELECT 1 FROM \($0) WHERE \(attribute.listJoin))"
        } ?? "(\(attribute.sql) IS NOT NULL)")
    case .near(let latitude, let longitude, let kilometres):
      self = Self.near(latitude: latitude, longitude: longitude, kilometres: kilometres)
    case .search(let text): self = try text.sql(in: database)
    case .missing: self.init("(a.is_missing)")
    }
  }

  init(_ sql: String, _ arguments: [any DatabaseValueConvertible] = []) {
    (self.sql, self.arguments) = (sql, arguments)
  }

  /// The part with the most brackets first: those that open at the beginning take least of SQLite's stack.
  private static func joined(
    _ parts: [Condition], _ word: String, in database: Database
  ) throws -> ConditionSQL {
    let brackets = parts.map(\.brackets)
    let order = parts.indices.sorted { (brackets[$1], $0) < (brackets[$0], $1) }
    let pieces = try order.map { try ConditionSQL(parts[$0], in: database) }
    return ConditionSQL(
      "(" + chain(pieces.map(\.sql), word) + ")", pieces.flatMap(\.arguments))
  }

  /// SQLite takes each link of a chain to lie within the next, a thousand deep at most.
  private static let longestChain = 100

  /// The pieces with a word between them, in brackets by the hundred if there are more.
  static func chain(_ pieces: [String], _ word: String) -> String {
    guard pieces.count > longestChain else { return pieces.joined(separator: word) }
    let links = stride(from: 0, to: pieces.count, by: longestChain).map { start in
      "(" + pieces[start...].prefix(longestChain).joined(separator: word) + ")"
    }
    return chain(links, word)
  }
}

extension ConditionSQL {
  private static func comparison(
    _ attribute: Attribute, _ comparison: Comparison
  ) -> ConditionSQL {
    switch comparison {
    case .number(let relation, let value): number(attribute, relation, value)
    case .numbers(let range) where attribute == .year:
      span(
        attribute, year(range.lowerBound).firstMillisecond, year(range.upperBound).endMillisecond)
    case .numbers(let range):
      ConditionSQL(
        "(\(attribute.sql) BETWEEN ? AND ?)",
        [
          attribute.values(equalTo: range.lowerBound).lowerBound,
          attribute.values(equalTo: range.upperBound).upperBound,
        ])
    case .date(let relation, let value):
      date(attribute, relation, value.firstMillisecond, value.endMillisecond)
    case .dates(let first, let last):
      span(attribute, first.firstMillisecond, last.endMillisecond)
    case .text(let relation, let value): text(attribute, relation, value)
    }
  }

  private static func number(
    _ attribute: Attribute, _ relation: Relation, _ value: Double
  ) -> ConditionSQL {
    if attribute == .year {
      return date(attribute, relation, year(value).firstMillisecond, year(value).endMillisecond)
    }
    let equal = attribute.values(equalTo: value)
    return switch relation {
    case .equal where attribute.isMeasured:
      ConditionSQL("(\(attribute.sql) BETWEEN ? AND ?)", [equal.lowerBound, equal.upperBound])
    case .equal, .less, .atLeast:
      ConditionSQL("(\(attribute.sql) \(relation.rawValue) ?)", [equal.lowerBound])
    case .atMost, .greater:
      ConditionSQL("(\(attribute.sql) \(relation.rawValue) ?)", [equal.upperBound])
    }
  }

  private static func date(
    _ attribute: Attribute, _ relation: Relation, _ first: Int64, _ end: Int64
  ) -> ConditionSQL {
    let column = attribute.sql
    return switch relation {
    case .equal: span(attribute, first, end)
    case .less: ConditionSQL("(\(column) < ?)", [first])
    case .atMost: ConditionSQL("(\(column) < ?)", [end])
    case .greater: ConditionSQL("(\(column) >= ?)", [end])
    case .atLeast: ConditionSQL("(\(column) >= ?)", [first])
    }
  }

  private static func span(_ attribute: Attribute, _ first: Int64, _ end: Int64) -> ConditionSQL {
    ConditionSQL("(\(attribute.sql) >= ? AND \(attribute.sql) < ?)", [first, end])
  }

  /// A year has only 1...9999 as its value, see `Attribute.kind`.
  private static func year(_ value: Double) -> (firstMillisecond: Int64, endMillisecond: Int64) {
    func first(_ year: Int) -> Int64 {
      CivilTime(year: year, month: 1, day: 1).map { $0.secondsSince1970 * 1000 } ?? .max
    }
    let year = Int(value)
    return (first(year), first(year + 1))
  }

  /// First by degrees of latitude and longitude, which an index answers, then along the great circle
  /// (haversine), on a sphere of the Earth's mean radius.
  private static func near(
    latitude: Double, longitude: Double, kilometres: Double
  ) -> ConditionSQL {
    // A little more than needed: what decides is the distance.
    let margin = kilometres / 111.0 + 0.001
    let longitudes = longitudes(latitude, longitude, margin)
    return ConditionSQL(
      """
      (a.latitude BETWEEN ? AND ? AND a.longitude BETWEEN ? AND ? AND 12742.0176 * asin(min(1.0, sqrt(\
      pow(sin(radians(a.latitude - ?) / 2), 2) + cos(radians(?)) * cos(radians(a.latitude)) \
      * pow(sin(radians(a.longitude - ?) / 2), 2)))) <= ?)
      """,
      [
        latitude - margin, latitude + margin, longitudes.lowerBound, longitudes.upperBound,
        latitude, latitude, longitude, kilometres,
      ])
  }

  /// The longitudes of a circle around a place, its radius in degrees of latitude; all of them if the circle
  /// has a pole or the date line in it.
  private static func longitudes(
    _ latitude: Double, _ longitude: Double, _ radius: Double
  ) -> ClosedRange<Double> {
    let all = -180.0...180.0
    guard abs(latitude) + radius < 89 else { return all }
    let half = asin(sin(radius * .pi / 180) / cos(latitude * .pi / 180)) * 180 / .pi
    let range = longitude - half - 0.001...longitude + half + 0.001
    return all.lowerBound < range.lowerBound && range.upperBound < all.upperBound ? range : all
  }
}

extension Attribute {
  /// How far from each other measured values that count as equal may be, as a part of the value:
  /// less than 29.97 is from 30.
  package static let measuringTolerance = 0.0005

  /// The values that count as equal to one: it alone, or those too that a measurement may have made of
  /// it. What is less or greater is outside of them, so that of `<`, `=` and `>` just one holds.
  fileprivate func values(equalTo value: Double) -> ClosedRange<Double> {
    let tolerance = isMeasured ? abs(value) * Self.measuringTolerance : 0
    return value - tolerance...value + tolerance
  }
}

extension Condition {
  /// Whether it uses only columns of the table `origins`.
  var isOfOrigin: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.allSatisfy(\.isOfOrigin)
    case .not(let part): part.isOfOrigin
    case .comparison(let attribute, _), .has(let attribute): attribute.isOfOrigin
    default: false
    }
  }

  /// The folders that contain all matching assets, if that is the whole condition.
  var folders: [BytePath]? {
    switch self {
    case .under(let folder): return [folder]
    case .any(let parts):
      let folders = parts.compactMap(\.folders)
      return folders.count == parts.count ? folders.flatMap(\.self) : nil
    default: return nil
    }
  }
}
