import Foundation
import MediaModel
import Testing

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

struct StillCaptureTimeTests {
  private func dates(
    _ original: String?, subSeconds: String? = nil, offset: String? = nil
  ) -> StillDates {
    var dates = StillDates()
    dates.original = .init(date: original, subSeconds: subSeconds, offset: offset)
    return dates
  }

  @Test func joinsDateSubSecondsAndOffset() {
    let time = dates("2022:02:16 12:55:41", subSeconds: "123", offset: "+01:00").captureTime()
    #expect(time?.iso8601 == "2022-02-16T12:55:41.123+01:00")
    #expect(time?.source == "exif:DateTimeOriginal+OffsetTimeOriginal")
  }

  @Test func keepsAnExplicitZero() {
    let time = dates("2022:02:16 12:55:41", offset: "+00:00").captureTime()
    #expect(time?.iso8601 == "2022-02-16T12:55:41+00:00")
  }

  @Test func hasNoOffsetIfTheFileHasNone() {
    let time = dates("2022:02:16 12:55:41", offset: "   :  ").captureTime()
    #expect(time?.iso8601 == "2022-02-16T12:55:41")
    #expect(time?.source == "exif:DateTimeOriginal")
  }

  @Test func takesTheOffsetOfAnotherDate() {
    var all = dates("2022:02:16 12:55:41")
    all.modified = .init(date: "2022:02:16 12:55:42", offset: "-05:00")
    #expect(all.captureTime()?.source == "exif:DateTimeOriginal+OffsetTime")
    all.digitized.offset = "+01:00"
    #expect(all.captureTime()?.source == "exif:DateTimeOriginal+OffsetTimeDigitized")
    #expect(all.captureTime()?.offsetMinutes == 60)
  }

  /// OffsetTime belongs to DateTime (EXIF 2.32 §4.6.5): an editor writes its own offset to it.
  @Test func ignoresTheEditorsOffset() {
    var all = dates("2019:05:06 12:34:56")
    all.modified = .init(date: "2023:01:01 00:00:00", offset: "-08:00")
    #expect(all.captureTime()?.iso8601 == "2019-05-06T12:34:56")
    (all.gpsDate, all.gpsTimeOfDay) = ("2019:05:06", 10 * 3600 + 34 * 60 + 50)
    #expect(all.captureTime()?.iso8601 == "2019-05-06T12:34:56+02:00")
    all.original.date = nil
    #expect(all.captureTime()?.iso8601 == "2023-01-01T00:00:00-08:00")
  }

  /// Some phones write local time in place of GPS time: at Beijing's longitude the result is impossible.
  @Test(arguments: [(116.4, nil), (0.5, 0), (-21.9, 0), (nil, 0)] as [(Double?, Int?)])
  func rejectsOffsetsFarFromTheLongitude(longitude: Double?, expected: Int?) {
    var all = dates("2019:05:06 12:34:56")
    (all.gpsDate, all.gpsTimeOfDay) = ("2019:05:06", 12 * 3600 + 34 * 60 + 50)
    all.longitude = longitude
    #expect(all.captureTime()?.offsetMinutes == expected)
  }

  /// Wall time, GPS date and time of day, and the resulting offset, if any.
  @Test(
    arguments: [
      ("2022:02:16 12:55:41", "2022:02:16", 11 * 3600.0 + 55 * 60 + 39, 60),
      ("2022:02:16 23:30:00", "2022:02:17", 4 * 3600.0 + 29 * 60, -300),
      ("2022:02:16 01:00:00", "2022:02:15", 19 * 3600.0 + 15 * 60 + 30, 345),
      // Newfoundland in summer.
      ("2022:07:16 12:55:41", "2022:07:16", 15 * 3600.0 + 25 * 60 + 41, -150),
      // Seven minutes from any offset: the fix is old.
      ("2022:02:16 12:55:41", "2022:02:16", 11 * 3600.0 + 48 * 60, nil),
      // A quarter of an hour that no country uses: the fix is fourteen minutes old, at +02:00.
      ("2022:02:16 12:55:41", "2022:02:16", 10 * 3600.0 + 41 * 60 + 40, nil),
      // A fix from another day.
      ("2022:02:16 12:55:41", "2022:02:14", 11 * 3600.0 + 55 * 60 + 41, nil),
    ] as [(String, String, Double, Int?)])
  func derivesTheOffsetFromGPSTime(
    wall: String, day: String, seconds: Double, expected: Int?
  ) {
    var all = dates(wall)
    all.gpsDate = day
    all.gpsTimeOfDay = seconds
    #expect(all.captureTime()?.offsetMinutes == expected)
    #expect(all.captureTime()?.source == "exif:DateTimeOriginal" + (expected == nil ? "" : "+GPS"))
  }

