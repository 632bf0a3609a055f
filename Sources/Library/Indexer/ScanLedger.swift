import Catalog
import Linux
import MediaModel
import Query
import Recognition
import WorkerPool

/// Records one scan: it makes every change to the catalog and keeps every count, one at a time.
actor ScanLedger {
  let catalog: Catalog
  let scanID: Int64
  private var moveScope: MoveDetection.Scope
  private(set) var counts = ScanCounts()
  private(set) var failureCount = 0
  /// The reasons why roots turned out to be unavailable during the scan, by the roots' rows.
  private(set) var unavailableRoots: [Int64: String] = [:]
  /// Those of them that are there, but have lost more files than the scan accepts.
  private(set) var lossyRoots: Set<Int64> = []

  /// A folder with files that are still being read. One that gets no digest is not kept.
  private struct OpenFolder {
    var remaining: Int
    var digest: Int64
    /// The counts of the files that were recorded.
    var counts: FolderCounts
  }
  private var openFolders: [Int64: OpenFolder] = [:]
  /// The rows of known files that are being read.
  private var inProgress: Set<Int64> = []

  /// The places inside roots whose disks were unmounted during the scan.
  private var unmounted: Set<BytePath> = []
  /// The disks of the folders that have files to read, by the folders' rows.
  private var disks: [Int64: MountIdentity] = [:]

  /// The folders that have moved in this scan, and those below them.
  private var movedFolders: Set<Int64> = []

  /// The files of folders of which the walk cannot decide yet whether they have changed or moved, by the folders' rows.
  private var undecided: [Int64: Set<Int64>] = [:]

  /// The folders that the walk has read, by their rows, with the times of their last change.
  private var visited: [Int64: Int64] = [:]

  /// Files to be recorded by the next transaction.
  private var unrecorded: [ProbedFile] = []
  private var lastRecorded = ContinuousClock.now
  private var recordedCount = 0
  private static let transactionSize = 2048
  /// Of the first transactions.
  private static let smallTransaction = 128
  /// Files recorded since the search index was last updated.
  private var unsearched = 0
  /// Small enough that an interrupted scan leaves little to do, large enough to cost little.
  private static let searchBatch = 4096

  private let events: ScanEvents
  /// The largest row that a file had before.
  private let lastFile: Int64
  /// Whether each folder is read once.
  private let isComparison: Bool

  init(
    catalog: Catalog, scanID: Int64, moveScope: MoveDetection.Scope, lastFile: Int64,
    isComparison: Bool, events: ScanEvents
  ) {
    self.lastFile = lastFile
    self.catalog = catalog
    self.isComparison = isComparison
    self.scanID = scanID
    self.moveScope = moveScope
    self.events = events
  }

  /// Records the identity of the folder at a root's path.
  func noteIdentity(of root: RootRecord, _ directory: Directory) throws {
    moveScope.disks[root.id] = MountIdentity(root.path, directory)
    guard directory.identity != root.identity else { return }
    try catalog.write { try $0.updateRoot(root.id, directory.identity) }
  }

  /// Records why a root has become unavailable. From now on, no file in it counts as moved or missing.
  func markUnavailable(_ root: RootRecord, _ reason: String) {
    unavailableRoots[root.id] = reason
    moveScope.disks[root.id] = nil
  }

  /// Records that a disk was unmounted during the scan: that of a root, or one that was mounted inside it.
  func noteUnmounted(_ disk: MountIdentity, in root: RootRecord) throws {
    if disk.path == root.path {
      markUnavailable(root, "its disk was unmounted during the scan")
    } else if unmounted.insert(disk.path).inserted {
      try fail(
        disk.path, "The disk that was mounted here was unmounted during the scan.", isAbsence: true)
    }
  }

  /// Compares a folder that the walk has read with the catalog.
  ///
  /// - Returns: the files that have to be read.
  func enter(_ listing: FolderListing) throws -> ProbeItems {
    if listing.isRevisit { return try enterAgain(listing) }
    counts.ignored += listing.ignored
    defer { report(listing.path) }
    let folder = listing.folder
    if listing.isUnchanged {
      var known = folder.counts
      if movedFolders.contains(folder.id) {
        counts.moved += known.media
        known.media = 0
      }
      counts.add(unchanged: known)
      if folder.counts.unreadable > 0 { try repeatFailures(listing) }
      return ProbeItems(folder: folder.id, path: listing.path, listing.files)
    }
    return try examine(listing) { examination, transaction in
      try examination.examine(isFinal: isComparison)
      for failure in examination.failures {
        try note(
          FailureRecording(failure.path, failure.error, fileID: failure.id, attempt: .none),
          transaction)
      }
      guard examination.undecided.isEmpty else {
        undecided[folder.id] = examination.undecided
        return
      }
      guard let digest = listing.digestIfComplete else { return }
      let open = OpenFolder(
        remaining: examination.items.count, digest: digest, counts: examination.upToDate)
      try update(folder.id, open, transaction)
    }
  }

  /// Adds files that have moved into a folder since the walk read it first, and decides what was undecided. It stays without
  /// a digest: the next scan compares it file by file.
  private func enterAgain(_ listing: FolderListing) throws -> ProbeItems {
    let files = undecided.removeValue(forKey: listing.folder.id) ?? []
    return try examine(listing) { examination, _ in try examination.examineAgain(files) }
  }

  private func examine(
    _ listing: FolderListing,
    _ body: (inout FolderExamination, CatalogTransaction) throws -> Void
  ) throws -> ProbeItems {
    var items = try catalog.write { transaction in
      var examination = FolderExamination(
        transaction, listing, scan: scanID, moves: moves(transaction))
      try body(&examination, transaction)
      counts.add(examination.counts)
      for folder in examination.sources { openFolders[folder] = nil }
      return examination.items
    }
    inProgress.formUnion(items.knownFiles)
    if !items.isEmpty { disks[listing.folder.id] = listing.disk }
    items.sortByInode()
    return items
  }

  /// The disk of a folder with files to read.
  func disk(ofFolder id: Int64) -> MountIdentity? { disks[id] }

  /// Leaves a file as it is, because its disk was unmounted before it was read. The next scan compares its folder file
  /// by file.
  func leave(_ item: ProbeItem) {
    if let known = item.fileID { inProgress.remove(known) }
    openFolders[item.folderID] = nil
  }

  /// The known folder that a new one is, if a folder was renamed or moved: its files are exactly these, inodes and
  /// times included, and its old path leads elsewhere. It gets the new one's place in the catalog.
  ///
  /// - Parameter identity: that of the new folder.
  func takeMovedFolder(
    _ listing: FolderListing, _ identity: FolderIdentity
  ) throws -> FolderRecord? {
    guard moveScope.hasKnownFiles, let digest = listing.digestIfNew,
      try catalog.read({ try !$0.folders(digest: digest).isEmpty })
    else { return nil }
    return try catalog.write { transaction in
      guard try transaction.isEmpty(folder: listing.folder.id) else { return nil }
      let moves = moves(transaction)
      let source = try transaction.folders(digest: digest).first {
        // A scan of one folder does not visit those above it, which cannot be inside of it.
        try !$0.contains(listing.folder) && visited[$0.id] == nil && moves.isGone($0, now: identity)
      }
      guard let source else { return nil }
      let moved = try transaction.move(
        source, to: listing.folder,
        affectsLabels: RecognitionSubject.affectsLabels(
          listing.folder.name, insteadOf: source.name))
      movedFolders.formUnion(moved.below + [source.id])
      try noteMove(of: source, transaction)
      return moved.folder
    }
  }

  /// The record of a folder that the walk is about to read. If the known one has moved elsewhere since the walk found
  /// its name, another folder is at its place now, which gets a record of its own.
  func currentRecord(of folder: FolderRecord) throws -> FolderRecord {
    guard try hasMoved(folder) else { return folder }
    return try catalog.write { transaction in
      let parent = try transaction.knownFolder(folder.path.parent, ofRoot: folder.rootID)
      return try transaction.addFolder(
        root: folder.rootID, parent: parent?.id, path: folder.path, name: folder.name)
    }
  }

  /// Whether this scan has found a folder at another place than the one in this record.
  private func hasMoved(_ folder: FolderRecord) throws -> Bool {
    guard movedFolders.contains(folder.id) else { return false }
    let known = try catalog.read { try $0.folder(folder.id) }
    return known?.rootID != folder.rootID || known?.path != folder.path
  }

  /// Records that the walk has read a folder.
  ///
  /// - Parameter changed: when the folder last changed, or ``FileRecord/young``.
  func visit(_ folder: Int64, changed: Int64) {
    visited[folder] = changed
  }

  /// Whether the walk has read a folder in this scan.
  func hasVisited(_ folder: Int64) -> Bool { visited[folder] != nil }

  /// The folders of a root that the walk has to read again: those with undecided files, and those that have changed since it
  /// read them, if a file is missing, which may have moved into one of them.
  func foldersToReadAgain(of root: RootRecord) throws -> [FolderRecord] {
    guard unavailableRoots[root.id] == nil else { return [] }
    return try catalog.read { transaction in
      let mayHaveMoved = try transaction.hasMissing(scan: scanID)
      let candidates = mayHaveMoved ? Array(visited.keys) : Array(undecided.keys)
      return try candidates.compactMap { id in
        guard let folder = try transaction.folder(id), folder.rootID == root.id else { return nil }
        if undecided[id] != nil { return folder }
        guard let status = try? FileStatus(of: root.path.appending(folder.path.bytes))
        else { return nil }
        return status.changed == visited[id] ? nil : folder
      }
    }
  }

  /// Records files that were read, in a large library about two thousand in one transaction: SQLite then writes each
  /// page of the catalog's many indexes once for all of them. In a small one most files are recorded while the workers
  /// read the others.
  func record(_ files: [ProbedFile]) throws {
    unrecorded += files
    let enough = min(max(recordedCount / 2, Self.smallTransaction), Self.transactionSize)
    if unrecorded.count >= enough || .now - lastRecorded > .seconds(1) {
      try recordAll()
    }
  }

  /// Records the files that no transaction has recorded yet.
  func recordAll() throws {
    let files = unrecorded
    unrecorded = []
    recordedCount += files.count
    lastRecorded = .now
    try catalog.write { transaction in
      let now = millisecondsSince1970()
      var newFiles: [Int64] = []
      for file in files {
        if let new = try record(file, now: now, transaction) { newFiles.append(new) }
        if let known = file.item.fileID { inProgress.remove(known) }
        let id = file.item.folderID
        guard var folder = openFolders[id] else { continue }
        folder.remaining -= 1
        if folder.counts.add(file.content) {
          try update(id, folder, transaction)
        } else {
          openFolders[id] = nil
        }
      }
      if !newFiles.isEmpty { try transaction.markUnsettled(newFiles: newFiles) }
    }
    if let last = files.last {
      report(last.item.path, bytesRead: files.reduce(0) { $0 &+ $1.item.stamp.size })
    }
    unsearched += files.count
    if unsearched >= Self.searchBatch {
      unsearched = 0
      _ = try catalog.write { try $0.writeSearch(limit: Self.searchBatch) }
    }
  }

  /// Updates the search index. If the scan is cancelled, the next one does the rest.
  func completeSearch() throws {
    events.begin(.indexingTexts, counts)
    let total = try catalog.read { try $0.unsearchedCount() }
    var completed = 0
    while !GracefulCancellation.isRequested,
      case let count = try catalog.write({ try $0.writeSearch(limit: Self.searchBatch) }), count > 0
    {
      completed += count
      events.report(completed, of: total, in: .indexingTexts)
    }
  }

  /// Records why a folder, or a file that the catalog does not contain, could not be read.
  ///
  /// - Parameter isAbsence: whether it is a disk that is not mounted.
  func fail(_ path: BytePath, _ error: String, isAbsence: Bool = false) throws {
    try catalog.write { try note(FailureRecording(path, error, isAbsence: isAbsence), $0) }
  }

  /// Marks all files of a folder that is gone as missing.
  ///
  /// - Parameter sparingMounts: whether files on disks that were mounted in it are left as they are.
  /// - Returns: the mount points that were spared.
  func markMissing(_ folder: FolderRecord, sparingMounts: Bool) throws -> [FolderRecord] {
    if try hasMoved(folder) { return [] }
    return try catalog.write { transaction in
      try transaction.markSubtreeMissing(
        folder.id, sparingMounts: sparingMounts, scan: scanID)
      return sparingMounts ? try transaction.mountPoints(within: folder.id) : []
    }
  }

  /// Takes back that files are missing, in roots that have lost more of them than the scan accepts, and leaves these
  /// roots as they were. Nothing is settled yet, so nothing else has changed with them.
  func withholdLosses(in roots: [RootRecord], _ guarding: LossGuard) throws {
    for root in roots where unavailableRoots[root.id] == nil {
      guard
        let reason = try catalog.write({
          try guarding.withhold(in: root, scan: scanID, lastFile: lastFile, $0)
        })
      else { continue }
      lossyRoots.insert(root.id)
      markUnavailable(root, reason)
    }
  }

  /// Forgets failures of folders and disks that this scan has not found again.
  ///
  /// - Parameter scopes: the folders that it has walked.
  func forgetEndedFailures(in scopes: [ScanScope]) throws {
    let folders = scopes.filter { $0.isAvailable && unavailableRoots[$0.root.id] == nil }
      .map { $0.subfolder.reduce($0.root.path) { $0.appending($1) } }
    try catalog.write { transaction in
      try transaction.forgetMissingFailures()
      try transaction.forgetEndedFailures(scan: scanID) { path in
        folders.contains { path.isWithin($0) }
      }
    }
  }

  /// Settles relations between files, and counts pairs and missing files.
  ///
  /// If the scan is cancelled, the next one settles the rest.
  func settle() throws {
    events.begin(.settling, counts)
    // Until the whole library is read, a file that has left its folder may appear in another.
    if !GracefulCancellation.isRequested { try catalog.write { try $0.forgetReplaced() } }
    try Settlement(catalog: catalog).run { events.report($0, of: $1, in: .settling) }
    counts.pairs = try catalog.read { try $0.pairCount() }
    try countMissing()
  }

  func countMissing() throws {
    counts.missing = try catalog.read { try $0.missingCount(scan: scanID) }
  }

  /// Counts files that would have to be read by what their names promise.
  func count(unread items: [ProbeItem]) {
    for item in items {
      let type = UniformType(fileExtension: FileNameParts(name: item.name).fileExtension)
      if type?.mediaType != nil {
        count(item.cause)
      } else if type != nil {
        counts.sidecars += 1
      } else {
        counts.ignored += 1
      }
    }
    if let last = items.last { report(last.path) }
  }

  /// Reports that the search for copies begins, which needs no ledger.
  func beginComparing() { events.begin(.comparingCopies, counts) }

  /// Reports a folder or file that is recorded.
  private func report(_ path: BytePath, bytesRead: Int64 = 0) {
    let counts = counts
    events.report { event in
      (event.counts, event.current) = (counts, path)
      event.bytesRead &+= bytesRead
    }
  }

  private func repeatFailures(_ listing: FolderListing) throws {
    try catalog.write { transaction in
      for failure in try transaction.failures(in: listing.folder.id) {
        try note(
          FailureRecording(
            listing.path.appending(failure.name), failure.error, fileID: failure.id, attempt: .none
          ), transaction)
      }
    }
  }

  private func note(_ failure: FailureRecording, _ transaction: CatalogTransaction) throws {
    failureCount += 1
    try transaction.addFailure(failure, scan: scanID, now: millisecondsSince1970())
  }

  /// Records that a folder has moved, with its old path, if it contained media.
  private func noteMove(of folder: FolderRecord, _ transaction: CatalogTransaction) throws {
    guard let root = try transaction.roots().first(where: { $0.id == folder.rootID }) else {
      return
    }
    try transaction.addMove(
      ofFolder: folder.id, from: root.path.appending(folder.path.bytes), scan: scanID)
  }

  /// Stores the digest of a folder when all its files are recorded.
  private func update(
    _ id: Int64, _ folder: OpenFolder, _ transaction: CatalogTransaction
  ) throws {
    openFolders[id] = folder.remaining > 0 ? folder : nil
    if folder.remaining == 0 {
      try transaction.closeFolder(id, digest: folder.digest, folder.counts)
    }
  }

  /// - Returns: the row of a new file.
  private func record(
    _ probed: ProbedFile, now: Int64, _ transaction: CatalogTransaction
  ) throws -> Int64? {
    let item = probed.item
    var recording = FileRecording(
      folderID: item.folderID, name: item.name, family: item.family, stamp: item.stamp,
      changed: item.changed,
      fileID: item.fileID, content: probed.content)
    var cause = item.cause
    let unproven = cause == .unproven ? item.fileID : nil
    let before = try unproven.map { try transaction.contentFacts(ofFile: $0) }
    let written = try unproven.flatMap { try transaction.written(asset: $0) }
    let links = try unproven.map { try transaction.links(ofSidecar: $0) } ?? []
    var change = FileChange.Kind(cause)
    var oldPath: BytePath?
    if cause == .new, let known = try moves(transaction).knownFile(for: probed) {
      recording.fileID = known.id
      cause = known.isMove ? .renamed : .changed
      (change, oldPath) = (known.change, known.oldPath)
      if known.folder != item.folderID { openFolders[known.folder] = nil }
    }
    let newFile = try transaction.record(recording, now: now)
    let isUnchanged = try unproven.map { try transaction.contentFacts(ofFile: $0) == before }
    if isUnchanged == true {
      if let written { try transaction.keepRevision(of: written) }
      try transaction.restore(links)
    }
    let id = newFile ?? recording.fileID
    if case .media = probed.content, cause == .retried, !movedFolders.contains(item.folderID) {
      // No report has named it as new.
      change = .changed
    }
    switch probed.content {
    case .media, .unreadable:
      if let change, let id, isUnchanged != true {
        try transaction.addChange(change, file: id, from: oldPath, scan: scanID)
      }
    case .sidecar, .other: break
    }
    switch probed.content {
    case .media where isUnchanged == true: counts.unchanged += 1
    case .media where cause == .retried && movedFolders.contains(item.folderID): counts.moved += 1
    case .media: count(cause)
    case .sidecar: counts.sidecars += 1
    case .other: counts.ignored += 1
    case .unreadable(let error, let isTransient):
      counts.unreadable += 1
      // One that was copied back is known by its size and time.
      let attempt: FailureRecording.Attempt =
        isUnchanged == true || cause.leavesContent || change == .returned
        ? .another(isTransient: isTransient) : .first(isTransient: isTransient)
      try note(
        FailureRecording(item.path, error, fileID: id, attempt: attempt), transaction)
    }
    return newFile
  }

  private func moves(_ transaction: CatalogTransaction) -> MoveDetection {
    MoveDetection(transaction: transaction, scope: moveScope, scan: scanID, inProgress: inProgress)
  }

  private func count(_ cause: ProbeItem.Cause) {
    switch cause {
    case .new: counts.added += 1
    case .changed, .retried, .unproven, .returned: counts.changed += 1
    case .renamed: counts.moved += 1
    }
  }
}

extension FileChange.Kind {
  /// The change that the reason for reading a known file indicates; nil if it indicates none.
  fileprivate init?(_ cause: ProbeItem.Cause) {
    switch cause {
    case .changed, .unproven: self = .changed
    case .new, .retried, .returned, .renamed: return nil
    }
  }
}
