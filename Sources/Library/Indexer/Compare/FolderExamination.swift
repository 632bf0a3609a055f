import Catalog
import Linux
import MediaModel
import Recognition

/// Compares the files of one folder with those in the catalog.
///
/// Names and stamps decide whether files are unchanged, gone, back again or moved. Files that have to be read
/// become items. It runs inside one transaction. For files that are as the catalog knows them it only reads an
/// index, so that one new file among many costs little.
struct FolderExamination {
  let transaction: CatalogTransaction
  let folder: FolderRecord
  /// The folder's full path.
  let path: BytePath
  let scan: Int64
  private let files: ListedFiles
  private let names: ListedNames
  private var moves: MoveDetection

  /// What has to be opened, in the order of names.
  private(set) var items: ProbeItems
  private(set) var counts = ScanCounts()
  /// The counts of the folder's files without those that have to be read.
  private(set) var upToDate = FolderCounts()
  /// Files that were unreadable before and have not changed.
  private(set) var failures: [(id: Int64, path: BytePath, error: String)] = []
  /// The folders from which files have moved here.
  private(set) var sources: Set<Int64> = []
  /// Known files whose names belong to other files now. They have changed in their places, or moved into folders that the walk
  /// has not read yet: that is decided when it has read all of them.
  private(set) var undecided: Set<Int64> = []
  /// Rows that turned out to be somewhere else.
  private var claimed: Set<Int64> = []
  /// For each listed file, whether the catalog knows it by its name.
  private var isKnown: [Bool]
  /// The files whose name the catalog does not know with their stamp, by that stamp; nil until one is looked up.
  private var arrivals: [FileStamp: UInt32]?

  /// A known file whose name now belongs to a file with another stamp.
  private struct ReplacedFile {
    var id: Int64
    var stamp: FileStamp
    /// Whether it was a picture or video, with an identifier to keep.
    var isMedia: Bool
    /// That of the name among the listed files.
    var index: UInt32
    /// Whether the name now belongs to another inode, or to one that was deleted and used again. Programs that save a file
    /// under a temporary name and rename it leave this, too.
    var isOtherInode: Bool
  }

  /// The number of known files that are in memory at a time.
  private static let batchSize = 512

  init(
    _ transaction: CatalogTransaction, _ listing: FolderListing, scan: Int64, moves: MoveDetection
  ) {
    self.transaction = transaction
    self.scan = scan
    self.moves = moves
    (folder, path, files) = (listing.folder, listing.path, listing.files)
    names = ListedNames(files, unseen: listing.unseen)
    items = ProbeItems(folder: folder.id, path: path, files)
    isKnown = Array(repeating: false, count: files.count)
  }

  /// Looks at every file of the folder.
  ///
  /// - Parameter isFinal: whether no later examination decides what is ``undecided``.
  mutating func examine(isFinal: Bool) throws {
    upToDate = try transaction.counts(ofFolder: folder.id)
    try transaction.openFolder(folder.id)
    moves.listed = (folder.id, names)
    let differing = try compare()
    var gone: [Int64] = []
    var replaced: [ReplacedFile] = []
    var hasMissing = false
    for start in stride(from: 0, to: differing.count, by: Self.batchSize) {
      for record in try transaction.files(differing[start...].prefix(Self.batchSize)) {
        if record.status == .missing {
          hasMissing = true
        } else if let index = names.index(of: record.name) {
          examine(index, knownAs: record, &replaced)
        } else {
          upToDate.add(record, -1)
          if !names.isUnseen(record.name) { gone.append(record.id) }
        }
      }
    }
    counts.add(unchanged: upToDate)
    try decide(replaced, isFinal: isFinal)
    let unknown = files.sortedByName(unknown)
    items.reserveCapacity(items.count + unknown.count)
    for index in unknown {
      try place(files[Int(index)], Int(index), mayBeMissing: hasMissing)
    }
    try transaction.markMissing(gone.filter { !claimed.contains($0) }, scan: scan)
    guard upToDate.unreadable > 0 else { return }
    let read = undecided.union(items.knownFiles)
    failures = try transaction.failures(in: folder.id).filter { !read.contains($0.id) }
      .map { ($0.id, path.appending($0.name), $0.error) }
  }

