import Foundation
import ShoeboxKit
import Testing
import Workbench

/// Filters that other tests do not use, against paths and exiftool's tags.
struct FilterTests {
  private func names(_ library: PhotoLibrary, _ filter: AssetFilter) async throws -> [String] {
    var names: [String] = []
    for try await asset in try await library.fetchAssets(
      filter, options: .init(sort: .name, order: .ascending))
    {
      names.append(asset.path.lastComponent?.string ?? "")
    }
    return names
  }

  @Test func `albums, keywords, ratings, duplicates and times of adding`() async throws {
    let kit = try KitBench()
    _ = try await kit.bench.bash(
      """
      cd library
      mkdir -p 'For the exhibition/drafts' other
      convert -size 32x24 xc:red 'For the exhibition/a.jpg'
      convert -size 32x24 xc:blue 'For the exhibition/drafts/b.jpg'
      convert -size 32x24 xc:green other/c.jpg
      cp other/c.jpg other/d.jpg
      exiftool -q -overwrite_original -XMP:Rating=4 -XMP:Subject=beach 'For the exhibition/a.jpg'
      exiftool -q -overwrite_original -XMP:Rating=2 -XMP:Subject=Beach -XMP:Subject=snow other/c.jpg
      """)
    _ = try await kit.bench.scan([kit.bench.library])
    let library = try await kit.open(access: .readOnly)
    #expect(try await names(library, .album("For the exhibition")) == ["a.jpg"])
    #expect(try await names(library, .album("FOR THE EXHIBITION")) == ["a.jpg"])
    #expect(try await names(library, .album("For the")) == [])
    #expect(try await names(library, .album("drafts")) == ["b.jpg"])
    #expect(try await names(library, .not(.album("other"))) == ["a.jpg", "b.jpg"])
    #expect(try await names(library, .expression("album like '*exhibition*'")) == ["a.jpg"])
    #expect(try await names(library, .keyword("beach")) == ["a.jpg", "c.jpg"])
    #expect(try await names(library, .rating(atLeast: 2)) == ["a.jpg", "c.jpg"])
    #expect(try await names(library, .rating(atLeast: 3)) == ["a.jpg"])

    let before = try await kit.bench.query("SELECT max(added_date) FROM assets")
    let last = Double(try #require(before.first.flatMap { Int($0) })) / 1000
    _ = try await kit.bench.bash(
      "cp library/other/c.jpg library/e.jpg; convert -size 9x9 xc:red library/f.jpg")
    _ = try await kit.bench.scan()
    let new = Date(timeIntervalSince1970: last + 0.001)
    #expect(try await names(library, .added(since: new)) == ["e.jpg", "f.jpg"])
    #expect(try await names(library, .added(since: Date.distantPast)).count == 6)
    #expect(try await names(library, .added(since: Date.distantFuture)) == [])
    #expect(try await names(library, .added(since: "2020-05")).count == 6)
    #expect(try await names(library, .added(since: "9000")) == [])
    await #expect(throws: PhotoLibraryError.self) {
      _ = try await names(library, .added(since: "last year"))
    }
    #expect(try await names(library, .added(since: "yesterday")).count == 6)
    #expect(try await names(library, .added(since: "2h")).count == 6)
    #expect(try await names(library, .all(of: [.duplicates, .added(since: new)])) == ["e.jpg"])
    #expect(try await names(library, .album("library")) == ["e.jpg", "f.jpg"])
  }

