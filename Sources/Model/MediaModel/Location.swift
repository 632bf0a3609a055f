/// Where a picture was taken, in WGS 84 degrees; north and east are positive.
package struct Location: Sendable, Hashable {
  /// −90…90.
  package var latitude: Double
  /// −180…180.
  package var longitude: Double
  /// Metres above sea level, if known.
  package var altitude: Double?

  /// Nil for impossible coordinates, and for (0, 0) after rounding, which cameras write without a GPS fix.
  package init?(latitude: Double, longitude: Double, altitude: Double? = nil) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.latitude = Self.rounded(latitude)
    self.longitude = Self.rounded(longitude)
    if self.latitude == 0, self.longitude == 0 { return nil }
    self.altitude = altitude.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Rounds to a hundred-millionth of a degree, a millimetre. Degrees are computed from minutes and seconds,
  /// and the digits beyond are an artefact of the division.
  private static func rounded(_ degrees: Double) -> Double {
    let scale = 100_000_000.0
    return Double(Int64(degrees * scale + (degrees < 0 ? -0.5 : 0.5))) / scale
  }
}
