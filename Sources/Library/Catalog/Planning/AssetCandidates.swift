import Foundation
import GRDB
import MediaModel
import Query

/// A superset of the assets that meet a condition, found by an index. If it is small, checking each of them
/// is faster than walking a whole library in order.
struct AssetCandidates {
  /// One index lookup that finds some of them.
  struct Source {
    /// `FROM …`, with the assets as `a`.
    var from: String
    /// An SQL condition that the index answers.
    var condition = "1"
    /// The values of both.
    var arguments: [any DatabaseValueConvertible]
    /// A statement that counts them, with its values; nil for `from` itself.
    var numbers: (sql: String, arguments: [any DatabaseValueConvertible])?
    /// Whether the index contains the capture time, so that sorting by it reads no row.
    var isByCapture = false
    /// A further SQL condition on kinds that the index answers, without values.
    var kinds: String?
  }

  var sources: [Source]
  /// Whether all of them meet the condition, so that it need not be checked again.
  var isExact = false

  /// The hits of a pattern in the search index.
  static func found(by pattern: String) -> AssetCandidates {
    AssetCandidates(sources: [Source(numbers: SearchText.sql, [pattern])], isExact: true)
  }

  /// The assets with these row ids.
  static func these(_ rows: [Int64]) -> AssetCandidates {
    let list = "[" + rows.map(String.init).joined(separator: ",") + "]"
    return AssetCandidates(
      sources: [Source(numbers: "SELECT value AS id FROM json_each(?)", [list])], isExact: true)
  }

  /// Listed assets only, literally as in the indexes' conditions.
  static let listed = "a.absorbed_by IS NULL AND a.status <> 'missing'"

  /// A walk through these candidates.
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

  /// Whether their index answers the conditions on kinds.
  var hasKinds: Bool { sources.count == 1 && sources.allSatisfy { $0.kinds != nil } }

  /// Whether sorting them reads their index only.
  func isSorted(by order: AssetOrder?) -> Bool {
    order?.key == .captureDate && sources.count == 1 && sources.allSatisfy(\.isByCapture)
  }
}

extension AssetCandidates {
  /// Index entries that are counted in about 5 ms.
  fileprivate static let mostEntries = 100_000

  /// The sum of the sources' counts; nil if more than `limit`.
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
  /// The assets of an index that meet conditions it answers.
  init(
    index: String, _ condition: String, _ arguments: [any DatabaseValueConvertible] = [],
    isByCapture: Bool = false, kinds: String? = nil
  ) {
    self.init(
      from: "FROM assets AS a INDEXED BY \(index)", condition: condition, arguments: arguments,
      isByCapture: isByCapture, kinds: kinds)
  }

  /// The assets with the row ids, `id`, that a statement returns.
  init(numbers sql: String, _ arguments: [any DatabaseValueConvertible]) {
    self.init(
      from: "FROM (\(sql)) AS found CROSS JOIN assets AS a ON a.id = found.id",
      arguments: arguments, numbers: (sql, arguments))
  }

  fileprivate var narrowed: String { kinds.map { "\(condition) AND \($0)" } ?? condition }

  /// The number of its assets; nil if more than `limit`.
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
    // Few of many may be of the requested kinds. The many are counted first, to bound the work.
    guard kinds != nil, try count(condition, atMost: AssetCandidates.mostEntries) != nil
    else { return nil }
    return try count(narrowed, atMost: limit)
  }
}

/// Candidates for some of the required conditions.
struct CandidateOffer {
  let candidates: AssetCandidates
  /// The positions of these conditions.
  let places: Set<Int>
  /// Whether their index alone sorts them and answers all conditions.
  let readsNoRow: Bool
  /// How many they are.
  fileprivate(set) var count = 0
}

/// Finds indexes that answer conditions.
struct CandidateSources {
  let database: Database
  /// The largest set of candidates: rows to look up, or entries of an index that also contains the sort key.
  let most: (rows: Int, entries: Int)
  /// The kinds that are required, as SQL.
  private let kinds: String?
  /// Read-only catalogs of an earlier version lack the newer indexes.
  private let indexes: Set<String>

