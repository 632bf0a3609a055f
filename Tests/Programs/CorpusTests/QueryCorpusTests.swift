import Foundation
import Testing
import Workbench

/// Expressions over real files: each finds what a plain loop over `list --format jsonl` finds.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: Half.isAtHand))
struct QueryCorpusTests {
  private typealias Row = (expression: String, holds: @Sendable (PlainAsset) -> Bool)

  private static let kinds: [Row] = [
    ("images", \.isImage), ("videos", \.isVideo), ("not images", { !$0.isImage }),
    ("livePhotos", { $0.isA("livePhoto") }), ("motionPhotos", { $0.isA("motionPhoto") }),
    ("screenshots", { $0.isA("screenshot") }), ("panoramas", { $0.isA("panorama") }),
    ("hdr", { $0.isA("hdr") }), ("raw and images", { $0.isA("raw") && $0.isImage }),
    ("duplicates", \.isDuplicate), ("duplicates and videos", { $0.isDuplicate && $0.isVideo }),
    ("all(images, not(screenshots))", { $0.isImage && !$0.isA("screenshot") }),
    (
      "any(livePhotos, motionPhotos, bursts)",
      { $0.isA("livePhoto") || $0.isA("motionPhoto") || $0.isA("burst") }
    ),
    ("type = public.jpeg", { $0.text("uniformType") == "public.jpeg" }),
    ("type != screenshots", { !$0.isA("screenshot") }),
    ("uniformType ~ heic or uniformType ~ heif", { $0.contains("uniformType", "hei") }),
  ]

  private static let numbers: [Row] = [
    ("size > 1MB", { $0.size > 1e6 }), ("size <= 100 kB", { $0.size <= 1e5 }),
    ("size in 10kB..1MiB", { $0.size >= 1e4 && $0.size <= 1_048_576 }),
    ("size < 1KiB and images", { $0.size < 1024 && $0.isImage }),
    ("duration < 3s", { $0.is("duration") { $0 < 3 } }),
    ("duration >= 0.1min and videos", { $0.isVideo && $0.is("duration") { $0 >= 6 } }),
    ("not duration < 3s", { !$0.is("duration") { $0 < 3 } }),
    ("width > 4000", { $0.is("pixelWidth") { $0 > 4000 } }),
    (
      "width = 640 and height = 480",
      { $0.number("pixelWidth") == 640 && $0.number("pixelHeight") == 480 }
    ),
    (
      "pixels >= 12MP", { ($0.number("pixelWidth") ?? 0) * ($0.number("pixelHeight") ?? 0) >= 12e6 }
    ),
    ("iso >= 800", { $0.is("exposure.iso") { $0 >= 800 } }),
    ("iso in 100..200", { $0.is("exposure.iso") { (100...200).contains($0) } }),
    ("aperture <= f/2.8", { $0.is("exposure.fNumber") { $0 <= 2.8 } }),
    ("exposureTime < 1/500", { $0.is("exposure.time") { $0 < 0.002 } }),
    ("focalLength > 50mm", { $0.is("exposure.focalLength") { $0 > 50 } }),
    ("frameRate = 29.97", { $0.is("video.frameRate") { abs($0 - 29.97) <= 0.0005 * 29.97 } }),
    (
      "frameRate > 24fps and codec = h264",
      { $0.is("video.frameRate") { $0 > 24 } && $0.equals("video.codec", "h264") }
    ),
    ("rating >= 4", { $0.is("rating") { $0 >= 4 } }),
    ("has(rating) and not rating > 0", { $0.is("rating") { $0 <= 0 } }),
  ]

