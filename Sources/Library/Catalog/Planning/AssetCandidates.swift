import GRDB
import Query

/// Assets among which are all that fulfil a condition, found by an index: where there are few, a listing
/// had better look at each of them than walk a whole library in its order.
struct AssetCandidates {
  /// One way to some of them.
  struct Source {
    /// `FROM …`, with the assets as `a`.
    var from: String
    /// What narrows it, as SQL that the index answers.
    var condition = "1"
    /// The values of both.
    var arguments: [any DatabaseValueConvertible]
    /// What counts them, and its values; nil for `from` itself.
    var numbers: (sql: String, arguments: [any DatabaseValueConvertible])?
    /// Whether the index has the time of capture too, so that sorting by it reads no row.
    var isByCapture = false
    /// What more the index tells of kinds, as SQL without values.
    var kinds: String?
  }

  var sources: [Source]
  /// Whether all of them fulfil the condition, so that it need not be asked once more.
  var isExact = false

  /// What a pattern finds in the index of words.
  static func found(by pattern: String) -> AssetCandidates {
    AssetCandidates(sources: [Source(numbers: SearchText.sql, [pattern])], isExact: true)
  }

  /// Those with these numbers.
  static func these(_ rows: [Int64]) -> AssetCandidates {
    let list = "[" + rows.map(String.init).joined(separator: ",") + "]"
    return AssetCandidates(
      sources: [Source(numbers: "SELECT value AS id FROM json_each(?)", [list])], isExact: true)
  }

  /// Listed assets only, word by word as the indexes say it.
  static let listed = "a.absorbed_by IS NULL AND a.status <> 'missing'"

  /// The same, with the narrower conditions written out.
  var walk: AssetWalk {
    if sources.count == 1, let source = sources.first {
      return AssetWalk(source.from, where: source.narrowed, source.arguments)
    }
    let ids = sources.map { "SELECT a.id \($0.from) WHERE \(Self.listed) AND \($0.narrowed)" }
    return AssetWalk(
      """
      FROM (\(ids.joined(separator: " UNION "))) AS found \
      CROSS JOIN assets AS a ON a.id = found.id
      """, sources.flatMap(\.arguments))
  }

  /// Whether their index tells what more is asked of kinds.
  var hasKinds: Bool { sources.count == 1 && sources.allSatisfy { $0.kinds != nil } }

  /// Whether sorting them by an order reads their index alone.
  func isSorted(by order: AssetOrder?) -> Bool {
    order?.key == .captureDate && sources.count == 1 && sources.allSatisfy(\.isByCapture)
  }
}

extension AssetCandidates {
  /// So many entries of an index are counted in some 5 ms.
  fileprivate static let mostEntries = 100_000

  /// How many they are, each source for itself; nil if more than `limit`.
  func count(atMost limit: Int, in database: Database) throws -> Int? {
    var total = 0
    for source in sources {
      guard let count = try source.count(atMost: limit - total, in: database) else { return nil }
      total += count
    }
    return total
  }
}

extension AssetCandidates.Source {
  /// The assets of an index that fulfil conditions it answers.
  init(
    index: String, _ condition: String, _ arguments: [any DatabaseValueConvertible] = [],
    isByCapture: Bool = false, kinds: String? = nil
  ) {
    self.init(
      from: "FROM assets AS a INDEXED BY \(index)", condition: condition, arguments: arguments,
      isByCapture: isByCapture, kinds: kinds)
  }

  /// The assets whose numbers, `id`, a statement gives.
  init(numbers sql: String, _ arguments: [any DatabaseValueConvertible]) {
    self.init(
      from: "FROM (\(sql)) AS found CROSS JOIN assets AS a ON a.id = found.id",
      arguments: arguments, numbers: (sql, arguments))
  }

  fileprivate var narrowed: String { kinds.map { "\(condition) AND \($0)" } ?? condition }

  /// How many it has; nil if more than `limit`.
  fileprivate func count(atMost limit: Int, in database: Database) throws -> Int? {
    func count(_ condition: String, atMost limit: Int) throws -> Int? {
      let counted =
        numbers?.sql ?? "SELECT 1 \(from) WHERE \(AssetCandidates.listed) AND \(condition)"
      let values = (numbers?.arguments ?? arguments) + [limit + 1]
      let count = try Int.fetchOne(
        database, sql: "SELECT count(*) FROM (\(counted) LIMIT ?)",
        arguments: StatementArguments(values))
      return count.flatMap { $0 <= limit ? $0 : nil }
    }
    guard limit >= 0 else { return nil }
    if let count = try count(condition, atMost: limit) { return count }
    // Few of many may be of the kinds asked for; the many are counted first, to look at no more.
    guard kinds != nil, try count(condition, atMost: AssetCandidates.mostEntries) != nil
    else { return nil }
    return try count(narrowed, atMost: limit)
  }
}
