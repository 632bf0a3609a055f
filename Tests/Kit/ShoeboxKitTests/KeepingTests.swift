import Foundation
import ShoeboxKit
import SystemPackage
import Testing
import Workbench

/// What keeps a library in order: folders, dry runs, history, numbers, backups and checks, compared with what the command
/// line and other programs report of the same catalog.
struct KeepingTests {
  private func open(
    _ bench: Workbench, access: PhotoLibrary.Access = .readWrite
  ) async throws -> PhotoLibrary {
    try await PhotoLibrary.open(
      .init(
        catalog: FilePath(bench.catalog), workers: .programs(in: FilePath(Workbench.programs)),
        jobs: 1, access: access))
  }

  /// A line of JSON that a command prints.
  private func lines(
    _ bench: Workbench, _ arguments: String...
  ) async throws -> [[String: Any]] {
    let outcome = try await bench.shoebox(arguments + ["--format", "jsonl"])
    #expect(outcome.status == 0)
    return try outcome.lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test func `folders are listed, moved and forgotten`() async throws {
    let bench = try Workbench()
    try bench.addPictures(3)
    let library = try await open(bench)
    #expect(try await library.scan([FilePath(bench.library)]).report.added == 3)
    let folder = try #require(try await library.folders().first)
    #expect(folder.path == FilePath(bench.library))
    #expect(folder.isAvailable && folder.fileCount == 3)
    let listed = try await lines(bench, "roots")
    #expect(listed.map { $0["path"] as? String } == [bench.library])
    let new = FilePath(bench.folder + "/moved")
    await #expect {
      try await library.moveFolder(folder.path, to: new)
    } throws: {
      guard case .folder(let path, _) = $0 as? PhotoLibraryError else { return false }
      return path == new
    }
    let ids = try await bench.query("SELECT hex(identifier) FROM assets ORDER BY id")
    try FileManager.default.moveItem(atPath: bench.library, toPath: new.string)
    #expect(try await library.folders().first?.isAvailable == false)
    #expect(try await library.moveFolder(folder.path, to: new).inside.isEmpty)
    #expect(try await library.scan().report.unchanged == 3)
    #expect(try await bench.query("SELECT hex(identifier) FROM assets ORDER BY id") == ids)
    await #expect {
      try await library.forgetFolder(folder.path)
    } throws: {
      guard case .unknownFolder = $0 as? PhotoLibraryError else { return false }
      return true
    }
    let reader = try await open(bench, access: .readOnly)
    await #expect(throws: PhotoLibraryError.readOnly(catalog: FilePath(bench.catalog))) {
      try await reader.forgetFolder(new)
    }
    #expect(try await library.forgetFolder(new) == 3)
    #expect(try await bench.query("SELECT count(*) FROM assets") == ["0"])
    #expect(FileManager.default.fileExists(atPath: new.string))
  }

  @Test func `a dry run reports and changes nothing`() async throws {
    let bench = try Workbench()
    try bench.addPictures(4)
    // A dry run counts files whose times prove nothing as changed.
    try await bench.letFilesAge()
    _ = try await bench.scan([bench.library])
    try bench.addPicture("new.gif")
    try bench.addPicture("skipped/other.gif")
    let before = try await bench.dump()
    let library = try await open(bench, access: .readOnly)
    let session = try await library.scan(options: .init(mode: .dryRun, exclusions: ["skipped/"]))
    #expect(await session.countFiles() == 5)
    let report = try await session.report
    #expect((report.added, report.unchanged, report.counts.scanned) == (1, 4, 5))
    #expect(report.folders == [FilePath(bench.library)])
    #expect(try await bench.dump() == before)
    await #expect(throws: PhotoLibraryError.readOnly(catalog: FilePath(bench.catalog))) {
      _ = try await library.scan()
    }
  }

  @Test func `the history of scans is that of the command`() async throws {
    let bench = try Workbench()
    try bench.addPictures(5)
    try Data("no picture".utf8).write(to: URL(filePath: bench.library + "/broken.jpg"))
    let library = try await open(bench)
    _ = try await library.scan([FilePath(bench.library)]).report
    _ = try await library.scan(options: .init(mode: .rebuild)).report
    let history = try await library.scanHistory()
    let listed = try await lines(bench, "scans")
    #expect(history.map { Int($0.id) } == listed.map { $0["id"] as? Int })
    #expect(history.map(\.outcome) == [.finished, .finished])
    #expect(history.map(\.counts.added) == listed.map { $0["added"] as? Int })
    #expect(history.map(\.counts.unreadable) == [1, 1])
    let broken = FilePath(bench.library + "/broken.jpg")
    #expect(history.allSatisfy { $0.failures.map(\.path) == [broken] })
    #expect(history.allSatisfy { $0.folders == [bench.library] && $0.duration ?? .zero > .zero })
    let milliseconds = try await bench.query("SELECT started FROM scans ORDER BY id DESC")
    let starts = history.map { Int(($0.startDate.timeIntervalSince1970 * 1000).rounded()) }
    #expect(starts.map(String.init) == milliseconds)
    #expect(try await library.scanHistory(last: 1).map(\.id) == [history[0].id])
  }

  @Test func `numbers and groups are those that sqlite3 counts`() async throws {
    let bench = try Workbench()
    for year in [2019, 2021, 2021] {
      try bench.addPicture("a/IMG_\(year)0304_10150\(Int.random(in: 0...9)).gif")
    }
    try bench.addPictures(7)
    _ = try await bench.scan([bench.library])
    let result = try await open(bench, access: .readOnly).fetchAssets()
    let statistics = try await result.statistics
    let counted = try await bench.query("SELECT count(*), sum(size) FROM assets")
    #expect(counted == ["\(statistics.total.count)|\(statistics.total.bytes)"])
    #expect(statistics.folders.map(\.path) == [FilePath(bench.library)])
    let years = try await bench.query(
      """
      SELECT strftime('%Y', capture_wall / 1000, 'unixepoch') AS y, count(*) FROM assets
      GROUP BY 1 ORDER BY y IS NULL, y DESC
      """)
    #expect(
      try await result.groups(by: .year).map { "\($0.name ?? "")|\($0.count)" } == years)
    #expect(statistics.years == (try await result.groups(by: .year)))
    let folders = try await result.groups(by: .folder)
    #expect(folders.allSatisfy { $0.path != nil })
    #expect(folders.reduce(0) { $0 + $1.count } == statistics.total.count)
  }

  @Test func `a backup is a catalog, and replaces nothing else`() async throws {
    let bench = try Workbench()
    try bench.addPictures(2)
    _ = try await bench.scan([bench.library])
    let library = try await open(bench, access: .readOnly)
    let file = bench.folder + "/backup.sqlite"
    let size = try await library.backup(to: FilePath(file))
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.size] as? Int64 == size)
    #expect(try await bench.query("SELECT count(*) FROM assets", of: file) == ["2"])
    #expect(try await bench.query("PRAGMA integrity_check", of: file) == ["ok"])
    try await library.backup(to: FilePath(file))
    let other = bench.folder + "/notes.txt"
    try Data("mine".utf8).write(to: URL(filePath: other))
    await #expect {
      try await library.backup(to: FilePath(other))
    } throws: {
      guard case .notReplaceable(let path, _) = $0 as? PhotoLibraryError else { return false }
      return path == FilePath(other)
    }
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "mine")
  }

  @Test func `a check finds the programs, the catalog and damage`() async throws {
    let bench = try Workbench()
    try bench.addPictures(1)
    _ = try await bench.scan([bench.library])
    var configuration = PhotoLibrary.Configuration(
      catalog: FilePath(bench.catalog), workers: .programs(in: FilePath(Workbench.programs)))
    let checks = await PhotoLibrary.check(configuration)
    #expect(checks.first { $0.subject == "probe program" }?.isWell == true)
    #expect(checks.first { $0.subject == "codec program" }?.isWell == true)
    #expect(checks.last == checks.first { $0.subject == "catalog" })
    #expect(checks.last?.isWell == true && checks.last?.message == bench.catalog)
    let damaged = bench.folder + "/damaged.sqlite"
    try Data("not a catalog".utf8).write(to: URL(filePath: damaged))
    configuration.catalog = FilePath(damaged)
    configuration.workers = .programs(in: FilePath(bench.folder))
    #expect(await PhotoLibrary.check(configuration).map(\.isWell) == [false, false])
  }

  @Test func `metadata is what exiftool reads, and a file leads to its asset`() async throws {
    let bench = try Workbench()
    let path = bench.library + "/a.jpg"
    _ = try await bench.bash(
      """
      convert -size 32x24 xc:blue '\(path)'
      exiftool -q -overwrite_original -Make=Acme -Model=Box '\(path)'
      """)
    let library = try await open(bench)
    _ = try await library.scan([FilePath(bench.library)]).report
    let asset = try #require(try await library.asset(at: FilePath(path)))
    #expect(asset.path == FilePath(path))
    #expect(try await library.asset(at: FilePath(bench.library + "/none.jpg")) == nil)
    let tags = try await library.metadata(of: asset.id)
    let make = try await bench.bash("exiftool -s3 -Make '\(path)'")
    #expect(
      tags.first { $0.name == "Make" }?.value
        == make.trimmingCharacters(in: .whitespacesAndNewlines))
    try FileManager.default.removeItem(atPath: path)
    await #expect(throws: PhotoLibraryError.self) { try await library.metadata(of: asset.id) }
  }
}