  init(
    _ required: [Condition], most: (rows: Int, entries: Int), in database: Database
  ) throws {
    (self.database, self.most) = (database, most)
    indexes = try Set(
      String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'index'"))
    let kinds = try required.filter(\.isKind).map { try ConditionSQL($0, in: database).sql }
    self.kinds = kinds.isEmpty ? nil : kinds.joined(separator: " AND ")
  }

  /// The smallest set of candidates; nil if all sets are too large.
  func fewest(_ required: [Condition], by order: AssetOrder?) throws -> CandidateOffer? {
    var best: CandidateOffer?
    for var offer in try offers(required, by: order) {
      let limit = min((best?.count ?? .max) - 1, offer.readsNoRow ? most.entries : most.rows)
      guard let count = try offer.candidates.count(atMost: limit, in: database) else { continue }
      offer.count = count
      best = offer
    }
    return best
  }

  /// The candidates for each of the required conditions.
  private func offers(
    _ required: [Condition], by order: AssetOrder?
  ) throws -> [CandidateOffer] {
    var offers: [CandidateOffer] = []
    func add(_ candidates: AssetCandidates, _ places: Set<Int>) {
      let others = required.indices.filter { !places.contains($0) }.map { required[$0] }
      let readsNoRow =
        candidates.isExact && candidates.isSorted(by: order)
        && (others.isEmpty || candidates.hasKinds && others.allSatisfy(\.isKind))
      offers.append(
        CandidateOffer(candidates: candidates, places: places, readsNoRow: readsNoRow))
    }
    // One lookup answers all conditions of one index: both ends of a range, a camera and a lens.
    var places: [ConditionIndex: Set<Int>] = [:]
    for (place, condition) in required.enumerated() {
      if let index = condition.index {
        places[index, default: []].insert(place)
      } else if let candidates = try candidates(condition) {
        add(candidates, [place])
      }
    }
    for (index, places) in places.sorted(by: { $0.key.name < $1.key.name })
    where indexes.contains(index.name) {
      add(try candidates(index, places.sorted().map { required[$0] }), places)
    }
    return offers
  }

  /// Nil if no index answers the condition.
  private func candidates(_ condition: Condition) throws -> AssetCandidates? {
    if let index = condition.index {
      return indexes.contains(index.name) ? try candidates(index, [condition]) : nil
    }
    switch condition {
    case .type(let word):
      let (condition, index) = word.sql
      return AssetCandidates(
        sources: [.init(index: index, condition, isByCapture: true)], isExact: true)
    case .under,
      .any where condition.folders != nil:
      return try folders(condition.folders ?? [])
    case .search(let text):
      try SearchText.require(in: database)
      return .found(by: text.pattern)
    case .comparison(.name, .text(let relation, let text)): return names(relation, text)
    case .comparison(.keyword, .text(.equal, let text)):
      return try keywords(text)
    case .has(.keyword):
      let numbers = "SELECT DISTINCT asset_id AS id FROM keywords"
      return AssetCandidates(sources: [.init(numbers: numbers, [])], isExact: true)
    case .any(let parts): return try union(parts)
    default: return nil
    }
  }

  /// SQLite joins at most 500 statements; each needs a probe.
  private static let mostSources = 100

  /// The candidates for any of several conditions, if each has few.
  private func union(_ parts: [Condition]) throws -> AssetCandidates? {
    var sources: [AssetCandidates.Source] = []
    for part in parts {
      guard let fewest = try fewest(part.requirements, by: nil) else { return nil }
      sources += fewest.candidates.sources
      guard sources.count <= Self.mostSources else { return nil }
    }
    return AssetCandidates(sources: sources)
  }

  private func candidates(_ index: ConditionIndex, _ parts: [Condition]) throws -> AssetCandidates {
    var conditions = index.conditions
    var arguments: [any DatabaseValueConvertible] = []
    if index.isExact {
      let all = try ConditionSQL(parts.count == 1 ? parts[0] : .all(parts), in: database)
      conditions.append(
        index == .origin
          ? "a.origin_id IN (SELECT a.id FROM origins AS a WHERE \(all.sql))" : all.sql)
      arguments = all.arguments
    }
    let source = AssetCandidates.Source(
      index: index.name, conditions.joined(separator: " AND "), arguments,
      isByCapture: index.hasCapture, kinds: index.hasKinds ? kinds : nil)
    return AssetCandidates(sources: [source], isExact: index.isExact)
  }
}

extension CandidateSources {
  private func folders(_ folders: [BytePath]) throws -> AssetCandidates? {
    guard indexes.contains("assets_by_folder"), let below = try FoldersBelow(folders, in: database)
    else { return nil }
    let source = AssetCandidates.Source(
      from: below.source, arguments: below.arguments, isByCapture: true, kinds: kinds)
    return AssetCandidates(sources: [source], isExact: true)
  }

  /// A whole name is one entry of the index of names, and the beginning of a pattern is a range. Both only as
  /// far as they are ASCII: the index folds the case of ASCII only, and does not normalize.
  private func names(_ relation: TextRelation, _ typed: String) -> AssetCandidates? {
    let text = typed.comparable
    let beginning: String
    switch relation {
    case .equal where text.isASCII:
      return AssetCandidates(sources: [.init(index: "assets_by_name", "a.name = ?", [text])])
    case .equal: beginning = text.beginningOfASCII
    // Comparisons end at a NUL.
    case .like:
      beginning = String(
        ShellPattern(text).glob.beginningOfASCII.prefix { !"*?[\0".contains($0) })
    case .contains: return nil
    }
    guard let end = beginning.endOfRange else { return nil }
    return AssetCandidates(
      sources: [.init(index: "assets_by_name", "a.name >= ? AND a.name < ?", [beginning, end])])
  }

