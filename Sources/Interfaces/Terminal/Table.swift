/// One column of a table.
package struct TableColumn<Item> {
  package typealias Alignment = ColumnForm.Alignment
  package typealias Cut = ColumnForm.Cut

  private(set) var form: ColumnForm
  /// Whether the least width was given, as that of dates.
  private let keepsLeast: Bool
  var text: (Item) -> String
  /// Whether the text is highlighted because it reports a problem.
  var isAlarming: (Item) -> Bool
  /// Whether the text marks a special kind.
  var isBadge: (Item) -> Bool

  /// - Parameter least: nil to keep the whole width of numbers, and a readable part of texts.
  package init(
    _ title: String, width: Int = 0, least: Int? = nil, alignment: Alignment = .left,
    cut: Cut = .end, isAlarming: @escaping (Item) -> Bool = { _ in false },
    isBadge: @escaping (Item) -> Bool = { _ in false }, _ text: @escaping (Item) -> String
  ) {
    form = ColumnForm(
      title: title, width: width,
      least: least ?? (alignment == .right ? width : min(width, 12)), alignment: alignment,
      cut: cut)
    keepsLeast = least != nil
    self.text = text
    self.isAlarming = isAlarming
    self.isBadge = isBadge
  }

  /// The same column if the user selected it: it becomes narrower before it is omitted.
  package var chosen: TableColumn {
    var column = self
    if !keepsLeast { column.form.least = min(form.width, 6) }
    column.form.isChosen = true
    return column
  }

  fileprivate func cell(_ item: Item) -> TableCell {
    TableCell(
      text: text(item).terminalSafe,
      mark: isAlarming(item) ? .alarm : isBadge(item) ? .badge : .none)
  }
}

extension Printer {
  /// Prints aligned columns with titles. An empty listing prints nothing.
  ///
  /// The first items determine the widths of the columns, so that later ones can be printed at once. On a terminal,
  /// no line is wider than the terminal. Otherwise no text is cut, and a text that is wider than its column moves the
  /// rest of its line to the right.
  package static func table(_ columns: [TableColumn<Item>], style: Style, to output: Output)
    -> Printer
  {
    // The rows are not generic: code for any type of item takes several times as long, and a short listing waits
    // for it.
    let table = TableRows(columns.map(\.form), style: style, output: output)
    return Printer(
      print: { item in
        try table.add(
          columns.indices.map { index in
            table.shows(index) ? columns[index].cell(item) : TableCell()
          })
      }, finish: table.finish)
  }
}

/// The text at one place of a table.
private struct TableCell {
  enum Mark {
    case none, alarm, badge
  }

  var text = ""
  var mark = Mark.none

  /// Whether it is empty, or the count zero.
  func isNothing(in column: ColumnForm) -> Bool {
    text.isEmpty || (column.alignment == .right && text == "0")
  }
}

/// A table on its way to be printed.
private final class TableRows {
  private var columns: [ColumnForm]
  /// The columns that fit.
  private var shown: [Int]
  private let style: Style
  private let output: Output
  /// The first rows, until the widths of the columns are known.
  private var waiting: [[TableCell]] = []
  private var isWaiting = true

  /// The number of rows that determine the widths.
  private static let sampleSize = 200
  /// A single long text does not widen a column that is otherwise empty.
  private static let widest = 80

  init(_ columns: [ColumnForm], style: Style, output: Output) {
    (self.columns, self.style, self.output) = (columns, style, output)
    shown = Array(columns.indices)
  }

  /// Whether the texts of a column are used.
  func shows(_ column: Int) -> Bool { isWaiting || shown.contains(column) }

  func add(_ row: [TableCell]) throws {
    guard isWaiting else { return try print(row) }
    waiting.append(row)
    if waiting.count == Self.sampleSize { try finish() }
  }

  /// Prints what waits.
  func finish() throws {
    guard isWaiting, !waiting.isEmpty else { return }
    isWaiting = false
    let rows = waiting
    waiting = []
    for row in rows {
      for index in columns.indices where columns[index].width > 0 {
        let width = min(row[index].text.columns, Self.widest)
        if width > columns[index].width { columns[index].width = width }
      }
    }
    if let width = style.width {
      let kept = keptColumns(width, rows)
      let fitting = kept.map { columns[$0] }.fitting(width)
      // Columns are omitted before the last one.
      shown = Array(kept.prefix(fitting.count - 1)) + kept.suffix(1)
      for (index, column) in zip(shown, fitting) { columns[index] = column }
    }
    try printTitles()
    for row in rows { try print(row) }
  }

  /// The columns, without those that say nothing about the first rows if there is no space for all. The last one stays.
  private func keptColumns(_ width: Int, _ rows: [[TableCell]]) -> [Int] {
    let all = Array(columns.indices)
    // A path gets the space of others before it is cut.
    let last = columns.last.map { $0.width > 0 ? $0.width : $0.cut == .beginning ? 40 : 10 } ?? 0
    let wanted = columns.dropLast().reduce(last) { $0 + $1.least + tableGap.count }
    guard wanted > width else { return all }
    return all.filter { index in
      index == all.count - 1 || columns[index].isChosen
        || rows.contains { !$0[index].isNothing(in: columns[index]) }
    }
  }

  private func printTitles() throws {
    var line = ""
    for index in shown {
      if !line.isEmpty { line += tableGap }
      line += style.bold(fitted(columns[index].title, index, at: .end))
    }
    try output.line(line)
  }

  private func print(_ row: [TableCell]) throws {
    var line = ""
    for index in shown {
      if !line.isEmpty { line += tableGap }
      let text = fitted(row[index].text, index, at: columns[index].cut)
      switch row[index].mark {
      case .none: line += text
      case .alarm: line += style.red(text)
      case .badge: line += style.cyan(text)
      }
    }
    try output.line(line)
  }

  /// A text with the width of its column; in the last one, at most with its width.
  private func fitted(_ text: String, _ index: Int, at cut: ColumnForm.Cut) -> String {
    let fitting = style.width == nil ? text : columns[index].shortened(text, at: cut)
    return index == columns.count - 1 ? fitting : columns[index].padded(fitting)
  }
}
