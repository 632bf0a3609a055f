import MediaFormats
package import MediaModel

/// A picture's tags for when it was taken, as written: the input of the rules below.
struct StillDates {
  /// One of EXIF's three dates with its subseconds and offset.
  package struct ExifDate {
    var date: String?
    var subSeconds: String?
    var offset: String?
  }

  /// DateTimeOriginal, DateTimeDigitized, DateTime.
  var original = ExifDate()
  var digitized = ExifDate()
  var modified = ExifDate()
  /// GPSDateStamp, `YYYY:MM:DD`, and GPSTimeStamp in seconds of that day, both UTC.
  var gpsDate: String?
  var gpsTimeOfDay: Double?
  /// The longitude where it was taken, in degrees east.
  var longitude: Double?
  /// Image_UTC_Data of Samsung's trailer: when the picture was taken, in milliseconds since 1970 UTC.
  var samsungUTC: Int64?
  /// What the maker note records of the camera's clock.
  var clock: CameraClock?
  /// XMP's dates with their names for ``CaptureTime/source``, the most reliable first.
  var xmp: [(name: String, text: String)] = []
  /// PNG's tEXt `Creation Time`.
  var pngCreationTime: String?
  var iptcDate: String?
  var iptcTime: String?
}

extension StillDates {
  /// A tag's date, and whether it has a time of day.
  private typealias TaggedDate = (time: CaptureTime, hasTime: Bool)

  /// When the picture was taken, by the first tag with a valid date. The offset is never guessed.
  ///
  /// The order follows the meaning of the tags: the shot itself, its digitisation, the copies that editors
  /// write into XMP, PNG or IPTC, and last the time of the file's last change. If the first date has no time
  /// of day, a later one of the same day may supply it.
  func captureTime() -> CaptureTime? {
    guard let first = taggedDates.first else {
      return samsungTime
        ?? exif(modified, "DateTime", offsets: [("OffsetTime", modified.offset)])?.time
    }
    guard !first.hasTime else { return first.time }
    let whole = taggedDates.first {
      $0.hasTime && CivilTime.isSameDay($0.time.wallSeconds, first.time.wallSeconds)
    }
    return (whole ?? first).time
  }

  /// The dates of the picture itself, the most reliable first.
  private var taggedDates: [TaggedDate] {
    var taggedDates = [
      exif(original, "DateTimeOriginal", offsets: originalOffsets),
      exif(digitized, "DateTimeDigitized", offsets: digitizedOffsets),
    ]
    var texts = xmp.map { (date: DateText($0.text), source: "xmp:" + $0.name) }
    texts.append(
      (pngCreationTime.flatMap { DateText($0) ?? DateText(worded: $0) }, "png:CreationTime"))
    texts.append(
      (iptcDate.flatMap { DateText(iptcDate: $0, iptcTime: iptcTime) }, "iptc:DateCreated"))
    taggedDates += texts.map { date, source in date.map { ($0.captureTime(source), $0.hasTime) } }
    return taggedDates.compactMap(\.self)
  }

  /// A camera that writes only one offset means it for all three dates, which are equal at that time.
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

  /// Whether two dates are of one moment, within the time that saving a picture takes. A missing first date
  /// counts as the same. Each offset belongs to its own date (EXIF 2.32 §4.6.5): an editor writes its own
  /// offset to OffsetTime, with the DateTime of the edit.
  private func isSame(_ one: ExifDate, _ other: ExifDate) -> Bool {
    if one.date == other.date { return true }
    guard let first = one.date.flatMap(DateText.init(_:)),
      let second = other.date.flatMap(DateText.init(_:))
    else { return one.date == nil }
    return abs(first.time.secondsSince1970 - second.time.secondsSince1970) <= 60
  }

