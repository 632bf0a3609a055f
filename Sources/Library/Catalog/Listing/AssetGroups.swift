import GRDB
import MediaModel
package import Query

/// What a listing can be counted by.
package enum AssetGrouping: String, Sendable, CaseIterable {
  case year, month, day, camera, lens, keyword, person, type, folder
}

extension Catalog {
  /// How many assets are wanted. An index answers this, if no more is asked than a kind or a time.
  package func count(matching filter: AssetFilter) throws -> Int {
    try read { transaction in
      let database = transaction.database
      let required = filter.requirements
      if required.count == 1, let facet = Facet(required[0]), Facet.isWhole(required[0]) {
        return try transaction.count("SELECT count(*) FROM facets WHERE facet = ?", [facet.bit])
      }
      // Most assets are images, so it is faster to count the videos, which a facet lists.
      if required == [.type(.images)] {
        return try count(matching: AssetFilter(), in: database)
          - transaction.count("SELECT count(*) FROM facets WHERE facet = ?", [Facet.videos.bit])
      }
      return try count(matching: filter, in: database)
    }
  }

  func count(matching filter: AssetFilter, in database: Database) throws -> Int {
    let query = try AssetQuery(filter, order: AssetOrder(), reading: [], in: database)
    return try Int.fetchOne(
      database, sql: "SELECT count(*) \(query.source)",
      arguments: StatementArguments(query.arguments)) ?? 0
  }

  /// Counts the assets wanted, each in one group: years and months newest first, folders by path, the
  /// others by how many there are; what is not known comes last.
  package func groups(
    matching filter: AssetFilter, by grouping: AssetGrouping
  ) throws -> [LibraryStatistics.Line] {
    try read { transaction in
      let database = transaction.database
      let query = try AssetQuery(
        filter, order: nil, reading: grouping.tables, in: database)
      let source = query.source(joining: grouping.listTable)
      let columns = grouping.columns
      let numbers = (1...columns.count).map(String.init).joined(separator: ", ")
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT \(columns.joined(separator: ", ")), count(*), \(Self.sum(Self.bytes)) \(source) \
          GROUP BY \(numbers)
          """, arguments: StatementArguments(query.arguments))
      var tallies: [LibraryStatistics.Group: Tally] = [:]
      var unknown = Tally()
      while let row = try rows.next() {
        let tally = Tally(count: row[columns.count], bytes: row[columns.count + 1])
        if let group = grouping.group(row) {
          tallies[group, default: Tally()].add(tally)
        } else {
          unknown.add(tally)
        }
      }
      return grouping.sorted(tallies.map(LibraryStatistics.Line.init))
        + (unknown.count == 0 ? [] : [.init(LibraryStatistics.unknown, unknown)])
    }
  }
}

extension AssetGrouping {
  /// What assets of one group have in common, as SQL.
  fileprivate var columns: [String] {
    switch self {
    case .year: [Attribute.capture("%Y")]
    case .month: [Attribute.capture("%Y-%m")]
    case .day: [Attribute.capture("%Y-%m-%d")]
    case .lens: ["o.lens"]
    case .keyword: ["words.keyword"]
    case .person: ["p.name"]
    case .camera: ["o.make", "o.model"]
    case .type: ["a.is_video", "a.subtypes", "a.status"]
    case .folder: ["r.path", "d.path"]
    }
  }

  /// The tables that these are in.
  fileprivate var tables: JoinedTables {
    switch self {
    case .year, .month, .day, .keyword, .person, .type: []
    case .camera, .lens: .origins
    case .folder: .folders
    }
  }

  /// The table with several values of an asset, each of which counts it.
  fileprivate var listTable: String? {
    switch self {
    case .keyword: "LEFT JOIN keywords AS words ON words.asset_id = a.id"
    case .person: "LEFT JOIN people AS p ON p.asset_id = a.id"
    default: nil
    }
  }

  /// The group that a row of ``columns`` belongs to.
  fileprivate func group(_ row: Row) -> LibraryStatistics.Group? {
    switch self {
    case .year, .month, .day, .lens, .keyword, .person: (row[0] as String?).map { .init($0) }
    case .camera: Camera(make: row[0], model: row[1]).displayName.map { .init($0) }
    case .type:
      .init(
        AssetRecord.kindWord(
          MediaType(isVideo: row[0]), MediaSubtypes(rawValue: row[1]),
          AssetStatus(rawValue: row[2]) ?? .present))
    case .folder: .init(AssetRow.path(row, root: 0, folder: 1))
    }
  }

  fileprivate func sorted(_ lines: [LibraryStatistics.Line]) -> [LibraryStatistics.Line] {
    switch self {
    case .year, .month, .day: lines.sorted { $0.group > $1.group }
    case .folder: lines.sorted { $0.group < $1.group }
    case .camera, .lens, .keyword, .person, .type:
      lines.sorted { ($1.tally.count, $0.group) < ($0.tally.count, $1.group) }
    }
  }
}
