import MediaModel
import Testing

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

struct MovieCaptureTimeTests {
  @Test func prefersTheMakersTagWithItsOffset() {
    var dates = MovieDates()
    dates.appleCreationDate = "2021-04-10T11:43:59+0100"
    dates.containerCreationTime = "2021-04-10T10:43:59.000000Z"
    #expect(dates.captureTime()?.iso8601 == "2021-04-10T11:43:59+01:00")
    #expect(dates.captureTime()?.source == "quicktime:creationdate")
  }

  @Test func prefersACameraMakersDocumentToTheHeader() {
    var dates = MovieDates()
    dates.cameraCreationDate = "2019-07-05T15:12:00+02:00"
    dates.contentCreateDate = "2019-07-05T15:12:00"
    dates.containerCreationTime = "2019-07-05T13:12:00.000000Z"
    #expect(dates.captureTime()?.iso8601 == "2019-07-05T15:12:00+02:00")
    #expect(dates.captureTime()?.source == "xml:CreationDate")
  }

  @Test func readsTheHeaderAsUTC() {
    var dates = MovieDates()
    dates.containerSource = "quicktime:mvhd"
    dates.containerCreationTime = "2018-01-05T23:02:37.000000Z"
    #expect(dates.captureTime()?.iso8601 == "2018-01-05T23:02:37+00:00")
    #expect(dates.captureTime()?.source == "quicktime:mvhd")
  }

  /// A GoPro's header has 15:45:32 where its GPS has 23:45:14, in California.
  @Test func hasNoOffsetForACameraWithoutOne() {
    var dates = MovieDates()
    dates.containerSource = "quicktime:mvhd"
    dates.containerCreationTime = "2019-11-18T15:45:32.000000Z"
    dates.isContainerTimeUTC = false
    #expect(dates.captureTime()?.iso8601 == "2019-11-18T15:45:32")
    dates.localDate = "2019:11:18 15:45:31"
    #expect(dates.captureTime()?.iso8601 == "2019-11-18T15:45:31")
    #expect(dates.captureTime()?.source == "quicktime:DateTimeOriginal")
    dates.exif = CaptureTime(wallSeconds: 0, offsetMinutes: 60, source: "exif:DateTimeOriginal")
    #expect(dates.captureTime()?.source == "exif:DateTimeOriginal")
  }

  @Test func appliesSamsungsOffset() {
    var dates = MovieDates()
    dates.containerSource = "quicktime:mvhd"
    dates.containerCreationTime = "2020-10-30T12:14:50.000000Z"
    dates.samsungOffset = "+0530"
    #expect(dates.captureTime()?.iso8601 == "2020-10-30T17:44:50+05:30")
    #expect(dates.captureTime()?.source == "quicktime:mvhd+utc_offset")
  }

  @Test func ignoresAYearAlone() {
    var dates = MovieDates()
    dates.contentCreateDate = "2019"
    #expect(dates.captureTime() == nil)
    dates.containerCreationTime = "1970-01-01T00:00:00.000000Z"
    #expect(dates.captureTime() == nil)
  }
}

struct LocationTextTests {
  /// ISO 6709 annex H; the first is what an iPhone writes.
  @Test(
    arguments: [
      ("+47.3600+008.5400+408.000/", 47.36, 8.54, 408.0),
      ("-33.8568+151.2153/", -33.8568, 151.2153, nil),
      ("+4730.0-00815.0/", 47.5, -8.25, nil),
      ("+401213.1-0750015.1-12.5/", 40.2036388889, -75.0041944444, -12.5),
    ] as [(String, Double, Double, Double?)])
  func readsISO6709(text: String, latitude: Double, longitude: Double, altitude: Double?) throws {
    let location = try #require(Location(iso6709: text))
    #expect(abs(location.latitude - latitude) < 1e-8)
    #expect(abs(location.longitude - longitude) < 1e-8)
    #expect(location.altitude == altitude)
  }

  @Test(arguments: ["", "+47", "somewhere", "+00.0000+000.0000/", "+95.0+000.0/"])
  func refusesInvalidLocations(text: String) {
    #expect(Location(iso6709: text) == nil)
  }
}
