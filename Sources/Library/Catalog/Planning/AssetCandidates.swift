import Foundation
import GRDB
import MediaModel
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

/// Candidates that some of the required conditions lead to.
struct CandidateOffer {
  let candidates: AssetCandidates
  /// The places of the conditions they stand for.
  let places: Set<Int>
  /// Whether they are sorted, and asked for all that is required, by their index alone.
  let readsNoRow: Bool
  /// How many they are.
  fileprivate(set) var count = 0
}

/// Which conditions an index answers.
struct CandidateSources {
  let database: Database
  /// How many candidates are few: rows to be looked up, or entries of an index that has the order too.
  let most: (rows: Int, entries: Int)
  /// The kinds that are required, as SQL.
  private let kinds: String?
  /// Catalogs of an earlier version that cannot be written lack the newer indexes.
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

  /// The fewest candidates that required conditions lead to; nil if all are too many.
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

  /// What each of the required conditions leads to.
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
    // What one index answers is asked of it at once: both ends of a range, a camera and a lens.
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

  /// SQLite joins five hundred statements at most; each costs a look beforehand.
  private static let mostSources = 100

  /// All that one of several conditions leads to, if each leads to few.
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

  /// A whole name is one place in the index of names, the beginning of a pattern a range of it: as far as
  /// both are ASCII, since the index knows no other cases, and one form alone.
  private func names(_ relation: TextRelation, _ typed: String) -> AssetCandidates? {
    let text = typed.comparable
    let beginning: String
    switch relation {
    case .equal where text.isASCII:
      return AssetCandidates(sources: [.init(index: "assets_by_name", "a.name = ?", [text])])
    case .equal: beginning = text.beginningOfASCII
    // Nothing is compared behind a NUL.
    case .like:
      beginning = String(
        ShellPattern(text).glob.beginningOfASCII.prefix { !"*?[\0".contains($0) })
    case .contains: return nil
    }
    guard let end = beginning.endOfRange else { return nil }
    return AssetCandidates(
      sources: [.init(index: "assets_by_name", "a.name >= ? AND a.name < ?", [beginning, end])])
  }

  /// Those with a keyword; nil if too many keywords would have to be looked through.
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

  /// So many different keywords are looked through, in some 20 ms.
  private static let mostKeywords = 10_000

  /// The keywords that are the same as a text, each in one of the cases of ASCII. However many assets have
  /// them, different ones are few: the index is asked for the next one, again and again.
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
  /// What of it stands before all that is not ASCII. An accent may belong to its last letter.
  fileprivate var beginningOfASCII: String {
    String(unicodeScalars.prefix(while: \.isASCII))
  }

  /// What follows all texts that begin with this one of ASCII; nil if it is empty.
  fileprivate var endOfRange: String? {
    guard let last = unicodeScalars.last, let next = Unicode.Scalar(last.value + 1) else {
      return nil
    }
    return String(unicodeScalars.dropLast()) + String(next)
  }
}

/// An index of which the assets that fulfil a condition are a part that it can tell by itself.
struct ConditionIndex: Hashable {
  let name: String
  /// What its entries have in common, as SQL, word by word as the index says it.
  var conditions: [String] = []
  /// Whether it tells the time of capture, or the kinds, of its assets.
  var hasCapture = false
  var hasKinds = false
  /// Whether it answers the condition; else only assets that it has can fulfil it.
  var isExact = true

  /// What made the assets, and as what: few are different, however many assets there are.
  static let origin = ConditionIndex(name: "assets_by_origin", hasCapture: true)
  fileprivate static let capture = ConditionIndex(name: "assets_by_capture", hasCapture: true)
  fileprivate static let size = ConditionIndex(name: "assets_by_size", hasKinds: true)
  fileprivate static let duration = ConditionIndex(name: "assets_by_duration", hasKinds: true)
  /// As a range: SQLite would look at each entry to tell whether it is NULL.
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
  /// The index that answers it, or has all assets that can fulfil it.
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

  /// Whether it speaks of nothing but what the table of origins has.
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

  /// Whether it speaks of nothing but the type and the subtypes.
  var isKind: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.allSatisfy(\.isKind)
    case .not(let part): part.isKind
    case .type(let word): word != .duplicates && word != .spareCopies
    default: false
    }
  }

  /// The folders, in or below one of which an asset must be, if that is all it asks.
  var folders: [BytePath]? {
    switch self {
    case .under(let folder): return [folder]
    case .any(let parts):
      let folders = parts.compactMap(\.folders)
      return folders.count == parts.count ? folders.flatMap(\.self) : nil
    default: return nil
    }
  }

  /// Whether an index of words is asked anywhere in it.
  var needsSearch: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.contains(where: \.needsSearch)
    case .not(let part): part.needsSearch
    case .search: true
    default: false
    }
  }
}
