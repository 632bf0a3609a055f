import MediaModel

/// Dates in file names, used only if the file itself contains none.
///
/// `PXL_20210503_101112345` is UTC by Google's convention, and so is `20160521_203412000_iOS`, as OneDrive
/// names pictures from iPhones. All other names have the device's local time, without an offset. The source
/// is `name:` and the letters at the beginning of the name, or `iOS`.
enum FileNameTime {
  static func captureTime(name: [UInt8]) -> CaptureTime? {
    let stem = FileNameParts(name: name).stem
    let prefix = stem.prefix { isLetter($0) }
    let isFromOneDrive = stem.suffix(4).elementsEqual("_iOS".utf8)
    let word = prefix.isEmpty ? "date" : String(decoding: prefix, as: UTF8.self)
    let label = isFromOneDrive ? "iOS" : word
    if label == "RPReplay", let recording = screenRecording(stem) { return recording }
    let isUTC = label == "PXL" || isFromOneDrive
    for start in stem.indices where startsNumber(stem, at: start) {
      guard let (time, fraction) = dateAndTime(Array(stem[start...])) else { continue }
      return CaptureTime(
        time, fraction: fraction, offsetMinutes: isUTC ? 0 : nil, source: "name:" + label)
    }
    return whatsApp(stem)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func startsNumber(_ stem: [UInt8], at index: Int) -> Bool {
    isDigit(stem[index]) && (index == 0 || !isDigit(stem[index - 1]))
  }

  /// `20210503_101112`, `2021-05-03 10.11.12`, `20210503101112345`, `2021-05-03 at 1.11.12 PM`,
  /// `2021-05-3 o 10.11.12` …
  private static func dateAndTime(_ text: [UInt8]) -> (CivilTime, fraction: String)? {
    var scanner = DigitScanner(text)
    guard let year = scanner.number(digits: 4), (1970...2100).contains(year) else { return nil }
    let isSeparated = scanner.skip("-._:")
    guard let month = scanner.oneOrTwoDigits(mayBeOne: isSeparated) else { return nil }
    if isSeparated, !scanner.skip("-._:") { return nil }
    guard let day = scanner.oneOrTwoDigits(mayBeOne: isSeparated),
      var period = DayPeriod(between: &scanner, isSeparated: isSeparated),
      let hour = scanner.oneOrTwoDigits(mayBeOne: true)
    else { return nil }
    let hasSeparatedTime = scanner.skip(".-:_")
    guard let minute = scanner.number(digits: 2) else { return nil }
    if hasSeparatedTime, !scanner.skip(".-:_") { return nil }
    guard let second = scanner.number(digits: 2) else { return nil }
    period.take(after: &scanner)
    guard let fraction = fraction(&scanner),
      let time = CivilTime(
        year: year, month: month, day: day, hour: period.hour(hour), minute: minute, second: second)
    else { return nil }
    return (time, fraction)
  }

  /// Three digits after the seconds, or after a hyphen, are milliseconds. Nil if other digits follow the
  /// seconds directly, as in Facebook's numbers: then the name has no time.
  private static func fraction(_ scanner: inout DigitScanner) -> String? {
    let isApart = scanner.skip("-")
    let digits = scanner.digits()
    if digits.count == 3 { return digits }
    return digits.isEmpty || isApart ? "" : nil
  }

  /// `IMG-20190704-WA0001`: WhatsApp writes the day on which it received the picture.
  private static func whatsApp(_ stem: [UInt8]) -> CaptureTime? {
    var scanner = DigitScanner(stem)
    guard scanner.skip(whole: "IMG-") || scanner.skip(whole: "VID-"),
      let year = scanner.number(digits: 4), let month = scanner.number(digits: 2),
      let day = scanner.number(digits: 2), scanner.skip(whole: "-WA"),
      let date = CivilTime(year: year, month: month, day: day)
    else { return nil }
    return CaptureTime(date, source: "name:WhatsApp")
  }

  /// `RPReplay_Final1620000000`: iOS names a screen recording after the seconds since 1970.
  private static func screenRecording(_ stem: [UInt8]) -> CaptureTime? {
    var scanner = DigitScanner(stem)
    guard scanner.skip(whole: "RPReplay_Final") else { return nil }
    guard let seconds = Int64(scanner.digits()), (1_000_000_000..<4_000_000_000).contains(seconds)
    else { return nil }
    return CaptureTime(wallSeconds: seconds, offsetMinutes: 0, source: "name:RPReplay")
  }
}

extension DigitScanner {
  /// Skips a word if it is next.
  mutating func skip(whole word: String) -> Bool {
    var ahead = self
    for character in word {
      guard ahead.skip(String(character)) else { return false }
    }
    self = ahead
    return true
  }

  /// Two digits, or one if `mayBeOne`.
  fileprivate mutating func oneOrTwoDigits(mayBeOne: Bool) -> Int? {
    number(digits: 2) ?? (mayBeOne ? number(digits: 1) : nil)
  }
}
