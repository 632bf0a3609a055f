import Catalog
import Exporter
import Importer
import Indexer
import Linux
package import MediaModel
public import SystemPackage
import Synchronization
import WorkerPool

extension PhotoLibrary {
  /// Copies pictures, videos and their sidecars from a card, a phone or another folder into a library folder, if the library
  /// does not have their content. Each copy is read again from the disk and verified before it gets its name. Sources are
  /// only read; nothing is overwritten.
  ///
  /// Files that belong together, such as the two of a live photo, are in one folder with equal stems. An import that was
  /// killed or cancelled is completed by the next one. At the end the library folder is scanned.
  ///
  /// - Parameters:
  ///   - sources: folders, which are imported with all below them: many cameras keep their videos outside of `DCIM`.
  ///   - folder: a library folder, or a folder that becomes one.
  ///   - options: the names of the copies, and how the library folder is scanned.
  /// - Throws: ``PhotoLibraryError/readOnly(catalog:)``, ``PhotoLibraryError/invalidNameTemplate(_:)``,
  ///   ``PhotoLibraryError/folder(_:reason:)`` if a folder cannot be reached,
  ///   ``PhotoLibraryError/nestedFolders(reason:)``, ``PhotoLibraryError/workersMissing(searched:)``,
  ///   ``PhotoLibraryError/busyFolder(reason:)`` while another import runs.
  nonisolated public func importFiles(
    from sources: [FilePath], into folder: FilePath, options: ImportOptions = ImportOptions()
  ) async throws(PhotoLibraryError) -> ImportSession {
    if let folder = (sources + [folder]).first(where: \.isEmpty) {
      throw .folder(folder, reason: "the path of a folder to import is empty: name a folder")
    }
    return try await onThreads {
      try await importFiles(
        from: sources.map { BytePath($0) }, into: BytePath(folder), options: options)
    }
  }

  /// The same for paths of any bytes.
  nonisolated package func importFiles(
    from sources: [BytePath], into folder: BytePath, options: ImportOptions
  ) async throws -> ImportSession {
    guard configuration.access == .readWrite || options.isDryRun else {
      throw PhotoLibraryError.readOnly(catalog: configuration.catalog)
    }
    do {
      let request = ImportRequest(
        sources: try sources.map(Self.readableFolder), root: try importTarget(folder),
        template: try options.template, jobs: max(1, configuration.jobs ?? Self.copyingGroups))
      for source in request.sources
      where source.isWithin(request.root) || request.root.isWithin(source) {
        throw PhotoLibraryError.nestedFolders(
          reason: source.isWithin(request.root)
            ? "\(source.display) is inside \(request.root.display): use `shoebox scan` for files that are there already"
            : "\(request.root.display) is inside \(source.display): name another source")
      }
      let devices = try request.sources.map { try FileStatus(of: $0).device }
      let work = ImportWork(
        library: self, catalog: catalog, workers: try await startedWorkers(),
        request: request, devices: devices,
        scanOptions: options.scanOptions, lock: options.isDryRun ? nil : try takeImportLock())
      return ImportSession(in: self) { report in
        try await work.run(isDryRun: options.isDryRun, report)
      }
    } catch {
      throw PhotoLibraryError.forCommands(error, catalog: configuration.catalog)
    }
  }

  /// Groups of files that are copied at the same time: one is read from the card while another is verified.
  private static var copyingGroups: Int { 2 }

  /// A source's path without symbolic links, after its folder was opened.
  private static func readableFolder(_ source: BytePath) throws -> BytePath {
    do {
      let path = try source.absolute().resolved()
      _ = try OpenFolder(path).names()
      return path
    } catch {
      throw PhotoLibraryError.folder(
        FilePath(source), reason: "the source \(source.display) cannot be read: \(error.reason)")
    }
  }

  /// The folder that gets the files. It must exist, so that nothing is written where a disk is not mounted.
  nonisolated private func importTarget(_ folder: BytePath) throws -> BytePath {
    try ScanScope.check([folder], in: catalog)
    let path: BytePath
    do {
      path = try folder.absolute().resolved()
    } catch {
      throw PhotoLibraryError.folder(
        FilePath(folder), reason: "the folder \(folder.display) cannot be used: \(error.reason)")
    }
    let roots = try catalog.roots().map(\.record).filter { path.isWithin($0.path) }
    if let root = roots.max(by: { $0.path.bytes.count < $1.path.bytes.count }),
      let reason = try ScanScope.unavailability(of: root, in: catalog)
    {
      throw PhotoLibraryError.folder(
        FilePath(root.path), reason: "\(root.path.display) is unavailable: \(reason)")
    }
    return path
  }

  /// The lock that prevents a second import, next to that of scans.
  nonisolated private func takeImportLock() throws -> HeldLock {
    let path = BytePath(bytes: catalog.location.bytes + Array(".import.lock".utf8))
    guard let lock = try FileLock.take(path) else {
      throw PhotoLibraryError.busyFolder(
        reason: "another import is using the catalog \(catalog.path): wait until it has finished")
    }
    return HeldLock(lock)
  }
}

/// The steps of one import.
private final class ImportWork: Sendable {
  private let library: PhotoLibrary
  private let catalog: Catalog
  private let workers: MediaWorkers
  private let request: ImportRequest
  /// The device of each source when the import began.
  private let devices: [UInt64]
  private let scanOptions: ScanOptions
  private let lock: HeldLock?