  /// EXIF's own offset and GPS time are more reliable than the camera's menu.
  @Test func takesTheZoneOfTheMakerNoteLast() {
    var all = dates("2019:05:06 12:34:56")
    all.clock = .zone(minutes: 60, maker: "Nikon")
    #expect(all.captureTime()?.iso8601 == "2019-05-06T12:34:56+01:00")
    #expect(all.captureTime()?.source == "exif:DateTimeOriginal+Nikon:TimeZone")
    all.clock = .utc("2019:05:06 10:34:55")
    #expect(all.captureTime()?.iso8601 == "2019-05-06T12:34:56+02:00")
    #expect(all.captureTime()?.source == "exif:DateTimeOriginal+Olympus:DateTimeUTC")
    all.clock = .utc("2019:05:06 10:31:00")
    #expect(all.captureTime()?.iso8601 == "2019-05-06T12:34:56")
    all.clock = .zone(minutes: 60, maker: "Canon")
    (all.gpsDate, all.gpsTimeOfDay) = ("2019:05:06", 10 * 3600 + 34 * 60 + 50)
    #expect(all.captureTime()?.source == "exif:DateTimeOriginal+GPS")
    all.original.offset = "+03:00"
    #expect(all.captureTime()?.source == "exif:DateTimeOriginal+OffsetTimeOriginal")
  }

  @Test func fallsBackInTheOrderOfMeaning() {
    var all = dates("0000:00:00 00:00:00")
    all.digitized.date = "2001:01:01 01:01:01"
    all.xmp = [("DateCreated", "2002-02-02T02:02:02")]
    all.pngCreationTime = "2003:03:03 03:03:03"
    all.iptcDate = "20040404"
    all.modified.date = "2005:05:05 05:05:05"
    #expect(all.captureTime()?.source == "exif:DateTimeDigitized")
    all.digitized.date = nil
    #expect(all.captureTime()?.source == "xmp:DateCreated")
    all.xmp = [("DateCreated", "2002")]
    #expect(all.captureTime()?.source == "png:CreationTime")
    all.pngCreationTime = nil
    #expect(all.captureTime()?.source == "iptc:DateCreated")
    all.iptcDate = nil
    #expect(all.captureTime()?.source == "exif:DateTime")
    all.modified.date = nil
    #expect(all.captureTime() == nil)
  }
}

struct DateWithoutTimeTests {
  /// As Photo Mechanic writes: a date in XMP; date, time and offset in IPTC.
  @Test func isCompletedByATimeOfThatDay() {
    var dates = StillDates()
    dates.xmp = [("DateCreated", "2006-10-29")]
    dates.iptcDate = "20061029"
    dates.iptcTime = "062751-0500"
    #expect(dates.captureTime()?.iso8601 == "2006-10-29T06:27:51-05:00")
    #expect(dates.captureTime()?.source == "iptc:DateCreated")
  }

  /// An old print: the day that its owner remembers, and the time of the scan.
  @Test func isKeptIfOnlyOtherDaysHaveTimes() {
    var dates = StillDates()
    dates.xmp = [("DateCreated", "1975-06-01"), ("CreateDate", "2015-03-04T12:00:00")]
    dates.modified.date = "1975:06:01 10:00:00"
    #expect(dates.captureTime()?.iso8601 == "1975-06-01T00:00:00")
    #expect(dates.captureTime()?.source == "xmp:DateCreated")
  }
}

