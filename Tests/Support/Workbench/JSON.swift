/// A value of JSON with short access to its parts; what is absent is null.
package enum JSON: Hashable, Sendable, Codable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let list = try? container.decode([JSON].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .flag(let flag): try container.encode(flag)
    case .number(let number):
      // Whole numbers without a fraction, as clients write them.
      if let whole = Int(exactly: number) {
        try container.encode(whole)
      } else {
        try container.encode(number)
      }
    case .text(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    case .object(let object): try container.encode(object)
    }
  }

  package subscript(name: String) -> JSON {
    if case .object(let fields) = self { fields[name] ?? .null } else { .null }
  }

  package subscript(index: Int) -> JSON {
    list.indices.contains(index) ? list[index] : .null
  }

  /// The text, if it is one.
  package var text: String? { if case .text(let text) = self { text } else { nil } }
  /// The number, if it is a whole one.
  package var whole: Int? {
    if case .number(let number) = self { Int(exactly: number) } else { nil }
  }
  /// The entries of a list; none for another value.
  package var list: [JSON] { if case .list(let list) = self { list } else { [] } }
  /// The texts in a list.
  package var texts: [String] { list.compactMap(\.text) }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  package init(stringLiteral value: String) { self = .text(value) }
  package init(integerLiteral value: Int) { self = .number(Double(value)) }
  package init(booleanLiteral value: Bool) { self = .flag(value) }
  package init(arrayLiteral elements: JSON...) { self = .list(elements) }
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements) { $1 })
  }
  package init(nilLiteral: ()) { self = .null }
}
