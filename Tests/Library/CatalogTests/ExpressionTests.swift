import Foundation
import GRDB
import MediaModel
import Testing

@testable import Catalog
@testable import Query

/// Expressions against a plain loop over all assets.
struct ExpressionTests {
  /// Titles, ratings, times before 1970, places across the date line.
  static let extra = """
    UPDATE assets SET title = 'Rome "at" night', rating = id % 7 - 1 WHERE id % 3 = 0;
    UPDATE assets SET caption = 'It''s 100% [sic]; DROP TABLE assets' WHERE id % 10 = 1;
    UPDATE assets SET capture_wall = -1 WHERE id = 11;
    UPDATE assets SET latitude = -17.0, longitude = 179.99 WHERE id IN (5, 15);
    UPDATE assets SET latitude = -17.0, longitude = -179.99 WHERE id IN (25, 35);
    UPDATE assets SET latitude = 89.99, longitude = iif(id = 45, 10, -170) WHERE id IN (45, 55);
    """ + forms

  /// Texts that are not ASCII, composed and decomposed, in either case.
  private static let forms: String = {
    let texts = [
      "йогурт", "Йогурт", "ЙОГУРТ", "Ελλάδα", "ΕΛΛΆΔΑ", "Σίσυφος", "Łódź", "ŁÓDŹ", "Übung", "ガーデン",
      "Straße", "STRASSE", "café", "CAFÉ", "Cafe",
    ]
    let others = texts.map(\.decomposedStringWithCanonicalMapping)
      // Strings are equal in any form, their bytes are not.
      .filter { other in !texts.contains { Array($0.utf8) == Array(other.utf8) } }
    return (texts + others).enumerated().map { index, text in
      let rows = "id % 128 = \(4 * index + 1)"
      return """

        UPDATE assets SET name = '\(text)' || iif(id / 128 % 8 = 2, '', id / 128 || '.jpg'),
          title = 'In \(text)' WHERE \(rows) AND id > 200;
        UPDATE files SET name = (SELECT name FROM assets WHERE assets.id = files.id)
        WHERE id IN (SELECT id FROM assets WHERE \(rows) AND id > 200);
        \(SampleLibrary.originChange(
          ["lens": "'\(text) 23mm'", "model": "iif(a.id > 700, '\(text)', o.model)"],
          where: "\(rows.replacing("id", with: "a.id")) AND a.id > 200"))
        INSERT OR IGNORE INTO keywords
        SELECT id, '\(text)' FROM assets WHERE \(rows) OR id % 100 = \(2 * index + 1);
        INSERT OR IGNORE INTO people
        SELECT id, '\(text)' FROM assets WHERE id % 90 = \(2 * index + 1);
        INSERT OR IGNORE INTO people SELECT id, 'Bob Example' FROM assets WHERE id % 50 = \(index);
        UPDATE assets SET is_favorite = 1 WHERE id % 40 = \(index);
        """
    }.joined()
  }()

