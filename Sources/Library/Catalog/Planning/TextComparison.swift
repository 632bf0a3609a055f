import GRDB
import MediaModel
import Query

// Texts are compared without regard to case and form, see `String.comparable`. Most of them are ASCII, for
// which SQLite's own functions do: the function of Swift is called only for those that are not.

extension ConditionSQL {
  /// An attribute's comparison with a text as a user typed it.
  static func text(
    _ attribute: Attribute, _ relation: TextRelation, _ typed: String
  ) -> ConditionSQL {
    func compared(_ column: String) -> ConditionSQL { Self.text(column, relation, typed) }
    if attribute == .warning {
      let line = compared("line.value")
      return ConditionSQL(
        "EXISTS (SELECT 1 FROM \(Attribute.warningLines) AS line WHERE \(line.sql))", line.arguments
      )
    }
    let condition = compared(attribute.sql)
    if attribute == .camera, relation != .contains {
      // Also one of the two alone: Canon, or EOS R5.
      let parts = [compared("o.make"), compared("o.model"), condition]
      return ConditionSQL(
        "(" + parts.map(\.sql).joined(separator: " OR ") + ")", parts.flatMap(\.arguments))
    }
    guard let table = attribute.listTable else { return condition }
    let listed = ConditionSQL(
      "EXISTS (SELECT 1 FROM \(table) WHERE \(attribute.listJoin) AND \(condition.sql))",
      condition.arguments)
    guard attribute == .keyword else { return listed }
    let paths = KeywordPath.meanings(ofTyped: typed).map { Self.text("h.path", relation, $0) }
    let path = "(" + paths.map(\.sql).joined(separator: " OR ") + ")"
    // The levels of a path have rows of their own.
    let whole = relation == .equal ? "" : "h.is_whole AND "
    return ConditionSQL(
      "(\(listed.sql) OR EXISTS (SELECT 1 FROM keyword_paths AS h WHERE h.asset_id = a.id AND \(whole)\(path)))",
      listed.arguments + paths.flatMap(\.arguments))
  }

  /// A column's comparison with a text as a user typed it.
  static func text(_ column: String, _ relation: TextRelation, _ typed: String) -> ConditionSQL {
    let text = typed.comparable
    return switch relation {
    case .equal: equal(column, text)
    case .contains: contains(column, text)
    case .like: like(column, text)
    }
  }

  /// An ASCII text equals only ASCII texts.
  static func equal(_ column: String, _ text: String) -> ConditionSQL {
    text.isASCII
      ? ConditionSQL("(lower(\(column)) = ?)", [text])
      : ConditionSQL("(NOT \(isASCII(column)) AND comparable(\(column)) = ?)", [text])
  }

  /// `café` does not contain `cafe`, although its decomposed form does, byte by byte.
  private static func contains(_ column: String, _ text: String) -> ConditionSQL {
    let isThere = "instr(comparable(\(column)), ?) > 0"
    return text.isASCII
      ? ConditionSQL(
        "(instr(lower(\(column)), ?) > 0 AND (\(isASCII(column)) OR \(isThere)))", [text, text])
      : ConditionSQL("(NOT \(isASCII(column)) AND \(isThere))", [text])
  }

  /// `é` is one character in either form.
  private static func like(_ column: String, _ text: String) -> ConditionSQL {
    ConditionSQL(
      "(iif(\(isASCII(column)), lower(\(column)), comparable(\(column))) GLOB ?)",
      [ShellPattern(text).glob])
  }

  /// Whether a text has as many bytes as characters.
  private static func isASCII(_ column: String) -> String {
    "(length(\(column)) = length(CAST(\(column) AS BLOB)))"
  }
}
