package import MediaModel

/// What a picture's tags tell about when it was taken, as written: the input of the rules below.
struct StillDates {
  /// One of EXIF's three dates with its companions.
  package struct ExifDate {
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
  /// Where it was taken, in degrees east.
  var longitude: Double?
  /// Image_UTC_Data of Samsung's trailer: milliseconds since 1970 UTC, when the shot was taken.
  var samsungUTC: Int64?
  /// XMP's dates with the names they go by in ``CaptureTime/source``, most telling first.
  var xmp: [(name: String, text: String)] = []
  /// PNG's tEXt `Creation Time`.
  var pngCreationTime: String?
  var iptcDate: String?
  var iptcTime: String?
}

extension StillDates {
  /// A tag's date, with whether it tells the time of day.
  private typealias Told = (time: CaptureTime, hasTime: Bool)

  /// When the picture was taken: the first of these that names a real date, never a guess of the zone.
  ///
  /// The order is that of the standards' meaning: the shot itself, its digitisation, what editors
  /// copied into XMP, PNG or IPTC, and last the time the file was changed. Where the first tells a day
  /// alone, one behind it may tell when on that very day.
  func captureTime() -> CaptureTime? {
    guard let first = told.first else {
      return samsungTime
        ?? exif(modified, "DateTime", offsets: [("OffsetTime", modified.offset)])?.time
    }
    guard !first.hasTime else { return first.time }
    let whole = told.first {
      $0.hasTime && CivilTime.isSameDay($0.time.wallSeconds, first.time.wallSeconds)
    }
    return (whole ?? first).time
  }

  /// The dates of the picture itself, most telling first.
  private var told: [Told] {
    var told = [
      exif(original, "DateTimeOriginal", offsets: originalOffsets),
      exif(digitized, "DateTimeDigitized", offsets: digitizedOffsets),
    ]
    var texts = xmp.map { (date: DateText($0.text), source: "xmp:" + $0.name) }
    texts.append(
      (pngCreationTime.flatMap { DateText($0) ?? DateText(worded: $0) }, "png:CreationTime"))
    texts.append(
      (iptcDate.flatMap { DateText(iptcDate: $0, iptcTime: iptcTime) }, "iptc:DateCreated"))
    told += texts.map { date, source in date.map { ($0.captureTime(source), $0.hasTime) } }
    return told.compactMap(\.self)
  }

  /// A camera that writes only one offset means it for all three dates, which are the same to it.
  private var originalOffsets: [(name: String, text: String?)] {
    [
      ("OffsetTimeOriginal", original.offset),
      ("OffsetTimeDigitized", isSame(digitized, original) ? digitized.offset : nil),
      ("OffsetTime", isSame(modified, original) ? modified.offset : nil),
    ]
  }

  private var digitizedOffsets: [(name: String, text: String?)] {
    [
      ("OffsetTimeDigitized", digitized.offset),
      ("OffsetTime", isSame(modified, digitized) ? modified.offset : nil),
    ]
  }

  /// Whether two dates are of one moment, as far as saving a picture takes; one that is missing is not
  /// another. Each offset belongs to its own date (EXIF 2.32 §4.6.5): an editor notes in OffsetTime the
  /// zone that it was used in, with the DateTime of the edit.
  private func isSame(_ one: ExifDate, _ other: ExifDate) -> Bool {
    guard let first = one.date.flatMap(DateText.init(_:)),
      let second = other.date.flatMap(DateText.init(_:))
    else { return one.date == nil }
    return abs(first.time.secondsSince1970 - second.time.secondsSince1970) <= 60
  }

