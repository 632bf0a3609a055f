import MediaModel

/// How much a file's name says that it is a screenshot.
enum ScreenshotName {
  /// As a program names it: its word, then a date or a number in parentheses.
  case strict
  /// The word, then a plain number, `Screenshot_1`: so do programs count, and so do people.
  case numbered
  /// The word is somewhere in the name.
  case loose

  /// The words at the beginning of a screenshot's name, in lower case: macOS, Windows, GNOME and KDE in their
  /// languages; Android uses English everywhere.
  private static let words = [
    "screenshot", "screen shot", "bildschirmfoto", "capture d’écran", "capture d'écran",
    "captura de pantalla", "captura de tela", "captura de ecrã", "captură de ecran", "schermata",
    "schermafbeelding", "schermafdruk", "skärmavbild", "skärmbild", "skærmbillede", "skjermbilde",
    "näyttökuva", "снимок экрана", "знімок екрана", "zrzut ekranu", "snímek obrazovky",
    "snímka obrazovky", "snimka zaslona", "posnetek zaslona", "képernyőfotó", "képernyőkép",
    "στιγμιότυπο οθόνης", "ekran resmi", "ekran görüntüsü", "צילום מסך", "لقطة شاشة", "لقطة الشاشة",
    "ภาพถ่ายหน้าจอ", "ảnh màn hình", "ảnh chụp màn hình", "cuplikan layar", "スクリーンショット",
    "스크린샷", "截屏", "屏幕快照", "屏幕截图", "截圖", "截图", "螢幕快照", "螢幕截圖", "螢幕擷取畫面",
  ]
  /// Words that mean other things too, and count only before a date: Windows' Snip & Sketch, Samsung's
  /// Smart Select, older GNOME.
  private static let datedWords = [
    "annotation", "anmerkung", "anotación", "smartselect", "smartselectimage", "captura", "capture",
  ]

  /// Those of the words that can be in a name in ASCII, and the beginnings of names that are rewritten before they
  /// are compared.
  private static let asciiWords = words.filter { $0.utf8.allSatisfy { $0 < 0x80 } }.map {
    Array($0.utf8)
  }
  /// Whether one of these words begins with a byte.
  private static let beginsWord = (UInt8.min ... .max).map { byte in
    asciiWords.contains { $0.first == byte }
  }
  private static let asciiBeginnings = (datedWords + ["screen", "simulator "])
    .filter { $0.utf8.allSatisfy { $0 < 0x80 } }.map { Array($0.utf8) }

  /// A test of the bytes before the costly ones, which nearly all names fail. Only ASCII words can be in ASCII names.
  private static func mayBeOne(_ name: [UInt8]) -> Bool {
    guard name.allSatisfy({ $0 < 0x80 }) else { return true }
    let folded = name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    if asciiBeginnings.contains(where: folded.starts(with:)) { return true }
    let beginsWord = beginsWord
    return folded.indices.contains { start in
      beginsWord[Int(folded[start])] && asciiWords.contains(where: folded[start...].starts(with:))
    }
  }

  init?(_ name: [UInt8]) {
    guard Self.mayBeOne(name) else { return nil }
    var stem = folded(FileNameParts(name: name).stem)
    stem = stem.withoutSimulator
    if stem.hasPrefix("screen") { stem = stem.withSpaces }
    func begins(_ words: [String], _ isFit: (Substring) -> Bool) -> Bool {
      words.contains { stem.hasPrefix($0) && isFit(stem.dropFirst($0.count)) }
    }
    if begins(Self.words, { Self.isDated($0) || Self.isCounter($0) })
      || begins(Self.datedWords, { Self.isDated($0, after: Self.prepositions) })
    {
      self = .strict
    } else if begins(Self.words, Self.isPlainNumber) {
      self = .numbered
    } else if Self.words.contains(where: { stem.holds($0) }) {
      self = .loose
    } else {
      return nil
    }
  }

  /// Whether a system saves screenshots in folders of this name.
  static func isFolder(_ name: [UInt8]) -> Bool {
    guard mayBeOne(name) else { return false }
    let word = folded(name)
    return words.contains(word) || ["screenshots", "screen shots"].contains(word)
  }

  /// The words that older versions of GNOME put between those words and the date.
  private static let prepositions: Set<Substring> = ["desde", "de", "du", "from"]

  /// `_20230506-123456…`, ` 2023-05-06 at 12.34.56`, ` From 2023-05-06 …`, ` vom 2023-05-06 …`.
  ///
  /// - Parameter words: the only words allowed before the date; nil if all are.
  private static func isDated(_ rest: Substring, after words: Set<Substring>? = nil) -> Bool {
    let text = rest.drop { $0 == " " || $0 == "_" || $0 == "-" }
    if DatePattern.isDate(text) { return true }
    // GNOME puts a preposition there, in the user's language.
    guard rest.first == " " else { return false }
    let word = text.prefix { $0.isLetter }
    let date = text.dropFirst(word.count)
    return word.count <= 8 && words?.contains(word) != false && date.first == " "
      && DatePattern.isDate(date.dropFirst())
  }

