import Foundation
import ShoeboxKit
import Synchronization
import Testing
import Workbench

/// What keeps a library in order: importing, verifying, duplicates, reports, missing files, merging.
struct HousekeepingTests {
  @Test func `an import copies what is new, once, and scans it`() async throws {
    let kit = try KitBench()
    try kit.bench.addPicture("../card/DCIM/a.gif")
    try kit.bench.addPicture("../card/DCIM/b.gif")
    let library = try await kit.open()
    let card = FilePath(kit.bench.folder + "/card")
    let target = FilePath(kit.bench.library)
    var options = ImportOptions(nameTemplate: "new/{stem}")
    options.isDryRun = true
    let planned = try await library.importFiles(from: [card], into: target, options: options).report
    #expect(planned.count(.copied) == 2)
    #expect(kit.files(below: kit.bench.library).isEmpty)
    options.isDryRun = false
    let session = try await library.importFiles(from: [card], into: target, options: options)
    var last: ImportEvent?
    for try await event in session { last = event }
    let report = try await session.report
    #expect(last.map { $0.completed <= $0.total } ?? true)
    #expect(report.count(.copied) == 2 && report.failures.isEmpty)
    #expect(report.scan?.counts.added == 2)
    #expect(try await library.fetchAssets().count == 2)
    let again = try await library.importFiles(from: [card], into: target, options: options).report
    #expect(again.count(.known) == 2 && again.count(.copied) == 0)
    await #expect(throws: PhotoLibraryError.self) {
      _ = try await library.importFiles(from: [target], into: target)
    }
  }

  @Test func `verifying finds content that changed under an equal time`() async throws {
    let kit = try KitBench()
    try kit.bench.addPictures(4)
    let library = try await kit.open()
    _ = try await library.scan([FilePath(kit.bench.library)]).report
    let first = try await library.verify(.all).report
    #expect(first.checked == 4 && first.first == 4 && first.isSound)
    let path = kit.bench.library + "/folder0/picture1.gif"
    try await kit.bench.bash(
      """
      touch -r '\(path)' stamp; printf X | dd of='\(path)' bs=1 seek=30 conv=notrunc status=none
      touch -r stamp '\(path)'
      """)
    let second = try await library.verify(.all).report
    #expect(second.rotted.map(\.path) == [FilePath(path)])
    #expect(!second.isSound && second.checked == 4)
  }

  /// As many files are read at the same time as Swift has threads.
  @Test(.timeLimit(.minutes(2)))
  func `the progress of a verification arrives while its first files are read`() async throws {
    let kit = try KitBench()
    let jobs = max(2, ProcessInfo.processInfo.activeProcessorCount)
    for index in 0..<jobs { try kit.bench.addPicture("\(index).gif", words: "\(index)") }
    // Sparse.
    try await kit.bench.bash("truncate -s 512M library/*.gif")
    let library = try await kit.open(jobs: jobs)
    _ = try await library.scan([FilePath(kit.bench.library)]).report
    let session = try await library.verify(.all)
    var early: Set<Int64> = []
    for try await event in session where event.filesDone == 0 { early.insert(event.bytesDone) }
    // A reader without a thread of its own would get one event, the first.
    #expect(early.count > 3)
    #expect(try await session.report.checked == jobs)
  }

  @Test func `a cancelled verification says so and keeps what it has checked`() async throws {
    let kit = try KitBench()
    try kit.bench.addPictures(30)
    let library = try await kit.open()
    _ = try await library.scan([FilePath(kit.bench.library)]).report
    let session = try await library.verify(.all)
    session.cancel()
    let report = try await session.report
    #expect(report.isInterrupted || report.checked == 30)
    let rest = try await library.verify(.all).report
    #expect(rest.checked == 30 && !rest.isInterrupted)
    #expect(rest.first == 30 - report.first)
  }

  @Test func `duplicates name the one to keep, and what could go`() async throws {
    let kit = try KitBench()
    try kit.bench.addPicture("a.gif", words: "same")
    try kit.bench.addPicture("copies/b.gif", words: "same")
    try kit.bench.addPicture("c.gif", words: "other")
    let library = try await kit.open()
    _ = try await library.scan([FilePath(kit.bench.library)]).report
    let groups = try await library.duplicates()
    #expect(groups.count == 1)
    let group = try #require(groups.first)
    #expect(group.kind == .exact && group.spares.count == 1)
    let names = [group.keeper.path, group.spares[0].asset.path].map { $0.lastComponent?.string }
    #expect(Set(names) == ["a.gif", "b.gif"])
    let size = try FileManager.default.attributesOfItem(atPath: kit.bench.library + "/a.gif")
    #expect(group.reclaimableBytes == size[.size] as? Int64)
  }

  @Test func `a report has what scans found, and missing files can be forgotten`() async throws {
    let kit = try KitBench()
    try kit.bench.addPictures(3)
    let library = try await kit.open()
    _ = try await library.scan([FilePath(kit.bench.library)]).report
    try FileManager.default.removeItem(atPath: kit.bench.library + "/folder0/picture1.gif")
    let scan = try await library.scan().report
    let report = try await library.report(.lastScan)
    #expect(report.missing.count == 1 && report.added.count == 0 && report.endDate == nil)
    let all = try await library.report(.scans(after: 0, through: scan.scanID))
    #expect(all.added.count == 2 && all.missing.count == 1)
    let first = try await library.report(.scans(after: 0, through: scan.scanID - 1))
    #expect(first.endDate != nil && first.missing.count == 0)
    let missing = try await library.missingFiles()
    #expect(missing.map { $0.path.lastComponent?.string } == ["picture1.gif"])
    #expect(missing.allSatisfy { !$0.isInAlbum && $0.assetID != nil })
    #expect(try await library.missingFiles(before: .distantPast).isEmpty)
    #expect(try await library.purgeMissingFiles(before: .distantPast).isEmpty)
    #expect(try await library.purgeMissingFiles(before: Date() + 60) == missing)
    #expect(try await library.missingFiles().isEmpty)
  }

  @Test func `the catalogs of shards become one`() async throws {
    let kit = try KitBench()
    for index in 0..<8 { try kit.bench.addPicture("\(index)/a.gif", words: "\(index)") }
    var catalogs: [FilePath] = []
    for number in 1...2 {
      let catalog = FilePath(kit.bench.folder + "/\(number).sqlite")
      let part = try await PhotoLibrary.open(
        .init(catalog: catalog, workers: .programs(in: FilePath(Workbench.programs)), jobs: 1))
      var options = ScanOptions()
      options.shard = LibraryShard(number, of: 2)
      _ = try await part.scan([FilePath(kit.bench.library)], options: options).report
      catalogs.append(catalog)
    }
    let library = try await kit.open()
    let merged = Merged()
    try await library.merge(catalogs) { merged.append($0) }
    #expect(merged.all.map(\.path) == catalogs)
    #expect(merged.all.reduce(0) { $0 + $1.added } == 8)
    #expect(try await library.fetchAssets().count == 8)
    #expect(LibraryShard(0, of: 2) == nil && LibraryShard(3, of: 2) == nil)
  }

  private final class Merged: Sendable {
    private let catalogs = Mutex<[MergedCatalog]>([])

    var all: [MergedCatalog] { catalogs.withLock { $0 } }

    func append(_ catalog: MergedCatalog) { catalogs.withLock { $0.append(catalog) } }
  }
}
