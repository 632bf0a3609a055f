import Foundation
import MediaModel
import Testing

@testable import Catalog
@testable import Query

/// What users type: dates, sizes, durations, words.
struct TypedValueTests {
  @Test(
    arguments: [
      // By `date -u -d … +%s`.
      ("2023", 1_672_531_200, 1_704_067_200), ("2023-12", 1_701_388_800, 1_704_067_200),
      ("2024-02-29", 1_709_164_800, 1_709_251_200),
      ("2023-05-14T16:30", 1_684_081_800, 1_684_081_860),
      ("2023-05-14 16:30:59", 1_684_081_859, 1_684_081_860), ("1969", -31_536_000, 0),
    ] as [(String, Int64, Int64)])
  func dates(text: String, first: Int64, end: Int64) throws {
    let date = try WallDate(typed: text)
    #expect(date.firstMillisecond == first * 1000)
    #expect(date.endMillisecond == end * 1000)
  }

  /// JSON contains capture times to the millisecond.
  @Test(
    arguments: [
      ("2023-05-14T16:30:59.1", 100, 200), ("2023-05-14T16:30:59.123", 123, 124),
      ("2023-05-14 16:30:59.05", 50, 60), ("2023-05-14T16:30:59.120456", 120, 121),
      ("1969-12-31T23:59:59.5", 500, 600),
    ] as [(String, Int64, Int64)])
  func partsOfASecond(text: String, first: Int64, end: Int64) throws {
    let date = try WallDate(typed: text)
    let second = try WallDate(typed: String(text.prefix(19))).firstMillisecond
    #expect(date.firstMillisecond == second + first)
    #expect(date.endMillisecond == second + end)
    #expect(try WallDate(typed: date.text) == date)
  }

  @Test(arguments: [
    ("2023-02-30", "does not exist"), ("2023-05-14T16:30:59+02:00", "wall time"),
    ("2023-05-14T16:30:59.123Z", "wall time"), ("2023-05-14T16:30Z", "wall time"),
  ])
  func aDateThatIsNearlyOneIsExplained(text: String, reason: String) {
    let error = #expect(throws: BadValue.self) { try WallDate(typed: text) }
    #expect(error?.description.contains(reason) == true)
  }

  @Test(arguments: [
    "", "23", "20233", "2023-", "2023-13", "2023-02-30", "2023-5-1", "2023-05-14T", "2023-05-14T16",
    "2023-05-14T16:30+02:00", "2023-05-14T16:30:59Z", "2023-05-14T24:00", "last year", "7", "7x",
    "d", "-7d", "0000",
    "２０２３", "2023/05/14", "2023T05", " 2023",
  ])
  func whatIsNoDateIsRefused(text: String) {
    #expect(throws: BadValue.self) { try WallDate(typed: text) }
  }

