import Foundation
import GRDB
import Linux
import Testing

@testable import Catalog

/// Reads that wait for no other one, and that end when their task is cancelled.
struct ConcurrentReadTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.appending("catalog.sqlite")
    _ = try Catalog.open(at: path, mode: .readWrite).write { transaction in
      try transaction.database.execute(
        sql: "INSERT INTO secrets (name, value) VALUES ('test', x'01')")
    }
  }

  /// The number of rows that only this catalog has.
  private static func count(_ catalog: Catalog) throws -> Int {
    try catalog.read { try $0.count("SELECT count(*) FROM secrets WHERE name = 'test'") }
  }

  /// Runs `body` on a thread of its own while a read of the catalog is going on.
  private func duringReads(
    _ count: Int, of catalog: Catalog, _ body: () throws -> Void
  ) throws {
    let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    for _ in 0..<count {
      Thread {
        try? catalog.read { _ in
          begun.signal()
          _ = ended.wait(timeout: .now() + 20)
        }
        begun.signal()
      }.start()
    }
    for _ in 0..<count { begun.wait() }
    defer { for _ in 0..<count { ended.signal() } }
    try body()
  }

  @Test(.timeLimit(.minutes(1)), arguments: [Catalog.Mode.readOnly, .readWrite])
  func aReadDoesNotWaitForAnotherOne(mode: Catalog.Mode) throws {
    let catalog = try Catalog.open(at: path, mode: mode)
    try duringReads(3, of: catalog) {
      let start = ContinuousClock.now
      let found = try Self.count(catalog)
      #expect(found == 1)
      #expect(ContinuousClock.now - start < .seconds(10))
    }
  }

  /// A backup takes the catalog's place while several connections are open.
  @Test(.timeLimit(.minutes(1)))
  func allConnectionsFollowAReplacedFile() throws {
    let catalog = try Catalog.open(at: path, mode: .readOnly)
    let other = folder.appending("other.sqlite")
    try Catalog.open(at: other, mode: .readWrite).database.close()
    try duringReads(2, of: catalog) {
      for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.moveItem(atPath: other, toPath: path)
      for _ in 0..<3 { #expect(try Self.count(catalog) == 0) }
    }
    for _ in 0..<3 { #expect(try Self.count(catalog) == 0) }
  }

  /// A query that takes minutes.
  private static let long = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000000000)
    SELECT count(*) FROM n
    """

  @Test(.timeLimit(.minutes(1)), arguments: [Catalog.Mode.readOnly, .readWrite])
  func aReadEndsWhenItsTaskIsCancelled(mode: Catalog.Mode) async throws {
    let catalog = try Catalog.open(at: path, mode: mode)
    let begun = AsyncStream<Void>.makeStream()
    // Not on Swift's threads, of which none would be left for the cancellation.
    let threads = BlockingExecutor()
    let task = Task(executorPreference: threads) {
      try Catalog.endingWhenCancelled {
        try catalog.read { transaction in
          begun.continuation.yield()
          return try transaction.count(Self.long)
        }
      }
    }
    for await _ in begun.stream { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    // The connection can be used again, also by a task that is cancelled but has asked for no such end.
    let gate = AsyncStream<Void>.makeStream()
    let cancelled = Task {
      for await _ in gate.stream {}
      return try Self.count(catalog)
    }
    cancelled.cancel()
    #expect(try await cancelled.value == 1)
  }
}
