import GRDB
import MediaModel
import SeededRandom

@testable import Catalog
@testable import Query

/// Conditions at random, the same ones for the same seed.
struct ConditionMaker {
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  private mutating func number(below limit: Int) -> Int {
    .random(in: 0..<limit, using: &generator)
  }

  private mutating func one<Element>(of elements: [Element]) -> Element {
    elements[number(below: elements.count)]
  }

  mutating func order() -> AssetOrder {
    AssetOrder(one(of: AssetOrder.Key.allCases), isReversed: number(below: 2) == 0)
  }

  mutating func page() -> (limit: Int, offset: Int) {
    (one(of: [1, 10, 40, 300]), one(of: [0, 0, 5, 60]))
  }

  mutating func condition(depth: Int) -> Condition {
    switch number(below: depth > 0 ? 10 : 6) {
    case 0: return .type(one(of: TypeWord.allCases))
    case 1: return .has(one(of: Attribute.allCases))
    case 2...4: return comparison()
    case 5: return other()
    case 6: return .not(condition(depth: depth - 1))
    case 7, 8: return .any(parts(depth - 1))
    default: return .all(parts(depth - 1))
    }
  }

  private mutating func parts(_ depth: Int) -> [Condition] {
    (0...number(below: 3)).map { _ in condition(depth: depth) }
  }

  private mutating func other() -> Condition {
    switch number(below: 4) {
    case 0: search()
    case 1: .under(BytePath(one(of: ["2005", "2006/Event 00001", "/benchmark", "Ro\"me"])))
    default:
      .near(
        latitude: one(of: [47.5, -17, 90]) - Double(number(below: 9)) / 10,
        longitude: Double(number(below: 3600)) / 10 - 180, kilometres: Double(number(below: 20_000))
      )
    }
  }

  private mutating func search() -> Condition {
    let words = (0...number(below: 2)).map { _ in
      one(of: [
        "img", "HOLI", "rome", "\"at night\"", "ápple", "'s", "00", "\"canon eos", "2005 event",
        "--",
        "ΕΛΛΑΔΑ", "STRASSE", "łódź", "lodz", "и\u{306}огурт", "ガーデ", "\"カ\u{3099}ーデン\"", "ubung",
        "100%", "AND", "name:", "iphone*", "(", "NEAR",
      ])
    }
    let text = try? SearchText(typed: words.joined(separator: " "))
    return text.map(Condition.search) ?? .type(.hdr)
  }

  private mutating func comparison() -> Condition {
    let attribute = one(of: Attribute.allCases.filter { $0.kind != .presence })
    switch attribute.kind {
    case .text:
      let text = one(of: [
        "apple", "iPhone 15", "it's", "\"", "holiday", "IMG_00", "é", ";--", "public.jpeg",
        "\n", "*apple*", "img_00??.*", "?*", "IMG_0007.JPG", "screen*", "rf24", "hevc", "zzz",
        "img_004[0-9].*", "family", "X-T30", "Z*", "public.*c",
        "йогурт", "ЙОГ", "Ελλα\u{301}δα", "*ΔΑ*", "σ*", "łódź", "ŁO\u{301}*", "U\u{308}bung", "ub",
        "?bung*", "ガーデン", "ガ*", "straße", "strasse*", "å", "cafe", "CAFÉ", "caf?", "caf[éx]*",
      ])
      let relation = one(of: TextRelation.allCases)
      if relation == .equal, let words = attribute.fixedWords {
        return .comparison(attribute, .text(relation, one(of: words)))
      }
      return .comparison(attribute, .text(relation, text))
    case .date:
      let dates = ["2007", "2010-02", "2005-12-31", "2012-01-01T00:00", "1969-12-31T23:59:59"]
        .compactMap { try? WallDate(typed: $0) }.sorted {
          $0.firstMillisecond < $1.firstMillisecond
        }
      if number(below: 3) == 0 { return .comparison(attribute, .dates(dates[0], one(of: dates))) }
      return .comparison(attribute, .date(one(of: Relation.allCases), one(of: dates)))
    case .whole(let range):
      let value =
        attribute == .year
        ? 2000 + number(below: 12) : range.lowerBound + number(below: range.count)
      if number(below: 3) == 0 {
        return .comparison(attribute, .numbers(Double(range.lowerBound)...Double(value)))
      }
      return .comparison(attribute, .number(one(of: Relation.allCases), Double(value)))
    case .number, .presence:
      let value: Double = one(of: [
        0.0, 1, 2.5, -1, 30, 47.25, 400, 4032, 1e6, 1.25e7, 1 / 60, 1e-5, 1e300,
      ])
      if number(below: 3) == 0 {
        return .comparison(attribute, .numbers(min(0, value)...value + 1))
      }
      return .comparison(attribute, .number(one(of: Relation.allCases), value))
    }
  }
}

/// One keyword of one asset.
struct KeywordRow: FetchableRecord, TableRecord {
  static let databaseTableName = "keywords"

  var asset: Int64
  var keyword: String

  init(row: Row) {
    (asset, keyword) = (row["asset_id"], row["keyword"])
  }
}
