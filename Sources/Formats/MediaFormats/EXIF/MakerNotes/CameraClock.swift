import MediaModel

/// What a maker note records of the distance of the camera's clock from UTC.
package enum CameraClock: Sendable, Hashable {
  /// The zone that is set in the camera's menu, in minutes east of UTC with daylight saving time, and the maker's name.
  case zone(minutes: Int, maker: String)
  /// The time of the picture in UTC, in EXIF's notation.
  case utc(String)

  /// A zone of the menu; nil if it cannot be in use, and for UTC without daylight saving time. Cameras whose owner has
  /// not set a zone have that too: Canon's manuals name London as the first setting, compact cameras have no zone.
  init?(menuZone minutes: Int?, maker: String) {
    guard let minutes, minutes != 0, KnownUTCOffset.contains(minutes) else { return nil }
    self = .zone(minutes: minutes, maker: maker)
  }
}