  /// The expected times are date's: `TZ=Asia/Kathmandu date -d '2024-03-10 00:00' +%s`.
  @Test func relativeDatesCountFromNow() throws {
    let kathmandu = try #require(TimeZone(identifier: "Asia/Kathmandu"))
    let now = Instant(milliseconds: 1_710_000_000_000, zone: kathmandu)  // 2024-03-09 16:00 UTC
    func wall(_ text: String, isUTC: Bool) throws -> Range<Int64> {
      let date = WallDate(try #require(RelativeDate(typed: text)), now: now, isUTC: isUTC)
      return date.firstMillisecond..<date.endMillisecond
    }
    let day: Int64 = 86_400_000
    // In Kathmandu it is 21:45 of the same day.
    #expect(try wall("today", isUTC: false) == 1_709_942_400_000..<1_709_942_400_000 + day)
    #expect(try wall("today", isUTC: true) == 1_709_942_400_000..<1_709_942_400_000 + day)
    #expect(try wall("YESTERDAY", isUTC: true) == 1_709_856_000_000..<1_709_942_400_000)
    #expect(try wall("90min", isUTC: true).lowerBound == 1_709_994_600_000)
    #expect(try wall("12h", isUTC: false).lowerBound == 1_709_977_500_000)
    #expect(try wall("2w", isUTC: true).lowerBound == 1_710_000_000_000 - 14 * day)
    #expect(RelativeDate(typed: "200000w") == nil)
  }

  /// The expected instants are those of Python's `zoneinfo`, in seconds.
  @Test(
    arguments: [
      ("Europe/Berlin", "2026-03-29T01:30", 1_774_744_200),  // 00:30 UTC
      ("America/New_York", "2026-03-08T03:30", 1_772_955_000),  // 07:30 UTC
      ("America/New_York", "2026-11-01T05:00", 1_793_527_200),  // 10:00 UTC
      ("Australia/Sydney", "2026-10-04", 1_791_036_000),  // 2026-10-03 14:00 UTC
      ("Pacific/Auckland", "2026-04-05", 1_775_300_400),  // 2026-04-04 11:00 UTC
      // Skipped, and twice.
      ("Europe/Berlin", "2026-03-29T02:30", 1_774_747_800),
      ("Europe/Berlin", "2026-10-25T02:30", 1_792_888_200),
    ])
  func aTypedTimeIsAnInstantOfItsZone(zone: String, text: String, expected: Int64) throws {
    let zone = try #require(TimeZone(identifier: zone))
    let wall = try WallDate(typed: text).firstMillisecond
    #expect(zone.instant(ofWall: wall) == expected * 1000)
  }

  /// Against a walk through all instants of a year: of those at which the clock shows a time, the first; for a time that it
  /// never shows, as if the clock had not been changed yet.
  @Test(
    arguments: [
      "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Auckland",
      "America/Santiago", "Asia/Kathmandu",
    ])
  func everyTimeOfAYearIsAnInstant(name: String) throws {
    let zone = try #require(TimeZone(identifier: name))
    let (first, step): (Int64, Int64) = (1_767_225_600_000, 1_800_000)  // 2026-01-01 UTC
    var shown: [Int64: Int64] = [:]
    var last: (instant: Int64, wall: Int64)?
    for instant in stride(from: first, to: first + 365 * 86_400_000, by: Int(step)) {
      let date = Date(timeIntervalSince1970: Double(instant) / 1000)
      let wall = instant + Int64(zone.secondsFromGMT(for: date)) * 1000
      if let last {
        for skipped in stride(from: last.wall + step, to: wall, by: Int(step)) {
          shown[skipped] = last.instant + skipped - last.wall
        }
      }
      if shown[wall] == nil { shown[wall] = instant }
      last = (instant, wall)
    }
    #expect(shown.count > 17_000)
    for (wall, instant) in shown where zone.instant(ofWall: wall) != instant {
      Issue.record("\(wall) is \(zone.instant(ofWall: wall)), not \(instant)")
    }
  }

  /// Yesterday's midnight has yesterday's offset, and so has the wall time of a time ago.
  @Test func relativeDatesHaveTheOffsetOfTheirTime() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    // 2026-03-29 12:00 UTC: summer time began in the night.
    let now: Int64 = 1_774_785_600_000
    let today = try #require(RelativeDate(typed: "today"))
    #expect(today.instant(now: now, in: berlin) == 1_774_738_800_000)  // 2026-03-28 23:00 UTC
    let yesterday = try #require(RelativeDate(typed: "yesterday"))
    #expect(yesterday.instant(now: now, in: berlin) == 1_774_652_400_000)  // 2026-03-27 23:00 UTC
    let ago = try #require(RelativeDate(typed: "24h"))
    let date = WallDate(ago, now: Instant(milliseconds: now, zone: berlin), isUTC: false)
    #expect(date.text == "2026-03-28T13:00:00.000")
  }

