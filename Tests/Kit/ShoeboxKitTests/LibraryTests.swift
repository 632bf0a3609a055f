import Foundation
import ShoeboxKit
import SystemPackage
import Testing
import Workbench

/// A library on a workbench, as a program that imports the kit uses it.
struct LibraryTests {
  private func open(
    _ bench: Workbench, workers: PhotoLibrary.WorkerLocation? = nil,
    access: PhotoLibrary.Access = .readWrite
  ) async throws -> PhotoLibrary {
    try await PhotoLibrary.open(
      .init(
        catalog: FilePath(bench.catalog),
        workers: workers ?? .programs(in: FilePath(Workbench.programs)),
        jobs: 2, access: access))
  }

  @Test func `a scan reports what sqlite3 finds in the catalog`() async throws {
    let bench = try Workbench()
    try bench.addPictures(130)
    try Data("no picture".utf8).write(to: URL(filePath: bench.library + "/broken.jpg"))
    let library = try await open(bench)
    let scan = try await library.scan([FilePath(bench.library)])
    var last: ScanEvent?
    for try await event in scan { last = event }
    #expect(last?.filesSeen == 131)
    let report = try await scan.report
    #expect((report.added, report.unreadable, report.isInterrupted) == (130, 1, false))
    #expect(report.failures.map(\.path) == [FilePath(bench.library + "/broken.jpg")])
    let present = try await bench.query("SELECT count(*) FROM assets WHERE status = 'present'")
    #expect(present == ["130"])
    let again = try await library.scan().report
    #expect((again.added, again.unchanged) == (0, 130))
  }

