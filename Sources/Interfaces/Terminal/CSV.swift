/// One field of a CSV line.
package struct CSVField<Item> {
  package var name: String
  /// Nil is written as nothing at all.
  package var value: (Item) -> String?

  package init(_ name: String, _ value: @escaping (Item) -> String?) {
    self.name = name
    self.value = value
  }
}

extension Printer {
  /// Prints CSV (RFC 4180): lines end with CR LF, and the first one contains the names of the fields. An empty
  /// listing prints nothing.
  ///
  /// - Parameter isShown: whether the output is a terminal, so that control characters are escaped.
  package static func csv(
    _ fields: [CSVField<Item>], isShown: Bool, to output: Output
  ) -> Printer {
    var isFirst = true
    return Printer { item in
      if isFirst { try output.append(csvLine(fields.map(\.name)).utf8) }
      isFirst = false
      let values = fields.map { $0.value(item) ?? "" }
      try output.append(csvLine(isShown ? values.map(\.terminalSafe) : values).utf8)
    }
  }
}

/// A line of fields. A field that contains a comma, a quote or a line end is quoted. A text that a spreadsheet would
/// evaluate gets a leading `'`, as OWASP's page on CSV injection recommends; numbers stay numbers.
func csvLine(_ fields: [String]) -> String {
  fields.map { field in
    let isFormula = beginsFormula(field)
    let isSpecial = field.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
    guard isSpecial || isFormula else { return field }
    let text = isFormula ? "'" + field : field
    return isSpecial ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
  }.joined(separator: ",") + "\r\n"
}

/// Whether a spreadsheet would read a text as a formula: it begins with `=`, `+`, `-` or `@`, also in full width, or
/// with a tab or line end, and is not a plain number.
private func beginsFormula(_ field: String) -> Bool {
  guard let first = field.utf8.first else { return false }
  switch first {
  case UInt8(ascii: "="), UInt8(ascii: "@"), 0x09, 0x0A, 0x0D: return true
  case UInt8(ascii: "+"), UInt8(ascii: "-"): return !isPlainNumber(field)
  // The UTF-8 of the full-width characters begins with this byte.
  case 0xEF: return field.unicodeScalars.first.map { "＝＋－＠".unicodeScalars.contains($0) } ?? false
  default: return false
  }
}

/// Whether a text is a decimal number, with or without sign, fraction and exponent.
private func isPlainNumber(_ text: String) -> Bool {
  text.utf8.allSatisfy { byte in
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
  } && Double(text) != nil
}
