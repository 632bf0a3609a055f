// Text in HTML pages. Texts from a library are hostile: they may contain markup, quotes, control characters, and
// characters that change the direction of writing.

import Terminal

extension String {
  /// Escaped for the content of an element or for an attribute in double quotes.
  var escapedForHTML: String {
    let terminalSafe = terminalSafe
    guard terminalSafe.utf8.contains(where: { [0x22, 0x26, 0x27, 0x3C, 0x3E].contains($0) }) else {
      return terminalSafe
    }
    return terminalSafe.reduce(into: "") { text, character in
      switch character {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      default: text.append(character)
      }
    }
  }
}
