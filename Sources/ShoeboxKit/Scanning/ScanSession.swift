import Catalog
import Indexer
import Linux
import MediaModel
public import SystemPackage
import WorkerPool

/// A scan that runs: its progress as a sequence of events, and its report.
///
/// The scan goes on whether or not the events are read. It is cancelled by ``cancel()``, by cancelling a task that
/// waits for an event or the report, or by releasing the session. A cancelled scan keeps what it has recorded, and the
/// next one does the rest.
///
/// ```swift
/// let scan = try await library.scan(["/photos"])
/// for try await event in scan { print(event.phase, event.filesSeen) }
/// print(try await scan.report.added)
/// ```
public final class ScanSession: AsyncSequence, Sendable {
  /// A moment of the scan.
  public typealias Element = ScanEvent
  /// Why the scan failed.
  public typealias Failure = PhotoLibraryError

  private let events: AsyncStream<Indexer::ScanEvent>
  private let work: Task<Result<ScanReport, PhotoLibraryError>, Never>

  /// Begins a scan.
  init(
    _ scan: Scan, of catalog: Catalog, at path: FilePath, holding lock: consuming FileLock
  ) {
    let (events, reporter) = AsyncStream.makeStream(
      of: Indexer::ScanEvent.self, bufferingPolicy: .bufferingNewest(1))
    self.events = events
    let held = HeldLock(lock)
    work = Task {
      defer { withExtendedLifetime(held) {} }
      do {
        let report = try await scan.run(reporting: reporter)
        return .success(try ScanReport(report, in: catalog))
      } catch {
        reporter.finish()
        return .failure(PhotoLibraryError(error, catalog: path))
      }
    }
  }

  deinit { work.cancel() }

  /// Ends the scan soon. Its report says that it was interrupted.
  public func cancel() { work.cancel() }

  /// What the scan did, when it has ended.
  ///
  /// - Throws: why it failed.
  public var report: ScanReport {
    get async throws(PhotoLibraryError) {
      let work = work
      return try await withTaskCancellationHandler {
        await work.value
      } onCancel: {
        work.cancel()
      }.get()
    }
  }

  /// Reads the events; only the newest one, if the reader is slower than the scan.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Waits for the next event.
  public struct Iterator: AsyncIteratorProtocol {
    private let session: ScanSession
    private var events: AsyncStream<Indexer::ScanEvent>.Iterator

    fileprivate init(_ session: ScanSession) {
      self.session = session
      events = session.events.makeAsyncIterator()
    }

    /// The next event; nil at the end of the scan.
    public mutating func next() async throws(PhotoLibraryError) -> ScanEvent? {
      try await next(isolation: #isolation)
    }

    /// The next event; nil at the end of the scan.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(PhotoLibraryError) -> ScanEvent? {
      if let event = await events.next(isolation: actor) { return ScanEvent(event) }
      if Task.isCancelled { session.cancel() }
      _ = try await session.report
      return nil
    }
  }
}

/// The lock of a scan, which ends with this object.
private final class HeldLock: Sendable {
  private let lock: FileLock

  init(_ lock: consuming FileLock) { self.lock = lock }
}

extension PhotoLibrary {
  /// Brings the catalog up to date with folders, which become library folders with all below them. Originals are only
  /// read.
  ///
  /// - Parameter folders: none for all known library folders.
  /// - Throws: ``PhotoLibraryError/busy(catalog:)``, ``PhotoLibraryError/readOnly(catalog:)``,
  ///   ``PhotoLibraryError/folder(_:reason:)``, ``PhotoLibraryError/noFolders``,
  ///   ``PhotoLibraryError/workersMissing(searched:)``.
  public func scan(_ folders: [FilePath] = []) async throws(PhotoLibraryError) -> ScanSession {
    let path = configuration.catalog
    guard configuration.access == .readWrite else { throw .readOnly(catalog: path) }
    let workers = try startedWorkers()
    do {
      guard let lock = try FileLock.take(catalog.lockPath) else {
        throw PhotoLibraryError.busy(catalog: path)
      }
      let scopes = try ScanScope.resolve(
        folders.map { try BytePath($0).absolute() }, in: catalog, options: WalkOptions())
      let scan = Scan(catalog: catalog, workers: workers, scopes: scopes)
      return ScanSession(scan, of: catalog, at: path, holding: lock)
    } catch {
      throw PhotoLibraryError(error, catalog: path)
    }
  }
}
