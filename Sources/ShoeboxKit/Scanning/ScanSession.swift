import Catalog
import Indexer
import Linux
package import MediaModel
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

  /// The library folders that were unavailable when the scan began: it leaves them as they are.
  public let unavailableFolders: [ScanReport.UnavailableFolder]
  private let scopes: [ScanScope]
  private let work: RunningWork<Indexer::ScanEvent, ScanReport>

  /// Begins a scan.
  ///
  /// - Parameters:
  ///   - path: the catalog's path, for errors.
  ///   - held: lives as long as the scan.
  init(
    _ scan: Scan, of scopes: [ScanScope], in catalog: Catalog, at path: FilePath,
    holding held: any Sendable, measuredBy telemetry: Telemetry
  ) {
    self.scopes = scopes
    unavailableFolders = scopes.compactMap { scope in
      scope.unavailability.map { .init(path: FilePath(scope.root.path), reason: $0) }
    }
    work = RunningWork(
      .scan, measuredBy: telemetry, counting: { $0.added + $0.changed }, catalog: path,
      holding: held
    ) { reporter in
      try ScanReport(try await scan.run(reporting: reporter), in: catalog)
    }
  }

  /// Ends the scan soon. Its report says that it was interrupted.
  public func cancel() { work.cancel() }

  /// The report of the scan, when it has ended.
  ///
  /// - Throws: why it failed.
  public var report: ScanReport {
    get async throws(PhotoLibraryError) { try await work.result }
  }

  /// Counts the files in the folders of the scan, whether or not they are read: with ``ScanEvent/filesSeen``, this says
  /// how far it has come. Every folder is listed, which may take a while.
  ///
  /// - Returns: nil if the task was cancelled.
  @concurrent
  public func countFiles() async -> Int? { scopes.countFiles() }

  /// Reads the events; only the newest one, if the reader is slower than the scan.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Waits for the next event.
  public struct Iterator: AsyncIteratorProtocol {
    private let session: ScanSession
    private var events: AsyncStream<Indexer::ScanEvent>.Iterator

    fileprivate init(_ session: ScanSession) {
      self.session = session
      events = session.work.events.makeAsyncIterator()
    }

    /// The next event; nil at the end of the scan.
    public mutating func next() async throws(PhotoLibraryError) -> ScanEvent? {
      try await next(isolation: #isolation)
    }

    /// The next event; nil at the end of the scan.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(PhotoLibraryError) -> ScanEvent? {
      try await session.work.next(&events, isolation: actor).map { ScanEvent($0) }
    }
  }
}

/// The lock of a scan or an import, which ends with this object.
final class HeldLock: Sendable {
  private let lock: FileLock

  init(_ lock: consuming FileLock) { self.lock = lock }
}

extension PhotoLibrary {
  /// Brings the catalog up to date with folders, which become library folders with all below them. Originals are only
  /// read.
  ///
  /// - Parameters:
  ///   - folders: none for all known library folders.
  ///   - options: which files are read. A ``ScanOptions/Mode/dryRun`` changes nothing and works on a library that was
  ///     opened for reading only, also while another scan runs.
  /// - Throws: ``PhotoLibraryError/busy(catalog:)``, ``PhotoLibraryError/readOnly(catalog:)``,
  ///   ``PhotoLibraryError/folder(_:reason:)``, ``PhotoLibraryError/knownFolder(_:reason:)``,
  ///   ``PhotoLibraryError/noFolders``, ``PhotoLibraryError/workersMissing(searched:)``.
  nonisolated public func scan(
    _ folders: [FilePath] = [], options: ScanOptions = ScanOptions()
  ) async throws(PhotoLibraryError) -> ScanSession {
    if let folder = folders.first(where: \.isEmpty) {
      throw .folder(folder, reason: "the path of a folder to scan is empty: name a folder")
    }
    do {
      return try await scan(at: folders.map { BytePath($0) }, options: options)
    } catch {
      throw PhotoLibraryError(error, catalog: configuration.catalog)
    }
  }

  /// Begins a scan of paths of any bytes as soon as no other one holds the catalog.
  ///
  /// - Parameter time: how long to wait at most; then ``PhotoLibraryError/busy(catalog:)`` is thrown.
  nonisolated package func scan(
    at folders: [BytePath], options: ScanOptions, waiting time: Duration
  ) async throws -> ScanSession {
    let end = ContinuousClock.now + time
    while true {
      do {
        return try await scan(at: folders, options: options)
      } catch let error as PhotoLibraryError {
        guard case .busy = error, .now < end else { throw error }
        try await Task.sleep(for: .seconds(1))
      }
    }
  }

  /// The same for paths of any bytes, which messages have as they are.
  nonisolated package func scan(
    at folders: [BytePath], options: ScanOptions
  ) async throws -> ScanSession {
    let path = configuration.catalog
    guard configuration.access == .readWrite || options.mode == .dryRun else {
      throw PhotoLibraryError.readOnly(catalog: path)
    }
    let workers = try await startedWorkers()
    do {
      return try await threads.run { try await begunScan(of: folders, options, workers) }
    } catch {
      throw PhotoLibraryError.forCommands(error, catalog: path)
    }
  }

  @concurrent
  nonisolated private func begunScan(
    of folders: [BytePath], _ options: ScanOptions, _ workers: MediaWorkers
  ) async throws -> ScanSession {
    let (catalog, held) = try await self.catalog(for: options.mode)
    let scopes = try ScanScope.resolve(folders, in: catalog, options: options.walk)
    let mode: Scan.Mode =
      switch options.mode {
      case .update: .update
      case .rebuild: .rebuild
      case .dryRun: .comparison
      }
    let scan = Scan(
      catalog: catalog, workers: workers, scopes: scopes, mode: mode,
      acceptedLoss: options.acceptedLoss)
    return ScanSession(
      scan, of: scopes, in: catalog, at: configuration.catalog, holding: held,
      measuredBy: telemetry)
  }

  /// The catalog that a scan writes, and what has to live as long as the scan: the lock, or for a dry run the folder of
  /// a copy.
  @concurrent
  nonisolated private func catalog(for mode: ScanOptions.Mode) async throws -> (
    Catalog, any Sendable
  ) {
    guard mode == .dryRun else { return (catalog, HeldLock(try takeScanLock())) }
    let folder = try TemporaryFolder()
    let copy = folder.path.appending("catalog.sqlite")
    try await catalog.copy(to: copy)
    return (try Self.catalog(at: copy.display, .readWrite), folder)
  }
}
