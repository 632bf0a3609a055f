import GRDB
import MediaModel
import Testing

@testable import Catalog
@testable import Query

/// Rare values: a listing of them begins with the few assets that have them, and has them all.
struct CandidateTests {
  private let library: SampleLibrary

  init() throws {
    library = try SampleLibrary(count: 3000, with: Self.extra)
  }

  /// Early in every order and late, some of it missing or a part of another asset.
  private static let extra =
    SampleLibrary.originChange(
      ["make": "'Fujifilm'", "model": "'X100'", "lens": "'Super 23'"],
      where: "a.id IN (41, 42, 5999)")
    + SampleLibrary.originChange(
      ["make": "'Fujifilm'", "model": "'X100'"], where: "a.is_missing OR a.absorbed_by < 600")
    + SampleLibrary.originChange(
      ["video_codec": "'av1'", "uniform_type": "'public.avif'"], where: "a.id IN (57, 5997)")
    + SampleLibrary.originChange(
      ["video_codec": "'av1'"],
      where:
        "a.id = (SELECT max(id) FROM assets WHERE is_video AND is_listed AND NOT is_unreadable)")
      + """
      UPDATE assets SET rating = 5, title = 'Unique' WHERE id IN (43, 44, 45, 5001) OR is_missing;
      UPDATE assets SET rating = 1 WHERE id % 4 = 1 AND rating IS NULL;
      UPDATE assets SET caption = 'told' WHERE id IN (47, 3001);
      UPDATE asset_details SET iso = 999999 WHERE asset_id IN (47, 3001);
      UPDATE assets SET latitude = -70, longitude = 0.01 WHERE id IN (49, 51, 2999);
      UPDATE assets SET latitude = -17, longitude = iif(id = 53, 179.99, -179.99) WHERE id IN (53, 55);
      UPDATE assets SET name = iif(id = 59, 'ZZZ[1].jpg', 'zzz[1].JPG') WHERE id IN (59, 61);
      UPDATE files SET name = (SELECT name FROM assets WHERE assets.id = files.id) WHERE id IN (59, 61);
      UPDATE assets SET size = 900000 WHERE id % 50 = 1;
      UPDATE assets SET capture_wall = NULL WHERE id IN (41, 43, 49, 57);
      INSERT INTO keywords SELECT id, 'Rare' FROM assets WHERE id IN (65, 66, 67, 4001);
      UPDATE assets SET name = iif(id = 67, 'zÜrich.jpg', 'ZU\u{308}RICH.JPG') WHERE id IN (67, 69);
      UPDATE files SET name = (SELECT name FROM assets WHERE assets.id = files.id) WHERE id IN (67, 69);
      INSERT INTO keywords SELECT id, 'Йогурт' FROM assets WHERE id IN (65, 67);
      INSERT INTO keywords SELECT id, 'и\u{306}огурт' FROM assets WHERE id IN (67, 71);
      INSERT INTO keywords SELECT id, 'Seldom' FROM assets WHERE id / 2 % 30 = 7;
      """

  private static let expressions = [
    "camera ~ 'fujifilm x100'", "camera = x100", "lens ~ 'super'", "lens like 'super*'",
    "make = fujifilm and has(lens)", "camera ~ fujifilm or camera ~ zzz", "rating = 5",
    "rating > 4", "has(title)", "title ~ unique", "has(description)", "description = told",
    "near(-70, 0, 5km)", "near(-17, 180, 3km)", "latitude < -60", "codec = av1",
    "type = public.avif", "uniformType like '*.avif'", "name = 'zzz[1].JPG'", "name like 'zzz*'",
    "name like 'zzz[[]*'", "keyword = rare", "keyword = ЙОГУРТ", "name = 'Zürich.jpg'",
    "name like 'ZÜR*'", "size = 900000 and rating = 5", "duration < 1.6s",
    "captureDate = 2012-05", "captureDate in 2012-05..2012-06 and images",
    "camera ~ x100 or rating = 5 or keyword = RARE", "(images and rating = 5) or near(-70, 0, 5)",
    "search(unique)", "search(img) and rating = 5", "(search(rare) or search(told)) and images",
    "search(img) and under '2005/Event 00000'", "search(seldom)", "search(seldom) and not hdr",
    "cinematicVideos or timelapseVideos",
    "not (images or hdr) and codec = av1", "not (not rating = 5 or videos)",
    "livePhotos and size < 901kB", "images and size > 30MB",
  ]

