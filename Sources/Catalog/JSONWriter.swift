/// Writes JSON (RFC 8259) as bytes, directly: a listing of a large library is mostly this.
///
/// Members and elements are separated as they come. What has no value is left out, keys included.
package struct JSONWriter: Sendable {
  /// What was written so far, UTF-8.
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  package init() {}

  /// Starts over, keeping the memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  /// Writes `{…}`, its members by `body`.
  package mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
    open(UInt8(ascii: "{"))
    try body(&self)
    close(UInt8(ascii: "}"))
  }

  /// Writes `[…]`, its elements by `body`.
  package mutating func array(_ body: (inout JSONWriter) throws -> Void) rethrows {
    open(UInt8(ascii: "["))
    try body(&self)
    close(UInt8(ascii: "]"))
  }

  /// Writes a member's name; its value must follow.
  package mutating func key(_ name: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: name.utf8)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func value(_ text: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    if Self.needsEscapes(text) {
      appendEscaped(text)
    } else {
      bytes.append(contentsOf: text.utf8)
    }
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  package mutating func value(_ number: some BinaryInteger) {
    separate()
    bytes.append(contentsOf: String(number).utf8)
    needsComma = true
  }

  /// The shortest digits that read back as the same number; `null` for what is no number.
  package mutating func value(_ number: Double) {
    separate()
    bytes.append(contentsOf: (number.isFinite ? number.description : "null").utf8)
    needsComma = true
  }

  package mutating func value(_ flag: Bool) {
    separate()
    bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    needsComma = true
  }

  package mutating func member(_ name: String, _ text: String?) {
    guard let text else { return }
    key(name)
    value(text)
  }

  package mutating func member(_ name: String, _ number: (some BinaryInteger)?) {
    guard let number else { return }
    key(name)
    value(number)
  }

  package mutating func member(_ name: String, _ number: Double?) {
    guard let number, number.isFinite else { return }
    key(name)
    value(number)
  }

  package mutating func member(_ name: String, _ flag: Bool) {
    key(name)
    value(flag)
  }

  /// A list of texts; left out if it is empty.
  package mutating func member(_ name: String, _ texts: [String]) {
    guard !texts.isEmpty else { return }
    key(name)
    array { writer in
      for text in texts { writer.value(text) }
    }
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }
}

extension JSONWriter {
  /// Whether some byte cannot stand as it is; 0xE2 may begin U+2028.
  private static func needsEscapes(_ text: String) -> Bool {
    let span = text.utf8Span.span
    for index in span.indices {
      let byte = span[index]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0xE2 { return true }
    }
    return false
  }

  private mutating func appendEscaped(_ text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": bytes.append(contentsOf: [0x5C, 0x22])
      case "\\": bytes.append(contentsOf: [0x5C, 0x5C])
      case "\n": bytes.append(contentsOf: [0x5C, UInt8(ascii: "n")])
      case "\r": bytes.append(contentsOf: [0x5C, UInt8(ascii: "r")])
      case "\t": bytes.append(contentsOf: [0x5C, UInt8(ascii: "t")])
      // The two line separators are legal in JSON and end a line in older JavaScript.
      case "\u{0}"..<"\u{20}", "\u{2028}", "\u{2029}": appendUnicodeEscape(scalar)
      default:
        bytes.append(
          contentsOf: Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
      }
    }
  }

  private mutating func appendUnicodeEscape(_ scalar: Unicode.Scalar) {
    let digits = String(scalar.value, radix: 16)
    bytes.append(contentsOf: "\\u".utf8)
    bytes.append(contentsOf: String(repeating: "0", count: 4 - digits.utf8.count).utf8)
    bytes.append(contentsOf: digits.utf8)
  }
}
