/// Text in the language of troff, of which man(7) pages are made, written line by line.
struct Roff {
  private(set) var text = ""

  /// A macro with its arguments, as `.SH "EXIT STATUS"`.
  mutating func macro(_ name: String, _ arguments: String...) {
    let quoted = arguments.map { " \"" + Self.literal($0).replacing("\"", with: "\\(dq") + "\"" }
    text += "." + name + quoted.joined() + "\n"
  }

  /// A request of troff itself, with arguments that are not quoted.
  mutating func request(_ line: String) {
    text += "." + line + "\n"
  }

  /// A line of text that is escaped already; none that is empty, which would mean a blank line.
  mutating func line(_ line: String) {
    guard !line.isEmpty else { return }
    // A point or an apostrophe at its beginning would make it a macro.
    text += (line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : "") + line + "\n"
  }

  /// Prose: what troff would take for its own is shown as it is. Hyphens within words stay hyphens,
  /// those of options become minus characters that can be copied into a shell.
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
        // By its number, since not every troff takes UTF-8: groff_char(7).
        character.unicodeScalars.map { scalar in
          let digits = String(scalar.value, radix: 16, uppercase: true)
          return "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
        }.joined()
      }
    }.joined()
  }
}
