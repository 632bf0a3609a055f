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
  /// What earlier exports made, by its place below the target.
  private let earlier: [String: ExportRecord.Version]
  private let state: Mutex<State>

  init(
    _ target: TargetFolder, _ request: ExportRequest, record: ExportRecord
  ) throws(SystemError) {
    self.target = target
    self.request = request
    earlier = Dictionary(record.entries.values.map { ($0.target, $0.made) }) { $1 }
    let log = try AppendFile(target.recordPath)
    // Ends what a crash may have cut off.
    if record.staleLines > 0 { try log.append([UInt8(ascii: "\n")]) }
    state = Mutex(State(record: record, log: log))
  }

  /// Makes the empty file that a result begins as.
  func stage(_ file: PlannedFile) throws(SystemError) -> StagedFile {
    let folder = target.path(of: file.target).parent
    try folder.makeFolders(isShared: true)
    return try StagedFile(in: folder)
  }

  /// Waits until an item's files are on the disk, and gives them their names: all of them, or none.
  func publish(
    _ item: ExportItem, _ staged: [StagedFile]
  ) throws(HandOverError) -> [MadeFile] {
    var made: [MadeFile] = []
    do {
      for (file, stage) in zip(item.files, staged) {
        try stage.file.seal(modified: item.subject.moment)
        let stamp = try stage.file.status().stamp
        made.append(MadeFile(path: target.path(of: file.target), size: stamp.size))
        try note(file, of: item, stamp)
      }
    } catch {
      throw HandOverError(error)
    }
    try name(item, staged)
    return made
  }

  /// Waits until all names that were given are on the disk too.
  func syncFolders() throws(SystemError) {
    let folders = state.withLock { state in
      defer { state.unsynced = [] }
      return state.unsynced
    }
    for folder in folders { try folder.syncFolder() }
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
      settings: request.settingsDigest(of: item.asset.mediaType), naming: request.naming,
      target: file.target, made: ExportRecord.Version(stamp))
    let key = ExportRecord.Key(identifier: item.asset.identifier, resource: file.part.resource)
    try state.withLock { (state) throws(SystemError) in
      try state.log.append(ExportRecord.line(key, entry))
      state.record.add(key, entry)
    }
  }

  private func name(_ item: ExportItem, _ staged: [StagedFile]) throws(HandOverError) {
    var named: [BytePath] = []
    for (file, stage) in zip(item.files, staged) {
      let path = target.path(of: file.target)
      do {
        let replaces = try replaces(file, at: path)
        try stage.publish(as: path, replacing: replaces)
        if !replaces { named.append(path) }
        _ = state.withLock { $0.unsynced.insert(path.parent) }
      } catch {
        // Half a live photo is none.
        for path in named { try? path.removeFile() }
        throw error as? HandOverError ?? HandOverError(error)
      }
    }
  }

  /// Whether a file that has the name gives way.
  ///
  /// - Throws: ``HandOverError`` if it is, or may be, an original.
  private func replaces(_ file: PlannedFile, at path: BytePath) throws -> Bool {
    guard let status = try? FileStatus(of: path), request.replacement != .never || file.replacesOwn
    else { return false }
    if earlier[file.target] == ExportRecord.Version(status.stamp) { return true }
    guard request.replacement == .always else { return false }
    if isLibrary(path.parent) {
      throw HandOverError(
        sentence: "\(path.display) is in the library, and originals are never overwritten.")
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
      case let cause? where cause.isTaken:
        "\(cause.path?.display ?? "The name") has been taken in the meantime."
      case let cause?: "\(cause.description)."
      case nil: "\(error)"
      }
  }
}
