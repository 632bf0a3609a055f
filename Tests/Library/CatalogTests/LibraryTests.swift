import Foundation
import GRDB
import MediaModel
import Synchronization
import Testing

@testable import Catalog
@testable import Query

struct ScanRangeTests {
  /// The second scan ran while the clock was years ahead, the sixth after a start with a clock from days before.
  @Test func `a scan with a wrong clock is not among the last ones, and hides none of them`() throws
  {
    let library = try SampleLibrary(count: 1)
    let day: Int64 = 86_400_000
    let starts = [1, 9000, 3, 4, 5, 2, 6].map { $0 * day }
    let ranges = try library.catalog.write { transaction in
      try transaction.execute("DELETE FROM scans")
      for start in starts {
        try transaction.execute(
          "INSERT INTO scans (started, outcome, roots) VALUES (?, 'finished', '')", [start])
      }
      return try [4, 6, 7].map { try transaction.scans(since: $0 * day)?.ids }
    }
    #expect(ranges == [4...7, 7...7, nil])
  }
}

struct StatisticsTests {
  @Test func `files may have more bytes than a number can hold`() throws {
    let library = try SampleLibrary(count: 100)
    try library.catalog.database.write {
      try $0.execute(sql: "UPDATE assets SET size = ?", arguments: [Int64.max - 4095])
    }
    let statistics = try library.catalog.statistics(matching: AssetFilter())
    #expect(statistics.total.count > 1 && statistics.total.bytes == .max)
    let years = try library.catalog.groups(matching: AssetFilter(), by: .year)
    #expect(years.contains { $0.tally.bytes == .max })
  }

  @Test func theNumbersAreThoseOfAPlainLoop() throws {
    let library = try SampleLibrary(count: 1000)
    let all = try library.everything()
    let listed = all.filter { !$0.isAbsorbed && $0.asset.status != .missing }.map(\.asset)
    let statistics = try library.catalog.statistics(matching: AssetFilter())
    #expect(statistics.total.count == listed.count)
    #expect(statistics.roots.map(\.name) == ["/benchmark/library"])
    #expect(statistics.roots.map(\.tally) == [statistics.total])
    for line in statistics.types {
      #expect(line.tally.count == listed.count { $0.mediaType.name == line.name })
    }
    for line in statistics.subtypes {
      #expect(line.tally.count == listed.count { $0.subtypes.names.contains(line.name) })
    }
    for line in statistics.years {
      let year = listed.count {
        ($0.captureDate.map { String($0.prefix(4)) } ?? "unknown") == line.name
      }
      #expect(line.tally.count == year, "\(line.name)")
    }
    #expect(statistics.years.last?.name == "unknown")
    #expect(statistics.years.reduce(0) { $0 + $1.tally.count } == listed.count)
    #expect(statistics.cameras.reduce(0) { $0 + $1.tally.bytes } == statistics.total.bytes)
    let clips = try library.catalog.database.read {
      try Int64.fetchOne(
        $0,
        sql: """
          SELECT sum(size) FROM assets WHERE absorbed_by IN (SELECT id FROM assets \
          WHERE status <> 'missing')
          """)
    }
    #expect(statistics.total.bytes == listed.reduce(0) { $0 + $1.size } + (clips ?? 0))
  }

  /// By `date -u`: half a second before 1970, before 1969, and the first day of all.
  @Test func theLastSecondOfAYearBefore1970BelongsToIt() throws {
    let library = try SampleLibrary(
      count: 60,
      with: """
        UPDATE assets SET capture_wall = -500 WHERE id = 1;
        UPDATE assets SET capture_wall = -31536000001 WHERE id = 3;
        UPDATE assets SET capture_wall = -62135596800000 WHERE id = 5;
        """)
    let years = try library.catalog.statistics(matching: AssetFilter()).years
    #expect(years.map(\.name).filter { $0 < "1970" } == ["1969", "1968", "0001"])
    #expect(try library.catalog.groups(matching: AssetFilter(), by: .year) == years)
  }

