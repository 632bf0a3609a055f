import GRDB
package import MediaModel
package import Query

extension Catalog {
  /// The number of pictures in the bursts of some assets, by the burst's identifier. Only pictures that a filter matches
  /// are counted. Bursts without an identifier have no entry.
  package func burstCounts(
    of assets: [AssetRecord], matching filter: AssetFilter
  ) throws -> [String: Int] {
    let bursts = Set(assets.filter { $0.subtypes.contains(.burst) }.compactMap(\.burstIdentifier))
    guard !bursts.isEmpty else { return [:] }
    return try read { transaction in
      let database = transaction.database
      let hint = try IndexHint("assets_by_burst", in: database)
      // Without the index, each count would read all assets.
      guard !hint.sql.isEmpty else { return [:] }
      let required = filter.requirements
      let conditions = try AssetConditions(required, isListed: false, in: database)
      var counts: [String: Int] = [:]
      var rest = Array(bursts)[...]
      while !rest.isEmpty {
        let some = rest.prefix(Self.mostBursts).map(StoredIdentifier.init)
        rest = rest.dropFirst(Self.mostBursts)
        let places = some.map { _ in "?" }.joined(separator: ", ")
        let rows = try Row.fetchCursor(
          database,
          sql: """
            SELECT a.burst_identifier, count(*) FROM assets AS a\(hint.sql)\(required.tables.joins)
            WHERE a.burst_identifier IN (\(places)) AND a.subtypes & \(MediaSubtypes.burst.rawValue)
            AND \(conditions.sql) GROUP BY a.burst_identifier
            """, arguments: StatementArguments(some + conditions.arguments))
        while let row = try rows.next() {
          counts[(row[0] as StoredIdentifier).text] = row[1]
        }
      }
      return counts
    }
  }

  /// How many identifiers one statement compares.
  private static let mostBursts = 500
}
