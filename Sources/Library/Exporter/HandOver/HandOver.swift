import Linux
package import MediaModel
import Presets
import Synchronization

/// Gives finished files their names and records what was made.
///
/// In this order: the record gets lines about the files (the intent) and is synced, the files get their
/// names, the folders are synced, the record gets a line that says so. Whatever ends the export in between,
/// the next export recognizes a file of this export by its inode.
final class HandOver: Sendable {
  private struct State {
    /// Folders, by their paths below the target, whose new names are not on the disk yet.
    var unsynced: [String: OpenFolder] = [:]
    /// Folders below the target whose own names are on the disk.
    var reachable: Set<String> = []
    /// Files with these names, which may have to be synced with them.
    var named: [StagedFile] = []
    /// The inodes of files with names that may not be on the disk yet.
    var unconfirmed: [UInt64] = []
    /// Whether files in a folder may be originals.
    var isLibrary: [BytePath: Bool] = [:]
    /// Lines in the record.
    var lineCount: Int
    /// Whether lines were added that a rewritten record does not need.
    var hasTransientLines: Bool
    /// Whether the system may have stored only a part of the last lines, without the end of the last one.
    var mayLackEnd = false
  }

  private let target: TargetFolder
  private let tree: TargetTree
  let request: ExportRequest
  private let settings: SettingsDigests
  /// What this catalog's earlier exports made, by its place below the target.
  private let earlier: [String: [ExportRecord.Entry]]
  private let keepsInodes: Bool
  private let compactedCount: Int
  private let log: AppendFile
  private let state: Mutex<State>
  /// The files that have got their names, if this export may replace files.
  private let results = Mutex<Set<FileIdentity>>([])
  /// The files that an export with other tasks may overwrite: a newer one may be another task's. Nil for any.
  private let overwritable: [String: FileStamp]?

  /// - Parameters:
  ///   - state: what was found in the target when its lock was held.
  ///   - overwritable: the files that had the results' names before any was made, by their paths below the target; nil if
  ///     no other task exports into the target.
  init(
    _ target: TargetFolder, _ tree: TargetTree, _ request: ExportRequest, state: TargetState,
    overwritable: [String: FileStamp]?
  ) throws(SystemError) {
    self.target = target
    self.tree = tree
    self.request = request
    self.overwritable = overwritable
    settings = SettingsDigests(request)
    earlier = Dictionary(
      grouping: state.record.history.values.lazy.flatMap { $0 }.filter(\.isOwn), by: \.target)
    keepsInodes = state.keepsInodes
    compactedCount = state.record.compactedCount
    let name = request.shard.map { ShardRecord($0).name } ?? Array(ExportRecord.fileName.utf8)
    log = try AppendFile(name, in: tree.root)
    // Ends what a crash may have cut off. Readers skip an empty line.
    let isEnded = request.shard == nil ? state.record.isEnded : state.recordStamps[name] == nil
    if !isEnded { try log.append([UInt8(ascii: "\n")]) }
    self.state = Mutex(State(lineCount: state.record.lineCount, hasTransientLines: false))
  }

  /// Records the folders that are about to be written into, in which nothing has been made yet: if this
  /// process is killed, the next one finds there what it leaves.
  func begin(_ folders: Set<String>) throws(SystemError) {
    var folders = folders.filter { !$0.isEmpty }.sorted()[...]
    while !folders.isEmpty {
      // Readers skip longer lines.
      var (count, length) = (0, 0)
      while count < folders.count, length < ExportRecord.lineLimit / 16 {
        length += folders[folders.startIndex + count].utf8.count
        count += 1
      }
      try append([ExportRecord.line(beginning: Array(folders.prefix(count)))], isTransient: true)
      folders = folders.dropFirst(count)
    }
  }

