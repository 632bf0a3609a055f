import AsyncAlgorithms
package import Catalog
import Linux
import MediaModel
import Query
import Synchronization
package import WorkerPool
import WorkerProtocol

/// One run over library folders.
package struct Scan: Sendable {
  private let catalog: Catalog
  private let workers: MediaWorkers
  private let scopes: [ScanScope]
  private let mode: Mode
  private let acceptedLoss: Double

  package enum Mode: Sendable {
    /// Reads new and changed files.
    case update
    /// Reads every file again.
    case rebuild
    /// Only compares the folders with the catalog, and records the result of that.
    case comparison
  }

  /// Items in one request to a worker: enough to hide its latency, few enough to share work evenly. A large library
  /// can be shared in larger parts, which cost less.
  ///
  /// - Parameter count: the items of earlier requests.
  private static func batchSize(after count: Int) -> Int { count < 2048 ? 32 : 96 }
  /// Batches of files that wait to be read. The walk cannot compare the next folder while the catalog writes a
  /// transaction; the workers have to have enough files meanwhile.
  private static let unreadBatches = 24
  /// Batches of files that were read and wait to be recorded: as many as the workers read while the catalog writes a
  /// transaction.
  private static let unrecordedBatches = 24

  /// - Parameter acceptedLoss: the largest share of a root's media files that may be gone, 0...1. A root that has lost
  ///   more stays as it was.
  package init(
    catalog: Catalog, workers: MediaWorkers, scopes: [ScanScope], mode: Mode = .update,
    acceptedLoss: Double = 1
  ) {
    self.acceptedLoss = acceptedLoss
    self.catalog = catalog
    self.workers = workers
    self.scopes = scopes
    self.mode = mode
  }

  /// Brings the catalog up to date. After the task is cancelled, it ends soon, keeps what is finished and reports it as
  /// interrupted; the next scan does the rest.
  ///
  /// - Parameter reporter: receives events in every phase, and is finished with the scan.
  /// - Throws: ``CatalogError`` or ``WorkerError``; the scan is then recorded as failed.
  package func run(
    reporting reporter: AsyncStream<ScanEvent>.Continuation? = nil
  ) async throws -> ScanReport {
    defer { reporter?.finish() }
    return try await GracefulCancellation.run { try await carryOut(reporter) }
  }

  private func carryOut(
    _ reporter: AsyncStream<ScanEvent>.Continuation?
  ) async throws -> ScanReport {
    let start = ContinuousClock.now
    let events = ScanEvents(reporter)
    let ledger = try openLedger(events)
    do {
      try await index(ledger, events)
    } catch {
      try? await close(ledger, .failed, since: start)
      throw error
    }
    let outcome: ScanOutcome = GracefulCancellation.isRequested ? .interrupted : .finished
    try await close(ledger, outcome, since: start)
    let unavailable = await ledger.unavailableRoots
    let lossy = await ledger.lossyRoots
    return ScanReport(
      scanID: ledger.scanID, counts: await ledger.counts, outcome: outcome,
      seconds: (ContinuousClock.now - start) / .seconds(1),
      roots: roots(unavailable),
      lossyRoots: Set(scopes.map(\.root).filter { lossy.contains($0.id) }.map(\.path)),
      failureCount: await ledger.failureCount)
  }

  private func index(_ ledger: ScanLedger, _ events: ScanEvents) async throws {
    try await indexFiles(ledger)
    if mode == .comparison { return try await ledger.countMissing() }
    try await ledger.recordAll()
    try await indexFiles(ledger, isRevisit: true)
    try await ledger.recordAll()
    if acceptedLoss < 1 {
      try await ledger.withholdLosses(
        in: scopes.map(\.root), LossGuard(acceptedShare: acceptedLoss))
    }
    if !GracefulCancellation.isRequested {
      try await ledger.forgetEndedFailures(in: scopes)
    }
    let copies = CopySearch(catalog: catalog, workers: workers, source: source) {
      events.report($0, of: $1, in: .comparingCopies)
    }
    // One task waits for the disk and the workers, the other for the catalog.
    async let reading: Void = copies.readContents()
    try await ledger.settle()
    if scopes.contains(where: { $0.options.shard != nil }) {
      try catalog.write { try $0.forgetEmptyFolders() }
    }
    try await ledger.completeSearch()
    await ledger.beginComparing()
    try await reading
    try await copies.run()
  }

  /// A file for a worker. Symbolic links lead to it only if the root follows them.
  private func source(_ path: BytePath) -> SourceFile {
    let scope = scopes.first {
      path.isWithin($0.root.path) && !$0.options.followsLinks
    }
    return SourceFile(path, root: scope?.root.path)
  }

  private var shard: Shard? { scopes.lazy.compactMap(\.options.shard).first }

  /// Whether folders inside roots are scanned, not all of them.
  private var isPartial: Bool { scopes.contains { !$0.subfolder.isEmpty } }

  private func openLedger(_ events: ScanEvents) throws -> ScanLedger {
    var disks: [Int64: MountIdentity] = [:]
    for root in try catalog.read({ try $0.roots() }) {
      if case .available(let disk) = try RootAvailability(of: root, in: catalog) {
        disks[root.id] = disk
      }
    }
    let lastFile = try catalog.read { try $0.lastFile() }
    let id = try catalog.write { transaction in
      try transaction.beginPart(shard)
      try transaction.markOutdatedFiles()
      try transaction.markDueFailures(now: millisecondsSince1970())
      if mode == .rebuild {
        for scope in scopes where scope.isAvailable {
          let path = scope.subfolder.reduce(BytePath(bytes: [])) { $0.appending($1) }
          try transaction.markForReading(root: scope.root.id, below: path)
        }
        try transaction.rebuildIndexes()
      }
      return try transaction.beginScan(
        roots: scopes.map(\.root.path), isPartial: isPartial, now: millisecondsSince1970())
    }
    let moves = MoveDetection.Scope(
      disks: disks,
      hasKnownFiles: try catalog.read { try $0.hasFiles() },
      followsLinks: scopes.contains { $0.options.followsLinks })
    return ScanLedger(
      catalog: catalog, scanID: id, moveScope: moves, lastFile: lastFile,
      isComparison: mode == .comparison, events: events)
  }

  private func close(
    _ ledger: ScanLedger, _ outcome: ScanOutcome, since start: ContinuousClock.Instant
  ) async throws {
    let counts = await ledger.counts
    let lossy = await ledger.lossyRoots
    let lossyPaths = Set(scopes.map(\.root).filter { lossy.contains($0.id) }.map(\.path))
    let unavailable = roots(await ledger.unavailableRoots).compactMap { root in
      root.unavailability.map {
        ScanRecord.Absence(path: root.path, reason: $0, isLoss: lossyPaths.contains(root.path))
      }
    }
    let length = Int64((ContinuousClock.now - start) / .milliseconds(1))
    try catalog.write {
      if outcome == .finished, !isPartial { try $0.recordPart(shard) }
      try $0.endScan(
        ledger.scanID, counts, outcome: outcome, milliseconds: length, unavailable: unavailable,
        now: millisecondsSince1970())
    }
  }

  /// Each root with the reason why it was not scanned, if it was not.
  ///
  /// - Parameter reasons: those found while scanning, by the roots' rows.
  private func roots(_ reasons: [Int64: String]) -> [(path: BytePath, unavailability: String?)] {
    scopes.map { ($0.root.path, $0.unavailability ?? reasons[$0.root.id]) }
  }

  /// Walks folders and reads files concurrently. The walk waits while the workers are busy.
  ///
  /// - Parameter isRevisit: reads only folders into which files have moved since the walk read them, and those with files of
  ///   which it could not decide whether they have changed or moved.
  private func indexFiles(_ ledger: ScanLedger, isRevisit: Bool = false) async throws {
    let walks = try await walks(ledger, isRevisit: isRevisit)
    guard !walks.isEmpty else { return }
    if mode == .comparison {
      return try await BatchFeed<ProbeItem>.run {
        try await walk(walks, ledger, into: $0)
      } working: {
        for await items in $0 { await ledger.count(unread: items) }
      }
    }
    let read = AsyncChannel<[ProbedFile]>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { @concurrent in
        // Without this the workers would wait forever after an error.
        defer { read.finish() }
        // While the catalog writes, the workers go on.
        for await files in read.buffer(policy: .bounded(Self.unrecordedBatches)) {
          try await ledger.record(files)
        }
      }
      group.addTask { @concurrent in
        defer { read.finish() }
        try await BatchFeed<ProbeItem>.run {
          try await walk(walks, ledger, into: $0)
        } working: {
          try await workers.probe($0, source: { source($0.path) }) { replies in
            try Task.checkCancellation()
            await read.send(
              try await present(replies, ledger).map { ProbedFile($0.item, $0.reply) })
          }
        }
      }
      while try await group.next() != nil {}
    }
  }

  /// The replies without those for files whose disk was unmounted after the walk had read their folder: such a file is
  /// not unreadable, and stays as the last scan found it.
  private func present(
    _ replies: [(item: ProbeItem, reply: ProbeReply)], _ ledger: ScanLedger
  ) async throws -> [(item: ProbeItem, reply: ProbeReply)] {
    var lost: Set<BytePath> = []
    for (item, reply) in replies {
      guard case .failed(let failure) = reply, failure.reason == .inaccessible,
        let disk = await ledger.disk(ofFolder: item.folderID), !disk.isInPlace,
        let root = scopes.map(\.root).first(where: { item.path.isWithin($0.path) })
      else { continue }
      try await ledger.noteUnmounted(disk, in: root)
      await ledger.leave(item)
      lost.insert(item.path)
    }
    return lost.isEmpty ? replies : replies.filter { !lost.contains($0.item.path) }
  }

  /// The walks of the roots; for a revisit only those of roots with changed folders.
  private func walks(_ ledger: ScanLedger, isRevisit: Bool) async throws -> [Walk] {
    var walks: [Walk] = []
    let roots = try catalog.read { try $0.roots() }
    let lastScan = try catalog.read { try $0.startOfScan(before: ledger.scanID) }
      .map { $0 &* 1_000_000 }
    for scope in scopes where scope.isAvailable && !GracefulCancellation.isRequested {
      let changed =
        isRevisit ? try await ledger.foldersToReadAgain(of: scope.root) : nil
      if changed?.isEmpty == true { continue }
      let others = roots.filter { $0.id != scope.root.id }
      let exclusions = Exclusions(
        paths: Set(others.map(\.path)).union(catalog.ownFiles), patterns: scope.options.exclusions)
      walks.append(
        try Walk(
          scope, exclusions: exclusions, otherRoots: others.identities(besides: scope.root),
          again: changed, lastScan: lastScan, ledger: ledger))
    }
    return walks
  }

  /// Compares folders with the catalog, and sends the files that have to be read.
  private func walk(
    _ walks: [Walk], _ ledger: ScanLedger, into feed: BatchFeed<ProbeItem>
  ) async throws {
    // The first worker starts while a folder with new files is read and compared with the catalog.
    let start = FirstCall { Task { await feed.send([]) } }
    try await BatchFeed<ProbeItem>.run { found in
      var batch: [ProbeItem] = []
      var count = 0
      for var walk in walks {
        if mode != .comparison { walk.onNewFiles { start() } }
        while !GracefulCancellation.isRequested, let listing = try await walk.next() {
          for item in try await ledger.enter(listing) {
            batch.append(item)
            guard batch.count >= Self.batchSize(after: count) else { continue }
            count += batch.count
            await found.send(batch)
            batch = []
            if GracefulCancellation.isRequested { return }
          }
        }
      }
      if !batch.isEmpty { await found.send(batch) }
    } working: { found in
      for await batch in found.buffered(Self.unreadBatches) {
        if GracefulCancellation.isRequested { return }
        await feed.send(batch)
      }
    }
  }
}

/// Does something once, however often it is called.
private final class FirstCall: Sendable {
  private let isDone = Atomic(false)
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  func callAsFunction() {
    if !isDone.exchange(true, ordering: .relaxed) { body() }
  }
}

extension [RootRecord] {
  /// The identities of the available roots' folders, without that of `root` itself: an earlier version allowed
  /// one folder as two roots.
  fileprivate func identities(besides root: RootRecord) -> Set<FolderIdentity> {
    let own = try? FileStatus(of: root.path).folderIdentity
    return Set(compactMap { try? FileStatus(of: $0.path).folderIdentity }.filter { $0 != own })
  }
}

extension Catalog {
  /// The files of the catalog and of its thumbnails, which belong to no library.
  fileprivate var ownFiles: Set<BytePath> {
    let companions = ["", "-wal", "-shm", "-journal"]
    let suffixes = companions + companions.map { ".thumbnails" + $0 } + [".lock"]
    return Set(suffixes.map { BytePath(bytes: location.bytes + Array($0.utf8)) })
  }
}
