import Catalog
import Linux
import MediaModel
import Recognition

/// Compares the files of one folder with those in the catalog.
///
/// Names and stamps decide whether files are unchanged, gone, back again or moved. Files that have to be read
/// become items. It runs inside one transaction.
struct FolderExamination {
  let transaction: CatalogTransaction
  let folder: FolderRecord
  /// The folder's full path.
  let path: BytePath
  let scan: Int64
  private var moves: MoveDetection

  /// What has to be opened, in the order of names.
  private(set) var items: [ProbeItem] = []
  private(set) var counts = ScanCounts()
  /// Files that were unreadable before and have not changed.
  private(set) var failures: [(path: BytePath, error: String)] = []
  /// Rows that turned out to be somewhere else.
  private var claimed: Set<Int64> = []
  /// The stamps of files whose name the catalog does not know with that stamp.
  private var arrivals: Set<FileStamp> = []

  init(
    _ transaction: CatalogTransaction, _ folder: FolderRecord, path: BytePath, scan: Int64,
    moves: MoveDetection
  ) {
    self.transaction = transaction
    self.folder = folder
    self.path = path
    self.scan = scan
    self.moves = moves
  }

  /// Looks at every file of the folder.
  ///
  /// - Parameters:
  ///   - files: the regular files that are part of the library.
  ///   - unseen: names that could not be examined: the catalog keeps what it contains of them.
  mutating func examine(
    _ files: ListedFiles, unseen: Set<[UInt8]>
  ) throws {
    try transaction.openFolder(folder.id)
    moves.listed = (folder.id, unseen.union(files.map(\.name)))
    let known = try transaction.files(in: folder.id)
    let present = Dictionary(
      known.filter { $0.status != .missing }.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    let missing = Dictionary(grouping: known.filter { $0.status == .missing }, by: \.name)
    arrivals = Set(files.filter { present[$0.name]?.stamp != $0.stamp }.map(\.stamp))
    let sorted = files.sortedByName()
    for file in sorted {
      let namesakes = (missing[file.name] ?? []).filter { !claimed.contains($0.id) }
      if let record = present[file.name], !claimed.contains(record.id) {
        try examine(file, knownAs: record, missing: namesakes)
      } else {
        try examine(file, missing: namesakes)
      }
    }
    let names = unseen.union(sorted.map(\.name))
    let gone = present.values.filter { !names.contains($0.name) && !claimed.contains($0.id) }
    try transaction.markMissing(gone.map(\.id), scan: scan)
    if counts.unreadable > 0 {
      let others = unseen.union(items.map(\.name))
      failures = try transaction.failures(in: folder.id)
        .filter { !others.contains($0.name) }
        .map { (path.appending($0.name), $0.error) }
    }
  }

  /// Looks at what has come into the folder since it was examined in this scan; what has changed or gone
  /// since is left to the next one.
  mutating func examineArrivals(_ files: ListedFiles) throws {
    let known = try transaction.files(in: folder.id)
    let present = Set(known.filter { $0.status != .missing }.map(\.name))
    let missing = Dictionary(grouping: known.filter { $0.status == .missing }, by: \.name)
    let new = files.filter { !present.contains($0.name) }
    guard !new.isEmpty else { return }
    try transaction.openFolder(folder.id)
    for file in new.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
      try examine(file, missing: (missing[file.name] ?? []).filter { !claimed.contains($0.id) })
    }
  }

  /// A file whose name is known in this folder.
  private mutating func examine(
    _ file: ListedFile, knownAs record: FileRecord, missing: [FileRecord]
  ) throws {
    if record.stamp == file.stamp {
      if record.needsReading {
        enqueue(file, .retried, record.id)
      } else if record.isProvenUnchanged(file.changed) {
        countUnchanged(record)
      } else {
        enqueue(file, .unproven, record.id)
      }
    } else if try isAnother(file, than: record) {
      // Whatever was known by this name may turn up elsewhere yet.
      try transaction.markMissing([record.id], scan: scan)
      try examine(file, missing: missing)
    } else {
      enqueue(file, .changed, record.id)
    }
  }

  /// Whether files were renamed: this name now holds another known file, or the one it held has
  /// another name now.
  private func isAnother(_ file: ListedFile, than record: FileRecord) throws -> Bool {
    if record.stamp.inode == file.stamp.inode { return false }
    return try arrivals.contains(record.stamp)
      || moves.source(ofStamp: file.stamp, at: path.appending(file.name)) != nil
  }

  /// A file whose name is not known in this folder, or only as missing.
  ///
  /// One that was copied back has another inode: whether it is the missing one is decided by its content.
  private mutating func examine(_ file: ListedFile, missing: [FileRecord]) throws {
    if let returned = missing.first(where: { $0.stamp == file.stamp }) {
      try place(returned, at: file, affectsLabels: false, cause: .changed) { $0.changed += 1 }
    } else if let place = try moves.source(ofStamp: file.stamp, at: path.appending(file.name)) {
      try move(place, to: file)
    } else {
      enqueue(file, .new, nil)
    }
  }

  private mutating func move(_ source: FilePlace, to file: ListedFile) throws {
    claimed.insert(source.file.id)
    let affectsLabels =
      source.file.name != file.name
      || RecognitionSubject.affectsLabels(
        path.lastComponent, insteadOf: source.path.parent.lastComponent)
    try place(source.file, at: file, affectsLabels: affectsLabels, cause: .renamed) {
      $0.moved += 1
    }
  }

  /// Records a known file's new path. Labels that depend on the path are evaluated again, and a file that may have
  /// changed meanwhile is read again: renaming a file updates its ctime on most file systems.
  private mutating func place(
    _ record: FileRecord, at file: ListedFile, affectsLabels: Bool, cause: ProbeItem.Cause,
    count: (inout ScanCounts) -> Void
  ) throws {
    let isProven = record.isProvenUnchanged(file.changed)
    try transaction.placeFile(
      record, folder: folder.id, name: file.name, family: FamilyKey(file.name).number,
      stamp: file.stamp,
      changed: isProven ? file.changed : FileRecord.young, affectsLabels: affectsLabels)
    if affectsLabels || !isProven {
      enqueue(file, cause, record.id)
    } else if record.needsReading {
      enqueue(file, .retried, record.id)
    } else if record.kind == .media, !record.isUnreadable {
      count(&counts)
    } else {
      countUnchanged(record)
    }
  }

  private mutating func countUnchanged(_ record: FileRecord) {
    switch record.kind {
    case .media where record.isUnreadable: counts.unreadable += 1
    case .media: counts.unchanged += 1
    case .sidecar: counts.sidecars += 1
    case .other: counts.ignored += 1
    }
  }

  private mutating func enqueue(_ file: ListedFile, _ cause: ProbeItem.Cause, _ id: Int64?) {
    if let id { moves.inProgress.insert(id) }
    items.append(
      ProbeItem(
        folderID: folder.id, path: path.appending(file.name), name: file.name,
        stamp: file.stamp, changed: file.changed, cause: cause, fileID: id))
  }
}
