/// Where a picture was taken, in WGS 84 degrees; north and east are positive.
package struct Location: Sendable, Hashable {
  /// −90…90.
  package var latitude: Double
  /// −180…180.
  package var longitude: Double
  /// Metres above sea level, if the file tells.
  package var altitude: Double?

  /// Nil for what is no place on Earth, and for exactly (0, 0), which cameras write when they have no
  /// fix.
  package init?(latitude: Double, longitude: Double, altitude: Double? = nil) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude),
      latitude != 0 || longitude != 0
    else { return nil }
    self.latitude = Self.rounded(latitude)
    self.longitude = Self.rounded(longitude)
    self.altitude = altitude.flatMap { $0.isFinite ? $0 : nil }
  }

  /// To a hundred-millionth of a degree, a millimetre: degrees are reckoned from minutes and seconds,
  /// and what the division leaves behind is no knowledge.
  private static func rounded(_ degrees: Double) -> Double {
    let scale = 100_000_000.0
    return Double(Int64(degrees * scale + (degrees < 0 ? -0.5 : 0.5))) / scale
  }
}
