import ArgumentParser
import MediaModel
import Terminal

/// The forms in which results can be printed.
enum OutputFormat: String, WordChoice, CaseIterable {
  /// Aligned columns for people.
  case table
  /// One array.
  case json
  /// One object a line.
  case jsonl
  /// RFC 4180, with a line of names first.
  case csv
  /// One a line.
  case paths
  /// Paths as bytes, each terminated by NUL.
  case paths0
}

/// The option that chooses the form.
struct FormatOption: ParsableArguments {
  @Option(
    name: .customLong("format"), choosing: "Output format. paths0 ends each path with NUL.",
    valueName: "format", standard: .table)
  var typed: OutputFormat?

  @Flag(name: .customShort("0"), help: "The same as --format paths0.")
  var endsPathsWithNUL = false

  var format: OutputFormat { endsPathsWithNUL ? .paths0 : typed ?? .table }

  func validate() throws {
    if endsPathsWithNUL, let typed, typed != .paths0 {
      throw ValidationError("-0 is --format paths0: leave out --format \(typed.word).")
    }
  }
}

/// The presentation of one kind of items in all formats.
struct Presentation<Item: Sendable> {
  var columns: [TableColumn<Item>]
  var fields: [CSVField<Item>]
  var json: @Sendable (inout JSONWriter, Item) -> Void
  /// The files of an item; nil if items of this kind are not files.
  var paths: ((Item) -> [BytePath])?
}

extension OutputFormat {
  /// The one switch over the forms.
  func printer<Item: Sendable>(
    _ presentation: Presentation<Item>, style: Style, to output: Output
  ) throws -> Printer<Item> {
    switch self {
    case .table: return .table(presentation.columns, style: style, to: output)
    case .json: return .jsonArray(presentation.json, to: output)
    case .jsonl: return .jsonLines(presentation.json, to: output)
    case .csv: return .csv(presentation.fields, isShown: style.isTerminal, to: output)
    case .paths, .paths0:
      guard let paths = presentation.paths else {
        throw Failure(.usage, "these results have no paths: use --format table, json, jsonl or csv")
      }
      return self == .paths0
        ? .paths(paths, end: 0, isShown: false, to: output)
        : .paths(paths, end: UInt8(ascii: "\n"), isShown: style.isTerminal, to: output)
    }
  }
}

extension Output {
  /// Writes one JSON value on its own line.
  func json(_ write: (inout JSONWriter) -> Void) throws {
    var writer = JSONWriter()
    write(&writer)
    try append(writer.bytes)
    try line("")
  }
}

extension Printer {
  /// One JSON array with an item a line, so that programs can read it while it is written. An empty listing is `[]`.
  fileprivate static func jsonArray(
    _ write: @escaping (inout JSONWriter, Item) -> Void, to output: Output
  ) -> Printer {
    var writer = JSONWriter()
    var isFirst = true
    return Printer { item in
      try output.append((isFirst ? "[" : ",\n").utf8)
      isFirst = false
      writer.removeAll()
      write(&writer, item)
      try output.append(writer.bytes)
    } finish: {
      try output.append((isFirst ? "[]\n" : "]\n").utf8)
    }
  }

  fileprivate static func jsonLines(
    _ write: @escaping @Sendable (inout JSONWriter, Item) -> Void, to output: Output
  ) -> Printer where Item: Sendable {
    let encoder = BatchEncoder<Item>(to: output) { items in
      var writer = JSONWriter()
      for item in items {
        write(&writer, item)
        writer.endLine()
      }
      return writer.bytes
    }
    return Printer(print: encoder.append, finish: encoder.finish)
  }

  /// - Parameter isShown: whether the output is a terminal, so that control characters are escaped.
  fileprivate static func paths(
    _ paths: @escaping (Item) -> [BytePath], end: UInt8, isShown: Bool, to output: Output
  ) -> Printer {
    Printer { item in
      for path in paths(item) {
        try output.append(isShown ? Array(path.display.terminalSafe.utf8) : path.bytes)
        try output.append(CollectionOfOne(end))
      }
    }
  }
}