  /// Records the current time stamps of sources whose content has not changed, and which results of unknown assets are
  /// those of the catalog's, so that the next export need not read the sources.
  ///
  /// - Parameter state: with the record as it is now.
  func refresh(_ state: TargetState) throws(SystemError) {
    let entries = state.touched.compactMap { key, version in
      state.record.latest(key).map { (key: key, version: version, entry: $0) }
    }
    // An unconfirmed line stays so: the file's name may not be on the disk.
    let lines = entries.filter { $0.entry.isOwn && $0.entry.isDone }
      .sorted { $0.entry.target < $1.entry.target }
      .map { key, version, entry in
        var entry = entry
        entry.source = version
        return ExportRecord.line(key, entry, proof: target.key, isDone: true)
      }
    let recognized = state.recognized.compactMap { key in
      state.record.latest(key).map { (key: key, entry: $0) }
    }.sorted { $0.entry.target < $1.entry.target }
      .map { key, entry in
        // What another catalog has made stays without proof: this one does not replace it.
        ExportRecord.line(key, entry, proof: entry.isOwn ? target.key : nil, isDone: true)
      }
    try append(lines, isTransient: true)
    try append(recognized)
  }

  /// Makes the empty file that a result is at first.
  func stage(_ file: PlannedFile) throws(SystemError) -> StagedFile {
    try StagedFile(in: tree.folder(file.target.folder, making: true))
  }

  /// An item with its files, which are on the disk.
  struct Finished {
    var item: ExportItem
    /// One for each of the item's files that are made.
    var staged: [StagedFile]
    /// What the record will contain about the content of their sources.
    var contents: [SourceContent?]
  }

  /// Gives items' files their names: all of an item's, or none.
  ///
  /// - Returns: what became of each item, in their order.
  func publish(_ finished: [Finished]) -> [Result<[MadeFile], HandOverError>] {
    let drafts = finished.map { finished in
      Result<Draft, HandOverError> { () throws(HandOverError) in try draft(finished) }
    }
    do {
      try append(drafts.flatMap { (try? $0.get().lines) ?? [] })
      try log.sync()
    } catch {
      return drafts.map { $0.flatMap { _ in .failure(HandOverError(error)) } }
    }
    return zip(finished, drafts).map { finished, draft in
      draft.flatMap { draft in
        do throws(HandOverError) {
          try name(finished, draft)
        } catch {
          return .failure(error)
        }
        do throws(SystemError) {
          for staged in finished.staged { try staged.removeReplaced() }
        } catch {
          return .failure(HandOverError(replacedFileStays: error))
        }
        return .success(draft.made)
      }
    }
  }

  /// What is about to be done with an item's files.
  private struct Draft {
    var made: [MadeFile] = []
    var identities: [FileIdentity] = []
    /// Whether each of them replaces a file.
    var replacing: [Bool] = []
    /// For the record.
    var lines: [[UInt8]] = []
  }

  private func draft(_ finished: Finished) throws(HandOverError) -> Draft {
    let item = finished.item
    var draft = Draft()
    for (index, (file, staged)) in zip(item.madeFiles, finished.staged).enumerated() {
      let isReplacing = try replacesFile(file, of: item)
      draft.replacing.append(isReplacing)
      do throws(SystemError) {
        if isReplacing { try staged.prepareToReplace() }
        let status = try staged.file.status()
        let stamp = status.stamp
        draft.made.append(MadeFile(path: target.path(of: file.target), size: stamp.size))
        draft.identities.append(FileIdentity(status))
        draft.lines.append(line(file, of: item, finished.contents[index], stamp))
      } catch {
        throw HandOverError(error)
      }
    }
    return draft
  }

  private func line(
    _ file: PlannedFile, of item: ExportItem, _ content: SourceContent?, _ stamp: FileStamp
  ) -> [UInt8] {
    let source = item.subject.version(of: file.part, request)
    let entry = ExportRecord.Entry(
      source: source ?? ExportRecord.Version(size: 0, modified: 0), content: content,
      settings: settings(of: file, item), naming: request.naming,
      target: file.target, made: ExportRecord.Version(stamp), inode: stamp.inode)
    let key = ExportRecord.Key(item.asset, file.part)
    return ExportRecord.line(key, entry, proof: target.key)
  }

  private func settings(of file: PlannedFile, _ item: ExportItem) -> String {
    item.sidecar(file)?.settings ?? settings[item.asset]
  }