  @Test(arguments: [false, true])
  func aPageOfThemIsThatOfThePlainLoop(isReversed: Bool) throws {
    let everything = try library.everythingWithKeywords().filter { $0.status != .missing }
    for expression in Self.expressions {
      let condition = try Condition(expression: expression)
      let found = everything.filter { $0.fulfils(condition) }
      #expect(found.isEmpty == (expression == "images and size > 30MB"), "\(expression)")
      let filter = AssetFilter.with { $0.expressions = [condition] }
      #expect(try library.catalog.count(matching: filter) == found.count, "\(expression)")
      for key in AssetOrder.Key.allCases {
        var order = AssetOrder(key, isReversed: isReversed)
        let expected = found.sorted { order.puts($0, before: $1) }.map(\.identifier)
        for (limit, offset) in [(nil, 0), (2, 0), (2, 1), (100, 0), (20, 30)] as [(Int?, Int)] {
          (order.limit, order.offset) = (limit, offset)
          #expect(
            try library.listed(filter, order)
              == Array(expected.dropFirst(offset).prefix(limit ?? .max)),
            "\(expression) by \(order)")
        }
      }
    }
  }

  @Test func hundredsOfFoldersAndNamesAreAskedAtOnce() throws {
    let folders = AssetFilter.with {
      $0.folders = (0..<700).map { BytePath("/benchmark/library/2005/Event 0000\($0)") }
    }
    #expect(try library.catalog.count(matching: folders) > 0)
    let names = AssetFilter.with { $0.names = (0..<200).map { "ZZZ*\($0)*" } }
    #expect(try library.listed(names, AssetOrder(limit: 9)).count == 2)
  }

  /// The beginning of a pattern ends a range of names where the next letter begins, whichever it is.
  @Test(arguments: ["z", "Z", "@", "`", "~", "é", "\u{D7FF}", "\u{10FFFF}", "日"])
  func thePatternOfANameFindsAllThatBeginWithIt(letter: String) throws {
    let library = try SampleLibrary(count: 800)
    let names = [
      "a\(letter)", "a\(letter)b.jpg", "A\(letter)\u{10FFFF}\u{10FFFF}", "a", "b\(letter)",
    ]
    try library.catalog.database.write { database in
      for (index, name) in names.enumerated() {
        try database.execute(
          sql: "UPDATE assets SET name = ? WHERE id = ?", arguments: [name, 2 * index + 1])
      }
    }
    var rows: [Int64] = []
    let filter = AssetFilter.with { $0.names = ["a\(letter)*"] }
    try library.catalog.forEachAsset(matching: filter, in: AssetOrder(limit: 9), with: []) {
      rows.append($0.rowID)
    }
    #expect(rows.sorted() == [1, 3, 5])
  }
}

/// `assets.origin_id` leads to what made the asset.
struct OriginTests {
  /// What a scan records again, and what it adds, share the rows of equal origins.
  @Test func equalOriginsAreOneRow() throws {
    let library = try SampleLibrary(count: 60)
    var facts = MediaFacts(mediaType: .image, uniformType: .png)
    for model in ["A", "B", "A", nil] {
      facts.camera.model = model
      try library.catalog.write { transaction in
        for (folder, file) in [(1000, nil), (1, 5)] as [(Int64, Int64?)] {
          _ = try transaction.record(
            FileRecording(
              folderID: folder, name: Array("new.png".utf8), family: 1,
              stamp: FileStamp(size: 1, modified: 1, inode: 1), changed: 1, fileID: file,
              content: .media(facts, Fingerprint(bytes: [1]), [])), now: 0)
        }
      }
    }
    let models = try library.catalog.database.read {
      try String?.fetchAll(
        $0,
        sql: """
          SELECT o.model FROM assets AS a JOIN origins AS o ON o.id = a.origin_id
          WHERE o.uniform_type = 'public.png' AND a.name = 'new.png' ORDER BY a.id
          """)
    }
    #expect(models == [nil, "A", "B", "A", nil])
    let doubles = try library.catalog.database.read {
      try Int.fetchOne(
        $0,
        sql: """
          SELECT count(*) - count(DISTINCT quote(uniform_type) || quote(make) || quote(model) || quote(lens)
            || quote(software) || quote(video_codec) || quote(audio_codec) || quote(dynamic_range))
          FROM origins
          """)
    }
    #expect(doubles == 0)
  }

  /// A failed transaction takes its new rows along; they are not used afterwards.
  @Test func anOriginOfAFailedTransactionIsForgotten() throws {
    let library = try SampleLibrary(count: 60)
    struct Failure: Error {}
    var facts = MediaFacts(mediaType: .image, uniformType: .png)
    facts.camera.model = "new"
    let recording = FileRecording(
      folderID: 1000, name: Array("new.png".utf8), family: 1,
      stamp: FileStamp(size: 1, modified: 1, inode: 1), changed: 1, fileID: nil,
      content: .media(facts, Fingerprint(bytes: [1]), []))
    #expect(throws: Failure.self) {
      try library.catalog.write {
        _ = try $0.record(recording, now: 0)
        throw Failure()
      }
    }
    _ = try library.catalog.write { try $0.record(recording, now: 0) }
    #expect(
      try library.catalog.count(matching: .with { $0.cameras = ["new"] }) == 1)
  }
}
