import GRDB
import Query

// SQLite's parser has a stack of a hundred, of which each open bracket takes one to three, the statement around a condition
// about 25, and a single condition such as an album about 40. `all(a, any(b, all(c, …)))` therefore becomes a list of
// decisions, which takes four however long it is: `CASE WHEN a IS NOT TRUE THEN 0 WHEN b THEN 1 WHEN c IS NOT TRUE THEN 0 …
// ELSE … END`.

extension ConditionSQL {
  /// The most entries of the parser's stack that the brackets of a condition may take.
  static let mostBrackets = 8

  /// A condition with more brackets than ``mostBrackets``, as a list of decisions.
  ///
  /// The list follows the part with the most conditions, so that each of the others has at most half as many. Of 500
  /// conditions, at most six lists are within each other.
  init(decisions condition: Condition, in database: Database) throws {
    var clauses: [String] = []
    var arguments: [any DatabaseValueConvertible] = []
    var (rest, isNegated) = (condition, false)
    path: while rest.brackets > Self.mostBrackets {
      let (parts, isAll): ([Condition], Bool)
      switch rest {
      case .not(let part):
        isNegated.toggle()
        rest = part
        continue
      case .all(let all): (parts, isAll) = (all, true)
      case .any(let any): (parts, isAll) = (any, false)
      default: break path
      }
      let counts = parts.map(\.leafCount)
      guard let largest = counts.indices.max(by: { counts[$0] < counts[$1] }) else { break }
      for (index, part) in parts.enumerated() where index != largest {
        let sql = try ConditionSQL(part, in: database)
        clauses.append(
          "WHEN \(sql.sql)\(isAll ? " IS NOT TRUE" : "") THEN \(isAll == isNegated ? 1 : 0)")
        arguments += sql.arguments
      }
      rest = parts[largest]
    }
    let last = try ConditionSQL(isNegated ? .not(rest) : rest, in: database)
    self.init(
      clauses.isEmpty ? last.sql : "CASE \(clauses.joined(separator: " ")) ELSE \(last.sql) END",
      arguments + last.arguments)
  }
}

extension Condition {
  /// The entries of SQLite's parser stack that its brackets take, if the part with the most comes first: a bracket at the
  /// beginning is one entry, one after a condition and `AND` or `OR` is three.
  var brackets: Int {
    switch self {
    case .all(let parts), .any(let parts):
      let most = parts.map(\.brackets).sorted(by: >)
      return max((most.first ?? 0) + 1, (most.dropFirst().first ?? -3) + 3)
    case .not(let part): return 1 + part.brackets
    default: return 0
    }
  }

  /// The number of conditions that are not made of others.
  fileprivate var leafCount: Int {
    switch self {
    case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.leafCount }
    case .not(let part): part.leafCount
    default: 1
    }
  }
}
