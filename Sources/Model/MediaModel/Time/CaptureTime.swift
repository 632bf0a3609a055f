/// When a picture was taken, according to its file: wall time at that place, and its UTC offset if known.
///
/// The time zone of this machine is never used: without an offset in the file the time has none. All values
/// are within the calendar, whatever files and other processes claim.
package struct CaptureTime: Sendable, Hashable {
  /// Seconds from 1970-01-01T00:00:00 to the wall time, both on the same wall clock; within
  /// ``CivilTime/seconds``.
  package let wallSeconds: Int64
  /// The digits after the decimal point of the seconds, as in the file (`"123"`); empty if it has none.
  package let fraction: String
  /// Minutes east of UTC, if known; within ±27 h.
  package let offsetMinutes: Int?
  /// The tags it is from, such as `exif:DateTimeOriginal+OffsetTimeOriginal`.
  package let source: String

  /// The largest distance of a wall clock from UTC: an offset and an error of one day.
  private static let offsets = -27 * 60...27 * 60

  /// Nil outside of the years 1–9999. An impossible offset is dropped.
  package init?(
    wallSeconds: Int64, fraction: String = "", offsetMinutes: Int? = nil, source: String
  ) {
    guard CivilTime.seconds.contains(wallSeconds) else { return nil }
    self.wallSeconds = wallSeconds
    self.fraction = String(fraction.prefix { $0.isASCII && $0.isNumber }.prefix(9))
    self.offsetMinutes = offsetMinutes.flatMap { Self.offsets.contains($0) ? $0 : nil }
    self.source = source
  }

  /// A capture time of a valid date. An impossible offset is dropped.
  package init(
    _ time: CivilTime, fraction: String = "", offsetMinutes: Int? = nil, source: String
  ) {
    wallSeconds = time.secondsSince1970
    self.fraction = String(fraction.prefix { $0.isASCII && $0.isNumber }.prefix(9))
    self.offsetMinutes = offsetMinutes.flatMap { Self.offsets.contains($0) ? $0 : nil }
    self.source = source
  }

  /// The same wall time with the offset from another tag.
  package func with(offsetMinutes: Int, from tag: String) -> CaptureTime {
    CaptureTime(
      CivilTime(secondsSince1970: wallSeconds), fraction: fraction, offsetMinutes: offsetMinutes,
      source: source + "+" + tag)
  }

  /// The same instant on a wall clock with another tag's offset; nil if this time's own offset is unknown or
  /// the calendar ends.
  package func moved(toOffsetMinutes offset: Int, from tag: String) -> CaptureTime? {
    guard let offsetMinutes, Self.offsets.contains(offset) else { return nil }
    return CaptureTime(
      wallSeconds: wallSeconds + Int64(offset - offsetMinutes) * 60, fraction: fraction,
      offsetMinutes: offset, source: source + "+" + tag)
  }

  /// The wall time in milliseconds, the sort key of listings.
  package var wallMilliseconds: Int64 {
    let digits = (fraction + "000").prefix(3)
    return wallSeconds * 1000 + (Int64(digits) ?? 0)
  }

  /// The instant in milliseconds since 1970 UTC; nil if the offset is unknown.
  package var utcMilliseconds: Int64? {
    offsetMinutes.map { wallMilliseconds - Int64($0) * 60_000 }
  }

  /// ISO 8601: `2022-02-16T12:55:41.123+01:00`; no offset if it is unknown; `+00:00` for UTC.
  package var iso8601: String {
    let time = CivilTime(secondsSince1970: wallSeconds)
    return time.iso8601 + (fraction.isEmpty ? "" : "." + fraction) + (offsetText ?? "")
  }

  /// The offset as `+01:00`; nil if it is unknown.
  package var offsetText: String? {
    guard let offsetMinutes else { return nil }
    let magnitude = abs(offsetMinutes)
    return (offsetMinutes < 0 ? "-" : "+") + twoDigits(magnitude / 60) + ":"
      + twoDigits(magnitude % 60)
  }
}

/// A date and time of day in the proleptic Gregorian calendar, without an offset.
package struct CivilTime: Sendable, Hashable {
  package let year: Int
  package let month: Int
  package let day: Int
  package let hour: Int
  package let minute: Int
  package let second: Int

  /// ``secondsSince1970`` of the years 1–9999.
  package static let seconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// Nil unless the fields are a valid date (years 1–9999) and time of day; leap seconds are refused.
  package init?(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0
  ) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.days(inMonth: month, of: year), (0...23).contains(hour),
      (0...59).contains(minute), (0...59).contains(second)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second) = (hour, minute, second)
  }

  /// Converts seconds to a date and time; seconds outside of ``seconds`` are clamped. The inverse of
  /// ``secondsSince1970``.
  ///
  /// Days to civil date by Howard Hinnant's `civil_from_days`.
  package init(secondsSince1970 seconds: Int64) {
    let bounded = min(max(seconds, Self.seconds.lowerBound), Self.seconds.upperBound)
    let secondOfDay = (Int(bounded) % 86_400 + 86_400) % 86_400
    let days = (Int(bounded) - secondOfDay) / 86_400
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    hour = secondOfDay / 3600
    minute = secondOfDay / 60 % 60
    second = secondOfDay % 60
  }

  /// Converts milliseconds, rounded down to the second, also before 1970.
  package init(millisecondsSince1970 milliseconds: Int64) {
    self.init(secondsSince1970: milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0))
  }

  /// Seconds since 1970-01-01T00:00:00 on the same clock (Hinnant's `days_from_civil`).
  package var secondsSince1970: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = Int64(era * 146_097 + dayOfEra - 719_468)
    return days * 86_400 + Int64(hour * 3600 + minute * 60 + second)
  }

  /// Whether two counts of seconds since 1970 are on the same day of their clock.
  package static func isSameDay(_ left: Int64, _ right: Int64) -> Bool {
    let (one, other) = (CivilTime(secondsSince1970: left), CivilTime(secondsSince1970: right))
    return (one.year, one.month, one.day) == (other.year, other.month, other.day)
  }

  /// `2022-02-16T12:55:41`.
  package var iso8601: String {
    let digits = String(year)
    let paddedYear = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return "\(paddedYear)-\(twoDigits(month))-\(twoDigits(day))T"
      + "\(twoDigits(hour)):\(twoDigits(minute)):\(twoDigits(second))"
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// A number below 100, in two digits.
private func twoDigits(_ number: Int) -> String {
  number < 10 ? "0\(number)" : String(number)
}