  private func exif(
    _ date: ExifDate, _ name: String, offsets: [(name: String, text: String?)]
  ) -> TaggedDate? {
    guard var parsed = date.date.flatMap(DateText.init(_:)) else { return nil }
    if parsed.fraction.isEmpty { parsed.fraction = date.subSeconds ?? "" }
    let time = parsed.captureTime("exif:" + name)
    if time.offsetMinutes != nil { return (time, parsed.hasTime) }
    for (offsetName, text) in offsets {
      guard let offset = text.flatMap({ DateText.offset($0) }) else { continue }
      return (time.with(offsetMinutes: offset, from: offsetName), parsed.hasTime)
    }
    // A date without a time has no distance from an instant, and editors change DateTime.
    guard parsed.hasTime, name != "DateTime" else { return (time, parsed.hasTime) }
    if let offset = offsetBySamsung(wallSeconds: time.wallSeconds) {
      return (time.with(offsetMinutes: offset, from: "Image_UTC_Data"), true)
    }
    if let offset = offsetBySatellite(wallSeconds: time.wallSeconds) {
      return (time.with(offsetMinutes: offset, from: "GPS"), true)
    }
    if let (offset, tag) = offsetByMakerNote(wallSeconds: time.wallSeconds) {
      return (time.with(offsetMinutes: offset, from: tag), true)
    }
    return (time, true)
  }

  /// The offset by the maker note, and its tag. It is the least reliable: owners set a clock rather than its zone.
  private func offsetByMakerNote(wallSeconds: Int64) -> (minutes: Int, tag: String)? {
    switch clock {
    case nil: return nil
    case .zone(let minutes, let maker): return (minutes, maker + ":TimeZone")
    case .utc(let text):
      guard let utc = DateText(text), utc.hasTime, utc.offsetMinutes == nil else { return nil }
      return KnownUTCOffset.nearest(to: wallSeconds - utc.time.secondsSince1970, within: 30)
        .map { ($0, "Olympus:DateTimeUTC") }
    }
  }

  /// Samsung's UTC time in seconds; phones always write a positive number.
  private var samsungSeconds: Int64? {
    samsungUTC.flatMap { $0 > 0 ? $0 / 1000 : nil }
  }

  /// The capture time if only Samsung's trailer has one.
  private var samsungTime: CaptureTime? {
    guard let samsungUTC, let samsungSeconds else { return nil }
    let milliseconds = String(samsungUTC % 1000)
    return CaptureTime(
      wallSeconds: samsungSeconds,
      fraction: String(repeating: "0", count: 3 - milliseconds.count) + milliseconds,
      offsetMinutes: 0, source: "sef:Image_UTC_Data")
  }

  /// Both times are from the same clock and shot: the difference is the time that saving took.
  private func offsetBySamsung(wallSeconds: Int64) -> Int? {
    samsungSeconds.flatMap { KnownUTCOffset.nearest(to: wallSeconds - $0, within: 30) }
  }

  /// The age in seconds up to which a GPS fix determines the offset. A phone that has just left a tunnel
  /// writes the fix from before the tunnel.
  private static let maximumFixAge: Int64 = 180

  /// The difference between the camera's clock and GPS time as a UTC offset; nil if it is not near an offset
  /// that is in use.
  private func offsetBySatellite(wallSeconds: Int64) -> Int? {
    guard let day = gpsDate.flatMap(DateText.init(_:)), let gpsTimeOfDay,
      (0...86_400).contains(gpsTimeOfDay)
    else { return nil }
    let satellite = day.time.secondsSince1970 / 86_400 * 86_400 + Int64(gpsTimeOfDay)
    let zone = KnownUTCOffset.nearest(to: wallSeconds - satellite, within: Self.maximumFixAge)
    return zone.flatMap { KnownUTCOffset.isPlausible($0, at: longitude) ? $0 : nil }
  }
}

extension DateText {
  /// This date as a capture time; `source` names its tag.
  package func captureTime(_ source: String) -> CaptureTime {
    CaptureTime(time, fraction: fraction, offsetMinutes: offsetMinutes, source: source)
  }
}
