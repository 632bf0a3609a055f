/// One column of a table.
package struct TableColumn<Item> {
  package enum Alignment {
    case left, right
  }

  /// Where a text that is too wide is shortened: the last names of a path matter more than the first.
  package enum Cut {
    case end, beginning
  }

  var title: String
  /// Columns of the terminal it has at least, where there is room; texts make it wider. In the last column, 0
  /// is as many as a path has.
  var width: Int
  /// Columns that it keeps where there is little room; where there is none for them it is left out.
  var least: Int
  var alignment: Alignment
  var cut: Cut
  var text: (Item) -> String
  /// Whether the text is highlighted because it reports a problem.
  var isAlarming: (Item) -> Bool
  /// Whether the text marks a special kind.
  var isBadge: (Item) -> Bool

  /// - Parameter least: if nil, numbers keep their width, and of texts enough is left to be read.
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
  /// Aligned columns under their titles. Nothing listed prints nothing.
  ///
  /// The first items determine the width of the columns, so that the rest can be printed as it comes. On a
  /// terminal no line is wider than it; elsewhere nothing is cut, and what is wider than its column
  /// pushes the rest of its line to the right.
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
  /// One long text does not make a column that is empty but for it.
  private static var widest: Int { 80 }

  /// As wide as the texts of these items, if that is wider.
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
  /// The columns that a terminal has room for, as wide as they are there.
  ///
  /// The widest become narrower until all fit. Where even the least is too much, columns are left out
  /// from the right, but never the last, which also takes what is left over.
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
