import WorkerPool

/// How far an import has come.
public struct ImportEvent: Sendable, Hashable {
  /// The phases of an import, in this order.
  public enum Phase: String, Sendable, Hashable, Codable, CaseIterable {
    /// Reads what is on the source.
    case reading
    /// Compares contents with the library.
    case comparing
    /// Copies and verifies.
    case copying
    /// Scans the library folder.
    case scanning
  }

  /// The present phase of the import.
  public let phase: Phase
  /// Files, or when comparing groups of files, that are done with.
  public let completed: Int
  /// All files or groups; 0 if the number is not known.
  public let total: Int
  /// Bytes that were read in this phase.
  public let bytesDone: Int64
  /// All bytes that are read in this phase; 0 if the number is not known.
  public let bytesTotal: Int64

  init(
    _ phase: Phase, completed: Int, total: Int = 0, bytesDone: Int64 = 0, bytesTotal: Int64 = 0
  ) {
    (self.phase, self.completed, self.total) = (phase, completed, total)
    (self.bytesDone, self.bytesTotal) = (bytesDone, bytesTotal)
  }
}

/// An import that runs: its progress as a sequence of events, and its report.
///
/// It goes on whether or not the events are read. It is cancelled by ``cancel()``, by cancelling a task that waits for an
/// event or the report, or by releasing the session. A cancelled import keeps the copies that are complete.
public final class ImportSession: AsyncSequence, Sendable {
  /// A moment of the import.
  public typealias Element = ImportEvent
  /// Why the import failed.
  public typealias Failure = PhotoLibraryError

  private let work: RunningWork<ImportEvent, ImportReport>

  init(
    in library: PhotoLibrary,
    _ body:
      @escaping @Sendable (@escaping @Sendable (ImportEvent) -> Void) async throws -> ImportReport
  ) {
    work = RunningWork(
      .importing, measuredBy: library.telemetry, counting: { $0.count(.copied) },
      catalog: library.configuration.catalog
    ) { reporter in
      try await GracefulCancellation.run { try await body { reporter.yield($0) } }
    }
  }

  /// Ends the import soon. Its report says that it was interrupted.
  public func cancel() { work.cancel() }

  /// The report of the import, when it has ended.
  ///
  /// - Throws: why it could not begin, or what ended it before anything was copied.
  public var report: ImportReport {
    get async throws(PhotoLibraryError) { try await work.result }
  }

  /// Reads the events; only the newest one, if the reader is slower.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Waits for the next event.
  public struct Iterator: AsyncIteratorProtocol {
    private let session: ImportSession
    private var events: AsyncStream<ImportEvent>.Iterator

    fileprivate init(_ session: ImportSession) {
      self.session = session
      events = session.work.events.makeAsyncIterator()
    }

    /// The next event; nil at the end.
    public mutating func next() async throws(PhotoLibraryError) -> ImportEvent? {
      try await next(isolation: #isolation)
    }

    /// The next event; nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(PhotoLibraryError) -> ImportEvent? {
      try await session.work.next(&events, isolation: actor)
    }
  }
}
