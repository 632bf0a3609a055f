import Foundation
import MediaModel

/// A date, or date and time, on the wall clock where a picture was taken, as exact as it was typed:
/// `2023`, `2023-05`, `2023-05-14`, `2023-05-14T16:30`, `2023-05-14 16:30:59`,
/// `2023-05-14T16:30:59.123`.
package struct WallDate: Sendable, Hashable {
  /// Its first millisecond, since 1970-01-01T00:00:00 on that clock.
  package let firstMillisecond: Int64
  /// The first millisecond after it.
  package let endMillisecond: Int64

  /// One millisecond, since 1970-01-01T00:00:00 on that clock.
  package init(millisecond: Int64) {
    firstMillisecond = millisecond
    endMillisecond = millisecond + 1
  }

  /// Reads what a user typed: a date of one of the forms above, or a ``RelativeDate``.
  ///
  /// - Parameters:
  ///   - isUTC: whether a relative date is one in UTC, and not on this machine's clock.
  ///   - now: what a relative date is relative to.
  package init(typed text: String, isUTC: Bool = false, now: Instant = .now) throws(BadValue) {
    if let relative = RelativeDate(typed: text) {
      self.init(relative, now: now, isUTC: isUTC)
    } else {
      try self.init(absolute: text)
    }
  }

  /// Reads a date of one of the forms above.
  private init(absolute text: String) throws(BadValue) {
    let bad = BadValue(
      text, "is not a date: write 2023, 2023-05, 2023-05-14, 2023-05-14T16:30:00, yesterday or 7d")
    var fields: [Int] = []
    // The separator after each field.
    let marks: [[Character]] = [["-"], ["-"], ["T", "t", " "], [":"], [":"]]
    var rest = Substring(text)
    while true {
      let width = fields.isEmpty ? 4 : 2
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard digits.count == width, let number = Int(digits) else { throw bad }
      fields.append(number)
      rest = rest.dropFirst(width)
      guard let mark = rest.first else { break }
      if fields.count == 6, mark == "." { break }
      if fields.count >= 5, ["+", "-", "Z", "z"].contains(mark) {
        throw BadValue(text, Self.zoned)
      }
      guard fields.count <= marks.count, marks[fields.count - 1].contains(mark) else { throw bad }
      rest = rest.dropFirst()
    }
    // An hour alone is not a time of day.
    guard fields.count != 4 else { throw bad }
    guard let span = Self.span(fields) else {
      throw BadValue(text, "is not a date: this day or time does not exist")
    }
    guard !rest.isEmpty else {
      firstMillisecond = span.first.secondsSince1970 * 1000
      endMillisecond = span.end * 1000
      return
    }
    let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
    guard let fraction = Self.milliseconds(digits) else { throw bad }
    guard rest.count == digits.count + 1 else { throw BadValue(text, Self.zoned) }
    firstMillisecond = span.first.secondsSince1970 * 1000 + fraction.lowerBound
    endMillisecond = span.first.secondsSince1970 * 1000 + fraction.upperBound
  }

  /// A relative date on a clock.
  init(_ date: RelativeDate, now: Instant, isUTC: Bool) {
    let first = date.wall(now: now.milliseconds, in: isUTC ? .gmt : now.zone)
    firstMillisecond = first
    switch date {
    case .ago: endMillisecond = first + 1
    case .daysAgo: endMillisecond = first + 86_400_000
    }
  }

  private static let zoned =
    "has an offset: leave it out; dates are the wall time where the picture was taken"

  /// The milliseconds of the digits after a second's decimal point; nil if they are not digits.
  private static func milliseconds(_ digits: Substring) -> Range<Int64>? {
    guard (1...9).contains(digits.count), var first = Int64(digits.prefix(3)) else { return nil }
    var width: Int64 = 1
    for _ in digits.count..<max(3, digits.count) { (first, width) = (first * 10, width * 10) }
    return first..<(first + width)
  }

  /// The shortest text that is read as the same date.
  package var text: String {
    // Rounded down, before 1970 too.
    let fraction = (firstMillisecond % 1000 + 1000) % 1000
    let first = CivilTime(secondsSince1970: (firstMillisecond - fraction) / 1000)
    let day = String(first.iso8601.prefix(10))
    switch endMillisecond - firstMillisecond {
    case 1...100:
      let width = endMillisecond - firstMillisecond
      let digits = String(fraction / width)
      let count = width == 100 ? 1 : width == 10 ? 2 : 3
      let zeros = String(repeating: "0", count: count - digits.count)
      return "\(first.iso8601).\(zeros)\(digits)"
    case ...1000: return first.iso8601
    case ...60_000: return String(first.iso8601.prefix(16))
    case ...86_400_000: return day
    // A month. The last month and the last year have no end, because no date follows.
    case ...(31 * 86_400_000): return String(day.prefix(7))
    case _ where first.month > 1: return String(day.prefix(7))
    default: return String(day.prefix(4))
    }
  }

  /// The civil time the fields begin at and the second they end at; nil for no real date.
  private static func span(_ fields: [Int]) -> (first: CivilTime, end: Int64)? {
    func field(_ index: Int, _ missing: Int) -> Int {
      index < fields.count ? fields[index] : missing
    }
    guard
      let first = CivilTime(
        year: fields[0], month: field(1, 1), day: field(2, 1), hour: field(3, 0),
        minute: field(4, 0), second: field(5, 0))
    else { return nil }
    let begin = first.secondsSince1970
    switch fields.count {
    case 1: return (first, secondsSince1970(from: first, addingMonths: 12))
    case 2: return (first, secondsSince1970(from: first, addingMonths: 1))
    case 3: return (first, begin + 86_400)
    case 5: return (first, begin + 60)
    default: return (first, begin + 1)
    }
  }

  /// The first second of the month that is `months` months later.
  private static func secondsSince1970(
    from first: CivilTime, addingMonths months: Int
  ) -> Int64 {
    let month = first.month - 1 + months
    let next = CivilTime(year: first.year + month / 12, month: month % 12 + 1, day: 1)
    // No date follows the last year.
    return next?.secondsSince1970 ?? Int64.max / 1000
  }
}