  /// Each with whether it is expected to find something in the sample.
  private static let expressions = [
    "person = 'bob EXAMPLE'", "person ~ bob and not favorite", "has(people) and year = 2010",
    "person = 'STRASSE'", "person like 'caf*'", "favorites", "favourite and person = café",
    "not favorites and images", "search('bob')",
    "images", "all(images, not(screenshots))", "any(livePhotos, videos) and year = 2010",
    "any(livePhotos, videos) and year = 2010 and camera ~ \"iPhone\"", "not images",
    "not images and not videos or hdr", "(images or videos) and not hdr", "LIVEPHOTOS",
    "size > 10MB", "size > 10 MB and size <= 30MB", "size in 1MB..2 MB", "size >= 1.5MiB",
    "size < 1e6", "duration < 3s", "duration < 1min and videos", "duration in 2..30",
    "duration = 30s", "not duration < 3s", "year = 2010", "year != 2010", "year in 2008..2010",
    "year < 2006", "year >= 2020 and month = 8", "month in 6..8", "month = 12 and year = 1969",
    "captureDate in 2010-05..2010-08", "captureDate in 2010-06..2010", "captureDate >= 2013-05",
    "captureDate < 1970",
    "captureDate = 2010-05", "captureDate > \"2010-05-14 16:30\"",
    "captureDate <= 2007-03-04T05:06",
    "not captureDate > 2007", "camera ~ 'iphone'", "camera = canon", "camera = 'Canon EOS R5'",
    "camera = \"EOS R5\" or camera = 'sony'", "camera != apple", "camera like '*mark*'",
    "camera like 'iphone*'",
    "make = Apple and not model ~ 13", "model like 'iphone ??'", "lens ~ 'f/1.6'",
    "lens = 'FE 35mm F1.8'", "has(lens) and not has(location)", "software = 15.2.1",
    "iso >= 800", "iso in 100..200 and aperture <= f/2.8", "aperture = 2.5",
    "exposureTime >= 1/60", "exposureTime < 1/500s and images", "focalLength = 5.7mm",
    "focalLength != 5.7", "width = 4032", "pixels > 12MP", "pixels < 12 MP",
    "rating >= 4", "rating = -1", "not has(rating)", "has(title) and title ~ 'AT\" NIGHT'",
    "title = 'Rome \"at\" night'", "title = \"Rome \"\"at\"\" night\"",
    "description ~ \"it's 100% [sic]; drop\"", "keyword = \"holiday\"", "keyword != family",
    "keyword = HOLIDAY and not keyword ~ fam", "keywords like 'h*'", "has(keywords)",
    "name like 'screenshot_*.png'", "name ~ _00", "name = IMG_0007.JPG",
    "path ~ '/2005/event 00000/'", "path like '/benchmark/*/img_00*'", "uniformType = public.heic",
    "uniformType ~ quicktime", "type = public.jpeg", "type = screenshots", "type != videos",
    "status = present", "has(warning) or hdr", "not warning ~ 'cut'", "status != present or hdr",
    "altitude > 400m", "not has(altitude)",
    "pixelWidth = 4032 and pixelHeight > 1", "fNumber = 2.5", "creationDate > 2007",
    "duration < 1:05", "duration >= 500ms", "captureDate > 2007-03-04T05:06:07.089",
    "aperture < f2.8", "size > 2M",
    "frameRate = 29.97", "frameRate < 60fps", "codec = HEVC", "latitude > 47.5",
    "longitude < -100", "near(47.36, 8.54, 5km)", "near(47.5, 8.5, 30)",
    "near(47.5, 8.5, 9000 m) or near(47.9, 8.1, 10mi)", "near(-17, 180, 3km)",
    "near(90, 0, 2km)", "not near(47.5, 8.5, 20)", "has(location)", "has(captureDate)",
    "not has(captureDate)", "has(duration) and not hdr", "under \"2005\"",
    "under '2005/Event 00000'", "under /benchmark/library and images", "not under 2005",
    "under 2006 and under \"2006/Event 00001\"", "under 2005 or under ./2006/",
    "under nowhere or hdr",
    "duplicates", "duplicates and images", "not(duplicates) and iso = 100", "missing",
    "search(rome)", "search(\"rome NIGHT\") and images", "search('\"at night\"') or hdr",
    "search(holi) and search(fam) and not search(\"canon eos\")", "search('img_0007')",
    "search(ÌPHONE) and videos", "missing and search(img)", "search('2005 \"event 00000\"')",
    "name ~ ЙОГ", "name = 'CAFE\u{301}'", "name like 'ŁÓ*'", "title ~ ΣΊΣΥΦΟΣ", "path ~ гурт",
    "keyword = 'ガーデン' and not name ~ ガーデン", "model = 'U\u{308}BUNG'", "camera ~ ελλάδα",
    "lens like '?bung *'", "name ~ cafe", "search(strasse)", "search(ελλαδα) and search('23mm')",
    "album = 'EVENT 00000'", "album like 'event *1' and images", "album ~ 0000",
    "album != \"Event 00001\"",
    "not has(album) or hdr", "has(album) and missing", "addedDate >= 1970",
    "addedDate < 9000 and hdr",
    "not addedDate < 9000 or videos", "addedDate in 1971..9000", "has(addedDate)",
    "missing and images", "all(images, all(missing, size > 1MB))",
  ]

  private let library: SampleLibrary

  init() throws {
    library = try SampleLibrary(count: 800, with: Self.extra)
  }

