import Foundation
import ShoeboxKit

/// Times as Google's APIs write them: RFC 3339 in UTC.
enum Timestamp {
  /// An instant, such as `2024-06-01T08:15:00Z`.
  static func text(of instant: Date) -> String { instant.formatted(.iso8601) }

  /// The time of capture. If its offset from UTC is unknown, the wall clock is taken for UTC, as Google does.
  static func text(of capture: CaptureDate) -> String {
    text(
      of: capture.date
        ?? Date(timeIntervalSince1970: TimeInterval(capture.wallMilliseconds) / 1000))
  }
}
