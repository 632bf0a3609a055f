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
///
/// A value is decoded when it is asked for, as the type that it must have: to find the types of all values, each of which costs
/// some errors, would take seconds for a body of many.
struct JSONObject {
  /// The name of any field.
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
  }

  /// Keeps the fields of an object that is decoded later.
  private struct Body: Decodable {
    let fields: KeyedDecodingContainer<Name>

    init(from decoder: any Decoder) throws {
      fields = try decoder.container(keyedBy: Name.self)
    }
  }

  /// Its place in the body, such as `pickingConfig`; empty for the body itself.
  private let path: String
  private let fields: KeyedDecodingContainer<Name>

  /// Reads a body. One without bytes is an object without fields.
  init(body: Data) throws(InvalidField) {
    do {
      fields = try JSONDecoder().decode(Body.self, from: body.isEmpty ? Data("{}".utf8) : body)
        .fields
    } catch {
      throw InvalidField(field: "", reason: "is not a JSON object")
    }
    path = ""
  }

  private init(path: String, fields: KeyedDecodingContainer<Name>) {
    (self.path, self.fields) = (path, fields)
  }

  /// The names of the fields, sorted.
  var names: [String] { fields.allKeys.map(\.stringValue).sorted() }

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

  /// Whether a field is present and not null.
  private func has(_ name: String) -> Bool {
    let name = Name(stringValue: name)
    return fields.contains(name) && (try? fields.decodeNil(forKey: name)) != true
  }

  /// The value of a field; nil if it has another type.
  private func value<Value: Decodable>(_ name: String, as type: Value.Type) -> Value? {
    try? fields.decode(type, forKey: Name(stringValue: name))
  }

  /// The fields of an object inside; nil if the value has another type.
  private func nested(_ name: String) -> KeyedDecodingContainer<Name>? {
    try? fields.nestedContainer(keyedBy: Name.self, forKey: Name(stringValue: name))
  }

  /// An object inside; nil if there is none.
  func object(_ name: String) throws(InvalidField) -> JSONObject? {
    guard has(name) else { return nil }
    guard let fields = nested(name) else { throw invalid(name, "is not an object") }
    return JSONObject(path: path.isEmpty ? name : "\(path).\(name)", fields: fields)
  }

  /// A text; nil if there is none, or an empty one.
  func text(_ name: String, longest: Int) throws(InvalidField) -> String? {
    guard has(name) else { return nil }
    guard let text = value(name, as: String.self) else { throw invalid(name, "is not a text") }
    guard text.utf8.count <= longest else {
      throw invalid(name, "is longer than \(longest) bytes")
    }
    return text.isEmpty ? nil : text
  }

  /// A whole number, also as a text, as Google's APIs write 64-bit numbers.
  func number(_ name: String, in range: ClosedRange<Int>) throws(InvalidField) -> Int? {
    guard has(name) else { return nil }
    let number = value(name, as: Int.self) ?? value(name, as: String.self).flatMap { Int($0) }
    guard let number, range.contains(number) else {
      throw invalid(
        name, "is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// True or false.
  func flag(_ name: String) throws(InvalidField) -> Bool? {
    guard has(name) else { return nil }
    guard let flag = value(name, as: Bool.self) else {
      throw invalid(name, "is not true or false")
    }
    return flag
  }

  /// A list of texts.
  func texts(_ name: String, most: Int) throws(InvalidField) -> [String]? {
    guard has(name) else { return nil }
    guard let texts = value(name, as: [String].self) else {
      throw invalid(name, "is not a list of texts")
    }
    guard texts.count <= most else { throw invalid(name, "has more than \(most) entries") }
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
    guard has(name) else { return nil }
    var words: Set<Word> = []
    if let flags = nested(name) {
      for key in flags.allKeys {
        let text = key.stringValue
        guard let isSet = try? flags.decode(Bool.self, forKey: key) else {
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
