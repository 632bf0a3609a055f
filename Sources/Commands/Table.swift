/// One column of a table.
struct TableColumn<Item> {
  enum Alignment {
    case left, right
  }

  /// Where a text is cut that is too wide: a path's last names tell more than its first.
  enum Cut {
    case end, beginning
  }

  var title: String
  /// Columns of the terminal it would like to have. In the last column, 0 is as many as a path has.
  var width: Int
  /// Columns of the terminal it has at least; where there is no room for them it is left out.
  var least: Int
  var alignment: Alignment
  var cut: Cut
  var text: (Item) -> String
  /// Whether the text stands out, since something is wrong.
  var isAlarming: (Item) -> Bool
  /// Whether the text marks a special kind.
  var isBadge: (Item) -> Bool

  /// - Parameter least: if nil, numbers keep their width, and of texts enough is left to be read.
  init(
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

  /// The same column where somebody asked for it: it becomes narrow before it is left out.
  var chosen: TableColumn {
    var column = self
    column.least = min(width, 6)
    return column
  }
}

extension Printer {
  /// Aligned columns under their titles. Nothing listed prints nothing.
  ///
  /// Widths are fixed beforehand, so that a line can be printed before the next one is known. On a
  /// terminal no line is wider than it; elsewhere nothing is cut, and what is wider than its column
  /// pushes the rest of its line to the right.
  static func table(_ columns: [TableColumn<Item>], style: Style, to output: Output) -> Printer {
    let columns = style.width.map { columns.fitting($0) } ?? columns
    let isCut = style.width != nil
    typealias Cell = (text: String, cut: TableColumn<Item>.Cut)
    func line(_ cells: [Cell], _ paint: (Int, String) -> String) throws {
      let painted = cells.indices.map { index in
        let (text, cut) = cells[index]
        let fitting = isCut ? columns[index].shortened(text, at: cut) : text
        return paint(index, index == cells.count - 1 ? fitting : columns[index].padded(fitting))
      }
      try output.line(painted.joined(separator: tableGap))
    }
    var isFirst = true
    return Printer { item in
      if isFirst { try line(columns.map { ($0.title, .end) }) { style.bold($1) } }
      isFirst = false
      try line(columns.map { ($0.text(item).harmless, $0.cut) }) { index, cell in
        if columns[index].isAlarming(item) { return style.red(cell) }
        return columns[index].isBadge(item) ? style.cyan(cell) : cell
      }
    }
  }
}

/// What stands between two columns.
private let tableGap = "  "

extension TableColumn {
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
