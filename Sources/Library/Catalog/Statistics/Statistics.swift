import GRDB
package import MediaModel
package import Query

/// How many assets, and how many bytes their files have.
package struct Tally: Sendable, Hashable {
  package var count = 0
  /// Of the assets' own files and their motion clips.
  package var bytes: Int64 = 0

  package init(count: Int = 0, bytes: Int64 = 0) {
    (self.count, self.bytes) = (count, bytes)
  }

  mutating func add(_ other: Tally) {
    count += other.count
    bytes = bytes.adding(size: other.bytes)
  }
}

/// The library in numbers.
package struct LibraryStatistics: Sendable {
  /// What is counted together.
  package struct Group: Sendable, Hashable {
    package var name: String
    /// The folder or root, if it is one: others with the same name to the eye are not the same.
    package var path: BytePath?

    init(_ name: String) {
      self.name = name
    }

    init(_ path: BytePath) {
      (name, self.path) = (path.display, path)
    }
  }

  /// One line of a breakdown.
  package struct Line: Sendable, Hashable {
    package var group: Group
    package var tally: Tally

    package var name: String { group.name }

    init(_ group: Group, _ tally: Tally) {
      (self.group, self.tally) = (group, tally)
    }
  }

  package var total = Tally()
  /// `image` and `video`.
  package var types: [Line] = []
  /// By MediaSubtypes' words; an asset may be in several, or in none.
  package var subtypes: [Line] = []
  package var roots: [Line] = []
  /// By year of capture, the newest first; `unknown` last.
  package var years: [Line] = []
  /// By make and model, the most used first; `unknown` last.
  package var cameras: [Line] = []
  /// Exact copies beyond one of each: how many could go, and the bytes that would save.
  package var spareCopies = Tally()

  /// The label of a missing year or camera.
  package static let unknown = Group("unknown")
}

extension LibraryStatistics.Group: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    if let path = left.path, let other = right.path { return path < other }
    return left.name < right.name
  }
}

extension Catalog {
  /// Counts the assets wanted, in one pass.
  package func statistics(matching filter: AssetFilter) throws -> LibraryStatistics {
    try read { transaction in
      let database = transaction.database
      let query = try AssetQuery(filter, order: nil, reading: [.folders, .origins], in: database)
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT a.is_video, a.subtypes, r.id, \(Attribute.capture("%Y")), o.make, o.model, r.path, \
          count(*), \(Self.sum(Self.bytes)) \(query.source) GROUP BY 1, 2, 3, 4, 5, 6
          """, arguments: StatementArguments(query.arguments))
      var tallies = Tallies()
      while let row = try rows.next() { tallies.add(row) }
      var statistics = tallies.statistics
      statistics.spareCopies = try Self.spareCopies(matching: filter, in: database)
      return statistics
    }
  }

  /// Hard links to one file (one inode of one disk) are one copy.
  private static func spareCopies(
    matching filter: AssetFilter, in database: Database
  ) throws -> Tally {
    var filter = filter
    filter.areDuplicates = true
    let query = try AssetQuery(filter, order: nil, in: database)
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT count(*), \(Self.sum("bytes")) FROM (
          SELECT \(bytes) AS bytes, row_number() OVER (PARTITION BY f.content_digest ORDER BY a.id) \
          AS number \(query.source) GROUP BY f.content_digest, f.inode, \
          coalesce(d.device, r.device)) WHERE number > 1
        """, arguments: StatementArguments(query.arguments))
    return row.map { Tally(count: $0[0], bytes: $0[1]) } ?? Tally()
  }

  /// A live photo's clip has a row of its own, which is not listed; so has an edited version, which does not count.
  static let bytes = """
    a.size + CASE WHEN a.subtypes & \(MediaSubtypes.livePhoto.rawValue) <> 0 THEN \
    (SELECT \(sum("clip.size")) FROM assets AS clip WHERE clip.absorbed_by = a.id \
    AND clip.absorbed_as = 'pairedVideo') ELSE 0 END
    """

  /// The sum of a column of bytes; 0 without rows. `sum()` fails if an `Int64` cannot hold it, and a file system may report
  /// any size.
  static func sum(_ column: String) -> String { "CAST(total(\(column)) AS INTEGER)" }
}

/// Folds the groups of one pass into the breakdowns.
private struct Tallies {
  private var total = Tally()
  private var types: [LibraryStatistics.Group: Tally] = [:]
  private var subtypes: [String: Tally] = [:]
  private var roots: [LibraryStatistics.Group: Tally] = [:]
  private var years: [LibraryStatistics.Group: Tally] = [:]
  private var cameras: [LibraryStatistics.Group: Tally] = [:]
  private var unknownYear = Tally()
  private var unknownCamera = Tally()

  mutating func add(_ row: Row) {
    let tally = Tally(count: row[7], bytes: row[8])
    total.add(tally)
    types[.init(MediaType(isVideo: row[0]).name), default: Tally()].add(tally)
    for name in MediaSubtypes(rawValue: row[1]).names {
      subtypes[name, default: Tally()].add(tally)
    }
    roots[.init(BytePath(bytes: AssetRow.bytes(row[6]))), default: Tally()].add(tally)
    if let year = row[3] as String? {
      years[.init(year), default: Tally()].add(tally)
    } else {
      unknownYear.add(tally)
    }
    if let camera = Camera(make: row[4], model: row[5]).displayName {
      cameras[.init(camera), default: Tally()].add(tally)
    } else {
      unknownCamera.add(tally)
    }
  }

  var statistics: LibraryStatistics {
    var statistics = LibraryStatistics()
    statistics.total = total
    statistics.types = Self.byCount(types)
    statistics.subtypes = MediaSubtypes.named.compactMap { named in
      subtypes[named.name].map { .init(.init(named.name), $0) }
    }
    statistics.roots = Self.byCount(roots)
    statistics.years =
      years.map(LibraryStatistics.Line.init).sorted { $0.group > $1.group }
      + Self.unknown(unknownYear)
    statistics.cameras = Self.byCount(cameras) + Self.unknown(unknownCamera)
    return statistics
  }

  private static func byCount(
    _ tallies: [LibraryStatistics.Group: Tally]
  ) -> [LibraryStatistics.Line] {
    tallies.map(LibraryStatistics.Line.init)
      .sorted { ($1.tally.count, $0.group) < ($0.tally.count, $1.group) }
  }

  private static func unknown(_ tally: Tally) -> [LibraryStatistics.Line] {
    tally.count == 0 ? [] : [.init(LibraryStatistics.unknown, tally)]
  }
}