  private func exif(
    _ date: ExifDate, _ name: String, offsets: [(name: String, text: String?)]
  ) -> Told? {
    guard var parsed = date.date.flatMap(DateText.init(_:)) else { return nil }
    if parsed.fraction.isEmpty { parsed.fraction = date.subSeconds ?? "" }
    let time = parsed.captureTime("exif:" + name)
    if time.offsetMinutes != nil { return (time, parsed.hasTime) }
    for (offsetName, text) in offsets {
      guard let offset = text.flatMap({ DateText.offset($0) }) else { continue }
      return (time.with(offsetMinutes: offset, from: offsetName), parsed.hasTime)
    }
    // A day alone is at no distance from an instant, and editors change DateTime.
    guard parsed.hasTime, name != "DateTime" else { return (time, parsed.hasTime) }
    if let offset = offsetBySamsung(wallSeconds: time.wallSeconds) {
      return (time.with(offsetMinutes: offset, from: "Image_UTC_Data"), true)
    }
    if let offset = offsetBySatellite(wallSeconds: time.wallSeconds) {
      return (time.with(offsetMinutes: offset, from: "GPS"), true)
    }
    return (time, true)
  }

  /// Samsung's UTC, which is a positive number wherever a phone wrote it, in seconds.
  private var samsungSeconds: Int64? {
    samsungUTC.flatMap { $0 > 0 ? $0 / 1000 : nil }
  }

  /// When Samsung's trailer alone tells it.
  private var samsungTime: CaptureTime? {
    guard let samsungUTC, let samsungSeconds else { return nil }
    let milliseconds = String(samsungUTC % 1000)
    return CaptureTime(
      wallSeconds: samsungSeconds,
      fraction: String(repeating: "0", count: 3 - milliseconds.count) + milliseconds,
      offsetMinutes: 0, source: "sef:Image_UTC_Data")
  }

  /// Both are of the same clock and the same shot: what lies between is how long saving took.
  private func offsetBySamsung(wallSeconds: Int64) -> Int? {
    samsungSeconds.flatMap { KeptZone.nearest(to: wallSeconds - $0, within: 30) }
  }

  /// How much older than the picture a satellite fix may be, in seconds, to still tell the zone. A
  /// phone that has just left a tunnel writes the fix from before it.
  private static let maximumFixAge: Int64 = 180

  /// The wall clock's distance from satellite time as a zone that is kept on Earth; nil if it is too far
  /// from one to be that and nothing else.
  private func offsetBySatellite(wallSeconds: Int64) -> Int? {
    guard let day = gpsDate.flatMap(DateText.init(_:)), let gpsTimeOfDay,
      (0...86_400).contains(gpsTimeOfDay)
    else { return nil }
    let satellite = day.time.secondsSince1970 / 86_400 * 86_400 + Int64(gpsTimeOfDay)
    let zone = KeptZone.nearest(to: wallSeconds - satellite, within: Self.maximumFixAge)
    return zone.flatMap { KeptZone.isKept($0, at: longitude) ? $0 : nil }
  }
}

/// The distances from UTC that clocks are set to somewhere on Earth (IANA time zone database, since the
/// days of digital cameras). Quarters of an hour that no country keeps tell of an old fix, not of a zone.
private enum KeptZone {
  /// Minutes.
  private static let offsets: [Int] =
    (-12...14).map { $0 * 60 }
    + [(-9, 30), (-3, 30), (-2, 30), (3, 30), (4, 30), (5, 30), (5, 45), (6, 30), (8, 45), (9, 30)]
    .map { hours, minutes in hours * 60 + (hours < 0 ? -minutes : minutes) }
    + [(10, 30), (12, 45), (13, 45)].map { $0 * 60 + $1 }

  /// Whether a zone may be kept at a longitude, as far as that is known: clocks are nowhere further from
  /// the sun than three and a half hours (the west of China, IANA's Asia/Shanghai; dates change within
  /// the Pacific). Some phones write local time where the satellites' belongs.
  static func isKept(_ minutes: Int, at longitude: Double?) -> Bool {
    guard let longitude, abs(longitude) <= 180 else { return true }
    let distance = abs(minutes - Int(longitude * 4)) % 1440
    return min(distance, 1440 - distance) <= 4 * 60
  }

  /// The zone in minutes that is so many seconds from UTC, or within a tolerance of that.
  static func nearest(to seconds: Int64, within tolerance: Int64) -> Int? {
    offsets.first { abs(seconds - Int64($0) * 60) <= tolerance }
  }
}

extension DateText {
  /// This date as a capture time from the tag named.
  package func captureTime(_ source: String) -> CaptureTime {
    CaptureTime(time, fraction: fraction, offsetMinutes: offsetMinutes, source: source)
  }
}