  @Test func `errors are sentences, also for names that are empty`() async throws {
    let error: any Error = PhotoLibraryError.noFolders
    #expect(error.localizedDescription == PhotoLibraryError.noFolders.description)
    for access in [PhotoLibrary.Access.readWrite, .readOnly] {
      await #expect {
        _ = try await PhotoLibrary.open(.init(catalog: "", access: access))
      } throws: {
        "\($0)" == "the path of the catalog is empty: name a file"
      }
    }
    let bench = try Workbench()
    try bench.addPictures(1)
    let library = try await open(bench)
    let work: [() async throws -> Void] = [
      { _ = try await library.scan([""]) },
      { _ = try await library.export([], to: "") },
      { _ = try await library.importFiles(from: [""], into: FilePath(bench.library)) },
    ]
    for body in work {
      await #expect {
        try await body()
      } throws: {
        guard case .folder(let path, let reason) = $0 as? PhotoLibraryError else { return false }
        return path.isEmpty && reason.contains("is empty")
      }
    }
  }

  @Test func `a fetch is what the command lists, in every form`() async throws {
    let bench = try Workbench()
    for month in 1...9 {
      for day in 10...14 {
        try bench.addPicture("2023/IMG_20230\(month)\(day)_101500.gif")
      }
    }
    try bench.addPictures(30)
    _ = try await bench.scan([bench.library])
    let listed = try await bench.list().map(\.id)
    let library = try await open(
      bench, workers: PhotoLibrary.WorkerLocation.none, access: .readOnly)
    let result = try await library.fetchAssets()
    var read: [Asset] = []
    for try await asset in result { read.append(asset) }
    #expect(read.map(\.id) == listed)
    #expect(try await result.count == 75)

    var paged: [String] = []
    var cursor: Cursor?
    repeat {
      let page = try await result.page(after: cursor, size: 8)
      paged += page.assets.map(\.id)
      // As it comes back from a client.
      cursor = try page.next.map { try #require(Cursor($0.description)) }
    } while cursor != nil && paged.count < 200
    #expect(paged == listed)

    let limited = try await library.fetchAssets(options: .init(limit: 20))
    #expect(try await limited.count == 20)
    let first = try await limited.page(after: nil, size: 15)
    let second = try await limited.page(after: first.next, size: 15)
    #expect((first.assets + second.assets).map(\.id) == Array(listed.prefix(20)))
    #expect(second.next == nil)

    let buckets = try await result.buckets(by: .month)
    #expect(
      buckets.filter { $0.start?.hasPrefix("2023") == true }.map(\.count)
        == [Int](repeating: 5, count: 9))
    #expect(buckets.reduce(0) { $0 + $1.count } == 75)

    let filter: AssetFilter = .all(of: [.images, .captured(from: "2023-05", through: "2023-08")])
    let some = try await library.fetchAssets(filter, options: .init(order: .ascending))
    var names: [String] = []
    for try await asset in some { names.append(asset.path.lastComponent?.string ?? "") }
    #expect(names.count == 20)
    #expect(names == names.sorted())
    let expected = try await bench.list(["--since", "2023-05", "--until", "2023-08"]).map(\.id)
    #expect(try await some.page(after: nil, size: 100).assets.map(\.id) == expected.reversed())

    let asset = try #require(try await library.asset(listed[0]))
    #expect(asset == read[0])
    #expect(try await library.resources(of: asset.id).map(\.path) == [asset.path])
    #expect(try await library.asset("00000000-0000-4000-8000-000000000000") == nil)
    #expect(try await library.asset(String(listed[0].prefix(8))) == nil)
  }

  @Test func `instructions for edits name them`() async throws {
    let bench = try Workbench()
    try bench.addPicture("IMG_0001.gif")
    try await bench.writeEdits("IMG_0001.AAE", "[{'identifier': 'SmartTone', 'enabled': True}]")
    _ = try await bench.scan([bench.library])
    let library = try await open(bench)
    let asset = try #require(await bench.list().first)
    let resources = try await library.resources(of: asset.id)
    #expect(resources.map(\.type) == [.photo, .adjustmentData])
    #expect(resources.map(\.adjustments) == [[], ["light"]])
  }

  @Test func `pages in the middle are those of the listing`() async throws {
    let bench = try Workbench()
    for day in 10...28 { try bench.addPicture("2023/IMG_202305\(day)_101500.gif") }
    try bench.addPictures(40)
    _ = try await bench.scan([bench.library])
    let library = try await open(
      bench, workers: PhotoLibrary.WorkerLocation.none, access: .readOnly)
    for sort in FetchOptions.SortKey.allCases {
      for order in FetchOptions.Order.allCases {
        let result = try await library.fetchAssets(options: .init(sort: sort, order: order))
        let whole = try await result.page(after: nil, size: 1000).assets
        #expect(whole.count == 59)
        for offset in [0, 1, 17, 58, 59, 1000] {
          #expect(
            try await result.page(at: offset, size: 10) == Array(whole.dropFirst(offset).prefix(10))
          )
        }
        #expect(try await result.page(at: -3, size: 2) == Array(whole.prefix(2)))
      }
    }
    let month = try await library.fetchAssets(
      .all(of: [.images, .captured(from: "2023-05", through: "2023-05")]),
      options: .init(limit: 12))
    #expect(try await month.page(at: 10, size: 10).count == 2)
    #expect(try await month.page(at: 12, size: 10).isEmpty)
    #expect(try await month.page(at: .max, size: 10).isEmpty)
    let first = try await month.page(after: nil, size: 8).assets
    #expect(try await month.page(at: 5, size: 3) == Array(first.suffix(3)))
  }

  @Test func `albums are folders by name`() async throws {
    let bench = try Workbench()
    for path in [
      "2023/Rome/1.gif", "2024/rome/2.gif", "2024/rome/3.gif", "2024/Zoo/4.gif", "5.gif",
    ] { try bench.addPicture(path) }
    _ = try await bench.scan([bench.library])
    let library = try await open(
      bench, workers: PhotoLibrary.WorkerLocation.none, access: .readOnly)
    let result = try await library.fetchAssets()
    let albums = try await result.albums()
    let root = URL(filePath: bench.library).lastPathComponent
    #expect(albums.map { $0.name.lowercased() } == [root.lowercased(), "rome", "zoo"].sorted())
    for album in albums {
      let found = try await library.fetchAssets(.album(album.name))
      #expect(try await found.count == album.count)
      // By the rows instead of the index of folders.
      let rows = try await library.fetchAssets(.all(of: [.album(album.name), .search("gif")]))
      #expect(try await rows.albums().map(\.count) == [album.count])
    }
    #expect(try await library.fetchAssets(.videos).albums() == [])
  }

  @Test func `an asset has its camera and the size of its burst`() async throws {
    let bench = try Workbench()
    _ = try await bench.bash(
      """
      cd library
      mkdir a b
      for i in 1 2 3; do
        convert -size 32x2$i xc:red "a/20200101_120000_00$i.jpg"
        convert -size 32x3$i xc:red "b/20200101_120000_00$i.jpg"
      done
      convert -size 32x40 xc:blue a/x.jpg
      exiftool -q -overwrite_original -Make=Canon '-Model=Canon EOS R5' a/x.jpg
      """)
    let library = try await open(bench)
    _ = try await library.scan([FilePath(bench.library)]).report
    let assets = try await library.fetchAssets(options: .init(sort: .name, order: .ascending))
      .page(after: nil, size: 100).assets
    #expect(assets.map(\.burstCount) == [3, 3, 3, 3, 3, 3, nil])
    #expect(assets.map(\.camera) == [nil, nil, nil, nil, nil, nil, "Canon EOS R5"])
    for asset in assets {
      #expect(try await library.asset(asset.id) == asset)
      #expect(try await library.asset(at: asset.path) == asset)
      let coded = try JSONEncoder().encode(asset)
      #expect(try JSONDecoder().decode(Asset.self, from: coded) == asset)
    }
    // A limited handle counts what it shows.
    let limited = library.limited(
      to: .any(of: [.album("b"), .all(of: [.album("a"), try .expression("name ~ _001.jpg")])]))
    let some = try await limited.fetchAssets(options: .init(sort: .name, order: .ascending))
    let shown = try await some.page(after: nil, size: 100).assets
    let counts = shown.map { asset in
      let folder = asset.path.removingLastComponent().lastComponent?.string ?? ""
      return folder + String(asset.burstCount ?? 0)
    }
    #expect(counts.sorted() == ["a1", "b3", "b3", "b3"])
    #expect(try await some.page(at: 0, size: 100) == shown)
    for asset in shown { #expect(try await limited.asset(asset.id) == asset) }
  }

  @Test func `filters mean what expressions mean`() async throws {
    let bench = try Workbench()
    try bench.addPictures(20)
    try bench.addPicture("Screenshot_2023-01-02-03-04-05.gif")
    _ = try await bench.scan([bench.library])
    let library = try await open(bench)
    func count(_ filter: AssetFilter) async throws -> Int {
      try await library.fetchAssets(filter).count
    }
    #expect(try await count(.videos) == 0)
    #expect(try await count(.any(of: [])) == 0)
    #expect(try await count(.all(of: [])) == 21)
    #expect(try await count(.not(.videos)) == 21)
    #expect(try await count(.not(.everything)) == 0)
    #expect(try await count(.under(FilePath(bench.library))) == 21)
    #expect(try await count(.under("/nowhere")) == 0)
    #expect(try await count(.search("screenshot")) == 1)
    #expect(try await count(.expression("name ~ \"screenshot\"")) == 1)
    for filter in [
      AssetFilter.captured(from: "2023-13", through: "2024"), .search("..."),
      .near(latitude: 91, longitude: 0, kilometers: 1), .any(of: [.missing, .images]),
    ] {
      await #expect(throws: PhotoLibraryError.self) { try await library.fetchAssets(filter) }
    }
    #expect(throws: PhotoLibraryError.self) { try AssetFilter.expression("name ~") }
    let deep = (0..<200).reduce(AssetFilter.images) { filter, _ in
      .not(.all(of: [filter, .images]))
    }
    await #expect(throws: PhotoLibraryError.self) { try await library.fetchAssets(deep) }
    let page = try await library.fetchAssets(options: .init(sort: .name)).page(after: nil, size: 3)
    await #expect(throws: PhotoLibraryError.self) {
      try await library.fetchAssets(options: .init(sort: .size)).page(after: page.next, size: 3)
    }
    #expect(Cursor("nonsense") == nil)
  }

  @Test(.timeLimit(.minutes(2)))
  func `changes that another process makes are reported once`() async throws {
    let bench = try Workbench()
    try bench.addPictures(10)
    _ = try await bench.scan([bench.library])
    let library = try await open(bench, access: .readOnly)
    let before = try await library.changeToken
    // A token that was stored.
    let token = try #require(ChangeToken(before.description))
    var changes = library.changes(since: token).makeAsyncIterator()

    try bench.addPicture("new.gif")
    _ = try await bench.scan()
    let ids = try await bench.identifiers()
    let new = try #require(ids["new.gif"])
    let first = try #require(try await changes.next())
    #expect((first.inserted, first.updated, first.removed) == ([new], [], []))

    try FileManager.default.moveItem(
      atPath: bench.library + "/new.gif", toPath: bench.library + "/renamed.gif")
    _ = try await bench.scan()
    let moved = try #require(try await changes.next())
    #expect((moved.inserted, moved.updated, moved.removed) == ([], [new], []))

    try FileManager.default.removeItem(atPath: bench.library + "/renamed.gif")
    _ = try await bench.scan()
    let third = try #require(try await changes.next())
    #expect((third.inserted, third.updated, third.removed) == ([], [], [new]))

    // An observer that was away needs to know nothing of an asset that came and went.
    try bench.addPicture("second.gif")
    _ = try await bench.scan()
    var late = library.changes(since: token).makeAsyncIterator()
    let all = try #require(try await late.next())
    let second = try #require(try await bench.identifiers()["second.gif"])
    #expect((all.inserted, all.updated, all.removed) == ([second], [], []))
  }

  @Test func `a limited library shows nothing else`() async throws {
    let bench = try Workbench()
    try bench.addPictures(5)
    try bench.addPicture("public/a.gif")
    _ = try await bench.scan([bench.library])
    let library = try await open(bench)
    let limited = library.limited(to: .under(FilePath(bench.library + "/public")))
    #expect(limited.authorization == .limited)
    #expect(try await limited.fetchAssets(.any(of: [.images, .not(.images)])).count == 1)
    let ids = try await bench.identifiers()
    for (path, id) in ids {
      let isAllowed = path == "public/a.gif"
      #expect((try await limited.asset(id) != nil) == isAllowed)
      #expect(try await limited.resources(of: id).isEmpty != isAllowed)
    }
  }

  @Test func `errors name their cause`() async throws {
    let bench = try Workbench()
    await #expect(throws: PhotoLibraryError.self) { try await open(bench, access: .readOnly) }
    let blind = try await open(bench, workers: .programs(in: FilePath(bench.folder)))
    await #expect {
      _ = try await blind.scan([FilePath(bench.library)])
    } throws: {
      $0 as? PhotoLibraryError
        == .workersMissing(searched: [FilePath(bench.folder + "/shoebox-codec")])
    }
    let library = try await open(bench)
    await #expect(throws: PhotoLibraryError.noFolders) { _ = try await library.scan() }
    await #expect {
      _ = try await library.scan(["/no/such/folder"])
    } throws: {
      guard case .folder(let path, _) = $0 as? PhotoLibraryError else { return false }
      return path == "/no/such/folder"
    }
    let reader = try await open(bench, access: .readOnly)
    await #expect(throws: PhotoLibraryError.readOnly(catalog: FilePath(bench.catalog))) {
      _ = try await reader.scan([FilePath(bench.library)])
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `a cancelled scan keeps what it has, and the next one does the rest`() async throws {
    let bench = try Workbench()
    try bench.addPictures(2000, perFolder: 100)
    let library = try await open(bench)
    let scan = try await library.scan([FilePath(bench.library)])
    await #expect(throws: PhotoLibraryError.busy(catalog: FilePath(bench.catalog))) {
      _ = try await library.scan()
    }
    let observer = Task {
      for try await event in scan where event.filesSeen > 0 { break }
      scan.cancel()
      return try await scan.report
    }
    let report = try await observer.value
    let kept = try await library.fetchAssets().count
    #expect(report.added == kept)
    let rest = try await library.scan().report
    #expect(rest.added == 2000 - kept)
    #expect(!rest.isInterrupted)
  }
}