  /// Looks at what has come into the folder since it was examined in this scan, and decides what was ``undecided`` then; what
  /// has changed or gone since is left to the next scan.
  mutating func examineAgain(_ undecided: Set<Int64>) throws {
    let differing = try compare().filter(undecided.contains)
    if !differing.isEmpty { try transaction.openFolder(folder.id) }
    moves.listed = (folder.id, names)
    for start in stride(from: 0, to: differing.count, by: Self.batchSize) {
      var replaced: [ReplacedFile] = []
      for record in try transaction.files(differing[start...].prefix(Self.batchSize))
      where record.folderID == folder.id && record.status != .missing {
        guard let index = names.index(of: record.name), !isKnown[index] else { continue }
        isKnown[index] = true
        replaced.append(replacement(of: record, by: index))
      }
      try decide(replaced, isFinal: true)
    }
    let new = try unknown.filter {
      let name = Array(files.name(at: Int($0)))
      return try !transaction.isPresent(
        named: name, family: FamilyKey(name).number, in: folder.id)
    }
    guard !new.isEmpty else { return }
    try transaction.openFolder(folder.id)
    for index in files.sortedByName(new) {
      try place(files[Int(index)], Int(index), mayBeMissing: true)
    }
  }

  /// The indices of the listed files that are not known by their names.
  private var unknown: [UInt32] {
    isKnown.indices.filter { !isKnown[$0] }.map { UInt32($0) }
  }

  /// Finds the files that are as the catalog knows them.
  ///
  /// - Returns: the rows of the other known files.
  private mutating func compare() throws -> [Int64] {
    // For a folder that is new to the catalog there is nothing to find.
    var indices: [UInt64: UInt32]?
    var differing: [Int64] = []
    let files = files
    try transaction.forEachFile(in: folder.id) { id, digest in
      let byDigest = indices ?? files.indicesByDigest
      if indices == nil { indices = byDigest }
      if let digest, let index = byDigest[digest], !isKnown[Int(index)] {
        isKnown[Int(index)] = true
      } else {
        differing.append(id)
      }
    }
    return differing
  }

  /// A file whose name is known in this folder, and which differs or has to be read again.
  private mutating func examine(
    _ index: Int, knownAs record: FileRecord, _ replaced: inout [ReplacedFile]
  ) {
    upToDate.add(record, -1)
    // A name that the catalog has twice: the other row is as the file is now.
    guard !isKnown[index] else { return }
    isKnown[index] = true
    let (stamp, changed) = files.state(at: index)
    if record.stamp != stamp {
      replaced.append(replacement(of: record, by: index))
    } else if record.needsReading {
      enqueue(index, .retried, record.id)
    } else if record.isProvenUnchanged(changed) {
      upToDate.add(record, 1)
    } else {
      enqueue(index, .unproven, record.id)
    }
  }

  private func replacement(of record: FileRecord, by index: Int) -> ReplacedFile {
    let file = files[index]
    let isOther =
      record.stamp.inode != file.stamp.inode
      || moves.isBornLater(than: record, at: path.appending(file.name))
    return ReplacedFile(
      id: record.id, stamp: record.stamp, isMedia: record.kind == .media, index: UInt32(index),
      isOtherInode: isOther)
  }

  /// Decides which files have changed in their place, and which names belong to other files now.
  ///
  /// - Parameter isFinal: false to leave those undecided that may turn up in a folder which the walk has not read yet.
  private mutating func decide(_ replaced: [ReplacedFile], isFinal: Bool) throws {
    for file in replaced {
      let index = Int(file.index)
      if try isAnother(file, among: replaced) {
        // Whatever was known by this name may turn up elsewhere yet.
        try transaction.markMissing([file.id], scan: scan)
        isKnown[index] = false
      } else {
        // Another inode alone, as of a copy that kept its time, proves no change: the content decides.
        let isCopy = file.stamp.hasSizeAndTime(of: files.state(at: index).stamp)
        if !isFinal, file.isMedia, file.isOtherInode, !isCopy {
          undecided.insert(file.id)
        } else {
          enqueue(index, isCopy ? .unproven : .changed, file.id)
        }
      }
    }
  }

