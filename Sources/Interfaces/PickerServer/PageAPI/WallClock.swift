import Foundation

/// Times as a clock on the wall showed them, without an offset.
enum WallClock {
  /// Such as `2024-06-01T10:15:00`.
  ///
  /// - Parameter milliseconds: since 1970 on that clock.
  static func text(milliseconds: Int64) -> String {
    let seconds = Date(timeIntervalSince1970: (Double(milliseconds) / 1000).rounded(.down))
    return String(seconds.formatted(.iso8601).dropLast("Z".count))
  }
}
