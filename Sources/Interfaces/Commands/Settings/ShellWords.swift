import MediaModel
import Query

/// Splits a line into words as a shell does: at spaces, except in `'…'`, in `"…"` and after a backslash. Nothing is
/// expanded.
///
/// - Throws: `BadValue` if a quotation mark has no partner.
func shellWords(_ line: String) throws(BadValue) -> [String] {
  var words: [String] = []
  var word: String?
  var quote: Character?
  var isEscaped = false
  for character in line {
    if isEscaped {
      // In double quotes, a backslash before any other character is itself.
      if quote == "\"", character != "\"", character != "\\" { word = (word ?? "") + "\\" }
      word = (word ?? "") + String(character)
      isEscaped = false
    } else if character == "\\", quote != "'" {
      isEscaped = true
    } else if let open = quote {
      if character == open { quote = nil } else { word = (word ?? "") + String(character) }
    } else if character == "'" || character == "\"" {
      quote = character
      word = word ?? ""
    } else if character.isWhitespace {
      if let word { words.append(word) }
      word = nil
    } else {
      word = (word ?? "") + String(character)
    }
  }
  if quote != nil || isEscaped { throw BadValue(line, "has a quotation mark without a partner") }
  return words + (word.map { [$0] } ?? [])
}

/// A word that ``shellWords(_:)`` and shells read as this text: in single quotes unless it has only letters, digits and
/// characters that are not special.
func shellWord(_ text: String) -> String {
  let isPlain = text.unicodeScalars.allSatisfy {
    $0.properties.isAlphabetic || ("0"..."9").contains($0)
      || "/._-+,:=@%".unicodeScalars.contains($0)
  }
  return isPlain && !text.isEmpty ? text : "'\(text.replacing("'", with: "'\\''"))'"
}
