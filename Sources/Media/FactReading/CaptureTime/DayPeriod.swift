/// The half of the day that a time in a file name belongs to, with the words around it.
///
/// macOS puts a word of the user's language between the date and the time of a screenshot. With a 12-hour
/// clock the half of the day follows the time; in Korean, Chinese and Japanese it precedes the time. The
/// words are from names found in libraries (`Bildschirmfoto 2023-05-06 um 12.34.56`, `스크린샷
/// 2023-05-06 오후 3.50.37`, `Captura de pantalla 2024-07-10 a la(s) 5.16.27 p. m.`) and from CLDR's day
/// periods.
struct DayPeriod {
  private enum Half { case morning, afternoon }

  private var half: Half?

  /// Words before the time. CLDR's periods of the night and noon may belong to either half, by the hour.
  private static let beforeTime: [(word: String, half: Half)] = [
    ("오전", .morning), ("오후", .afternoon), ("上午", .morning), ("凌晨", .morning),
    ("清晨", .morning), ("早上", .morning), ("午夜", .morning), ("下午", .afternoon),
    ("傍晚", .afternoon), ("晚上", .afternoon), ("午前", .morning), ("午後", .afternoon),
    ("ÖÖ", .morning), ("ÖS", .afternoon),
  ]
  private static let afterTime: [(word: String, half: Half)] = [
    ("PM", .afternoon), ("pm", .afternoon), ("p.m.", .afternoon), ("p. m.", .afternoon),
    ("пп", .afternoon), ("μ.μ.", .afternoon), ("μμ", .afternoon), ("ÖS", .afternoon),
    ("AM", .morning), ("am", .morning), ("a.m.", .morning), ("a. m.", .morning),
    ("дп", .morning), ("π.μ.", .morning), ("πμ", .morning), ("ÖÖ", .morning),
  ]
  private static let spaces = [" ", "\u{A0}", "\u{202F}"]
  /// The longest word between date and time, in bytes.
  private static let longestWord = 16

  /// Skips from the end of a date to its time; nil if there is anything unexpected between them.
  ///
  /// - Parameter isSeparated: whether the date's parts are separated; only then a word may follow.
  init?(between scanner: inout DigitScanner, isSeparated: Bool) {
    for (word, half) in Self.beforeTime {
      var ahead = scanner
      while ahead.skip(any: Self.spaces) {}
      guard ahead.skip(whole: word) else { continue }
      while ahead.skip(any: Self.spaces) {}
      (scanner, self.half) = (ahead, half)
      return
    }
    for separator in ["_", "-", " ", "at", "T", "_", "-", " "] {
      _ = scanner.skip(whole: separator)
    }
    if !scanner.isAtDigit, isSeparated { scanner.skipWord(atMost: Self.longestWord) }
    guard scanner.isAtDigit else { return nil }
  }

  /// Skips the half of the day after a time. A space precedes it, since macOS 13 a narrow no-break space;
  /// browsers and mail programs replace it by `_` or `-`.
  mutating func take(after scanner: inout DigitScanner) {
    var ahead = scanner
    _ = ahead.skip(any: Self.spaces + ["_", "-"])
    for (word, half) in Self.afterTime where ahead.skip(whole: word) {
      (scanner, self.half) = (ahead, half)
      return
    }
  }

  /// The hour of the day for the written hour.
  func hour(_ written: Int) -> Int {
    switch half {
    case .afternoon where written < 12: written + 12
    case .morning where written == 12: 0
    default: written
    }
  }
}

extension DigitScanner {
  fileprivate var isAtDigit: Bool {
    var ahead = self
    return ahead.number(digits: 1) != nil
  }

  fileprivate mutating func skip(any words: [String]) -> Bool {
    words.contains { skip(whole: $0) }
  }

  /// Skips a word or two, with punctuation and the space after them, if a digit follows. Words in Han, kana
  /// or Hangul are not skipped, because they may name the half of the day.
  fileprivate mutating func skipWord(atMost limit: Int) {
    let text = rest.prefix { !$0.isASCII || !$0.isNumber }
    let isWord = text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic && !(0x1100...0xFFFF ~= scalar.value)
        || scalar.properties.isWhitespace || scalar.properties.generalCategory == .nonspacingMark
        || ".,()-".unicodeScalars.contains(scalar)
    }
    guard isWord, text.last == " ", text.utf8.count <= limit, text.utf8.count < rest.utf8.count
    else { return }
    _ = skip(whole: String(text))
  }
}
