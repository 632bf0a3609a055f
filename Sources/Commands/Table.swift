/// One column of a table.
struct TableColumn<Item> {
  enum Alignment {
    case left, right
  }

  var title: String
  /// Columns of the terminal; what is wider pushes the rest of its line to the right. The last column
  /// takes what is left; where that is too little, the columns before it are left out.
  var width: Int
  var alignment: Alignment
  var text: (Item) -> String
  /// Whether the text stands out, since something is wrong.
  var isAlarming: (Item) -> Bool
  /// Whether the text marks a special kind.
  var isBadge: (Item) -> Bool

  init(
    _ title: String, width: Int = 0, alignment: Alignment = .left,
    isAlarming: @escaping (Item) -> Bool = { _ in false },
    isBadge: @escaping (Item) -> Bool = { _ in false }, _ text: @escaping (Item) -> String
  ) {
    self.title = title
    self.width = width
    self.alignment = alignment
    self.text = text
    self.isAlarming = isAlarming
    self.isBadge = isBadge
  }
}

extension Printer {
  /// Aligned columns under their titles. Nothing listed prints nothing.
  ///
  /// Widths are fixed beforehand, so that a line can be printed before the next one is known. On a
  /// terminal the last column is cut to fit, at its beginning: a path's end tells more.
  static func table(_ columns: [TableColumn<Item>], style: Style, to output: Output) -> Printer {
    var isFirst = true
    let columns = TableLayout.fitting(columns, into: style.width)
    let layout = TableLayout(widths: columns.map(\.width), style: style)
    return Printer { item in
      if isFirst {
        let titles = layout.cells(columns.map { ($0.title, $0.alignment == .right) })
        try output.line(titles.map(style.bold).joined(separator: TableLayout.gap))
      }
      isFirst = false
      let cells = layout.cells(columns.map { ($0.text(item).harmless, $0.alignment == .right) })
      let colored = zip(columns, cells).map { column, cell in
        if column.isAlarming(item) { return style.red(cell) }
        return column.isBadge(item) ? style.cyan(cell) : cell
      }
      try output.line(colored.joined(separator: TableLayout.gap))
    }
  }
}

/// The measures of a table.
private struct TableLayout {
  static let gap = "  "

  /// What the last column has at least.
  private static let leastLast = 10

  let widths: [Int]
  let style: Style

  /// The columns that a terminal has room for: the last, and of the others as many of the first as fit.
  static func fitting<Item>(
    _ columns: [TableColumn<Item>], into width: Int?
  ) -> [TableColumn<Item>] {
    guard let width, let last = columns.last else { return columns }
    var used = leastLast
    let others = columns.dropLast().prefix { column in
      used += column.width + gap.count
      return used <= width
    }
    return others + [last]
  }

  /// The cells of a line, padded to their columns.
  func cells(_ texts: [(text: String, isRight: Bool)]) -> [String] {
    var used = 0
    return texts.indices.map { index in
      let (text, isRight) = texts[index]
      guard index < texts.count - 1 else { return last(text, used: used) }
      let padding = String(repeating: " ", count: max(0, widths[index] - text.columns))
      let cell = isRight ? padding + text : text + padding
      used += cell.columns + Self.gap.count
      return cell
    }
  }

  /// The last cell, which needs no padding behind it.
  private func last(_ text: String, used: Int) -> String {
    guard let width = style.width else { return text }
    return text.keepingEnd(columns: max(1, width - used))
  }
}