  private static let moments: [Row] = [
    ("year = 2015", { $0.wasTaken("2015") }), ("year != 2015", { !$0.wasTaken("2015") }),
    ("year in 2003..2007", { $0.wasTaken("2003", "2007") }),
    ("year < 1990", { $0.wasTaken("0001", "1989") }),
    ("month = 12", { $0.month == 12 }),
    (
      "month in 6..8 and year > 2014",
      { $0.wasTaken("2015", "9999") && (6...8).contains($0.month ?? 0) }
    ),
    ("captureDate in 2018-05..2019-02", { $0.wasTaken("2018-05", "2019-02") }),
    ("captureDate >= 2024-06", { $0.wasTaken("2024-06", "9999") }),
    ("not has(captureDate)", { !$0.has("captureDate") }),
    ("has(location)", { $0.has("location") }),
    ("has(location) and not has(captureDate)", { $0.has("location") && !$0.has("captureDate") }),
    ("near(46.95, 7.44, 300km)", { $0.kilometres(to: 46.95, 7.44).map { $0 <= 300 } ?? false }),
    (
      "near(39, -108, 800 mi) and images",
      { $0.isImage && $0.kilometres(to: 39, -108).map { $0 <= 800 * 1.609344 } ?? false }
    ),
    (
      "latitude < 0 or longitude < -100",
      { $0.is("location.latitude") { $0 < 0 } || $0.is("location.longitude") { $0 < -100 } }
    ),
  ]

  private static let words: [Row] = [
    ("camera = canon", { $0.equals("camera.make", "canon") }),
    ("camera ~ 'eos r'", { $0.camera.contains("eos r") }),
    (
      "camera ~ iphone and year >= 2017",
      { $0.camera.contains("iphone") && $0.wasTaken("2017", "9999") }
    ),
    ("model = 'Canon EOS 600D'", { $0.equals("camera.model", "canon eos 600d") }),
    (
      "make like 's*y'",
      {
        ($0.text("camera.make")?.lowercased()).map { $0.hasPrefix("s") && $0.hasSuffix("y") }
          ?? false
      }
    ),
    (
      "lens ~ f/1.4 or lens ~ 'f/1.8'",
      { $0.contains("camera.lens", "f/1.4") || $0.contains("camera.lens", "f/1.8") }
    ),
    ("software ~ photoshop", { $0.contains("camera.software", "photoshop") }),
    (
      "keyword = test",
      { ($0.keywords + $0.keywordLevels).contains { $0.lowercased() == "test" } }
    ),
    ("has(keyword) and not has(title)", { !$0.keywords.isEmpty && !$0.has("title") }),
    ("description ~ 'description'", { $0.contains("description", "description") }),
    ("title ~ the", { $0.contains("title", "the") }),
    ("name like '*.heic'", { $0.name.lowercased().hasSuffix(".heic") }),
    ("name ~ img_", { $0.name.lowercased().contains("img_") }),
    ("path ~ /test/", { $0.path.lowercased().contains("/test/") }),
    ("under \"exiftool+exiftool\"", { ($0.folder + "/").hasPrefix("/exiftool+exiftool/") }),
    (
      "under kean+Nuke and not type = public.jpeg",
      { ($0.folder + "/").hasPrefix("/kean+Nuke/") && $0.text("uniformType") != "public.jpeg" }
    ),
    ("search(canon)", { $0.isFound("canon") }),
    ("search('test pict')", { $0.isFound("test", "pict") }),
    ("search(óüö)", { $0.isFound("ouo") }),
    ("search(exif) and not search(canon)", { $0.isFound("exif") && !$0.isFound("canon") }),
  ]

  @Test func `every expression finds what a plain loop finds`() async throws {
    let scanned = try await Half.library.scanned()
    let everything = try await scanned.bench.shoebox(["list", "--format", "jsonl"]).lines
      .map { try PlainAsset(line: $0, root: scanned.folder) }
    let rows = Self.kinds + Self.numbers + Self.moments + Self.words
    #expect(rows.count >= 60)
    var fruitless: [String] = []
    for row in rows {
      let expected = everything.filter(row.holds).map(\.id)
      if expected.isEmpty { fruitless.append(row.expression) }
      let outcome = try await scanned.bench.shoebox(
        ["list", "--format", "csv", "--columns", "id", "--where", row.expression])
      #expect(outcome.status == 0, "\(row.expression): \(outcome.errors)")
      let found = outcome.output.split(separator: "\r\n").dropFirst().map(String.init)
      // In the order of the listing, too.
      #expect(found == expected, "\(row.expression)")
    }
    #expect(fruitless == [])
  }
}
