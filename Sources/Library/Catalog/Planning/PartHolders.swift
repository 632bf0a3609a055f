import GRDB
import MediaModel

/// Knows which assets have parts in other tables. Most have no keywords or people, no file but their own and no
/// labels, and asking for each would take half of the time of a long listing.
///
/// The first assets are asked for one by one; who asks for many gets sets of all that have some, a bit for
/// each asset of the catalog.
struct PartHolders {
  private var asked = 0
  private var sets: [(part: AssetParts, assets: AssetSet)]?

  /// How many assets are asked for one by one.
  private let singleQuestions: Int

  /// What holds each part.
  private static let sources: [(part: AssetParts, rows: String)] = [
    (
      .keywords,
      """
      (SELECT asset_id FROM keywords UNION ALL SELECT asset_id FROM people
        UNION ALL SELECT asset_id FROM album_assets)
      """
    ),
    (.labels, "labels"),
    (
      .resources,
      """
      (SELECT absorbed_by AS asset_id FROM assets WHERE absorbed_by IS NOT NULL
        UNION ALL SELECT asset_id FROM asset_sidecars
        UNION ALL SELECT asset_id FROM asset_details WHERE clip_length IS NOT NULL)
      """
    ),
  ]

  /// - Parameter singleQuestions: by the default, asking one by one has cost as much as the sets of a
  ///   catalog of a million do.
  init(singleQuestions: Int = 20_000) {
    self.singleQuestions = singleQuestions
  }

  /// The parts of which an asset has some; ``AssetParts/resources`` if there are others than its own file.
  mutating func parts(ofAsset id: Int64, in database: Database) throws -> AssetParts {
    if asked == singleQuestions { sets = try readSets(in: database) }
    asked += 1
    guard let sets else { return try ask(id, in: database) }
    var parts: AssetParts = []
    for set in sets where set.assets.contains(id) { parts.insert(set.part) }
    return parts
  }

  private func ask(_ id: Int64, in database: Database) throws -> AssetParts {
    let bits = try Int.fetchOne(
      database.cachedStatement(sql: Self.question), arguments: [id, id, id])
    return AssetParts(rawValue: bits ?? 0)
  }

  private static let question: String = {
    let terms = sources.map { part, rows in
      "\(part.rawValue) * EXISTS (SELECT 1 FROM \(rows) WHERE asset_id = ?)"
    }
    return "SELECT " + terms.joined(separator: " + ")
  }()

  /// Nil if row numbers are so large that sets of bits would not be small.
  private func readSets(in database: Database) throws -> [(part: AssetParts, assets: AssetSet)]? {
    let last = try Int64.fetchOne(database, sql: "SELECT max(id) FROM assets") ?? 0
    guard last < AssetSet.limit else { return nil }
    return try Self.sources.map { part, rows in
      var set = AssetSet()
      let cursor = try Int64.fetchCursor(database, sql: "SELECT asset_id FROM \(rows)")
      while let id = try cursor.next() { set.insert(id) }
      return (part, set)
    }
  }
}

/// A set of row numbers, a bit each.
private struct AssetSet {
  /// Row numbers from here on are refused: a set stays below 32 MB.
  static let limit: Int64 = 1 << 28

  private var words: [UInt64] = []

  mutating func insert(_ id: Int64) {
    guard (0..<Self.limit).contains(id) else { return }
    let word = Int(id >> 6)
    if word >= words.count {
      words.append(contentsOf: repeatElement(0, count: max(1024, words.count) + word - words.count))
    }
    words[word] |= 1 << UInt64(id & 63)
  }

  func contains(_ id: Int64) -> Bool {
    let word = Int(id >> 6)
    return words.indices.contains(word) && words[word] & (1 << UInt64(id & 63)) != 0
  }
}