  @Test func aFilterNarrowsThem() throws {
    let library = try SampleLibrary(count: 1000)
    let filter = AssetFilter.with { $0.types = [.screenshots] }
    let statistics = try library.catalog.statistics(matching: filter)
    #expect(statistics.total.count == (try library.listed(filter).count))
    #expect(statistics.types.map(\.name) == ["image"])
    #expect(
      try library.catalog.statistics(matching: .with { $0.names = ["none"] }).total.count == 0)
  }

  @Test(
    arguments: [
      ("Canon", "Canon EOS R5", "Canon EOS R5"), ("Apple", "iPhone 15", "Apple iPhone 15"),
      ("NIKON ", " Z 6", "NIKON Z 6"), ("SONY", nil, "SONY"), (nil, "X100", "X100"),
      (nil, nil, nil),
      (" ", "", nil),
    ] as [(String?, String?, String?)])
  func cameras(make: String?, model: String?, name: String?) {
    #expect(Camera(make: make, model: model).displayName == name)
  }
}

/// A listing that is read slowly, as by a person in a pager.
struct SlowListingTests {
  /// Each transaction that stays open would keep the write-ahead log from being emptied.
  @Test(arguments: [nil, 700]) func keepsNoTransactionOpen(limit: Int?) throws {
    let library = try SampleLibrary(count: 3000)
    let writer = try DatabaseQueue(path: library.catalog.path)
    var listed = 0
    try library.catalog.forEachAsset(matching: AssetFilter(), in: AssetOrder(limit: limit)) { _ in
      listed += 1
      guard listed % 500 == 1 else { return }
      let isBlocked = try writer.writeWithoutTransaction { database in
        try database.execute(sql: "UPDATE assets SET rating = 3 WHERE id = 1")
        return try Bool.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
      #expect(isBlocked == false)
    }
    let count = try library.catalog.count(matching: AssetFilter())
    #expect(listed == min(limit ?? count, count))
  }

  /// What is deleted meanwhile is left out; what is added is not shown.
  @Test func listsWhatWasThereAtTheBeginning() throws {
    let library = try SampleLibrary(count: 3000)
    let all = try library.listed(AssetFilter())
    let gone = try #require(all.last)
    var listed: [String] = []
    try library.catalog.forEachAsset(matching: AssetFilter()) { asset in
      listed.append(asset.identifier)
      guard listed.count == 1 else { return }
      try library.catalog.write {
        try $0.execute(
          "DELETE FROM files WHERE id = (SELECT id FROM assets WHERE identifier = ?)",
          [StoredIdentifier(gone)])
      }
    }
    #expect(listed == all.dropLast())
  }
}

struct RootTests {
  private let library: SampleLibrary
  private let root = BytePath("/benchmark/library")

  init() throws {
    library = try SampleLibrary(count: 300)
  }

  @Test func forgettingARootLeavesNothingOfIt() throws {
    let listed = try library.listed(AssetFilter()).count
    let missing = try library.listed(.with { $0.isMissing = true }).count
    #expect(try library.catalog.roots().map(\.record.path) == [root])
    #expect(try library.catalog.roots().first?.mediaCount == 300)
    #expect(try library.catalog.forgetRoot(root) == listed + missing)
    for table in [
      "roots", "folders", "files", "assets", "facets", "asset_details", "keywords", "labels",
    ] {
      let rows = try library.catalog.database.read {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)")
      }
      #expect(rows == 0, "\(table)")
    }
    #expect(throws: RootError.unknown(root)) { try library.catalog.forgetRoot(root) }
  }

  @Test func foldersDeeperThanSQLiteRecursesAreForgotten() throws {
    try library.catalog.database.write {
      try $0.execute(
        sql: """
          INSERT INTO folders (id, root_id, parent_id, path, name)
          WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
          SELECT 700000 + i, 1, iif(i = 0, 1, 700000 + i - 1), 'deep' || i, 'deep' || i FROM n
          """)
    }
    #expect(throws: Never.self) { try library.catalog.forgetRoot(root) }
  }

