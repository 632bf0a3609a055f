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

  /// Ends a line, after which another value may follow.
  package mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
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

  /// Writes a member's name, which needs no escapes; its value must follow.
  package mutating func key(_ name: String) {
    let text = name.utf8Span.span
    let comma = needsComma
    // Room is asked for once and not for each byte: half of a listing's time is spent here.
    bytes.append(addingCapacity: text.count + 4) { output in
      if comma { output.append(UInt8(ascii: ",")) }
      output.append(UInt8(ascii: "\""))
      for index in text.indices { output.append(text[index]) }
      output.append(UInt8(ascii: "\""))
      output.append(UInt8(ascii: ":"))
    }
    needsComma = false
  }

  /// What steers a terminal is escaped, though JSON asks for that below U+0020 only: a listing may end on
  /// one, and its reader gets the same text. 0xC2, 0xD8 and 0xE2 begin what may have to be.
  package mutating func value(_ text: String) {
    let isPlain = appendQuoted(text.utf8Span.span) { byte in
      switch byte {
      case 0..<0x20, 0x22, 0x5C, 0x7F, 0xC2, 0xD8, 0xE2: true
      default: false
      }
    }
    if isPlain { return }
    separate()
    bytes.append(UInt8(ascii: "\""))
    appendEscaped(text)
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Writes a text that is given as bytes, if it is of printing ASCII alone and needs no escapes; else
  /// writes nothing and returns false.
  mutating func valuePlain(_ text: Span<UInt8>) -> Bool {
    appendQuoted(text, isSpecial: { !(0x20...0x7E).contains($0) || $0 == 0x22 || $0 == 0x5C })
  }

  /// Writes a quoted text, unless a byte is special; then nothing is written, and false returned.
  @inline(__always)
  private mutating func appendQuoted(
    _ text: Span<UInt8>, isSpecial: (UInt8) -> Bool
  ) -> Bool {
    let (comma, start) = (needsComma, bytes.count)
    var isPlain = true
    bytes.append(addingCapacity: text.count + 3) { output in
      if comma { output.append(UInt8(ascii: ",")) }
      output.append(UInt8(ascii: "\""))
      for index in text.indices {
        let byte = text[index]
        if isSpecial(byte) {
          isPlain = false
          break
        }
        output.append(byte)
      }
      output.append(UInt8(ascii: "\""))
    }
    if isPlain {
      needsComma = true
    } else {
      bytes.removeLast(bytes.count - start)
    }
    return isPlain
  }

  package mutating func value(_ number: some BinaryInteger) {
    separate()
    guard let magnitude = UInt64(exactly: number) else {
      bytes.append(contentsOf: String(number).utf8)
      needsComma = true
      return
    }
    append(magnitude, digits: 1)
    needsComma = true
  }

  /// Writes a number, padded with zeros to a number of digits.
  private mutating func append(_ number: UInt64, digits: Int) {
    var (rest, reversed, count) = (number, InlineArray<20, UInt8>(repeating: 0x30), 0)
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      reversed[count] = 0x30 + UInt8(truncatingIfNeeded: digit)
      (rest, count) = (quotient, count + 1)
    } while rest > 0
    count = max(count, digits)
    bytes.append(addingCapacity: count) { output in
      while count > 0 {
        count -= 1
        output.append(reversed[count])
      }
    }
  }

  /// An instant in UTC, `2022-02-16T12:56:03Z`.
  mutating func value(_ time: CivilTime) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    append(UInt64(max(0, time.year)), digits: 4)
    let fields: [5 of (UInt8, Int)] = [
      (UInt8(ascii: "-"), time.month), (UInt8(ascii: "-"), time.day),
      (UInt8(ascii: "T"), time.hour),
      (UInt8(ascii: ":"), time.minute), (UInt8(ascii: ":"), time.second),
    ]
    bytes.append(addingCapacity: 17) { output in
      for index in fields.indices {
        let (mark, number) = fields[index]
        output.append(mark)
        output.append(0x30 + UInt8(truncatingIfNeeded: number / 10))
        output.append(0x30 + UInt8(truncatingIfNeeded: number % 10))
      }
      output.append(UInt8(ascii: "Z"))
      output.append(UInt8(ascii: "\""))
    }
    needsComma = true
  }

  /// Writes the shortest digits that read back as the same number; `null` for infinity and NaN.
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
  private mutating func appendEscaped(_ text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": bytes.append(contentsOf: [0x5C, 0x22])
      case "\\": bytes.append(contentsOf: [0x5C, 0x5C])
      case "\n": bytes.append(contentsOf: [0x5C, UInt8(ascii: "n")])
      case "\r": bytes.append(contentsOf: [0x5C, UInt8(ascii: "r")])
      case "\t": bytes.append(contentsOf: [0x5C, UInt8(ascii: "t")])
      // All of them are in the basic plane.
      case _ where scalar.isDisplayControl: appendUnicodeEscape(scalar)
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
