/// A JSON value (RFC 8259) that knows where in its text it began, so that a complaint can name the line.
package struct JSONValue: Sendable, Hashable {
  package enum Content: Sendable, Hashable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case array([JSONValue])
    /// In the order of the text; no name stands twice.
    case object([Member])
  }

  package struct Member: Sendable, Hashable {
    package var name: String
    package var value: JSONValue
  }

  package var content: Content
  /// From 1.
  package var line: Int

  /// The value of an object's member; nil for what has no such member.
  package subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.name == name }?.value
  }

  package var text: String? {
    if case .text(let text) = content { text } else { nil }
  }

  package var number: Double? {
    if case .number(let number) = content { number } else { nil }
  }

  /// A number without a fraction that a double holds exactly.
  package var integer: Int64? {
    number.flatMap { abs($0) <= 9_007_199_254_740_992 ? Int64(exactly: $0) : nil }
  }

  package var array: [JSONValue]? {
    if case .array(let values) = content { values } else { nil }
  }
}

/// What is no JSON, and where.
package struct JSONError: Error, Sendable, Hashable {
  /// From 1.
  package var line: Int
  /// Half a sentence.
  package var complaint: String
}

/// Reads one JSON value out of bytes that anybody may have written.
package struct JSONReader {
  /// Nobody nests deeper, and the reader calls itself for each level.
  private static let maximumDepth = 64

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  /// The one value that `bytes` hold.
  package static func value(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
    var reader = JSONReader(bytes: bytes)
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.position == bytes.count else { throw reader.error("more follows its end") }
    return value
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func error(_ complaint: String) -> JSONError {
    JSONError(line: line, complaint: complaint)
  }

  private mutating func skipSpace() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
      if byte == 0x0A { line += 1 }
      position += 1
    }
  }

  /// Passes over a mark, and the space before it, if it comes next.
  private mutating func skip(_ mark: Character) -> Bool {
    skipSpace()
    guard next == mark.asciiValue else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    guard depth < Self.maximumDepth else { throw error("it is nested too deeply") }
    skipSpace()
    let line = self.line
    let content: JSONValue.Content
    switch next {
    case UInt8(ascii: "{"): content = try object(depth: depth)
    case UInt8(ascii: "["): content = try array(depth: depth)
    case UInt8(ascii: "\""): content = .text(try string())
    case UInt8(ascii: "t"): content = try word("true", .flag(true))
    case UInt8(ascii: "f"): content = try word("false", .flag(false))
    case UInt8(ascii: "n"): content = try word("null", .null)
    default: content = .number(try number())
    }
    return JSONValue(content: content, line: line)
  }

  private mutating func word(
    _ word: String, _ content: JSONValue.Content
  ) throws(JSONError) -> JSONValue.Content {
    guard bytes[position...].starts(with: word.utf8) else { throw error("a value is missing") }
    position += word.utf8.count
    return content
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONValue.Content {
    position += 1
    var members: [JSONValue.Member] = []
    var names: Set<String> = []
    if skip("}") { return .object([]) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw error("a key in double quotes is missing") }
      let name = try string()
      guard names.insert(name).inserted else { throw error("the key '\(name)' stands twice") }
      guard skip(":") else { throw error("a colon is missing behind '\(name)'") }
      members.append(JSONValue.Member(name: name, value: try value(depth: depth + 1)))
    } while skip(",")
    guard skip("}") else { throw error("a comma or } is missing") }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(JSONError) -> JSONValue.Content {
    position += 1
    var values: [JSONValue] = []
    if skip("]") { return .array([]) }
    repeat { values.append(try value(depth: depth + 1)) } while skip(",")
    guard skip("]") else { throw error("a comma or ] is missing") }
    return .array(values)
  }

  private mutating func number() throws(JSONError) -> Double {
    let start = position
    while let byte = next, "+-.eE0123456789".utf8.contains(byte) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    // Swift reads more than JSON has, as a point in front.
    guard text.first.map({ $0 == "-" || $0.isNumber }) == true, position - start <= 40,
      let number = Double(text), number.isFinite
    else { throw error("a value is missing") }
    return number
  }

  private mutating func string() throws(JSONError) -> String {
    position += 1
    var content: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: content, as: UTF8.self) else {
          throw error("a text is not UTF-8")
        }
        return text
      case UInt8(ascii: "\\"): try escape(into: &content)
      case 0..<0x20: throw error("a text does not end before its line does")
      default: content.append(byte)
      }
    }
    throw error("a text does not end")
  }

  private mutating func escape(into content: inout [UInt8]) throws(JSONError) {
    guard let letter = next else { throw error("a text does not end") }
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(letter)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"): try unicode(into: &content)
    default: throw error("a backslash stands before what needs none")
    }
  }

  /// `\uXXXX`, and for what needs two of them, both.
  private mutating func unicode(into content: inout [UInt8]) throws(JSONError) {
    var units = [try codeUnit()]
    if UTF16.isLeadSurrogate(units[0]), bytes[position...].starts(with: "\\u".utf8) {
      position += 2
      units.append(try codeUnit())
    }
    content.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
  }

  private mutating func codeUnit() throws(JSONError) -> UInt16 {
    let digits = String(decoding: bytes[position...].prefix(4), as: UTF8.self)
    guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit),
      let unit = UInt16(digits, radix: 16)
    else { throw error("\\u stands before what is no number of four hexadecimal digits") }
    position += 4
    return unit
  }
}