  /// The assets with a keyword; nil if there are too many different keywords to check.
  private func keywords(_ typed: String) throws -> AssetCandidates? {
    let text = typed.comparable
    guard let keywords = text.isASCII ? [text] : try keywords(notASCII: text) else { return nil }
    let values = keywords.map { _ in "?" }.joined(separator: ", ")
    let numbers = """
      SELECT DISTINCT asset_id AS id FROM keywords INDEXED BY keywords_by_keyword \
      WHERE keyword IN (\(values))
      """
    return AssetCandidates(sources: [.init(numbers: numbers, keywords)], isExact: true)
  }

  /// Different keywords that are checked in about 20 ms.
  private static let mostKeywords = 10_000

  /// The keywords that equal a text, in any case. There are few different keywords, however many assets have
  /// them, so the query repeatedly seeks the next one in the index.
  private func keywords(notASCII text: String) throws -> [String]? {
    let beginning = text.beginningOfASCII
    // Every text is less than a blob.
    let end = beginning.endOfRange?.databaseValue ?? Data().databaseValue
    let next = "SELECT min(keyword) FROM keywords INDEXED BY keywords_by_keyword WHERE keyword"
    let rows = try Row.fetchAll(
      database,
      sql: """
        WITH RECURSIVE words(word) AS (\(next) >= :beginning AND keyword < :end UNION ALL
          SELECT (\(next) > word AND keyword < :end) FROM words WHERE word IS NOT NULL LIMIT :most)
        SELECT word, comparable(word) = :text FROM words WHERE word IS NOT NULL
        """,
      arguments: ["beginning": beginning, "end": end, "most": Self.mostKeywords, "text": text])
    guard rows.count < Self.mostKeywords else { return nil }
    return rows.filter { $0[1] }.map { $0[0] }
  }
}

extension String {
  /// The beginning that is ASCII. An accent may belong to its last letter.
  fileprivate var beginningOfASCII: String {
    String(unicodeScalars.prefix(while: \.isASCII))
  }

  /// The first text after all texts with this ASCII prefix; nil if it is empty.
  fileprivate var endOfRange: String? {
    guard let last = unicodeScalars.last, let next = Unicode.Scalar(last.value + 1) else {
      return nil
    }
    return String(unicodeScalars.dropLast()) + String(next)
  }
}

/// An index that can answer a condition by itself.
struct ConditionIndex: Hashable {
  let name: String
  /// The condition of the index, as SQL, literally as in its definition.
  var conditions: [String] = []
  /// Whether it contains the capture time, or the kinds, of its assets.
  var hasCapture = false
  var hasKinds = false
  /// Whether it answers the condition; otherwise it contains a superset of the matches.
  var isExact = true

  /// Camera, software, type and codec: few combinations, however many assets there are.
  static let origin = ConditionIndex(name: "assets_by_origin", hasCapture: true)
  fileprivate static let capture = ConditionIndex(name: "assets_by_capture", hasCapture: true)
  fileprivate static let size = ConditionIndex(name: "assets_by_size", hasKinds: true)
  fileprivate static let duration = ConditionIndex(name: "assets_by_duration", hasKinds: true)
  /// As a range: SQLite would check each entry for NULL.
  fileprivate static let anyDuration = ConditionIndex(
    name: "assets_by_duration", conditions: ["a.duration >= -9e999"], hasKinds: true)
  fileprivate static let rating = ConditionIndex(
    name: "assets_by_rating", conditions: ["a.rating IS NOT NULL"], hasCapture: true)
  fileprivate static let place = ConditionIndex(
    name: "assets_by_place", conditions: ["a.latitude IS NOT NULL"])
  fileprivate static let title = ConditionIndex(
    name: "assets_with_title", conditions: ["a.title IS NOT NULL"], isExact: false)
  fileprivate static let description = ConditionIndex(
    name: "assets_with_caption", conditions: ["a.caption IS NOT NULL"], isExact: false)
}

extension Condition {
  /// The index that answers it, or contains all assets that can meet it.
  var index: ConditionIndex? {
    if isOfOrigin { return .origin }
    return switch self {
    case .comparison(.captureDate, _), .comparison(.year, _): .capture
    case .comparison(.size, _): .size
    case .comparison(.duration, _): .duration
    case .has(.duration): .anyDuration
    case .comparison(.rating, _), .has(.rating): .rating
    case .comparison(.latitude, _), .has(.latitude), .has(.location), .near: .place
    case .comparison(.title, _), .has(.title): .title
    case .comparison(.description, _), .has(.description): .description
    default: nil
    }
  }

  /// Whether it uses only columns of the table `origins`.
  private var isOfOrigin: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.allSatisfy(\.isOfOrigin)
    case .not(let part): part.isOfOrigin
    case .comparison(let attribute, _), .has(let attribute):
      switch attribute {
      case .camera, .make, .model, .lens, .software, .uniformType, .codec: true
      default: false
      }
    default: false
    }
  }

  /// Whether it uses only the media type and the subtypes.
  var isKind: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.allSatisfy(\.isKind)
    case .not(let part): part.isKind
    case .type(let word): word != .duplicates && word != .spareCopies
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

  /// Whether it contains a search for words.
  var needsSearch: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.contains(where: \.needsSearch)
    case .not(let part): part.needsSearch
    case .search: true
    default: false
    }
  }
}