  /// What is nested deeper than SQLite parses becomes lists of decisions.
  @Test func deepConditionsFindWhatAPlainLoopFinds() throws {
    let everything = try library.everythingWithKeywords().filter { $0.status != .missing }
    var maker = ConditionMaker(seed: 64)
    var counts: Set<Int> = []
    for _ in 0..<60 {
      var condition = maker.condition(depth: 2)
      for level in 0..<40 {
        let other = maker.condition(depth: level % 10 == 0 ? 3 : 0)
        condition =
          switch level % 4 {
          case 0: .all([other, condition])
          case 1: .any([condition, other])
          case 2: .not(condition)
          default: .all([.not(.any([other, .type(.raw)])), .any([condition, other])])
          }
      }
      guard !condition.isMissing, !condition.mixesMissing else { continue }
      let expected = everything.filter { $0.fulfils(condition) }.map(\.identifier)
      let simplified = everything.filter { $0.fulfils(condition.simplified) }.map(\.identifier)
      #expect(simplified == expected, "\(condition)")
      // The simplified form could be flat: each must hold by itself.
      for part in [condition, .any([condition, condition.simplified])] {
        let listed = try library.listed(.with { $0.expressions = [part] })
        #expect(Set(listed) == Set(expected), "\(part)")
      }
      counts.insert(expected.count)
    }
    #expect(counts.count > 3)
  }

  @Test func everyExpressionFindsWhatAPlainLoopFinds() throws {
    let everything = try library.everythingWithKeywords()
    var fruitless: [String] = []
    #expect(Self.expressions.count >= 60)
    for expression in Self.expressions {
      let condition = try Condition(expression: expression)
      let expected = everything.filter {
        ($0.status == .missing) == condition.isMissing && $0.fulfils(condition)
      }.map(\.identifier)
      for order in [AssetOrder(), AssetOrder(.name), AssetOrder(.duration, isReversed: true)] {
        let listed = try library.listed(.with { $0.expressions = [condition] }, order)
        #expect(Set(listed) == Set(expected), "\(expression)")
        #expect(listed.count == expected.count)
        var paged = order
        (paged.limit, paged.offset) = (10, 3)
        let page = try library.listed(.with { $0.expressions = [condition] }, paged)
        #expect(page == Array(listed.dropFirst(3).prefix(10)), "\(expression)")
      }
      if expected.isEmpty { fruitless.append(expression) }
      let counted = try library.catalog.statistics(matching: .with { $0.expressions = [condition] })
      #expect(counted.total.count == expected.count, "\(expression)")
      #expect(try Condition(expression: condition.description) == condition, "\(condition)")
    }
    #expect(fruitless == [])
  }

  @Test(arguments: [
    "warning = 'THE file is cut off.'", "warning like 'the file*'", "warning like '*c:\\\\new.'",
    "warning ~ '\"bytes\" in'", "warning = 'stray \"bytes\" in C:\\new.' and warning != cut",
  ])
  func eachOfSeveralWarningsIsCompared(expression: String) throws {
    let asset = "(SELECT min(id) FROM assets WHERE is_listed)"
    let warnings = "Stray \"bytes\" in C:\\new.\nThe file is cut off."
    try library.catalog.database.write {
      try $0.execute(
        sql: """
          INSERT INTO asset_details (asset_id, warnings) VALUES (\(asset), ?1)
          ON CONFLICT (asset_id) DO UPDATE SET warnings = ?1
          """, arguments: [warnings])
    }
    let condition = try Condition(expression: expression)
    #expect(try library.catalog.count(matching: .with { $0.expressions = [condition] }) == 1)
    let other = try Condition(expression: "warning = bytes or warning ~ 'new.\nthe'")
    #expect(try library.catalog.count(matching: .with { $0.expressions = [other] }) == 0)
  }

