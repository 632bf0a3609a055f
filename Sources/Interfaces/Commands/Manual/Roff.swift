/// A document in troff's language, which man(7) pages use.
struct Roff {
  private(set) var text = ""

  /// A macro with its arguments, such as `.SH "EXIT STATUS"`.
  mutating func macro(_ name: String, _ arguments: String...) {
    let quoted = arguments.map { " \"" + Self.literal($0).replacing("\"", with: "\\(dq") + "\"" }
    text += "." + name + quoted.joined() + "\n"
  }

  /// A request of troff itself, with arguments that are not quoted.
  mutating func request(_ line: String) {
    text += "." + line + "\n"
  }

  /// A line of escaped text. An empty one is left out, because it would print a blank line.
  mutating func line(_ line: String) {
    guard !line.isEmpty else { return }
    // A dot or an apostrophe at the beginning would make it a macro.
    text += (line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : "") + line + "\n"
  }

  /// Text, escaped. Hyphens within words stay hyphens; those of options become minus characters that can be copied
  /// into a shell.
  static func escaped(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      word.contains("--") || word.contains("/") || word.contains("_")
        ? literal(String(word)) : quoted(String(word), hyphen: "-")
    }.joined(separator: " ")
  }

  /// What is typed: every hyphen is a minus sign.
  static func literal(_ text: String) -> String {
    quoted(text, hyphen: "\\-")
  }

  private static func quoted(_ text: String, hyphen: String) -> String {
    text.map { character in
      switch character {
      case "\\": "\\e"
      case "-": hyphen
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      case _ where character.isASCII: String(character)
      default:
        // A character by its number, since not every troff reads UTF-8: groff_char(7).
        character.unicodeScalars.map { scalar in
          let digits = String(scalar.value, radix: 16, uppercase: true)
          return "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
        }.joined()
      }
    }.joined()
  }
}