  /// Gives an item's files their names. None replaces another result of this export, whose different name the file system
  /// may take for the same one.
  private func name(_ finished: Finished, _ draft: Draft) throws(HandOverError) {
    do {
      guard request.replacement != .never else { return try giveNames(finished, draft) }
      // Between the check and the exchange no other file gets the name.
      try results.withLock { results in
        for (index, staged) in finished.staged.enumerated() where draft.replacing[index] {
          let path = draft.made[index].path
          if let status = try staged.folder.status(of: path.lastComponent),
            results.contains(FileIdentity(status))
          {
            throw HandOverError(sentence: HandOverError.taken(path))
          }
        }
        try giveNames(finished, draft)
        results.formUnion(draft.identities)
      }
    } catch {
      throw error as? HandOverError ?? HandOverError(error)
    }
  }

  private func giveNames(_ finished: Finished, _ draft: Draft) throws(SystemError) {
    var named: [(staged: StagedFile, path: BytePath, isExchanged: Bool)] = []
    for (index, staged) in finished.staged.enumerated() {
      let path = draft.made[index].path
      do {
        if draft.replacing[index], finished.staged.count > 1 {
          if try staged.publish(exchangingWith: path) { named.append((staged, path, true)) }
        } else {
          try staged.publish(as: path, replacing: draft.replacing[index])
          if !draft.replacing[index] { named.append((staged, path, false)) }
        }
      } catch {
        // Half a live photo is not one, nor is half of an older one.
        for file in named.reversed() {
          if file.isExchanged {
            try? file.staged.takeBack(from: file.path)
          } else {
            try? file.staged.folder.removeFile(file.path.lastComponent)
          }
        }
        throw error
      }
    }
    state.withLock { state in
      for (file, staged) in zip(finished.item.madeFiles, finished.staged) {
        state.unsynced[file.target.folder] = staged.folder
        state.named.append(staged)
      }
      state.unconfirmed += draft.identities.map(\.inode)
    }
  }

  /// Waits until all names that were given are on the disk too, and records that.
  func confirm() throws(ExportError) {
    let (folders, files, inodes) = state.withLock { state in
      defer { (state.unsynced, state.named, state.unconfirmed) = ([:], [], []) }
      return (state.unsynced, state.named, state.unconfirmed)
    }
    guard !inodes.isEmpty else { return }
    do throws(SystemError) {
      for file in files { try file.syncNamed() }
      for (relative, folder) in folders {
        try folder.sync()
        guard try tree.stillHas(folder, at: relative) else {
          throw SystemError.replaced(folder.path)
        }
      }
      try syncParents(of: folders.keys)
      try checkPlace()
      try append([ExportRecord.line(done: inodes)], isTransient: true)
    } catch {
      // What asks next must not take them for synced.
      state.withLock { state in
        state.unsynced.merge(folders) { own, _ in own }
        state.named += files
        state.unconfirmed += inodes
      }
      throw failure(error)
    }
  }

  /// Syncs what contains these folders, up to the target's own: this export may have made them.
  private func syncParents(of folders: some Sequence<String>) throws(SystemError) {
    let found = state.withLock { state in
      var found: Set<String> = []
      for var folder in folders {
        while !folder.isEmpty, !state.reachable.contains(folder), found.insert(folder).inserted {
          folder = folder.folder
        }
      }
      return found
    }
    for parent in Set(found.map(\.folder)) { try tree.folder(parent).sync() }
    state.withLock { $0.reachable.formUnion(found) }
  }

  /// - Throws: `SystemError`: ``SystemError/isReplaced`` if the target's own folder has another path by now, or none.
  private func checkPlace() throws(SystemError) {
    guard try tree.isInPlace() else { throw .replaced(tree.root.path) }
  }

  private func failure(_ error: SystemError) -> ExportError {
    if error.isReplaced, let folder = error.path { return .movedFolder(folder) }
    return error.isDiskFull ? .diskFull(target.path) : target.unusable(error)
  }

  /// Leaves the record short and on the disk.
  func finish() throws(ExportError) {
    try confirm()
    let (lineCount, hasTransientLines) = state.withLock { ($0.lineCount, $0.hasTransientLines) }
    do {
      try log.sync()
      // The last of several tasks rewrites the record.
      if hasTransientLines, request.shard == nil {
        try RecordRewriting(tree.root, lineCount: lineCount, compactedCount: compactedCount).run()
      }
      try checkPlace()
    } catch {
      throw failure(error)
    }
  }

