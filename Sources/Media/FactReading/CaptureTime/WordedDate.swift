import MediaModel

// Dates in words, as C's library and mail programs write them.

extension DateText {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  /// Offsets by name (RFC 822 §5.1); other names are ambiguous or unknown.
  private static let zones = [
    "GMT": 0, "UT": 0, "UTC": 0, "Z": 0, "EST": -300, "EDT": -240, "CST": -360, "CDT": -300,
    "MST": -420, "MDT": -360, "PST": -480, "PDT": -420,
  ]
  /// Texts with more words are not dates.
  private static let maximumWords = 8

  /// Reads `Sat, 06 May 2023 12:34:56 +0200` (RFC 1123, as the PNG specification recommends), `Sat May
  /// 6 12:34:56 2023` (C's `asctime`, and the IDIT chunk of AVI), `Sat 06 May 2023 12:34:56 PM CEST`
  /// (`%c` of glibc): an English month name, a day, a year of four digits, and a time of day, optionally
  /// followed by an offset or AM or PM.
  init?(worded text: String) {
    let words = text.split(whereSeparator: { " ,\t".contains($0) }).prefix(Self.maximumWords)
    guard
      let place = words.firstIndex(where: { Self.months.contains($0.prefix(3).lowercased()) }),
      let month = Self.months.firstIndex(of: words[place].prefix(3).lowercased())
    else { return nil }
    let numbers = words.filter { $0.allSatisfy { $0.isASCII && $0.isNumber } }
    guard let year = numbers.first(where: { $0.count == 4 }).flatMap({ Int($0) }),
      let day = numbers.first(where: { $0.count < 3 }).flatMap({ Int($0) }),
      let clock = words.firstIndex(where: { $0.contains(":") }),
      words[clock].first?.isNumber == true
    else { return nil }
    let fields = words[clock].split(separator: ":").map { Int($0) }
    guard (2...3).contains(fields.count), let hour = fields[0], let minute = fields[1],
      let second = fields.count == 3 ? fields[2] : 0
    else { return nil }
    let rest = words[(clock + 1)...]
    // glibc's locales with `%r` write AM or PM even with a 24-hour clock.
    let isAfternoon = rest.contains("PM") && hour < 12
    let isMidnight = rest.contains("AM") && hour == 12
    guard
      let time = CivilTime(
        year: year, month: month + 1, day: day,
        hour: isAfternoon ? hour + 12 : isMidnight ? 0 : hour, minute: minute, second: second)
    else { return nil }
    self.init(wall: time)
    offsetMinutes = rest.lazy.compactMap { Self.zones[String($0)] ?? Self.offset($0) }.first
  }

  /// Reads the date of an AVI's IDIT chunk, which cameras write in several forms (exiftool's
  /// `ConvertRIFFDate`): in words; `2001/ 1/27  1:42PM` (Casio QV-3EX); `2005/11/28/ 09:19` (Casio
  /// EX-Z30); `2002-12-16  15:35:01` (Konica KD500Z).
  init?(avi text: String) {
    if let worded = DateText(worded: text) {
      self = worded
      return
    }
    let numbers = text.split { !($0.isASCII && $0.isNumber) }.prefix(6).map { Int($0) }
    guard numbers.count >= 5, numbers.allSatisfy({ $0 != nil }),
      case let fields = numbers.compactMap(\.self), text.first?.isNumber == true,
      let time = CivilTime(
        year: fields[0], month: fields[1], day: fields[2],
        hour: text.contains("PM") && fields[3] < 12
          ? fields[3] + 12 : text.contains("AM") && fields[3] == 12 ? 0 : fields[3],
        minute: fields[4], second: fields.count > 5 ? fields[5] : 0)
    else { return nil }
    self.init(wall: time)
  }
}
