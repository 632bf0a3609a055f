package import Foundation
import MediaModel

/// A date that is relative to now: `90min`, `12h`, `7d`, `2w`, `today`, `yesterday`.
package enum RelativeDate: Sendable, Hashable {
  /// Milliseconds before now.
  case ago(Int64)
  /// The beginning of a day, 0 for today, on the clock of this machine.
  case daysAgo(Int64)

  private static let units: [String: Double] = [
    "min": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000,
  ]
  /// A century.
  private static let longest = 100 * 366 * 86_400_000.0

  /// Reads what a user typed; nil for a text of another form.
  package init?(typed text: String) {
    switch text.lowercased() {
    case "today": self = .daysAgo(0)
    case "yesterday": self = .daysAgo(1)
    case let word:
      let digits = word.prefix { $0.isASCII && $0.isNumber }
      guard let number = Double(digits),
        let unit = Self.units[String(word.dropFirst(digits.count))],
        number * unit <= Self.longest
      else { return nil }
      self = .ago(Int64(number * unit))
    }
  }

  /// The instant, milliseconds since 1970 UTC.
  ///
  /// - Parameters:
  ///   - now: milliseconds since 1970 UTC.
  ///   - zone: that of the clock.
  package func instant(now: Int64, in zone: TimeZone) -> Int64 {
    switch self {
    case .ago(let milliseconds): now - milliseconds
    case .daysAgo: zone.instant(ofWall: wall(now: now, in: zone))
    }
  }

  /// The time that the clock shows at the instant, milliseconds since 1970-01-01T00:00:00. Midnight is 00:00, although a
  /// change of the clock may skip it.
  ///
  /// - Parameters: those of ``instant(now:in:)``.
  func wall(now: Int64, in zone: TimeZone) -> Int64 {
    switch self {
    case .ago(let milliseconds):
      let instant = now - milliseconds
      return instant + zone.offset(at: instant)
    case .daysAgo(let days):
      let day: Int64 = 86_400_000
      let wall = now + zone.offset(at: now)
      return wall - (wall % day + day) % day - days * day
    }
  }
}

/// An instant on this machine's clock.
package struct Instant: Sendable, Hashable {
  /// Since 1970 UTC.
  let milliseconds: Int64
  /// That of the clock.
  let zone: TimeZone

  init(milliseconds: Int64, zone: TimeZone) {
    (self.milliseconds, self.zone) = (milliseconds, zone)
  }

  /// A date between the years 1 and 9999; another one is the nearest of them.
  package init(_ date: Date) {
    let since1970 = date.timeIntervalSince1970
    let seconds = since1970.isNaN ? 0 : min(max(since1970, -62_135_596_800), 253_402_300_799)
    self.init(milliseconds: Int64((seconds * 1000).rounded(.down)), zone: .current)
  }

  /// The present.
  package static var now: Instant { Instant(Date()) }
}