/// Samsung's trailer has the instant of the shot; exiftool prints 1577880000123 as 2020:01:01
/// 12:00:00.123+00:00.
struct SamsungTimeTests {
  @Test(
    arguments: [
      ("2020:01:01 13:00:00", "2020-01-01T13:00:00+01:00"),
      ("2020:01:01 17:30:09", "2020-01-01T17:30:09+05:30"),
      // Saved too late to be reliable, and edited on another day.
      ("2020:01:01 13:02:00", "2020-01-01T13:02:00"),
      ("2021:01:01 13:00:00", "2021-01-01T13:00:00"),
    ])
  func determinesTheOffset(wall: String, expected: String) {
    var dates = StillDates()
    dates.original.date = wall
    dates.samsungUTC = 1_577_880_000_123
    #expect(dates.captureTime()?.iso8601 == expected)
    #expect(
      dates.captureTime()?.source == "exif:DateTimeOriginal"
        + (expected.contains("+") ? "+Image_UTC_Data" : ""))
  }

  @Test func isUsedIfThereIsNoOtherTime() {
    var dates = StillDates()
    dates.samsungUTC = 1_577_880_000_023
    #expect(dates.captureTime()?.iso8601 == "2020-01-01T12:00:00.023+00:00")
    #expect(dates.captureTime()?.source == "sef:Image_UTC_Data")
    dates.samsungUTC = .max
    #expect(dates.captureTime() == nil)
    dates.samsungUTC = 0
    #expect(dates.captureTime() == nil)
  }
}

struct CaptureTimeTests {
  /// The time zone database of this machine says which are in use: looked at every two weeks since 1990.
  @Test func `every offset since there are digital cameras is known`() throws {
    var offsets: [Int: String] = [:]
    for name in TimeZone.knownTimeZoneIdentifiers {
      guard let zone = TimeZone(identifier: name) else { continue }
      for day in stride(from: 7305, to: 20_500, by: 14) {
        let seconds = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(day) * 86_400))
        if seconds % 60 == 0 { offsets[seconds / 60] = name }
      }
    }
    #expect(offsets.count > 30)
    for (offset, name) in offsets {
      #expect(KnownUTCOffset.contains(offset), "\(offset) \(name)")
      var dates = StillDates()
      dates.original.date = "2016:01:15 12:00:00"
      dates.gpsDate = "2016:01:15"
      guard (-11 * 60...12 * 60).contains(offset) else { continue }
      dates.gpsTimeOfDay = Double(12 * 3600 - offset * 60)
      #expect(dates.captureTime()?.offsetMinutes == offset, "\(offset) \(name)")
    }
  }

  /// Python's datetime.min and datetime.max are the ends of the calendar.
  @Test(arguments: [Int64.min, -62_135_596_801, 253_402_300_800, .max])
  func isNeverOutsideOfTheCalendar(seconds: Int64) {
    #expect(CaptureTime(wallSeconds: seconds, source: "a") == nil)
  }

  /// These times begin 66 years earlier, in 1904.
  @Test(arguments: [UInt64.max, 1 << 63, 1 << 62, 255_485_145_600])
  func isNeverAnImpossibleHeadersTime(seconds: UInt64) {
    #expect(CaptureTime(macSeconds: seconds, source: "a") == nil)
  }

  @Test func isCalculableAtBothEnds() throws {
    let first = try #require(
      CaptureTime(wallSeconds: -62_135_596_800, offsetMinutes: 1620, source: "a"))
    #expect(first.iso8601 == "0001-01-01T00:00:00+27:00")
    #expect(first.utcMilliseconds == -62_135_694_000_000)
    #expect(first.moved(toOffsetMinutes: -60, from: "b") == nil)
    let last = try #require(
      CaptureTime(wallSeconds: 253_402_300_799, fraction: "999", offsetMinutes: 0, source: "a"))
    #expect(last.iso8601 == "9999-12-31T23:59:59.999+00:00")
    #expect(last.wallMilliseconds == 253_402_300_799_999)
    #expect(last.moved(toOffsetMinutes: 60, from: "b") == nil)
  }

  @Test(arguments: [1621, -1621, .max, .min])
  func hasNoImpossibleOffset(offset: Int) throws {
    let time = try #require(CaptureTime(wallSeconds: 0, offsetMinutes: offset, source: "a"))
    #expect(time.offsetMinutes == nil)
    #expect(time.utcMilliseconds == nil)
    #expect(time.moved(toOffsetMinutes: 0, from: "b") == nil)
  }

  /// exiftool writes and reads 2022:02:16 12:55:41 as 3727860941 in `mvhd`.
  @Test(arguments: [(3_727_860_941, "2022-02-16T12:55:41+00:00"), (1, "1970-01-01T00:00:01+00:00")])
  func readsSecondsSince1904(seconds: UInt64, expected: String) {
    #expect(CaptureTime(macSeconds: seconds, source: "a")?.iso8601 == expected)
  }
}