  /// ` (12)`, as Windows counts.
  private static func isCounter(_ rest: Substring) -> Bool {
    let text = rest.drop { $0 == " " }
    return text.first == "(" && text.last == ")" && text.count > 2
      && text.dropFirst().dropLast().allSatisfy(\.isASCIIDigit)
  }

  /// `_1`, ` 12`, `-0003`: up to four digits.
  private static func isPlainNumber(_ rest: Substring) -> Bool {
    guard let separator = rest.first, " _-".contains(separator) else { return false }
    let digits = rest.dropFirst()
    return (1...4).contains(digits.count) && digits.allSatisfy(\.isASCIIDigit)
  }
}

/// Dates as programs write them into names.
enum DatePattern {
  /// Whether a text begins with `YYYYMMDD` or `YYYY-MM-DD` of a plausible year; Polish and Finnish macOS
  /// write months and days of one digit, `YYYY-M-D`.
  static func isDate(_ text: some StringProtocol) -> Bool {
    let parts = text.prefix(10).prefix { $0.isASCIIDigit || $0 == "-" }.split(separator: "-")
    if parts.count == 3, parts[0].count == 4, parts[1].count <= 2, parts[2].count <= 2,
      parts[1].count + parts[2].count < 4, let year = Int(parts[0]), let month = Int(parts[1]),
      let day = Int(parts[2])
    {
      return isPlausible(year: year, month: month, day: day)
    }
    let digits = text.prefix(10).filter(\.isASCIIDigit)
    let isCompact = text.prefix(8).count == 8 && text.prefix(8).allSatisfy(\.isASCIIDigit)
    let isSpaced =
      digits.count == 8
      && text.prefix(10).enumerated().allSatisfy { index, character in
        index == 4 || index == 7 ? "-._".contains(character) : character.isASCIIDigit
      }
    guard isCompact || isSpaced, let date = Int(String(digits.prefix(8))) else { return false }
    return isPlausible(year: date / 10_000, month: date / 100 % 100, day: date % 100)
  }

  /// Whether a text begins with `MM-DD-YYYY` or `DD-MM-YYYY`, hyphens or not.
  static func isDateWithYearLast(_ text: some StringProtocol) -> Bool {
    let digits = text.prefix(10).filter(\.isASCIIDigit)
    guard let date = Int(String(digits.prefix(8))), digits.count >= 8 else { return false }
    let (first, second, year) = (date / 1_000_000, date / 10_000 % 100, date % 10_000)
    return isPlausible(year: year, month: first, day: second)
      || isPlausible(year: year, month: second, day: first)
  }

  private static func isPlausible(year: Int, month: Int, day: Int) -> Bool {
    (1990...2100).contains(year) && (1...12).contains(month) && (1...31).contains(day)
  }
}

extension Character {
  var isASCIIDigit: Bool { isASCII && isNumber }
}

/// A name for comparison: text in lower case, with the spaces that macOS puts before AM and PM (U+00A0,
/// U+202F) as plain ones, and without invisible characters: the soft hyphen in the German
/// `Bildschirm\u{AD}foto` of macOS, and those of the direction of writing. Swift compares accented letters by
/// meaning, whichever way a disk spells them.
func folded(_ name: [UInt8]) -> String {
  String(
    String.UnicodeScalarView(
      String(decoding: name, as: UTF8.self).lowercased().unicodeScalars.compactMap { scalar in
        switch scalar {
        case "\u{A0}", "\u{202F}": " "
        case "\u{AD}", "\u{200E}", "\u{200F}", "\u{2066}"..."\u{2069}": nil
        default: scalar
        }
      }))
}

extension String {
  /// A folded name with `_` and `-` between words as the spaces that browsers, mail programs and Slack
  /// have taken them for: `screen_shot_2018-07-04_at_2.49.57_pm`. Those within a date stay.
  var withSpaces: String {
    guard let date = firstIndex(where: \.isASCIIDigit) else { return self }
    return self[..<date].map { $0 == "_" || $0 == "-" ? " " : String($0) }.joined() + self[date...]
  }
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

extension String {
  /// A folded name without what Xcode's simulator puts around a word: `simulator screenshot - iphone 15
  /// pro - 2023-11-08 at 12.34.56` names the device before the date.
  var withoutSimulator: String {
    guard hasPrefix("simulator "), let dash = range(ofLast: " - ") else { return self }
    return String(dropFirst(10).prefix { $0 != "-" }) + String(self[dash.upperBound...])
  }

  /// The last occurrence of a text in this one.
  fileprivate func range(ofLast text: String) -> Range<String.Index>? {
    var found: Range<String.Index>?
    var rest = self[...]
    while let range = rest.firstRange(of: text) {
      found = range
      rest = rest[range.upperBound...]
    }
    return found
  }
}
