/// One field of a CSV line.
struct CSVField<Item> {
  var name: String
  /// Nil is written as nothing at all.
  var value: (Item) -> String?

  init(_ name: String, _ value: @escaping (Item) -> String?) {
    self.name = name
    self.value = value
  }
}

extension Printer {
  /// RFC 4180: lines end with CR LF, the first one names the fields. Nothing listed prints nothing.
  ///
  /// - Parameter isShown: whether a terminal would act on what a hostile text holds.
  static func csv(
    _ fields: [CSVField<Item>], isShown: Bool, to output: Output
  ) -> Printer {
    var isFirst = true
    return Printer { item in
      if isFirst { try output.append(csvLine(fields.map(\.name)).utf8) }
      isFirst = false
      let values = fields.map { $0.value(item) ?? "" }
      try output.append(csvLine(isShown ? values.map(\.harmless) : values).utf8)
    }
  }
}

/// A line of fields; one that holds a comma, a quote or the end of a line is quoted.
func csvLine(_ fields: [String]) -> String {
  fields.map { field in
    let isSpecial = field.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
    guard isSpecial else { return field }
    return "\"" + field.replacing("\"", with: "\"\"") + "\""
  }.joined(separator: ",") + "\r\n"
}
