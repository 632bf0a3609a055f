/// Which half of the day a time in a name is of, and what stands around it.
///
/// macOS puts a word of the user's language between the date and the time of a screenshot, and where its
/// clock has twelve hours the half of the day behind the time, or in Korean, Chinese and Japanese before
/// it. The words are those of names that are met (`Bildschirmfoto 2023-05-06 um 12.34.56`, `스크린샷
/// 2023-05-06 오후 3.50.37`, `Captura de pantalla 2024-07-10 a la(s) 5.16.27 p. m.`) and of CLDR's day
/// periods.
struct DayPeriod {
  private enum Half { case morning, afternoon }

  private var half: Half?

  /// Before the time; of CLDR's finer ones the night and noon belong to either half by the hour.
  private static let before: [(word: String, half: Half)] = [
    ("오전", .morning), ("오후", .afternoon), ("上午", .morning), ("凌晨", .morning),
    ("清晨", .morning), ("早上", .morning), ("午夜", .morning), ("下午", .afternoon),
    ("傍晚", .afternoon), ("晚上", .afternoon), ("午前", .morning), ("午後", .afternoon),
    ("ÖÖ", .morning), ("ÖS", .afternoon),
  ]
  private static let behind: [(word: String, half: Half)] = [
    ("PM", .afternoon), ("pm", .afternoon), ("p.m.", .afternoon), ("p. m.", .afternoon),
    ("пп", .afternoon), ("μ.μ.", .afternoon), ("μμ", .afternoon), ("ÖS", .afternoon),
    ("AM", .morning), ("am", .morning), ("a.m.", .morning), ("a. m.", .morning),
    ("дп", .morning), ("π.μ.", .morning), ("πμ", .morning), ("ÖÖ", .morning),
  ]
  private static let spaces = [" ", "\u{A0}", "\u{202F}"]
  /// Bytes of the longest word there is room for.
  private static let longestWord = 16

  /// Steps from behind a date to its time; nil where something stands between that does not belong there.
  ///
  /// - Parameter isSeparated: whether the date's parts are; only then a word may follow.
  init?(between scanner: inout DigitScanner, isSeparated: Bool) {
    for (word, half) in Self.before {
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

  /// Steps over the half of the day behind a time. It stands behind a space, since macOS 13 a narrow one
  /// that does not break; browsers and mail programs make it `_` or `-`.
  mutating func take(behind scanner: inout DigitScanner) {
    var ahead = scanner
    _ = ahead.skip(any: Self.spaces + ["_", "-"])
    for (word, half) in Self.behind where ahead.skip(whole: word) {
      (scanner, self.half) = (ahead, half)
      return
    }
  }

  /// The hour of the day for the hour that was written.
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

  /// Steps over a word or two that begin here, with what is set around them, and the space behind; stays
  /// where no digit follows. Han, kana and Hangul tell the half of the day and are no such words.
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
