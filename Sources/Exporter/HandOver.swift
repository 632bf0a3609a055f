import Catalog
package import MediaModel
import POSIX
import Presets
import Synchronization

/// Gives finished files their names and writes down what was made.
final class HandOver: Sendable {
  private struct State: ~Copyable {
    var record: ExportRecord
    var log: AppendFile
    /// Folders whose names are not on the disk yet.
    var unsynced: Set<BytePath> = []
    /// Whether files in a folder may be originals.
    var isLibrary: [BytePath: Bool] = [:]
  }

  private let target: TargetFolder
  private let request: ExportRequest
  private let settings: SettingsDigests
  /// What earlier exports made, by its place below the target.
  private let earlier: [String: ExportRecord.Entry]
  private let state: Mutex<State>

  init(
    _ target: TargetFolder, _ request: ExportRequest, record: ExportRecord
  ) throws(SystemError) {
    self.target = target
    self.request = request
    settings = SettingsDigests(request)
    earlier = Dictionary(record.entries.values.map { ($0.target, $0) }) { $1 }
    let log = try AppendFile(target.recordPath)
    // Ends what a crash may have cut off.
    if record.staleLines > 0 { try log.append([UInt8(ascii: "\n")]) }
    state = Mutex(State(record: record, log: log))
  }

  /// Writes down the folders that are about to be written into, in which nothing has been made yet: if this
  /// process is killed, the next one finds there what it leaves.
  func begin(_ folders: Set<String>) throws(SystemError) {
    let folders = folders.filter { !$0.isEmpty }.sorted()
    guard !folders.isEmpty else { return }
    try state.withLock { (state) throws(SystemError) in
      try state.log.append(ExportRecord.line(beginning: folders))
      state.record.begin(folders)
    }
  }

  /// Makes the empty file that a result begins as.
  func stage(_ file: PlannedFile) throws(SystemError) -> StagedFile {
    let folder = target.path(of: file.target).parent
    try folder.makeFolders(isShared: true)
    return try StagedFile(in: folder)
  }

  /// Gives an item's files, which are on the disk, their names: all of them, or none.
  func publish(
    _ item: ExportItem, _ staged: [StagedFile]
  ) throws(HandOverError) -> [MadeFile] {
    do {
      let replacing = try item.files.map(givesWay)
      var made: [MadeFile] = []
      for (file, stage) in zip(item.files, staged) {
        let stamp = try stage.file.status().stamp
        made.append(MadeFile(path: target.path(of: file.target), size: stamp.size))
        try note(file, of: item, stamp)
      }
      try name(zip(staged, zip(made.map(\.path), replacing)).map { ($0, $1.0, $1.1) })
      return made
    } catch {
      throw error as? HandOverError ?? HandOverError(error)
    }
  }

  /// Waits until all names that were given are on the disk too.
  func syncFolders() throws(SystemError) {
    let folders = state.withLock { state in
      defer { state.unsynced = [] }
      return Array(state.unsynced)
    }
    for (index, folder) in folders.enumerated() {
      do {
        try folder.syncFolder()
      } catch {
        // Whoever asks next must not take them for synced.
        state.withLock { $0.unsynced.formUnion(folders[index...]) }
        throw error
      }
    }
  }

  /// Leaves the record short and on the disk.
  func finish() throws(SystemError) {
    try syncFolders()
    let record = try state.withLock { (state) throws(SystemError) in
      try state.log.sync()
      return state.record
    }
    try target.compact(record)
  }

  /// Writes down what is about to get its name: if this process is killed in between, the next one
  /// knows the file for its own.
  private func note(
    _ file: PlannedFile, of item: ExportItem, _ stamp: FileStamp
  ) throws(SystemError) {
    let source = item.subject.stamps[file.part.path].map(ExportRecord.Version.init)
    let entry = ExportRecord.Entry(
      source: source ?? ExportRecord.Version(size: 0, modified: 0),
      settings: settings[item.asset.mediaType], naming: request.naming,
      target: file.target, made: ExportRecord.Version(stamp), inode: stamp.inode)
    let key = ExportRecord.Key(item.asset, file.part)
    try state.withLock { (state) throws(SystemError) in
      try state.log.append(ExportRecord.line(key, entry))
      state.record.add(key, entry)
    }
  }

  private func name(
    _ files: [(staged: StagedFile, path: BytePath, isReplacing: Bool)]
  ) throws(SystemError) {
    var named: [BytePath] = []
    for file in files {
      do {
        try file.staged.publish(as: file.path, replacing: file.isReplacing)
      } catch {
        // Half a live photo is none.
        for path in named { try? path.removeFile() }
        throw error
      }
      if !file.isReplacing { named.append(file.path) }
      _ = state.withLock { $0.unsynced.insert(file.path.parent) }
    }
  }

  /// Whether there is a file that has the result's name and gives way.
  ///
  /// - Throws: ``HandOverError`` if there is one that does not, as every file that is, or may be, an
  ///   original.
  private func givesWay(_ file: PlannedFile) throws(HandOverError) -> Bool {
    let path = target.path(of: file.target)
    guard let stamp = (try? FileStatus(of: path))?.stamp else { return false }
    let isInLibrary = isLibrary(path.parent)
    if let made = earlier[file.target], made.made.isStill(ExportRecord.Version(stamp)),
      // A copy has its original's size and often its time.
      made.inode == stamp.inode || !isInLibrary, request.replacement != .never || file.replacesOwn
    {
      return true
    }
    if isInLibrary, request.replacement == .always {
      throw HandOverError(
        sentence: "\(path.display) is in the library, and originals are never overwritten.")
    }
    guard request.replacement == .always else {
      throw HandOverError(sentence: HandOverError.taken(path))
    }
    return true
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
      case let cause? where cause.isFileTooLarge:
        "The result is larger than a file may become in the target."
      case let cause?: "\(cause.description)."
      case nil: "\(error)"
      }
  }

  static func taken(_ path: BytePath?) -> String {
    "\(path?.display ?? "The name") has been taken in the meantime."
  }
}
