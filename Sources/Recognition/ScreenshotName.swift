import MediaModel

/// How much a file's name says that it is a screenshot.
enum ScreenshotName {
  /// As a program names it: its word, then a date or a counter.
  case strict
  /// The word is somewhere in the name.
  case loose

  /// The words that systems and desktop programs begin a screenshot's name with, in lower case.
  private static let words = [
    "screenshot", "screen shot", "bildschirmfoto", "capture d’écran", "capture d'écran",
    "captura de pantalla", "captura de tela", "captura de ecrã", "schermata", "schermafbeelding",
    "skärmavbild", "skärmbild", "skærmbillede", "skjermbilde", "näyttökuva", "снимок экрана",
    "zrzut ekranu", "snímek obrazovky", "snímka obrazovky", "képernyőfotó", "ekran resmi",
    "ekran görüntüsü", "スクリーンショット", "스크린샷", "截屏", "屏幕快照", "截圖", "截图", "螢幕快照",
    "bildschirmfoto vom", "captura desde", "capture du",
  ]

  init?(_ name: [UInt8]) {
    let stem = folded(FileNameParts(name: name).stem)
    if let word = Self.words.first(where: { stem.hasPrefix($0) }),
      Self.isDateOrCounter(stem.dropFirst(word.count))
    {
      self = .strict
    } else if Self.words.contains(where: { stem.holds($0) }) {
      self = .loose
    } else {
      return nil
    }
  }

  /// Whether a folder by this name is where a system puts screenshots.
  static func isFolder(_ name: [UInt8]) -> Bool {
    let word = folded(name)
    return words.contains(word) || ["screenshots", "screen shots"].contains(word)
  }

  /// `_20230506-123456…`, ` 2023-05-06 at 12.34.56`, ` from 2023-05-06 …`, ` (12)`.
  private static func isDateOrCounter(_ rest: Substring) -> Bool {
    var text = rest.drop { $0 == " " || $0 == "_" || $0 == "-" }
    for joint in ["from ", "vom ", "desde ", "du "] where text.hasPrefix(joint) {
      text = text.dropFirst(joint.count)
    }
    if text.first == "(" {
      let digits = text.dropFirst().prefix(while: \.isASCIIDigit)
      return !digits.isEmpty && text.dropFirst(1 + digits.count) == ")"
    }
    return DatePattern.isDate(text)
  }
}

/// Dates as programs write them into names.
enum DatePattern {
  /// Whether a text begins with `YYYYMMDD` or `YYYY-MM-DD` of a plausible year.
  static func isDate(_ text: some StringProtocol) -> Bool {
    let digits = text.prefix(10).filter(\.isASCIIDigit)
    let isCompact = text.prefix(8).count == 8 && text.prefix(8).allSatisfy(\.isASCIIDigit)
    let isSpaced =
      digits.count == 8
      && text.prefix(10).enumerated().allSatisfy { index, character in
        index == 4 || index == 7 ? "-._".contains(character) : character.isASCIIDigit
      }
    guard isCompact || isSpaced, let date = Int(String(digits.prefix(8))) else { return false }
    return (1990...2100).contains(date / 10_000) && (1...12).contains(date / 100 % 100)
      && (1...31).contains(date % 100)
  }
}

extension Character {
  var isASCIIDigit: Bool { isASCII && isNumber }
}

/// A name for comparison: text in lower case, with the spaces that macOS puts before AM and PM (U+00A0,
/// U+202F) as plain ones. Swift compares accented letters by meaning, whichever way a disk spells them.
func folded(_ name: [UInt8]) -> String {
  String(
    String(decoding: name, as: UTF8.self).lowercased().map {
      $0 == "\u{A0}" || $0 == "\u{202F}" ? " " : $0
    })
}

extension String {
  /// Whether the text has the word in it, found byte by byte where that is enough: for a name in ASCII,
  /// as nearly all are, only an ASCII word can match, and no letter has two spellings.
  func holds(_ word: String) -> Bool {
    let bytes = Array(utf8)
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return contains(word) }
    let wanted = Array(word.utf8)
    guard let first = wanted.first, wanted.count <= bytes.count else { return wanted.isEmpty }
    return (0...(bytes.count - wanted.count)).contains { start in
      bytes[start] == first && bytes[start..<(start + wanted.count)].elementsEqual(wanted)
    }
  }
}
