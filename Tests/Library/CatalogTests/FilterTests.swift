import Foundation
import GRDB
import MediaModel
import Testing

@testable import Catalog
@testable import Query

/// Every filter against a plain loop over all rows.
struct FilterTests {
  /// Names that are not UTF-8, ties, and values at the ends of ranges.
  private static let extra = """
    INSERT INTO folders (id, root_id, parent_id, path, name) VALUES
      (900001, 1, 1, x'FF', x'FF'), (900002, 1, 900001, x'FF2F61', 'a');
    UPDATE files SET folder_id = 900001 WHERE id IN (21, 41);
    UPDATE files SET folder_id = 900002, name = x'FE2E4A5047' WHERE id = 61;
    UPDATE assets SET name = '\u{FFFD}.JPG' WHERE id = 61;
    UPDATE assets SET capture_wall = 1262304000000 WHERE id IN (3, 23, 43);
    UPDATE assets SET size = 1000000 WHERE id IN (3, 23, 43, 63);
    """

  let library: SampleLibrary

  init() throws {
    library = try SampleLibrary(count: 500, with: Self.extra)
  }

  private func check(
    _ filter: AssetFilter, isMissing: Bool = false, _ wanted: (AssetRecord) -> Bool
  ) throws -> Int {
    let expected = try library.everything().filter { asset, isAbsorbed in
      !isAbsorbed && (asset.status == .missing) == isMissing && wanted(asset)
    }.map(\.asset)
    for key in AssetOrder.Key.allCases {
      for isReversed in [false, true] {
        let order = AssetOrder(key, isReversed: isReversed)
        let sorted = expected.sorted { Self.precedes($0, $1, order) }.map(\.identifier)
        #expect(try library.listed(filter, order) == sorted, "\(filter) by \(order)")
        let page = AssetOrder(key, isReversed: isReversed, limit: 20, offset: 2)
        #expect(
          try library.listed(filter, page) == Array(sorted.dropFirst(2).prefix(20)),
          "\(filter) by \(page)")
      }
    }
    return expected.count
  }

  /// By value, what has none last; equal values by row.
  private static func precedes(_ left: AssetRecord, _ right: AssetRecord, _ order: AssetOrder)
    -> Bool
  {
    func value(_ asset: AssetRecord) -> Double? {
      switch order.key {
      case .captureDate: asset.captureWall.map(Double.init)
      case .size: Double(asset.size)
      case .duration: asset.duration
      case .addedDate: Double(asset.added)
      case .name: nil
      }
    }
    if order.key == .name {
      let names = [left, right].map {
        $0.path.display.split(separator: "/").last?.lowercased() ?? ""
      }
      if names[0] != names[1] { return (names[0] < names[1]) != order.isReversed }
      return (left.rowID < right.rowID) != order.isReversed
    }
    switch (value(left), value(right)) {
    case (nil, .some): return false
    case (.some, nil): return true
    case (let left?, let right?) where left != right: return (left > right) != order.isReversed
    default: return (left.rowID > right.rowID) != order.isReversed
    }
  }

  @Test func nothingAskedListsAllThatIsThere() throws {
    #expect(try check(AssetFilter()) { _ in true } > 450)
  }

  @Test func missingOnes() throws {
    #expect(try check(.with { $0.isMissing = true }, isMissing: true) { _ in true } >= 2)
  }

  @Test(arguments: TypeWord.allCases)
  func oneType(word: TypeWord) throws {
    _ = try check(.with { $0.types = [word] }) { $0.isOf(word) }
  }

  @Test func typesAreORedAndExcludedOnesANDed() throws {
    let filter = AssetFilter.with {
      $0.types = [.livePhotos, .screenshots, .videos]
      $0.excludedTypes = [.hdr, .slomoVideos]
    }
    let count = try check(filter) { asset in
      [.livePhotos, .screenshots, .videos].contains(where: asset.isOf)
        && !asset.isOf(.hdr) && !asset.isOf(.slomoVideos)
    }
    #expect(count > 60)
  }

  @Test(arguments: ["2010", "2010-01", "2010-01-01", "2010-01-01T00:00", "2010-01-01 00:00:00"])
  func dates(text: String) throws {
    let date = try WallDate(typed: text)
    let first: Int64 = 1_262_304_000_000  // 2010-01-01 by `date -u -d 2010-01-01 +%s`
    #expect(date.firstMillisecond == first)
    let count = try check(.with { ($0.since, $0.until) = (date, date) }) { asset in
      // ISO 8601 sorts as text, and the sample's times are all written alike.
      asset.captureWall == first
        || asset.captureDate?.hasPrefix(text.replacing(" ", with: "T")) == true
          && asset.captureWall != nil && ![3, 23, 43].contains(asset.rowID)
    }
    #expect(count >= 2)
    _ = try check(.with { $0.since = date }) { ($0.captureWall ?? 0) >= first }
    _ = try check(.with { $0.until = date }) {
      ($0.captureWall ?? .max) < date.endMillisecond
    }
  }

  @Test func folders() throws {
    func under(_ path: BytePath...) throws -> Int {
      try check(.with { $0.folders = path }) { asset in path.contains { asset.path.isWithin($0) } }
    }
    #expect(try under(BytePath("/benchmark/library")) > 450)
    #expect(try under(BytePath("/")) > 450)
    #expect(try under(BytePath("/benchmark/library/2005")) > 100)
    #expect(try under(BytePath("/benchmark/library/2005/Event 00000")) > 100)
    #expect(try under(BytePath("/benchmark/library/20")) == 0)
    #expect(try under(BytePath("/elsewhere")) == 0)
    #expect(try under(BytePath("/elsewhere"), BytePath("/benchmark/library/2005")) > 100)
    #expect(try under(BytePath(bytes: Array("/benchmark/library/".utf8) + [0xFF])) == 3)
    #expect(
      try under(BytePath(bytes: Array("/benchmark/library/".utf8) + [0xFF, 0x2F, 0x61])) == 1)
  }

  @Test func namesCamerasAndLenses() throws {
    let shots = try check(.with { $0.names = ["screenshot_*.png", "IMG_0?7?.heic"] }) { asset in
      let name = asset.path.display.split(separator: "/").last?.lowercased() ?? ""
      return name.hasPrefix("screenshot_") || name.wholeMatch(of: /img_0.7.\.heic/) != nil
    }
    #expect(shots > 10)
    #expect(
      try check(.with { $0.cameras = ["iphone", "Canon EOS"] }) {
        ["iPhone 13 Pro Max", "iPhone 15", "iPhone SE", "Canon EOS R5"].contains($0.camera.model)
      } > 100)
    #expect(
      try check(.with { $0.lenses = ["NIKKOR"] }) { $0.camera.make == "NIKON CORPORATION" } > 20)
  }

  @Test func sizesDurationsAndPlaces() throws {
    _ = try check(.with { ($0.minimumSize, $0.maximumSize) = (1_000_000, 2_000_000) }) {
      (1_000_000...2_000_000).contains($0.size)
    }
    _ = try check(.with { ($0.minimumDuration, $0.maximumDuration) = (1.5, 30) }) {
      $0.duration.map { (1.5...30).contains($0) } ?? false
    }
    #expect(try check(.with { $0.hasLocation = true }) { $0.location != nil } > 100)
    #expect(try check(.with { $0.hasLocation = false }) { $0.location == nil } > 100)
  }

  /// SQLite takes chains of conditions up to a depth of 1000.
  @Test(.timeLimit(.minutes(1))) func aFlagMayBeGivenManyTimes() throws {
    let none = (0..<1100).map { "none \($0)" }
    let cameras = try library.listed(.with { $0.cameras = ["iphone"] })
    #expect(!cameras.isEmpty)
    #expect(try library.listed(.with { $0.cameras = none + ["iphone"] }) == cameras)
    #expect(try library.listed(.with { $0.names = none }).isEmpty)
    let places = try none.map { _ in try Condition(near: "0,0,1") }
    #expect(try library.listed(.with { $0.places = places }).isEmpty)
    let searches = try none.map { try SearchText(typed: $0) }
    #expect(try library.listed(.with { $0.searches = searches }).isEmpty)
    let hdr = try library.listed(.with { $0.types = [.hdr] })
    #expect(try library.listed(.with { $0.types = Array(repeating: .hdr, count: 1100) }) == hdr)
    let others = none.map { _ in AssetFilter.with { $0.excludedTypes = [.videos] } }
    #expect(
      try library.listed(.with { $0.others = others })
        == library.listed(.with { $0.excludedTypes = [.videos] }))
  }

  @Test func whatSQLiteCannotBindIsRefused() {
    let names = (0..<40_000).map(String.init)
    #expect(throws: BadValue.self) { try library.listed(.with { $0.names = names }) }
  }

  @Test func pagesNeitherRepeatNorDropARow() throws {
    for key in AssetOrder.Key.allCases {
      for isReversed in [false, true] {
        var paged: [String] = []
        for offset in stride(from: 0, to: 500, by: 150) {
          paged += try library.listed(
            AssetFilter(), AssetOrder(key, isReversed: isReversed, limit: 150, offset: offset))
        }
        #expect(
          paged == (try library.listed(AssetFilter(), AssetOrder(key, isReversed: isReversed))))
      }
    }
  }

  @Test(arguments: [
    "'; DROP TABLE assets; --", "\" OR 1=1 --", "zq\0b", "?1", ":count", "%", "[", "\u{202E}", "\\",
  ])
  func hostileTextIsNeverSQL(text: String) throws {
    try checkHostile(text)
  }

  /// The longest argument that Linux hands to a program has 128 KiB.
  @Test func theLongestTextIsOnlyText() throws {
    try checkHostile(String(repeating: "x';-", count: 1 << 15))
  }

  private func checkHostile(_ text: String) throws {
    let filters: [AssetFilter] = [
      .with { $0.cameras = [text] }, .with { $0.lenses = [text] },
      .with { $0.folders = [BytePath("/" + text)] },
      .with { $0.names = [String(text.prefix(4000))] },
    ]
    for filter in filters {
      let listed = try library.listed(filter)
      #expect(listed.isEmpty)
    }
    #expect(throws: AssetReferenceError.self) { try library.catalog.asset(.identifier(text)) }
    #expect(throws: AssetReferenceError.self) { try library.catalog.asset(.path(BytePath(text))) }
    #expect(throws: RootError.self) { try library.catalog.forgetRoot(BytePath(text)) }
    #expect(try library.listed(AssetFilter()).count > 450)
  }
}

extension AssetRecord {
  /// The meaning of a type word, implemented a second time.
  func isOf(_ word: TypeWord) -> Bool {
    let names: [TypeWord: String] = [
      .livePhotos: "livePhoto", .motionPhotos: "motionPhoto", .screenshots: "screenshot",
      .screenRecordings: "screenRecording", .bursts: "burst", .panoramas: "panorama",
      .depthEffectPhotos: "depthEffect", .cinematicVideos: "cinematic", .slomoVideos: "slomo",
      .timelapseVideos: "timelapse", .spatialMedia: "spatial", .hdr: "hdr", .raw: "raw",
      .edited: "edited",
    ]
    switch word {
    case .duplicates: return isDuplicate
    case .spareCopies: return false
    case .favorites: return isFavorite
    case .images: return mediaType == .image
    case .videos: return mediaType == .video
    default: return subtypes.names.contains(names[word] ?? "")
    }
  }
}
