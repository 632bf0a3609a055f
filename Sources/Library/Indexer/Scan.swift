package import Catalog
import Linux
import MediaModel
import Query
package import WorkerPool

/// One run over library folders.
package struct Scan: Sendable {
  private let catalog: Catalog
  private let pool: CodecPool
  private let scopes: [ScanScope]

  /// Items sent to a codec process at once: enough to hide the exchange, few enough to share fairly.
  private static let batchSize = 32

  package init(catalog: Catalog, pool: CodecPool, scopes: [ScanScope]) {
    self.catalog = catalog
    self.pool = pool
    self.scopes = scopes
  }

  /// Brings the catalog up to date.
  ///
  /// - Parameter watch: is handed a way to ask for the progress, and runs until the scan ends.
  /// - Throws: ``CatalogError`` or ``CodecPoolError``; the scan is recorded as failed then.
  package func run(
    watching watch:
      @escaping @Sendable (@escaping @Sendable () async -> ScanProgress) async -> Void = { _ in }
  ) async throws -> ScanReport {
    let start = ContinuousClock.now
    let ledger = try openLedger()
    let display = Task { await watch { await ledger.progress } }
    do {
      try await index(ledger)
    } catch {
      await end(display)
      try? await close(ledger, .failed, since: start)
      throw error
    }
    await end(display)
    let outcome: ScanOutcome = Interruption.isRequested ? .interrupted : .finished
    try await close(ledger, outcome, since: start)
    let left = await ledger.left
    return ScanReport(
      scanID: ledger.scanID, counts: await ledger.counts, outcome: outcome,
      seconds: (ContinuousClock.now - start) / .seconds(1),
      roots: roots(left),
      failureCount: await ledger.failureCount)
  }

  private func index(_ ledger: ScanLedger) async throws {
    try await indexFiles(ledger)
    try await ledger.recordAll()
    try await indexFiles(ledger, isSecondLook: true)
    try await ledger.recordAll()
    let copies = CopySearch(catalog: catalog, pool: pool)
    // One waits for the disk and the codec processes, the other for the catalog.
    async let reading: Void = copies.readContents()
    try await ledger.settle()
    try await ledger.completeSearch()
    try await reading
    try await copies.run()
  }

  /// Waits for it: the report must not be printed over, and who watches holds the catalog open, whose
  /// log is carried over into its file when it is closed.
  private func end(_ display: Task<Void, Never>) async {
    display.cancel()
    await display.value
  }

  private func openLedger() throws -> ScanLedger {
    var disks: [Int64: DiskWitness] = [:]
    for root in try catalog.read({ try $0.roots() }) {
      if case .there(let disk) = try ScanScope.sight(of: root, in: catalog) {
        disks[root.id] = disk
      }
    }
    let id = try catalog.write {
      try $0.beginScan(roots: scopes.map(\.root.path), now: millisecondsSince1970())
    }
    let moves = MoveDetection.Scope(
      disks: disks,
      hasKnownFiles: try catalog.read { try $0.hasFiles() })
    return ScanLedger(catalog: catalog, scanID: id, moveScope: moves)
  }

  private func close(
    _ ledger: ScanLedger, _ outcome: ScanOutcome, since start: ContinuousClock.Instant
  ) async throws {
    let counts = await ledger.counts
    let unavailable = roots(await ledger.left).compactMap { root in
      root.unavailability.map { (path: root.path, reason: $0) }
    }
    let length = Int64((ContinuousClock.now - start) / .milliseconds(1))
    try catalog.write {
      try $0.endScan(
        ledger.scanID, counts, outcome: outcome, milliseconds: length, unavailable: unavailable,
        now: millisecondsSince1970())
    }
  }

  /// Each root with the reason why it was left as it was, if it was.
  ///
  /// - Parameter left: the reasons found while scanning, by the roots' rows.
  private func roots(_ left: [Int64: String]) -> [(path: BytePath, unavailability: String?)] {
    scopes.map { ($0.root.path, $0.unavailability ?? left[$0.root.id]) }
  }

  /// Walks and looks side by side: the walk waits when the codec processes are behind.
  ///
  /// - Parameter isSecondLook: looks for what has moved, while the walk went on, into a folder that the walk
  ///   had read.
  private func indexFiles(_ ledger: ScanLedger, isSecondLook: Bool = false) async throws {
    let walks = try await walks(ledger, isSecondLook: isSecondLook)
    guard !walks.isEmpty else { return }
    try await BatchFeed<ProbeItem>.run {
      try await walk(walks, ledger, into: $0)
    } working: {
      try await pool.probe($0, path: \.path) { replies in
        try await ledger.record(replies.map { ProbedFile($0.item, $0.reply) })
      }
    }
  }

  /// The walks of the roots; for a second look only of those with something to look at.
  private func walks(_ ledger: ScanLedger, isSecondLook: Bool) async throws -> [Walk] {
    var walks: [Walk] = []
    let roots = try catalog.read { try $0.roots() }
    for scope in scopes where scope.isAvailable && !Interruption.isRequested {
      let changed =
        isSecondLook ? try await ledger.foldersChangedSinceVisit(of: scope.root) : nil
      if changed?.isEmpty == true { continue }
      let others = roots.filter { $0.id != scope.root.id }
      let exclusions = Exclusions(paths: Set(others.map(\.path)).union(catalog.ownFiles))
      walks.append(
        try Walk(
          scope, exclusions: exclusions, otherRoots: others.identities(besides: scope.root),
          again: changed, ledger: ledger))
    }
    return walks
  }

  private func walk(
    _ walks: [Walk], _ ledger: ScanLedger, into feed: BatchFeed<ProbeItem>
  ) async throws {
    var batch: [ProbeItem] = []
    for var walk in walks {
      while !Interruption.isRequested, let listing = try await walk.next() {
        batch += try await ledger.enter(listing)
        while batch.count >= Self.batchSize {
          await feed.send(Array(batch.prefix(Self.batchSize)))
          batch.removeFirst(Self.batchSize)
          if Interruption.isRequested { return }
        }
      }
    }
    if !batch.isEmpty { await feed.send(batch) }
  }
}

extension [RootRecord] {
  /// Which folders these are now, as far as they can be seen; without the one that a root itself is, which
  /// an earlier version let be a root under a second name.
  fileprivate func identities(besides root: RootRecord) -> Set<FolderIdentity> {
    let own = try? FileStatus(of: root.path).folderIdentity
    return Set(compactMap { try? FileStatus(of: $0.path).folderIdentity }.filter { $0 != own })
  }
}

extension Catalog {
  /// The catalog's own files and those of its thumbnails, which are no part of any library.
  fileprivate var ownFiles: Set<BytePath> {
    let companions = ["", "-wal", "-shm", "-journal"]
    let suffixes = companions + companions.map { ".thumbnails" + $0 } + [".lock"]
    return Set(suffixes.map { BytePath(bytes: location.bytes + Array($0.utf8)) })
  }
}