  @Test func randomConditionsArePrintedAndFoundFaithfully() throws {
    let everything = try library.everythingWithKeywords().filter { $0.status != .missing }
    var maker = ConditionMaker(seed: 20_261_121)
    for _ in 0..<600 {
      let condition = maker.condition(depth: 4)
      #expect(try Condition(expression: condition.description) == condition, "\(condition)")
      let found = everything.filter { $0.fulfils(condition) }
      // What is listed whole is read in another way than a page, and each order has an index of its own.
      var order = maker.order()
      let expected = found.sorted { order.puts($0, before: $1) }.map(\.identifier)
      let filter = AssetFilter.with { $0.expressions = [condition] }
      #expect(try library.listed(filter, order) == expected, "\(condition) by \(order)")
      #expect(try library.catalog.count(matching: filter) == expected.count, "\(condition)")
      let page = maker.page()
      (order.limit, order.offset) = (page.limit, page.offset)
      #expect(
        try library.listed(filter, order)
          == Array(expected.dropFirst(page.offset).prefix(page.limit)),
        "\(condition) by \(order)")
    }
  }

  /// Two conditions that must hold, of which either may be where a listing begins.
  @Test func pairsOfConditionsAreFoundWhicheverLeads() throws {
    let everything = try library.everythingWithKeywords().filter { $0.status != .missing }
    var maker = ConditionMaker(seed: 4)
    for _ in 0..<400 {
      let conditions = [maker.condition(depth: 1), maker.condition(depth: 1)]
      var order = maker.order()
      let expected = everything.filter { asset in conditions.allSatisfy { asset.fulfils($0) } }
        .sorted { order.puts($0, before: $1) }.map(\.identifier)
      let filter = AssetFilter.with { $0.expressions = [.all(conditions)] }
      let page = maker.page()
      (order.limit, order.offset) = (page.limit, page.offset)
      #expect(
        try library.listed(filter, order)
          == Array(expected.dropFirst(page.offset).prefix(page.limit)),
        "\(conditions) by \(order)")
    }
  }

  /// NTSC's 30000/1001 frames a second are what people call 29.97 (SMPTE ST 12-1): neither less nor
  /// more; 30 are more.
  @Test func aMeasuredValueIsLessEqualOrGreater() throws {
    let library = try SampleLibrary(
      count: 60,
      with: """
        UPDATE assets SET frame_rate = NULL;
        UPDATE assets SET frame_rate = 30000.0 / 1001 WHERE id = 1;
        UPDATE assets SET frame_rate = 30 WHERE id = 3;
        """)
    for (expression, rows) in [
      ("frameRate = 29.97", [1]), ("frameRate < 29.97", []), ("frameRate > 29.97", [3]),
      ("frameRate <= 29.97", [1]), ("frameRate >= 29.97", [1, 3]),
      ("frameRate in 29..29.97", [1]), ("frameRate in 29.97..30", [1, 3]),
      ("frameRate < 30", [1]), ("frameRate >= 30", [3]),
      ("frameRate != 29.97 and has(frameRate)", [3]),
    ] as [(String, [Int64])] {
      let condition = try Condition(expression: expression)
      var found: [Int64] = []
      try library.catalog.forEachAsset(matching: .with { $0.expressions = [condition] }) {
        found.append($0.rowID)
      }
      #expect(found.sorted() == rows, "\(expression)")
    }
  }

  @Test func flagsAndExpressionsAskTheSame() throws {
    let filter = try AssetFilter.with {
      $0.types = [.livePhotos, .videos]
      $0.excludedTypes = [.hdr]
      ($0.since, $0.until) = (try WallDate(typed: "2007"), try WallDate(typed: "2015-06"))
      $0.cameras = ["apple", "sony"]
      $0.minimumSize = 1_000_000
      $0.hasLocation = true
      $0.places = [try Condition(near: "47.5,8.5,40")]
    }
    let expression = """
      (livePhotos or videos) and not hdr and captureDate in 2007..2015-06
      and (camera ~ apple or camera ~ sony) and size >= 1MB and has(location)
      and near(47.5, 8.5, 40)
      """
    let condition = try Condition(expression: expression)
    let listed = try library.listed(filter)
    #expect(!listed.isEmpty)
    #expect(try library.listed(.with { $0.expressions = [condition] }) == listed)
  }
}

extension SampleLibrary {
  /// Every asset that is not part of another, with its keywords.
  func everythingWithKeywords() throws -> [AssetRecord] {
    let keywords = try catalog.database.read { database in
      try Dictionary(grouping: KeywordRow.fetchAll(database), by: \.asset)
    }
    let people = try catalog.database.read { database in
      try Dictionary(
        grouping: Row.fetchAll(database, sql: "SELECT asset_id, name FROM people"),
        by: { $0["asset_id"] as Int64 }
      ).mapValues { $0.map { $0["name"] as String } }
    }
    return try everything().filter { !$0.isAbsorbed }.map { asset, _ in
      var asset = asset
      asset.keywords = keywords[asset.rowID]?.map(\.keyword) ?? []
      asset.people = people[asset.rowID] ?? []
      return asset
    }
  }
}
