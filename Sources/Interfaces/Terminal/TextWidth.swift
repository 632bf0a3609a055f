// The width of texts on a terminal, in columns. East Asian wide letters and emoji take two columns, combining marks
// none (Unicode Standard Annex 11).

import MediaModel

extension String {
  /// Columns on a terminal.
  package var columns: Int {
    // Nearly all texts are ASCII, with one column a byte.
    if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return utf8.count }
    return reduce(0) { $0 + $1.columns }
  }

  /// The end of the text that fits, after an ellipsis if the start was cut.
  func keepingEnd(columns limit: Int) -> String {
    guard columns > limit else { return self }
    var kept: [Character] = []
    var width = 1
    for character in reversed() {
      width += character.columns
      if width > limit { break }
      kept.append(character)
    }
    return "…" + String(kept.reversed())
  }

  /// The beginning of the text that fits, before an ellipsis if the end was cut.
  package func keepingBeginning(columns limit: Int) -> String {
    guard columns > limit else { return self }
    var kept = ""
    var width = 1
    for character in self {
      width += character.columns
      if width > limit { break }
      kept.append(character)
    }
    return kept + "…"
  }

  /// The text without control sequences for a terminal: control characters and those that change the direction of
  /// writing become U+FFFD.
  package var terminalSafe: String {
    // Nearly all texts are ASCII without controls.
    if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
    guard unicodeScalars.contains(where: \.isDisplayControl) else { return self }
    return String(
      String.UnicodeScalarView(unicodeScalars.map { $0.isDisplayControl ? "\u{FFFD}" : $0 }))
  }
}

extension Character {
  /// Columns on a terminal.
  fileprivate var columns: Int {
    if let asciiValue { return (0x20...0x7E).contains(asciiValue) ? 1 : 0 }
    guard let first = unicodeScalars.first else { return 0 }
    if first.isWide || unicodeScalars.contains("\u{FE0F}") { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return 1
    }
  }
}

extension Unicode.Scalar {
  /// The blocks that UAX 11 classifies as wide or full-width. Emoji are recognised by their own property.
  private static let wideBlocks: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x17000...0x18D08, 0x1B000...0x1B2FB, 0x1F200...0x1F320, 0x20000...0x3FFFD,
  ]

  fileprivate var isWide: Bool {
    value >= 0x1100
      && (properties.isEmojiPresentation || Self.wideBlocks.contains { $0.contains(value) })
  }
}
