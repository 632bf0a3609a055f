import Foundation
import ShoeboxKit
import Testing
import Workbench

/// Tasks that are cancelled in the middle of their work leave nothing: no part of a file, and no process once the
/// library is released.
@Suite(.timeLimit(.minutes(3)))
struct CancellationTests {
  /// A library whose scan cannot end before the codec program may start: a video has no duration in its header.
  private func heldScan() async throws -> KitBench {
    let kit = try KitBench()
    try kit.bench.addPictures(1000, perFolder: 100)
    try await kit.bench.bash(
      """
      mkdir library/last
      ffmpeg -v error -f lavfi -i testsrc=d=1:s=64x48:r=10 -c:v mjpeg -pix_fmt yuvj420p -f matroska - \\
        </dev/null >library/last/video.mkv
      """)
    try kit.holdCodec()
    return kit
  }

  @Test func `a scan`() async throws {
    let kit = try await heldScan()
    var library: PhotoLibrary? = try await kit.open()
    do {
      let scan = try await #require(library).scan([FilePath(kit.bench.library)])
      for try await event in scan where event.filesSeen > 0 { break }
      let waiter = Task { try await scan.report }
      waiter.cancel()
      let report = try await waiter.value
      #expect(report.isInterrupted)
      let recorded = try await kit.bench.query("SELECT count(*) FROM assets")
      #expect(recorded == ["\(report.added)"])
      #expect(try await kit.bench.query("PRAGMA integrity_check") == ["ok"])
    }
    try kit.releaseCodec()
    library = nil
    #expect(try await kit.workersHaveEnded())
    // The lock is free, and the next scan does the rest.
    let rest = try await kit.open().scan([FilePath(kit.bench.library)]).report
    #expect(!rest.isInterrupted)
    #expect(try await kit.bench.query("SELECT count(*) FROM assets") == ["1001"])
  }

  @Test func `a scan whose session is released`() async throws {
    let kit = try await heldScan()
    let library = try await kit.open()
    do {
      let scan = try await library.scan([FilePath(kit.bench.library)])
      for try await event in scan where event.filesSeen > 0 { break }
    }
    try kit.releaseCodec()
    var next: ScanSession?
    for _ in 0..<200 where next == nil {
      do {
        next = try await library.scan()
      } catch PhotoLibraryError.busy {
        try await Task.sleep(for: .milliseconds(50))
      }
    }
    #expect(try await next?.report.isInterrupted == false)
    let outcomes = try await kit.bench.query("SELECT outcome FROM scans ORDER BY id")
    #expect(outcomes == ["interrupted", "finished"])
    #expect(try await kit.bench.query("SELECT count(*) FROM assets") == ["1001"])
  }

  @Test func `images`() async throws {
    let kit = try KitBench()
    _ = try await kit.bench.bash(
      """
      cd library
      convert -size 8000x6000 xc:teal 1.jpg
      for i in $(seq 2 96); do cp 1.jpg $i.jpg; printf $i >>$i.jpg; done
      """)
    var library: PhotoLibrary? = try await kit.open()
    _ = try await library?.scan([FilePath(kit.bench.library)]).report
    let ids = try await kit.ids(#require(library))
    #expect(ids.count == 96)
    do {
      let open = try #require(library)
      let size = PixelSize(width: 1024, height: 1024)
      let requests = ids.map { id in
        Task { try await open.image(for: id, fitting: size, priority: .upcoming) }
      }
      // The first one has begun, and most have not.
      _ = try await requests[0].value
      for request in requests { request.cancel() }
      for request in requests.dropFirst() {
        if case .failure(let error) = await request.result {
          #expect(error as? PhotoLibraryError == .cancelled)
        }
      }
    }
    library = nil
    #expect(try await kit.workersHaveEnded())
    let kept = try await kit.bench.query(
      "SELECT count(*) FROM thumbnails", of: kit.bench.catalog + ".thumbnails")
    // Those that were being made are kept, whole.
    #expect(try #require(kept.first.flatMap { Int($0) }) < 96)
    let again = try await kit.open()
    for id in ids.prefix(6) {
      let image = try await again.image(for: id, fitting: PixelSize(width: 1024, height: 1024))
      #expect(image.pixelSize == PixelSize(width: 1024, height: 768))
      #expect(
        image.data.prefix(2) == Data([0xFF, 0xD8]) && image.data.suffix(2) == Data([0xFF, 0xD9]))
    }
  }

