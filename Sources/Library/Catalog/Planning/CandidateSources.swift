import Foundation
import GRDB
import MediaModel
import Query

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
