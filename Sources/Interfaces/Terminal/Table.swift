/// One column of a table.
package struct TableColumn<Item> {
  package enum Alignment {
    case left, right
  }

  /// Where a text that is too wide is shortened. In a path, the last names matter more than the first.
  package enum Cut {
    case end, beginning
  }

  var title: String
  /// The least width in columns of the terminal, if there is space; texts make it wider. In the last column, 0 means
  /// the width of a path.
  var width: Int
  /// The width that it keeps if there is little space; with less, the column is omitted.
  var least: Int
  var alignment: Alignment
  var cut: Cut
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
    self.title = title
    self.width = width
    self.least = least ?? (alignment == .right ? width : min(width, 12))
    self.alignment = alignment
    self.cut = cut
    self.text = text
    self.isAlarming = isAlarming
    self.isBadge = isBadge
  }

  /// The same column if the user selected it: it becomes narrower before it is omitted.
  package var chosen: TableColumn {
    var column = self
    column.least = min(width, 6)
    return column
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
    let table = Table(columns, style: style, output: output)
    return Printer(print: table.add, finish: table.finish)
  }
}

/// A table on its way to be printed.
private final class Table<Item> {
  private var columns: [TableColumn<Item>]
  private let style: Style
  private let output: Output
  /// The first items, until the widths of the columns are known.
  private var waiting: [Item]? = []

  /// The number of items that determine the widths.
  private static var sampleSize: Int { 200 }

  init(_ columns: [TableColumn<Item>], style: Style, output: Output) {
    (self.columns, self.style, self.output) = (columns, style, output)
  }

  func add(_ item: Item) throws {
    guard let items = waiting else { return try print(item) }
    waiting?.append(item)
    if items.count + 1 == Self.sampleSize { try finish() }
  }

  /// Prints what waits.
  func finish() throws {
    guard let items = waiting, !items.isEmpty else { return }
    waiting = nil
    columns = columns.map { $0.widened(for: items) }
    if let width = style.width { columns = columns.fitting(width) }
    try line(columns.map { ($0.title, .end) }) { style.bold($1) }
    for item in items { try print(item) }
  }

  private func print(_ item: Item) throws {
    try line(columns.map { ($0.text(item).terminalSafe, $0.cut) }) { index, cell in
      if columns[index].isAlarming(item) { return style.red(cell) }
      return columns[index].isBadge(item) ? style.cyan(cell) : cell
    }
  }

  private func line(
    _ cells: [(text: String, cut: TableColumn<Item>.Cut)], _ paint: (Int, String) -> String
  ) throws {
    let painted = cells.indices.map { index in
      let (text, cut) = cells[index]
      let fitting = style.width == nil ? text : columns[index].shortened(text, at: cut)
      return paint(index, index == cells.count - 1 ? fitting : columns[index].padded(fitting))
    }
    try output.line(painted.joined(separator: tableGap))
  }
}

/// The space between two columns.
private let tableGap = "  "

extension TableColumn {
  /// A single long text does not widen a column that is otherwise empty.
  private static var widest: Int { 80 }

  /// Widens columns to the texts of these items.
  fileprivate func widened(for items: [Item]) -> TableColumn {
    guard width > 0 else { return self }
    var column = self
    for item in items where column.width < Self.widest {
      column.width = max(column.width, min(text(item).terminalSafe.columns, Self.widest))
    }
    return column
  }

  fileprivate func shortened(_ text: String, at cut: Cut) -> String {
    switch cut {
    case .end: text.keepingBeginning(columns: width)
    case .beginning: text.keepingEnd(columns: width)
    }
  }

  fileprivate func padded(_ text: String) -> String {
    let padding = String(repeating: " ", count: max(0, width - text.columns))
    return alignment == .right ? padding + text : text + padding
  }
}

extension Array {
  /// The columns that fit a terminal, with their widths.
  ///
  /// The widest become narrower until all fit. If even the least widths are too much, columns are omitted from the
  /// right, except the last one, which also gets the remaining width.
  fileprivate func fitting<Item>(_ width: Int) -> [TableColumn<Item>]
  where Element == TableColumn<Item> {
    guard var last else { return self }
    if last.width == 0 { (last.width, last.least) = (40, 10) }
    var shown = dropLast()
    var used = last.least + shown.reduce(0) { $0 + $1.least + tableGap.count }
    while used > width, let left = shown.popLast() { used -= left.least + tableGap.count }
    shown.append(last)
    var room = width - tableGap.count * (shown.count - 1)
    for column in shown { room -= column.width }
    while room < 0 {
      let widest = shown.indices.filter { shown[$0].width > shown[$0].least }
        .max { (shown[$0].width, $0) < (shown[$1].width, $1) }
      guard let widest else { break }
      shown[widest].width -= 1
      room += 1
    }
    shown[shown.count - 1].width = Swift.max(1, shown[shown.count - 1].width + room)
    return Array(shown)
  }
}
