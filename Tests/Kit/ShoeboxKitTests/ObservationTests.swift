import CoreMetrics
import Foundation
import InMemoryLogging
import Logging
import MetricsTestKit
import ShoeboxKit
import Testing
import Workbench

/// Logs and metrics, once a program has asked for them.
struct ObservationTests {
  /// The messages of all libraries of this process: a logging system can be set up once.
  private static let log: InMemoryLogHandler = {
    var handler = InMemoryLogHandler()
    handler.logLevel = .trace
    let made = handler
    LoggingSystem.bootstrap { _ in made }
    return made
  }()

  @Test func `work is measured and logged`() async throws {
    let kit = try KitBench()
    let log = Self.log
    try kit.bench.addPictures(12)
    let metrics = TestMetrics()
    try await withMetricsFactory(metrics) {
      let library = try await kit.open()
      _ = try await library.scan([FilePath(kit.bench.library)]).report
      let result = try await library.fetchAssets()
      let page = try await result.page(after: nil, size: 5)
      _ = try await result.count
      let id = try #require(page.assets.first?.id)
      _ = try await library.image(for: id, fitting: PixelSize(width: 20, height: 20))
      _ = try await library.data(for: id, as: .current)
      await #expect(throws: PhotoLibraryError.self) {
        _ = try await library.fetchAssets(options: .init(sort: .size))
          .page(after: page.next, size: 5)
      }
    }
    for (work, assets, durations) in [
      ("scan", 12, 1), ("fetch", 5, 2), ("image", 1, 1), ("export", 1, 1),
    ] {
      #expect(metrics.counterTotal(label: "shoebox.\(work).assets") == assets, "\(work)")
      #expect(metrics.counterTotal(label: "shoebox.\(work).errors") == 0)
      let timer = try metrics.expectTimer("shoebox.\(work).duration")
      #expect(timer.values.count == durations && timer.values.allSatisfy { $0 > 0 }, "\(work)")
    }
    let own = log.entries.filter { $0.metadata["catalog"] == "\(kit.bench.catalog)" }
    #expect(
      own.map { "\($0.level) \($0.message)" }.sorted() == [
        "debug export finished", "debug scan finished", "trace fetch finished",
        "trace fetch finished", "trace image finished",
      ])
    #expect(own.first { $0.level == .debug }?.metadata["assets"] == "12")
  }

  @Test func `errors are counted and logged`() async throws {
    let kit = try KitBench()
    let log = Self.log
    try Data("no picture".utf8).write(to: URL(filePath: kit.bench.library + "/a.jpg"))
    _ = try await kit.bench.bash("convert -size 600x400 plasma: library/b.jpg")
    let metrics = TestMetrics()
    try await withMetricsFactory(metrics) {
      let library = try await kit.open()
      _ = try await library.scan([FilePath(kit.bench.library)]).report
      let id = try #require(try await kit.ids(library).last)
      try FileHandle(forWritingTo: URL(filePath: kit.bench.library + "/b.jpg"))
        .truncate(atOffset: 300)
      await #expect(throws: PhotoLibraryError.self) {
        _ = try await library.image(for: id, fitting: PixelSize(width: 20, height: 20))
      }
    }
    #expect(metrics.counterTotal(label: "shoebox.image.errors") == 1)
    #expect(metrics.counterTotal(label: "shoebox.image.assets") == 0)
    let failure = log.entries.first {
      $0.metadata["catalog"] == "\(kit.bench.catalog)" && "\($0.message)" == "image failed"
    }
    #expect(failure?.metadata["error"]?.description.contains("b.jpg") == true)
  }
}
