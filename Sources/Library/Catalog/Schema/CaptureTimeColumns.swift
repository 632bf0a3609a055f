import GRDB
import MediaModel

/// The columns in which an asset's capture time is stored, without its source.
///
/// `capture_wall` has milliseconds. Files write the fraction of a second with any number of digits; `capture_fraction`
/// has them only if the milliseconds do not imply them, which are three digits, or none for a whole second.
enum CaptureTimeColumns {
  /// The value of `capture_fraction`.
  static func fraction(of time: CaptureTime) -> String? {
    implied(by: time.wallMilliseconds) == time.fraction ? nil : time.fraction
  }

  /// The time that columns contain; nil without one.
  static func time(
    wall: Int64?, offset: Int?, fraction: String?, source: String
  ) -> CaptureTime? {
    guard let wall else { return nil }
    return CaptureTime(
      wallSeconds: (wall - remainder(of: wall)) / 1000, fraction: fraction ?? implied(by: wall),
      offsetMinutes: offset, source: source)
  }

  private static func implied(by wall: Int64) -> String {
    let milliseconds = remainder(of: wall)
    guard milliseconds > 0 else { return "" }
    return milliseconds < 10
      ? "00\(milliseconds)" : milliseconds < 100 ? "0\(milliseconds)" : "\(milliseconds)"
  }

  /// The milliseconds after the whole second, also before 1970.
  private static func remainder(of wall: Int64) -> Int64 {
    (wall % 1000 + 1000) % 1000
  }
}