  init(
    library: PhotoLibrary, catalog: Catalog, workers: MediaWorkers, request: ImportRequest,
    devices: [UInt64], scanOptions: ScanOptions, lock: HeldLock?
  ) {
    (self.library, self.catalog, self.workers) = (library, catalog, workers)
    (self.request, self.devices) = (request, devices)
    self.scanOptions = scanOptions
    self.lock = lock
  }

  func run(
    isDryRun: Bool, _ report: @escaping @Sendable (ImportEvent) -> Void
  ) async throws -> ImportReport {
    let start = ContinuousClock.now
    let scratch = try TemporaryFolder()
    let (contents, failures) = try await readSources(scratch, report)
    let plan = try await makePlan(contents, report)
    var items = plan.settled
    var copied: CopyReport?
    if isDryRun {
      items += plan.copies.joined().map { copy in
        ImportItem(
          source: copy.source.path,
          target: request.root.appending(Array(copy.folder.utf8)).appending(copy.name),
          action: .copied, size: copy.source.stamp.size, error: copy.source.error,
          absentTwin: copy.absentTwin)
      }
    } else if !plan.isInterrupted {
      let made = try await ImportRun(plan, request).run { progress in
        report(
          ImportEvent(
            .copying, completed: progress.filesDone, total: progress.filesTotal,
            bytesDone: progress.bytesDone, bytesTotal: progress.bytesTotal))
      }
      items += made.items
      copied = made
    }
    let isInterrupted = plan.isInterrupted || GracefulCancellation.isRequested
    var scan: Result<ScanReport, PhotoLibraryError>?
    if !isDryRun, !isInterrupted {
      scan = await scanTarget(report)
      if let contents = copied?.contents, case .success = scan {
        try catalog.write { try $0.record(contents, now: millisecondsSince1970()) }
      }
    }
    return ImportReport(
      files: items.sorted { $0.source < $1.source }.map(ImportReport.File.init),
      leftFiles: plan.left.map { FilePath($0) }, failures: failures, isInterrupted: isInterrupted,
      scan: try? scan?.get(),
      scanFailure: {
        if case .failure(let error) = scan { error } else { nil }
      }(),
      failure: copied?.failure.map { error in
        .system(
          path: error.path.map { FilePath($0) },
          reason: error.isDiskFull
            ? "the disk of \(request.root.display) is full: free some space and import again"
            : error.description)
      }, duration: ContinuousClock.now - start)
  }

  /// Scans the sources into a catalog of their own.
  private func readSources(
    _ scratch: TemporaryFolder, _ report: @escaping @Sendable (ImportEvent) -> Void
  ) async throws -> (SourceContents, [ScanReport.Failure]) {
    let own = try PhotoLibrary.catalog(
      at: scratch.path.appending("catalog.sqlite").display, .readWrite)
    let scopes = try ScanScope.resolve(request.sources, in: own, options: ScanOptions().walk)
    let (events, reporter) = AsyncStream.makeStream(
      of: Indexer::ScanEvent.self, bufferingPolicy: .bufferingNewest(1))
    let following = Task {
      for await event in events {
        report(ImportEvent(.reading, completed: event.filesSeen, bytesDone: event.bytesRead))
      }
    }
    let scanned = try await Scan(catalog: own, workers: workers, scopes: scopes)
      .run(reporting: reporter)
    await following.value
    if scanned.outcome == .interrupted { throw CancellationError() }
    for (path, unavailability) in scanned.roots {
      guard let reason = unavailability else { continue }
      throw Self.unreadable(path, reason)
    }
    let contents = try SourceContents(own)
    try checkSourcesAreThere()
    // Damaged files are copied; what remains could not be read at all.
    let known = Set(contents.groups.lazy.flatMap(\.files).map(\.path))
    let failures = try ScanReport(scanned, in: own).failures
      .filter { !known.contains(BytePath($0.path)) }
    return (contents, failures)
  }

  /// Throws if a source has gone since the import began: what was read of it may be a part, or the folder below its mount
  /// point.
  private func checkSourcesAreThere() throws {
    for (path, device) in zip(request.sources, devices) {
      let now: UInt64
      do {
        now = try FileStatus(of: path).device
      } catch {
        throw Self.unreadable(path, error.reason)
      }
      if now != device { throw Self.unreadable(path, "its disk is not mounted any more") }
    }
  }

  private static func unreadable(_ source: BytePath, _ reason: String) -> PhotoLibraryError {
    .folder(FilePath(source), reason: "the source \(source.display) cannot be read: \(reason)")
  }

  private func makePlan(
    _ contents: SourceContents, _ report: @escaping @Sendable (ImportEvent) -> Void
  ) async throws -> ImportPlan {
    let total = contents.groups.count
    let done = Mutex<(groups: Int, bytes: Int64)>((0, 0))
    return try await ImportPlan(contents, request, catalog) { groups, bytes in
      let (groups, bytes) = done.withLock { done in
        done.groups += groups
        done.bytes += Int64(bytes)
        return done
      }
      report(ImportEvent(.comparing, completed: groups, total: total, bytesDone: bytes))
    }
  }

  private func scanTarget(
    _ report: @escaping @Sendable (ImportEvent) -> Void
  ) async -> Result<ScanReport, PhotoLibraryError> {
    var options = scanOptions
    options.mode = .update
    do {
      let session = try await library.scan([FilePath(request.root)], options: options)
      for try await event in session {
        report(
          ImportEvent(
            .scanning, completed: event.phase == .reading ? event.filesSeen : event.completed,
            total: event.phase == .reading ? 0 : event.total))
      }
      return .success(try await session.report)
    } catch {
      return .failure(error)
    }
  }
}
