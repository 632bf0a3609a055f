import Catalog
import CodecMessages
import MediaModel
import POSIX
import Recognition

/// Keeps the books of one scan: every change to the catalog and every count goes through here, one at a
/// time.
actor ScanLedger {
  let catalog: Catalog
  let scanID: Int64
  private let availableRoots: Set<Int64>
  private(set) var counts = ScanCounts()
  private(set) var failureCount = 0

  /// A folder with files that are still being looked at.
  private struct OpenFolder {
    var remaining: Int
    var digest: UInt64
  }
  private var openFolders: [Int64: OpenFolder] = [:]
  /// The rows of known files that are being looked at.
  private var inHand: Set<Int64> = []

  init(catalog: Catalog, scanID: Int64, availableRoots: Set<Int64>) {
    self.catalog = catalog
    self.scanID = scanID
    self.availableRoots = availableRoots
  }

  var progress: ScanProgress {
    ScanProgress(counts: counts)
  }

  /// Enters a folder that the walk has read.
  ///
  /// - Returns: the files that have to be looked at.
  func enter(_ listing: FolderListing) throws -> [ProbeItem] {
    counts.ignored += listing.ignored
    let folder = listing.folder
    let digest = Int64(bitPattern: listing.digest.value)
    if folder.digest == digest {
      counts.unchanged += folder.counts.media
      counts.sidecars += folder.counts.sidecars
      counts.ignored += folder.counts.ignored
      if folder.counts.unreadable > 0 { try repeatFailures(listing) }
      return []
    }
    let items = try catalog.write { transaction in
      var examination = FolderExamination(
        transaction, folder, path: listing.path, scan: scanID,
        moves: moves(transaction))
      try examination.examine(listing.files)
      counts.add(examination.counts)
      for failure in examination.failures { try note(failure.path, failure.error, transaction) }
      if examination.items.isEmpty {
        try close(folder.id, listing.digest.value, transaction)
      }
      return examination.items
    }
    inHand.formUnion(items.compactMap(\.fileID))
    if !items.isEmpty {
      openFolders[folder.id] = OpenFolder(remaining: items.count, digest: listing.digest.value)
    }
    return items
  }

  /// Records the replies for files that were looked at.
  func record(_ replies: [(item: ProbeItem, reply: ProbeReply)]) throws {
    try catalog.write { transaction in
      let now = millisecondsSince1970()
      for (item, reply) in replies {
        try record(item, reply, now: now, transaction)
        if let known = item.fileID { inHand.remove(known) }
        guard var folder = openFolders[item.folderID] else { continue }
        folder.remaining -= 1
        openFolders[item.folderID] = folder
        if folder.remaining == 0 {
          openFolders[item.folderID] = nil
          try close(item.folderID, folder.digest, transaction)
        }
      }
    }
  }

  /// Notes what went wrong with a folder or file that was not looked at.
  func fail(_ path: BytePath, _ error: String) throws {
    try catalog.write { try note(path, error, $0) }
  }

  /// Marks all of a folder that is gone.
  func lose(_ folder: FolderRecord) throws {
    try catalog.write { try $0.markSubtreeMissing(folder.id, scan: scanID) }
  }

  /// Settles what takes more than one file to see, and counts what only the end can tell.
  ///
  /// What an interrupted scan leaves unsettled the next one settles.
  func settle() throws {
    if !Interruption.isRequested { try Settlement(catalog: catalog).run() }
    counts.pairs = try catalog.look { try $0.pairCount() }
    counts.missing = try catalog.look { try $0.missingCount(scan: scanID) }
  }

  private func repeatFailures(_ listing: FolderListing) throws {
    counts.unreadable += listing.folder.counts.unreadable
    try catalog.write { transaction in
      for failure in try transaction.failures(in: listing.folder.id) {
        try note(listing.path.appending(failure.name), failure.error, transaction)
      }
    }
  }

  private func note(
    _ path: BytePath, _ error: String, _ transaction: CatalogTransaction
  ) throws {
    failureCount += 1
    try transaction.addFailure(scan: scanID, path: path, error: error)
  }

  /// All files of a folder are up to date: ties its sidecars and lets its digest stand for it.
  private func close(_ folder: Int64, _ digest: UInt64, _ transaction: CatalogTransaction) throws {
    try SidecarTying(transaction).tie(in: folder)
    try transaction.closeFolder(folder, digest: Int64(bitPattern: digest))
  }

  private func record(
    _ item: ProbeItem, _ reply: ProbeReply, now: Int64, _ transaction: CatalogTransaction
  ) throws {
    var recording = FileRecording(
      folderID: item.folderID, name: item.name, stamp: item.stamp, fileID: item.fileID,
      content: .other(isTransient: false))
    var isMove = item.cause == .renamed
    switch reply {
    case .media(let facts, let fingerprint):
      let subject = RecognitionSubject(
        facts: facts, name: item.name, folders: item.path.parent.components)
      recording.content = .media(subject.recognised, fingerprint, subject.labels)
      if item.cause == .new, let source = try source(of: item, fingerprint, transaction) {
        recording.fileID = source.file.id
        isMove = source.path != item.path
        if !isMove { counts.changed += 1 }
      }
      count(item, recording, isMove: isMove)
    case .sidecar(let facts, let fingerprint):
      recording.content = .sidecar(facts, fingerprint)
      counts.sidecars += 1
    case .other:
      counts.ignored += 1
    case .failed(let failure):
      guard promisesMedia(item) else {
        recording.content = .other(isTransient: failure.reason.isTransient)
        counts.ignored += 1
        break
      }
      recording.content = .unreadable(
        error: failure.message, isTransient: failure.reason.isTransient)
      counts.unreadable += 1
      try note(item.path, failure.message, transaction)
    }
    try transaction.record(recording, now: now)
  }

  private func moves(_ transaction: CatalogTransaction) -> MoveDetection {
    MoveDetection(
      transaction: transaction, availableRoots: availableRoots, inHand: inHand)
  }

  private func source(
    of item: ProbeItem, _ fingerprint: Fingerprint, _ transaction: CatalogTransaction
  ) throws -> FilePlace? {
    try moves(transaction).source(ofContent: fingerprint, size: item.stamp.size, at: item.path)
  }

  private func count(_ item: ProbeItem, _ recording: FileRecording, isMove: Bool) {
    if isMove {
      counts.moved += 1
    } else if recording.fileID == nil {
      counts.added += 1
    } else if item.cause != .new {
      counts.changed += 1
    }
  }

  /// Whether a file that cannot be read should have been media, by its name.
  private func promisesMedia(_ item: ProbeItem) -> Bool {
    UniformType(fileExtension: FileNameParts(name: item.name).fileExtension)?.mediaType != nil
  }
}

extension ScanCounts {
  fileprivate mutating func add(_ other: ScanCounts) {
    added += other.added
    changed += other.changed
    moved += other.moved
    unchanged += other.unchanged
    unreadable += other.unreadable
    sidecars += other.sidecars
    ignored += other.ignored
  }
}
