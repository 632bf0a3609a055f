/// The UTC offsets in use anywhere on Earth since 1990, when digital cameras came up (IANA time zone database). Any other
/// quarter of an hour results from an old fix.
package enum KnownUTCOffset {
  /// Minutes.
  private static let offsets: [Int] =
    (-12...14).map { $0 * 60 }
    // Pitcairn until 1998 has −8:30, Venezuela until 2016 −4:30, North Korea until 2018 8:30, the south of Western Australia
    // in the summers until 2009 9:45, Norfolk Island until 2015 11:30.
    + [(9, 30), (8, 30), (4, 30), (3, 30), (2, 30)].map { -$0 * 60 - $1 }
    + [(3, 30), (4, 30), (5, 30), (5, 45), (6, 30), (8, 30), (8, 45), (9, 30), (9, 45)]
    .map { $0 * 60 + $1 }
    + [(10, 30), (11, 30), (12, 45), (13, 45)].map { $0 * 60 + $1 }

  /// Whether an offset in minutes is in use.
  package static func contains(_ minutes: Int) -> Bool { offsets.contains(minutes) }

  /// Whether an offset can be in use at a longitude, if that is known. Clocks differ from the sun by at most
  /// three and a half hours (the west of China, IANA's Asia/Shanghai; the date line within the Pacific).
  /// Some phones write local time in place of GPS time.
  package static func isPlausible(_ minutes: Int, at longitude: Double?) -> Bool {
    guard let longitude, abs(longitude) <= 180 else { return true }
    let distance = abs(minutes - Int(longitude * 4)) % 1440
    return min(distance, 1440 - distance) <= 4 * 60
  }

  /// The offset in minutes that is within `tolerance` of a number of seconds.
  package static func nearest(to seconds: Int64, within tolerance: Int64) -> Int? {
    offsets.first { abs(seconds - Int64($0) * 60) <= tolerance }
  }
}

extension CaptureTime {
  /// The seconds between a local time in a name and the time in UTC that a program writes for the same moment.
  private static let tolerance: Int64 = 5

  /// A time that is known in UTC only, on the clock of its place, by a local time of the same moment; nil if the two do
  /// not differ by an offset that is in use. The source then ends with `+` and the tag: the offset is inferred.
  ///
  /// - Parameters:
  ///   - local: seconds since 1970 on the clock of the place. Midnight stands for a date without a time.
  ///   - duration: of a video, in seconds: the header has the time of its beginning or of its end.
  package func inferringOffset(
    fromLocal local: Int64, duration: Double = 0, longitude: Double? = nil, from tag: String
  ) -> CaptureTime? {
    guard let offset = offset(ofLocal: local, duration: duration), offset != 0,
      KnownUTCOffset.isPlausible(offset, at: longitude)
    else { return nil }
    return moved(toOffsetMinutes: offset, from: tag)
  }

  /// A time that is known in UTC only, as a local time without a zone, if a local time of the same moment is equal to it.
  /// The source then ends with `+` and the tag. The parameters are those of
  /// ``inferringOffset(fromLocal:duration:longitude:from:)``.
  package func withoutOffset(
    ofLocal local: Int64, duration: Double, from tag: String
  ) -> CaptureTime? {
    guard offset(ofLocal: local, duration: duration) == 0 else { return nil }
    return CaptureTime(
      wallSeconds: wallSeconds, fraction: fraction, offsetMinutes: nil, source: source + "+" + tag)
  }

  /// The offset in use, in minutes, by which a local time of the same moment differs from a time in UTC.
  private func offset(ofLocal local: Int64, duration: Double) -> Int? {
    guard offsetMinutes == 0, local % 86_400 != 0, (0..<1e6).contains(duration) else { return nil }
    let differences = [local - wallSeconds, local - wallSeconds + Int64(duration.rounded())]
    return differences.lazy.compactMap {
      KnownUTCOffset.nearest(to: $0, within: Self.tolerance)
    }.first
  }
}
