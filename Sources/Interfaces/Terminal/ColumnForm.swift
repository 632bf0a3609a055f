/// The title and the place of a column in a table.
package struct ColumnForm {
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
  /// Whether the user selected it: it is shown even if it is empty.
  var isChosen = false

  func shortened(_ text: String, at cut: Cut) -> String {
    switch cut {
    case .end: text.keepingBeginning(columns: width)
    case .beginning: text.keepingEnd(columns: width)
    }
  }

  func padded(_ text: String) -> String {
    let missing = width - text.columns
    guard missing > 0 else { return text }
    let padding = String(repeating: " ", count: missing)
    return alignment == .right ? padding + text : text + padding
  }
}

/// The space between two columns.
let tableGap = "  "

extension [ColumnForm] {
  /// The columns that fit a terminal, with their widths.
  ///
  /// The widest become narrower until all fit. If even the least widths are too much, columns are omitted from the
  /// right, except the last one, which also gets the remaining width.
  func fitting(_ width: Int) -> [ColumnForm] {
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