  @Test(
    arguments: [
      ("0", 0), ("17", 17), ("2kB", 2000), ("1.5MB", 1_500_000), ("1 GiB", 1_073_741_824),
      ("3gb", 3_000_000_000), ("4KiB", 4096), ("5B", 5), ("1e3", 1000), ("1.5e1 kB", 15_000),
      ("10M", 10_000_000), ("2 k", 2000),
    ] as [(String, Int64)])
  func sizes(text: String, bytes: Int64) throws {
    #expect(try byteCount(typed: text) == bytes)
  }

  @Test(arguments: [
    "", "MB", "-1", "1.2.3MB", "12 parsecs", "-1e3", "1e", "nan", "99999999999GB", "inf",
  ])
  func whatIsNoSizeIsRefused(text: String) {
    #expect(throws: BadValue.self) { try byteCount(typed: text) }
  }

  @Test(
    arguments: [
      ("90", 90), ("1.5min", 90), ("2h", 7200), ("3 s", 3), ("500ms", 0.5), ("1m", 60), ("3sec", 3),
      ("1:05", 65), ("90:00", 5400), ("1:02:03.5", 3723.5), ("0:00", 0),
    ] as [(String, Double)])
  func durations(text: String, expected: Double) throws {
    #expect(try seconds(typed: text) == expected)
  }

  @Test(arguments: [
    "", "h", "1d", "-2s", "1:60", "1:2:3:4", ":05", "1:", "1:-5", "-1:05", "1:05min", "1:99:00",
    "a:05",
  ])
  func whatIsNoDurationIsRefused(text: String) {
    #expect(throws: BadValue.self) { try seconds(typed: text) }
  }

  @Test(arguments: [
    ("screnshot", "screenshots"), ("lifePhotos", "livePhotos"), ("vidios", "videos"),
    ("PANORMA", "panoramas"), ("hrd", "hdr"), ("timelapsVideo", "timelapseVideos"),
  ])
  func anUnknownWordNamesTheNearest(typed: String, nearest: String) throws {
    let error = #expect(throws: UnknownWord.self) { try TypeWord(typed: typed) }
    #expect(error?.suggestions.contains(nearest) == true, "\(error?.description ?? "")")
  }

  @Test func wordsAreKnownInAnyCase() throws {
    #expect(try TypeWord(typed: "livephotos") == .livePhotos)
    #expect(try TypeWord(typed: "HDR") == .hdr)
  }

  /// The words of JSON (`subtypes`, `mediaType`), of tables and of PhotoKit's picker, in singular and plural.
  @Test(arguments: [
    ("photo", TypeWord.images), ("image", .images), ("Photos", .images), ("video", .videos),
    ("livePhoto", .livePhotos), ("live", .livePhotos), ("motionPhoto", .motionPhotos),
    ("screenshot", .screenshots), ("screenRecording", .screenRecordings), ("burst", .bursts),
    ("panorama", .panoramas), ("depthEffect", .depthEffectPhotos),
    ("depthEffectPhoto", .depthEffectPhotos), ("cinematic", .cinematicVideos),
    ("slomo", .slomoVideos), ("slo-mo", .slomoVideos), ("timelapse", .timelapseVideos),
    ("spatial", .spatialMedia), ("raw", .raw), ("edited", .edited),
  ])
  func everyKindHasItsSingular(typed: String, kind: TypeWord) throws {
    #expect(try TypeWord(typed: typed) == kind)
  }

  @Test func aWordOfAMegabyteIsRefusedAtOnce() {
    #expect(throws: UnknownWord.self) {
      try TypeWord(typed: String(repeating: "x", count: 1 << 20))
    }
  }

  @Test(arguments: [
    ("kitten", "sitting", 3), ("", "abc", 3), ("same", "same", 0), ("flaw", "lawn", 2),
  ])
  func distances(left: String, right: String, distance: Int) {
    #expect(editDistance(left, right) == distance)
  }
}
