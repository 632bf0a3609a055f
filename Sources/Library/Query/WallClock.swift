package import Foundation

extension TimeZone {
  /// The instant at which a clock in this zone shows a time.
  ///
  /// For a time that a change of the clock skips, it is the later of the two possible instants; for one that comes twice,
  /// the earlier.
  ///
  /// - Parameter wall: milliseconds since 1970-01-01T00:00:00 on that clock.
  /// - Returns: milliseconds since 1970 UTC.
  package func instant(ofWall wall: Int64) -> Int64 {
    let day: Int64 = 86_400_000
    // No clock is a day away from UTC: these are the offsets on both sides of a change that is near.
    let candidates = [-day, 0, day].map { wall - offset(at: wall + $0) }
    let exact = candidates.filter { $0 + offset(at: $0) == wall }
    // The offset before a change that skips the time is the smaller one.
    return exact.min() ?? candidates.max() ?? wall
  }

  /// The distance of this zone's clock from UTC, in milliseconds east.
  ///
  /// - Parameter instant: milliseconds since 1970 UTC.
  func offset(at instant: Int64) -> Int64 {
    let date = Date(timeIntervalSince1970: Double(instant) / 1000)
    return Int64(secondsFromGMT(for: date)) * 1000
  }
}