  @Test func `dates of an expression are relative to the time that is given`() async throws {
    let kit = try KitBench()
    _ = try await kit.bench.bash(
      """
      cd library
      for day in 01 05 09; do
        convert -size 32x24 xc:red $day.jpg
        exiftool -q -overwrite_original -DateTimeOriginal="2024:05:$day 12:00:00" $day.jpg
      done
      """)
    _ = try await kit.bench.scan([kit.bench.library])
    let library = try await kit.open(access: .readOnly)
    func found(_ expression: String, _ now: String) async throws -> [String] {
      let now = try Date(now, strategy: .iso8601)
      return try await names(library, .expression(expression, now: now))
    }
    #expect(try await found("captureDate >= 7d", "2024-05-11T00:00:00Z") == ["05.jpg", "09.jpg"])
    #expect(try await found("captureDate >= 7d", "2024-05-15T00:00:00Z") == ["09.jpg"])
    #expect(try await found("captureDate = yesterday", "2024-05-10T12:00:00Z") == ["09.jpg"])
    #expect(
      try await found("any(captureDate = today, not(captureDate > 2w))", "2024-05-20T12:00:00Z")
        == ["01.jpg", "05.jpg"])
    #expect(try await names(library, .expression("captureDate >= 7d")) == [])
    // A date that no calendar has is the nearest one.
    for now in [Date.distantFuture, .distantPast, Date(timeIntervalSince1970: .nan)] {
      _ = try await names(library, .expression("captureDate >= 7d", now: now))
    }
  }

  /// Values that can only be mistakes.
  @Test func `empty texts and dates that are not numbers are refused`() async throws {
    let kit = try KitBench()
    try kit.bench.addPictures(1)
    let library = try await kit.open()
    _ = try await library.scan([FilePath(kit.bench.library)]).report
    let never = Date(timeIntervalSince1970: .nan)
    func isRefused(_ body: () async throws -> Void) async -> Bool {
      do {
        try await body()
        return false
      } catch {
        guard case .invalidFilter(let reason) = error as? PhotoLibraryError else { return false }
        return !reason.isEmpty
      }
    }
    let mistakes: [AssetFilter] = [
      .under(""), .album(""), .keyword(""), .person(""), .search(""), .added(since: ""),
      .added(since: never), .not(.under("")), .any(of: [.images, .album("")]),
    ]
    for filter in mistakes {
      #expect(await isRefused { _ = try await library.fetchAssets(filter) })
    }
    #expect(await isRefused { _ = try await library.missingFiles(before: never) })
    #expect(await isRefused { _ = try await library.missingFiles(under: "") })
    #expect(await isRefused { _ = try await library.purgeMissingFiles(before: never) })
    #expect(await isRefused { _ = try await library.report(.since(never)) })
    for far in [1e18, -1e18, .infinity, -.infinity, .greatestFiniteMagnitude] {
      let date = Date(timeIntervalSince1970: far)
      #expect(try await library.missingFiles(before: date).isEmpty)
      #expect(try await library.purgeMissingFiles(before: date).isEmpty)
      #expect(try await names(library, .added(since: date)).count == (far < 0 ? 1 : 0))
      _ = try await library.report(.since(date))
    }
  }

  @Test func `an asset is JSON with plain values`() async throws {
    let kit = try KitBench()
    try kit.bench.addPicture("a b.gif", width: 33)
    _ = try await kit.bench.bash("cp 'library/a b.gif' \"library/$(printf 'x\\377.gif')\"")
    _ = try await kit.bench.scan([kit.bench.library])
    let library = try await kit.open(access: .readOnly)
    let page = try await library.fetchAssets(options: .init(sort: .name, order: .ascending))
      .page(after: nil, size: 10)
    let encoder = JSONEncoder()
    let data = try encoder.encode(page)
    #expect(try JSONDecoder().decode(FetchResult.Page.self, from: data) == page)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let assets = try #require(object["assets"] as? [[String: Any]])
    #expect(assets.count == 2)
    #expect(assets[0]["path"] as? String == kit.bench.library + "/a b.gif")
    let bytes = (assets[1]["path"] as? [String: String])?["base64"].flatMap {
      Data(base64Encoded: $0)
    }
    #expect(bytes == Data("\(kit.bench.library)/x".utf8) + [0xFF] + Data(".gif".utf8))
    #expect((assets[0]["pixelSize"] as? [String: Int])?["width"] == 33)
    #expect(assets[0]["mediaType"] as? String == "image")
    #expect(assets[0]["subtypes"] as? [String] == [])
    let kinds: MediaSubtypes = [.livePhoto, .hdr, .edited]
    #expect(
      try String(decoding: encoder.encode(kinds), as: UTF8.self) == #"["livePhoto","hdr","edited"]"#
    )
    #expect(try JSONDecoder().decode(MediaSubtypes.self, from: encoder.encode(kinds)) == kinds)
    let resources = try await library.resources(of: page.assets[1].id)
    let copy = try JSONDecoder().decode(
      [AssetResource].self, from: try encoder.encode(resources))
    #expect(copy == resources && resources.count == 1)
  }

  @Test func `a negative limit is an empty listing`() async throws {
    let kit = try KitBench()
    try kit.bench.addPictures(3)
    _ = try await kit.bench.scan([kit.bench.library])
    let library = try await kit.open(access: .readOnly)
    for limit in [Int.min, -1, 0] {
      let result = try await library.fetchAssets(options: .init(limit: limit))
      #expect(try await result.count == 0)
      #expect(try await result.page(after: nil, size: 10).assets == [])
    }
  }
}