  @Test func aMovedRootKeepsItsAssets() throws {
    let before = try library.listed(AssetFilter())
    let new = BytePath(bytes: Array("/mnt/".utf8) + [0xFE])
    try library.catalog.moveRoot(root, to: new) { _ in .init(device: 9, inode: .max) }
    #expect(try library.catalog.roots().map(\.record.path) == [new])
    #expect(try library.listed(AssetFilter()) == before)
    #expect(try library.everything().allSatisfy { $0.asset.path.isWithin(new) })
    #expect(throws: RootError.unknown(root)) {
      try library.catalog.moveRoot(root, to: new) { _ in .init(device: 9, inode: 9) }
    }
  }

  @Test func aRootIsNotMovedOntoAnother() throws {
    try library.catalog.database.write {
      try $0.execute(
        sql: "INSERT INTO roots (path, added_date, device, inode) VALUES ('/other', 0, 0, 0)")
    }
    #expect(throws: RootError.alreadyARoot(BytePath("/other"))) {
      try library.catalog.moveRoot(root, to: BytePath("/other")) { _ in .init(device: 1, inode: 1) }
    }
  }
}

struct ScanHistoryTests {
  @Test func theLastScansAreToldNewestFirst() throws {
    let library = try SampleLibrary(
      count: 300,
      with: """
        INSERT INTO scans (started, outcome, roots) VALUES (5, 'running', '/a' || char(10) || '/b');
        INSERT INTO failures (scan_id, path, error) VALUES (2, x'2FFF', 'one'), (2, '/b', 'two');
        """)
    let scans = try library.catalog.scans(last: 5, failureLimit: 1)
    #expect(scans.map(\.rowID) == [2, 1])
    #expect(scans[0].outcome == .running)
    #expect(scans[0].seconds == nil)
    #expect(scans[0].roots == ["/a", "/b"])
    #expect(scans[0].failures == [.init(path: BytePath(bytes: [0x2F, 0xFF]), error: "one")])
    #expect(scans[0].failureCount == 2)
    #expect(scans[1].seconds == 600)
    #expect(scans[1].counts.scanned == 300)
    #expect(try library.catalog.scans(last: 1, failureLimit: 0).map(\.rowID) == [2])
  }

  @Test func aClockThatIsSetBackMakesNoScanShorter() throws {
    let library = try SampleLibrary(count: 1)
    try library.catalog.write { transaction in
      let id = try transaction.beginScan(roots: [BytePath("/l")], now: 100_000)
      try transaction.endScan(
        id, ScanCounts(), outcome: .finished, milliseconds: 2500,
        unavailable: [.init(path: BytePath("/l"), reason: "the folder is not there")], now: 50_000)
    }
    let scans = try library.catalog.scans(last: 1, failureLimit: 0)
    #expect(scans.map(\.seconds) == [2.5])
    #expect(scans.map { $0.unavailable.map(\.reason) } == [["the folder is not there"]])
  }
}

/// Questions to a catalog while the same process writes it, as in a server.
struct ConcurrentReadingTests {
  @Test func listingsGoOnBesideAWrite() throws {
    let library = try SampleLibrary(count: 300)
    let catalog = library.catalog
    let all = try catalog.count(matching: AssetFilter())
    let found = Mutex<Int?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    try catalog.write { transaction in
      try transaction.execute("UPDATE assets SET is_missing = 1")
      Thread.detachNewThread {
        let count = try? catalog.count(matching: AssetFilter())
        found.withLock { $0 = count }
        isDone.signal()
      }
      #expect(isDone.wait(timeout: .now() + 20) == .success, "the listing waits for the write")
    }
    #expect(found.withLock { $0 } == all, "a listing has the state before the write")
    #expect(try catalog.count(matching: AssetFilter()) == 0)
  }
}