  /// Whether files were renamed: this name now holds another known file, or the one it held has
  /// another name now.
  ///
  /// A program that keeps the previous state as a backup beside the file, or restores it, has renamed nothing: the
  /// file is the one with the name.
  private mutating func isAnother(
    _ file: ReplacedFile, among replaced: [ReplacedFile]
  ) throws -> Bool {
    let listed = files[Int(file.index)]
    if !file.isOtherInode { return false }
    let arrivals =
      arrivals
      ?? Dictionary(
        (unknown + replaced.map(\.index)).map { (files.state(at: Int($0)).stamp, $0) },
        uniquingKeysWith: { first, _ in first })
    self.arrivals = arrivals
    if let arrival = arrivals[file.stamp],
      !BackupName.isBackup(files.name(at: Int(arrival)), of: listed.name)
    {
      return true
    }
    guard
      let source = try moves.source(ofStamp: listed.stamp, at: path.appending(listed.name))
    else { return false }
    return source.file.folderID != folder.id
      || !BackupName.isBackup(source.file.name, of: listed.name)
  }

  /// A file whose name is not known in this folder, or only as missing.
  ///
  /// One that was copied back has another inode: whether it is the missing one is decided by its content.
  private mutating func place(
    _ file: ListedFile, _ index: Int, mayBeMissing: Bool
  ) throws {
    let missing =
      mayBeMissing ? try transaction.missingFiles(named: file.name, in: folder.id) : []
    if let returned = missing.first(where: { $0.stamp == file.stamp }) {
      if returned.kind == .media {
        try transaction.addChange(.returned, file: returned.id, scan: scan)
      }
      try place(returned, at: index, affectsLabels: false, cause: .returned) { $0.changed += 1 }
    } else if let place = try moves.source(ofStamp: file.stamp, at: path.appending(file.name)) {
      try move(place, to: index)
    } else {
      items.append(new: index)
    }
  }

  private mutating func move(_ source: FilePlace, to index: Int) throws {
    claimed.insert(source.file.id)
    sources.insert(source.file.folderID)
    if source.file.kind == .media {
      try transaction.addChange(
        source.file.wasMissing(before: scan) ? .returned : .moved, file: source.file.id,
        from: source.path, scan: scan)
    }
    let affectsLabels =
      !files.name(at: index).elementsEqual(source.file.name)
      || RecognitionSubject.affectsLabels(
        path.lastComponent, insteadOf: source.path.parent.lastComponent)
    try place(source.file, at: index, affectsLabels: affectsLabels, cause: .renamed) {
      $0.moved += 1
    }
  }

  /// Records a known file's new path. Labels that depend on the path are evaluated again, and a file that may have
  /// changed meanwhile is read again: renaming a file updates its ctime on most file systems.
  private mutating func place(
    _ record: FileRecord, at index: Int, affectsLabels: Bool, cause: ProbeItem.Cause,
    count: (inout ScanCounts) -> Void
  ) throws {
    let file = files[index]
    let isProven = record.isProvenUnchanged(file.changed)
    try transaction.placeFile(
      record, folder: folder.id, name: file.name, family: FamilyKey(file.name).number,
      stamp: file.stamp,
      changed: isProven ? file.changed : FileRecord.young, affectsLabels: affectsLabels)
    if affectsLabels || !isProven {
      enqueue(index, cause, record.id)
    } else if record.needsReading {
      enqueue(index, .retried, record.id)
    } else {
      upToDate.add(record, 1)
      if record.kind == .media, !record.isUnreadable {
        count(&counts)
      } else {
        var other = FolderCounts()
        other.add(record, 1)
        counts.add(unchanged: other)
      }
    }
  }

  private mutating func enqueue(_ index: Int, _ cause: ProbeItem.Cause, _ id: Int64) {
    moves.inProgress.insert(id)
    items.append(index, cause, known: id)
  }
}

extension FolderCounts {
  fileprivate mutating func add(_ record: FileRecord, _ number: Int) {
    add(record.kind, isUnreadable: record.isUnreadable, number: number)
  }
}
