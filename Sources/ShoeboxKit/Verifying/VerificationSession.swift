import Verifier

/// How far a verification has come.
public struct VerificationEvent: Sendable, Hashable {
  /// Files that are done with.
  public let filesDone: Int
  /// The files of this run.
  public let filesTotal: Int
  /// Bytes that were read.
  public let bytesDone: Int64
  /// The bytes of the files of this run.
  public let bytesTotal: Int64

  init(_ progress: VerificationProgress) {
    (filesDone, filesTotal) = (progress.filesDone, progress.filesTotal)
    (bytesDone, bytesTotal) = (progress.bytesDone, progress.bytesTotal)
  }
}

/// A verification that runs: its progress as a sequence of events, and its report.
///
/// It goes on whether or not the events are read. It is cancelled by ``cancel()``, by cancelling a task that waits for an
/// event or the report, or by releasing the session. What was checked by then is recorded.
///
/// ```swift
/// let verification = try await library.verify(.share(1.0 / 30))
/// for file in try await verification.report.rotted { print(file.path, file.message) }
/// ```
public final class VerificationSession: AsyncSequence, Sendable {
  /// A moment of the verification.
  public typealias Element = VerificationEvent
  /// Why the verification failed.
  public typealias Failure = PhotoLibraryError

  /// The library folders that are left out, for example because their disks are not mounted.
  public let unavailableFolders: [ScanReport.UnavailableFolder]
  private let work: RunningWork<VerificationProgress, VerificationReport>

  init(
    _ verification: Verification, without unavailable: [ScanReport.UnavailableFolder],
    in library: PhotoLibrary
  ) {
    unavailableFolders = unavailable
    work = RunningWork(
      .verification, measuredBy: library.telemetry, counting: \.checked,
      catalog: library.configuration.catalog
    ) { reporter in
      let report = try await verification.run(reporting: reporter)
      return VerificationReport(report, without: unavailable)
    }
  }

  /// Ends the verification soon. Its report says that it was interrupted.
  public func cancel() { work.cancel() }

  /// The report of the verification, when it has ended.
  ///
  /// - Throws: why it failed.
  public var report: VerificationReport {
    get async throws(PhotoLibraryError) { try await work.result }
  }

  /// Reads the events; only the newest one, if the reader is slower.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Waits for the next event.
  public struct Iterator: AsyncIteratorProtocol {
    private let session: VerificationSession
    private var events: AsyncStream<VerificationProgress>.Iterator

    fileprivate init(_ session: VerificationSession) {
      self.session = session
      events = session.work.events.makeAsyncIterator()
    }

    /// The next event; nil at the end.
    public mutating func next() async throws(PhotoLibraryError) -> VerificationEvent? {
      try await next(isolation: #isolation)
    }

    /// The next event; nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(PhotoLibraryError) -> VerificationEvent? {
      try await session.work.next(&events, isolation: actor).map(VerificationEvent.init)
    }
  }
}
