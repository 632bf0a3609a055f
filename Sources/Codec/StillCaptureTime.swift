import MediaModel

/// What a picture's tags tell about when it was taken, as written: the input of the rules below.
struct StillDates {
  /// One of EXIF's three dates with its companions.
  struct ExifDate {
    var date: String?
    var subSeconds: String?
    var offset: String?
  }

  /// DateTimeOriginal, DateTimeDigitized, DateTime.
  var original = ExifDate()
  var digitized = ExifDate()
  var modified = ExifDate()
  /// GPSDateStamp, `YYYY:MM:DD`, and GPSTimeStamp in seconds of that day: UTC by the satellites.
  var gpsDate: String?
  var gpsTimeOfDay: Double?
  /// XMP's dates with the names they go by in ``CaptureTime/source``, most telling first.
  var xmp: [(name: String, text: String)] = []
  /// PNG's tEXt `Creation Time`.
  var pngCreationTime: String?
  var iptcDate: String?
  var iptcTime: String?
}

extension StillDates {
  /// When the picture was taken: the first of these that names a real date, never a guess of the zone.
  ///
  /// The order is that of the standards' meaning: the shot itself, its digitisation, what editors
  /// copied into XMP, PNG or IPTC, and last the time the file was changed.
  func captureTime() -> CaptureTime? {
    exif(original, "DateTimeOriginal", offsets: originalOffsets)
      ?? exif(digitized, "DateTimeDigitized", offsets: digitizedOffsets)
      ?? firstXMP()
      ?? pngCreationTime.flatMap(DateText.init).map { $0.captureTime("png:CreationTime") }
      ?? iptcDate.flatMap { DateText(iptcDate: $0, iptcTime: iptcTime) }
      .map { $0.captureTime("iptc:DateCreated") }
      ?? exif(modified, "DateTime", offsets: [("OffsetTime", modified.offset)])
  }

  /// A camera that writes only one offset means it for all three dates.
  private var originalOffsets: [(name: String, text: String?)] {
    [
      ("OffsetTimeOriginal", original.offset), ("OffsetTimeDigitized", digitized.offset),
      ("OffsetTime", modified.offset),
    ]
  }

  private var digitizedOffsets: [(name: String, text: String?)] {
    [("OffsetTimeDigitized", digitized.offset), ("OffsetTime", modified.offset)]
  }

  private func exif(
    _ date: ExifDate, _ name: String, offsets: [(name: String, text: String?)]
  ) -> CaptureTime? {
    guard var parsed = date.date.flatMap(DateText.init) else { return nil }
    if parsed.fraction.isEmpty { parsed.fraction = date.subSeconds ?? "" }
    let time = parsed.captureTime("exif:" + name)
    if time.offsetMinutes != nil { return time }
    for (offsetName, text) in offsets {
      guard let offset = text.flatMap({ DateText.offset($0) }) else { continue }
      return time.with(offsetMinutes: offset, from: offsetName)
    }
    if name != "DateTime", let offset = offsetBySatellite(wallSeconds: time.wallSeconds) {
      return time.with(offsetMinutes: offset, from: "GPS")
    }
    return time
  }

  private func firstXMP() -> CaptureTime? {
    for (name, text) in xmp {
      if let date = DateText(text) { return date.captureTime("xmp:" + name) }
    }
    return nil
  }

  /// How much older than the picture a satellite fix may be, in seconds, to still tell the zone. A
  /// phone that has just left a tunnel writes the fix from before it.
  private static let maximumFixAge: Int64 = 180
  /// The zones that are in use on Earth, in minutes.
  private static let zones = -12 * 60...14 * 60

  /// The wall clock's distance from satellite time in quarters of an hour, which all zones keep; nil
  /// if it is too far from one to be that and nothing else.
  private func offsetBySatellite(wallSeconds: Int64) -> Int? {
    guard let day = gpsDate.flatMap(DateText.init), let gpsTimeOfDay,
      (0...86_400).contains(gpsTimeOfDay)
    else { return nil }
    let satellite = day.time.secondsSince1970 / 86_400 * 86_400 + Int64(gpsTimeOfDay)
    let difference = wallSeconds - satellite
    let quarter: Int64 = 15 * 60
    let quarters = (difference + (difference < 0 ? -quarter / 2 : quarter / 2)) / quarter
    guard abs(difference - quarters * quarter) <= Self.maximumFixAge,
      Self.zones.contains(Int(quarters) * 15)
    else { return nil }
    return Int(quarters) * 15
  }
}

extension DateText {
  /// This date as a capture time from the tag named.
  func captureTime(_ source: String) -> CaptureTime {
    CaptureTime(time, fraction: fraction, offsetMinutes: offsetMinutes, source: source)
  }
}
