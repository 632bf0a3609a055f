// Text for HTML pages. Whatever comes from a library is hostile: names may hold markup, quotes,
// control characters, and marks that turn the direction of writing.

import Terminal

extension String {
  /// As the content of an element or of an attribute in double quotes.
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