  /// A library with a video of 20 minutes, which takes minutes to encode. It repeats two seconds.
  private func film() async throws -> KitBench {
    let kit = try KitBench()
    _ = try await kit.bench.bash(
      """
      ffmpeg -v error -f lavfi -i testsrc=d=2:s=1280x720:r=30 -c:v mpeg4 -pix_fmt yuv420p \\
        clip.avi </dev/null
      ffmpeg -v error -stream_loop 599 -i clip.avi -c copy library/film.avi </dev/null
      """)
    return kit
  }

  @Test(arguments: [true, false])
  func `an export`(byTask: Bool) async throws {
    let kit = try await film()
    let target = kit.bench.folder + "/out"
    var library: PhotoLibrary? = try await kit.open()
    _ = try await library?.scan([FilePath(kit.bench.library)]).report
    do {
      let open = try #require(library)
      let export = try await open.export(try await kit.ids(open), to: FilePath(target))
      let started = AsyncStream<Void>.makeStream()
      let work = Task {
        for try await event in export where event.fraction > 0 {
          started.continuation.yield()
          if !byTask { export.cancel() }
        }
      }
      for await _ in started.stream { break }
      if byTask { work.cancel() }
      await #expect(throws: PhotoLibraryError.cancelled) { try await work.value }
      await #expect(throws: PhotoLibraryError.cancelled) { _ = try await export.report }
    }
    #expect(kit.files(below: target).filter { !$0.hasPrefix(".shoebox") } == [])
    library = nil
    #expect(try await kit.workersHaveEnded())
    #expect(kit.files(below: target).filter { $0.contains("partial") || $0.contains("film") } == [])
  }

  @Test func `an export whose first file is complete reports it`() async throws {
    let kit = try await film()
    try await kit.bench.bash("convert -size 64x48 xc:red library/a.jpg")
    let library = try await kit.open()
    _ = try await library.scan([FilePath(kit.bench.library)]).report
    let target = kit.bench.folder + "/out"
    let export = try await library.export(try await kit.ids(library), to: FilePath(target))
    let work = Task {
      for try await event in export where event.completed == 1 { export.cancel() }
    }
    await #expect(throws: PhotoLibraryError.cancelled) { try await work.value }
    await #expect(throws: PhotoLibraryError.cancelled) { _ = try await export.report }
    let report = try await export.finalReport
    #expect(report.isInterrupted && report.failure == nil)
    #expect(report.items.map(\.asset.path) == [FilePath(kit.bench.library + "/a.jpg")])
    #expect(report.items.map(\.files) == [[FilePath(target + "/a.jpg")]])
    #expect(FileManager.default.fileExists(atPath: target + "/a.jpg"))
  }

  @Test func `queries and plans of a cancelled task throw that it was cancelled`() async throws {
    let kit = try KitBench()
    try kit.bench.addPictures(20)
    let library = try await kit.open()
    _ = try await library.scan([FilePath(kit.bench.library)]).report
    let ids = try await kit.ids(library)
    let all = try await library.fetchAssets()
    let target = FilePath(kit.bench.folder + "/out")
    let work: [@Sendable () async throws -> Void] = [
      { _ = try await all.statistics }, { _ = try await library.duplicates() },
      { _ = try await library.export(ids, to: target) },
      { _ = try await library.export(all, to: target) },
      { try await library.createAlbum("never") },
    ]
    for body in work {
      let gate = AsyncStream<Void>.makeStream()
      let task = Task {
        for await _ in gate.stream {}
        try await body()
      }
      task.cancel()
      await #expect(throws: PhotoLibraryError.cancelled) { try await task.value }
    }
    #expect(try await library.albums().isEmpty)
  }

  @Test func `a file for a client`() async throws {
    let kit = try await film()
    var library: PhotoLibrary? = try await kit.open()
    _ = try await library?.scan([FilePath(kit.bench.library)]).report
    let before = try transfers()
    do {
      let open = try #require(library)
      let id = try #require(try await kit.ids(open).first)
      let work = Task { try await open.data(for: id) }
      defer { work.cancel() }
      var hasBegun = false
      for _ in 0..<400 {
        hasBegun = try !kit.workers.isEmpty && transfers() != before
        if hasBegun { break }
        try await Task.sleep(for: .milliseconds(25))
      }
      #expect(hasBegun)
      work.cancel()
      await #expect(throws: PhotoLibraryError.cancelled) { _ = try await work.value }
    }
    library = nil
    #expect(try await kit.workersHaveEnded())
    // Other tests transfer files, too.
    for _ in 0..<200 {
      if try transfers().isSubset(of: before) { break }
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(try transfers().isSubset(of: before))
  }

  private func transfers() throws -> Set<String> {
    let folder = FileManager.default.temporaryDirectory.path
    return Set(try FileManager.default.contentsOfDirectory(atPath: folder))
      .filter { $0.hasPrefix("shoebox-transfer-") }
  }
}
