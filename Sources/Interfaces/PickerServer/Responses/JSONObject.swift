import Foundation

/// A field of a request that cannot be accepted.
struct InvalidField: Error, Hashable, CustomStringConvertible {
  /// The path of the field, such as `pickingConfig.filter`; empty for the body itself.
  var field: String
  /// The rest of the sentence that begins with the field's name.
  var reason: String

  /// The sentence.
  var description: String { field.isEmpty ? "the body \(reason)" : "\(field) \(reason)" }
}

/// An object in the body of a request, whose fields are read by name and checked.
struct JSONObject {
  /// Its place in the body, such as `pickingConfig`; empty for the body itself.
  private let path: String
  private let fields: [String: JSONValue]

  /// Reads a body. One without bytes is an object without fields.
  init(body: Data) throws(InvalidField) {
    guard !body.isEmpty else {
      self.init(path: "", fields: [:])
      return
    }
    guard let fields = try? JSONDecoder().decode([String: JSONValue].self, from: body) else {
      throw InvalidField(field: "", reason: "is not a JSON object")
    }
    self.init(path: "", fields: fields)
  }

  private init(path: String, fields: [String: JSONValue]) {
    (self.path, self.fields) = (path, fields)
  }

  /// The names of the fields, sorted.
  var names: [String] { fields.keys.sorted() }

  /// The error for a field of this object.
  func invalid(_ name: String, _ reason: String) -> InvalidField {
    InvalidField(field: path.isEmpty ? name : "\(path).\(name)", reason: reason)
  }

  /// Checks that there are no other fields.
  func check(_ names: Set<String>) throws(InvalidField) {
    for name in self.names where !names.contains(name) {
      throw invalid(name, "is not a field of this request")
    }
  }

  /// The value of a field that is present and not null.
  private func value(_ name: String) -> JSONValue? {
    if case .null = fields[name] { return nil }
    return fields[name]
  }

  /// An object inside; nil if there is none.
  func object(_ name: String) throws(InvalidField) -> JSONObject? {
    switch value(name) {
    case nil: nil
    case .object(let fields):
      JSONObject(path: path.isEmpty ? name : "\(path).\(name)", fields: fields)
    default: throw invalid(name, "is not an object")
    }
  }

  /// A text; nil if there is none, or an empty one.
  func text(_ name: String, longest: Int) throws(InvalidField) -> String? {
    switch value(name) {
    case nil: return nil
    case .text(let text):
      guard text.utf8.count <= longest else {
        throw invalid(name, "is longer than \(longest) bytes")
      }
      return text.isEmpty ? nil : text
    default: throw invalid(name, "is not a text")
    }
  }

  /// A whole number, also as a text, as Google's APIs write 64-bit numbers.
  func number(_ name: String, in range: ClosedRange<Int>) throws(InvalidField) -> Int? {
    let number: Int?
    switch value(name) {
    case nil: return nil
    case .whole(let whole): number = whole
    case .text(let text): number = Int(text)
    default: number = nil
    }
    guard let number, range.contains(number) else {
      throw invalid(
        name, "is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// True or false.
  func flag(_ name: String) throws(InvalidField) -> Bool? {
    switch value(name) {
    case nil: nil
    case .flag(let flag): flag
    default: throw invalid(name, "is not true or false")
    }
  }

  /// A list of texts.
  func texts(_ name: String, most: Int) throws(InvalidField) -> [String]? {
    guard let value = value(name) else { return nil }
    guard case .list(let list) = value else { throw invalid(name, "is not a list of texts") }
    guard list.count <= most else { throw invalid(name, "has more than \(most) entries") }
    var texts: [String] = []
    for entry in list {
      guard case .text(let text) = entry else { throw invalid(name, "is not a list of texts") }
      texts.append(text)
    }
    return texts
  }

  /// One of the words of an enumeration.
  func word<Word: RawRepresentable & CaseIterable>(
    _ name: String
  ) throws(InvalidField) -> Word? where Word.RawValue == String {
    guard let text = try text(name, longest: 64) else { return nil }
    return try word(text, of: name)
  }

  /// A set of words of an enumeration, written as a list of them, or as an object whose values are true or false.
  func words<Word: RawRepresentable & CaseIterable & Hashable>(
    _ name: String
  ) throws(InvalidField) -> Set<Word>? where Word.RawValue == String {
    var words: Set<Word> = []
    if case .object(let flags) = value(name) {
      for (text, flag) in flags {
        guard case .flag(let isSet) = flag else {
          throw invalid("\(name).\(text)", "is not true or false")
        }
        let word: Word = try word(text, of: name)
        if isSet { words.insert(word) }
      }
      return words
    }
    guard let texts = try texts(name, most: 64) else { return nil }
    for text in texts { words.insert(try word(text, of: name)) }
    return words
  }

  private func word<Word: RawRepresentable & CaseIterable>(
    _ text: String, of name: String
  ) throws(InvalidField) -> Word where Word.RawValue == String {
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map { $0.rawValue }.joined(separator: ", ")
      throw invalid(name, "has the value '\(text)': the values are \(words)")
    }
    return word
  }
}