  /// Adds lines to the record.
  ///
  /// - Parameter isTransient: whether a rewritten record does not have them.
  private func append(_ lines: [[UInt8]], isTransient: Bool = false) throws(SystemError) {
    guard !lines.isEmpty else { return }
    try state.withLock { (state) throws(SystemError) in
      // Readers skip an empty line.
      let end = state.mayLackEnd ? [UInt8(ascii: "\n")] : []
      state.mayLackEnd = true
      try log.append(end + lines.joined())
      state.mayLackEnd = false
      state.lineCount += lines.count
      state.hasTransientLines = state.hasTransientLines || isTransient
    }
  }

  /// Whether a file has the result's name and may be replaced.
  ///
  /// - Throws: ``HandOverError`` if it may not be replaced, as any file that is, or may be, an original.
  private func replacesFile(
    _ file: PlannedFile, of item: ExportItem
  ) throws(HandOverError) -> Bool {
    let path = target.path(of: file.target)
    let found: FileStatus?
    do {
      found = try tree.folder(file.target.folder).status(of: path.lastComponent)
    } catch {
      throw HandOverError(error)
    }
    guard let found else { return false }
    guard found.kind == .regular || found.kind == .symbolicLink else {
      let kind = found.kind == .directory ? "a folder" : "not a regular file"
      throw HandOverError(
        sentence: "\(path.display) is \(kind): move it away, or export into another folder.")
    }
    let isInLibrary = isLibrary(path.parent)
    // A copy has its original's size and often its time: in the library only the inode counts.
    if request.replacement != .never || file.replacesOwn,
      earlier[file.target, default: []].contains(where: {
        $0.isAbout(found.stamp, keepsInodes: keepsInodes || isInLibrary)
      })
    {
      return true
    }
    guard request.replacement == .always else {
      throw HandOverError(sentence: HandOverError.taken(path))
    }
    guard !isInLibrary, try !isOriginal(found, of: item) else {
      throw HandOverError(
        sentence: "\(path.display) is in the library, and originals are never overwritten.")
    }
    if let overwritable, overwritable[file.target] != found.stamp {
      throw HandOverError(sentence: HandOverError.taken(path))
    }
    return true
  }

  private func isOriginal(
    _ status: FileStatus, of item: ExportItem
  ) throws(HandOverError) -> Bool {
    do {
      return try target.isInLibrary(status, sources: item.subject.stamps.keys)
    } catch {
      throw HandOverError(error)
    }
  }

  private func isLibrary(_ folder: BytePath) -> Bool {
    state.withLock { state in
      if let known = state.isLibrary[folder] { return known }
      let isLibrary = target.isInLibrary(folder)
      state.isLibrary[folder] = isLibrary
      return isLibrary
    }
  }
}

/// A file that has its final name.
package struct MadeFile: Sendable, Hashable {
  package var path: BytePath
  /// Bytes.
  package var size: Int64
}

/// Why a finished file could not be handed over.
struct HandOverError: Error {
  /// For people.
  var sentence: String
  /// What the system refused, if it was the system.
  var cause: SystemError?

  init(sentence: String) {
    self.sentence = sentence
  }

  init(_ error: any Error) {
    cause = error as? SystemError
    sentence =
      switch cause {
      case let cause? where cause.isTaken: Self.taken(cause.path)
      case let cause? where cause.isLink:
        "\(cause.path?.display ?? "A folder of the result") is a symbolic link: "
          + "an export follows none below its target."
      case let cause? where cause.isFileTooLarge:
        "The result is larger than the target's file system or limits allow."
      case let cause?: "\(cause.description)."
      case nil: "\(error)"
      }
  }

  /// The results have their names, but a file that they replaced is still there under a temporary name.
  init(replacedFileStays error: SystemError) {
    cause = error
    sentence =
      "The earlier version is still there and may contain a location: \(error.description); "
      + "remove that file, or export again."
  }

  static func taken(_ path: BytePath?) -> String {
    "\(path?.display ?? "The name") was created by another process during the export."
  }
}
