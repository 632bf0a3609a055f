import Catalog
import Exporter
import Foundation
import Linux
import MediaModel
import Synchronization
import Testing
import WorkerPool

@testable import Importer

/// The copying of an import.
@Suite(.timeLimit(.minutes(1)))
final class ImportRunTests {
  private let folder: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    for name in ["card", "library"] {
      try FileManager.default.createDirectory(
        at: url.appending(path: name), withIntermediateDirectories: true)
    }
    folder = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// A copy of a file on the card; without a size, the file does not exist.
  private func copy(_ name: String, size: Int?) throws -> PlannedCopy {
    let path = "\(folder)/card/\(name)"
    if let size { try Data(count: size).write(to: URL(filePath: path)) }
    return PlannedCopy(
      source: ImportableFile(
        id: 0, path: BytePath(path),
        stamp: FileStamp(size: Int64(size ?? 1), modified: 0, inode: 0), kind: .media,
        fingerprint: nil),
      folder: "2024", name: name)
  }

  private func run(_ copies: [[PlannedCopy]], jobs: Int) throws -> ImportRun {
    var plan = ImportPlan()
    plan.copies = copies
    return ImportRun(
      plan,
      ImportRequest(
        sources: [BytePath("\(folder)/card")], root: BytePath("\(folder)/library"),
        template: try NameTemplate(typed: "{stem}"), jobs: jobs))
  }

  /// Blocks the threads that copy until it is opened.
  private final class Gate: Sendable {
    private let opened = Atomic(false)
    private let entered = Atomic(0)

    var count: Int { entered.load(ordering: .relaxed) }
    var isOpen: Bool { opened.load(ordering: .relaxed) }

    func open() { opened.store(true, ordering: .relaxed) }

    /// - Returns: whether `condition` held in time.
    func wait(until condition: () -> Bool) -> Bool {
      entered.add(1, ordering: .relaxed)
      let end = ContinuousClock.now + .seconds(30)
      while !condition(), .now < end { usleep(2000) }
      return condition()
    }
  }

  @Test func `an interrupted group reports what failed before`() async throws {
    let run = try run([[copy("gone.jpg", size: nil), copy("large.mov", size: 3 << 20)]], jobs: 1)
    let gate = Gate()
    let task = Task {
      try await GracefulCancellation.run {
        try await run.run { progress in
          if progress.bytesDone > 0 {
            _ = gate.wait { GracefulCancellation.isRequested }
          }
        }
      }
    }
    while gate.count == 0 { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    let report = try await task.value
    #expect(report.isInterrupted)
    #expect(report.items.map(\.source.lastComponent) == [Array("gone.jpg".utf8)])
    #expect(report.items.first?.action == .failed)
    #expect(report.items.first?.error == "cannot be read: No such file or directory")
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/library/2024").isEmpty)
  }

  /// Each of as many copies as Swift has threads waits for a task of Swift.
  @Test func `copying leaves Swift's threads to others`() async throws {
    let jobs = min(12, max(2, ProcessInfo.processInfo.activeProcessorCount))
    let copies = try (0..<jobs).map { [try copy("\($0).jpg", size: 1000)] }
    let run = try run(copies, jobs: jobs)
    let gate = Gate()
    let (reached, missed) = (Counter(), Counter())
    async let report = run.run { _ in
      _ = gate.wait { gate.isOpen } ? reached.next() : missed.next()
    }
    while gate.count < jobs, missed.value == 0 { try await Task.sleep(for: .milliseconds(5)) }
    gate.open()
    #expect(try await report.items.count { $0.action == .copied } == jobs)
    #expect(missed.value == 0)
    #expect(reached.value > 0)
  }

  private final class Counter: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    func next() { count.add(1, ordering: .relaxed) }
  }
}
