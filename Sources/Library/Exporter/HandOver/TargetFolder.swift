package import Catalog
package import Linux
package import MediaModel

/// The folder that an export writes into, with the record of what earlier ones made there.
package struct TargetFolder: Sendable {
  /// Absolute; without symbolic links as far as it exists.
  package let path: BytePath
  private let libraries: [RootRecord]
  /// The catalog's key, by which it knows the lines of the record that it has written; nil where it has none.
  let key: [UInt8]?

  package init(_ path: BytePath, libraries: [RootRecord], key: [UInt8]? = nil) {
    self.path = path
    self.libraries = libraries
    self.key = key
  }

  var recordPath: BytePath { path.appending(ExportRecord.fileName) }

  /// The full path of a result.
  package func path(of target: String) -> BytePath {
    path.appending(Array(target.utf8))
  }

  /// Whether a path is that of a file that an export will make here, or of what it keeps beside them.
  package func isResult(_ file: BytePath, of plan: ExportPlan) -> Bool {
    if file.parent == path, file.lastComponent.starts(with: ".shoebox-".utf8) { return true }
    return plan.items.contains { $0.files.contains { path(of: $0.target) == file } }
  }

  /// What is here now; nothing is changed.
  ///
  /// - Parameters:
  ///   - interest: what the plan needs to know of the record; nil for all of it.
  ///   - folders: those below this one whose names the plan needs to know.
  package func state(
    of interest: ExportRecord.Interest? = nil, listing folders: Set<String> = []
  ) throws(ExportError) -> TargetState {
    do throws(SystemError) {
      let tree: TargetTree
      do {
        tree = try TargetTree(path)
      } catch  where error.isNotFound {
        return TargetState()
      }
      return try state(in: tree, of: interest, listing: folders)
    } catch {
      throw unusable(error)
    }
  }

  private func state(
    in tree: TargetTree, of interest: ExportRecord.Interest?, listing folders: Set<String>
  ) throws(SystemError) -> TargetState {
    var state = TargetState(keepsInodes: tree.root.keepsInodes)
    do throws(SystemError) {
      let file = try ReadOnlyFile(Array(ExportRecord.fileName.utf8), in: tree.root)
      guard file.size <= ExportRecord.sizeLimit else {
        throw SystemError.tooLarge(recordPath)
      }
      state.record = try ExportRecord(file, key: key, interest: interest)
      state.recordStamp = file.status.stamp
    } catch {
      guard error.isNotFound else { throw error }
    }
    let targets = Set(state.record.history.values.lazy.flatMap { $0 }.map(\.target)).sorted()
    for target in targets {
      guard let status = try tree.status(of: target), status.kind == .regular else { continue }
      state.versions[target] = status.stamp
    }
    for folder in folders { state.names[folder] = try names(in: folder, tree) }
    return state
  }

  /// Whether the record is still what a state was read from.
  func isUpToDate(_ state: TargetState, in tree: TargetTree) -> Bool {
    let name = Array(ExportRecord.fileName.utf8)
    let now = try? tree.root.status(of: name)
    return now?.stamp == state.recordStamp && (now == nil) == (state.recordStamp == nil)
  }

  /// The names in a folder below this one; none if it is not there, or only through a link.
  private func names(in folder: String, _ tree: TargetTree) throws(SystemError) -> Set<String> {
    do {
      let entries = try tree.folder(folder).names()
      return Set(entries.map { String(decoding: $0.name, as: UTF8.self) })
    } catch  where error.isNotFound || error.isLink {
      return []
    }
  }

  /// Why an export cannot begin, where the system refuses something.
  func unusable(_ error: SystemError) -> ExportError {
    let own = error.path.map {
      $0.parent == path && $0.lastComponent.starts(with: ".shoebox-".utf8)
    }
    guard let file = error.path, own == true else { return .unusableTarget(path, error) }
    if error.isLink { return .foreignFile(file, "is a symbolic link") }
    if error.isNotRegular { return .foreignFile(file, "is not a regular file") }
    if error.isFileTooLarge { return .foreignFile(file, "is larger than any record of Shoebox") }
    return .unusableTarget(path, error)
  }

  /// Whether a folder is in the library, by whatever path it is reached.
  func isInLibrary(_ folder: BytePath) -> Bool {
    let resolved = (try? folder.resolved()) ?? folder
    if libraries.contains(where: { resolved.isWithin($0.path) }) { return true }
    // A library that is mounted a second time has another path, but it is the same folder.
    let identities = Set(libraries.map(\.identity))
    var above = resolved
    while !above.bytes.isEmpty {
      if let status = try? FileStatus(of: above, followingLinks: true),
        identities.contains(status.folderIdentity)
      {
        return true
      }
      if above.parent == above { break }
      above = above.parent
    }
    return false
  }

  /// Makes the folder if it is missing, and keeps other exports away from it as long as the lock lives.
  func open() throws(ExportError) -> OpenTarget {
    do {
      try path.makeFolders(isShared: true)
      let tree = try TargetTree(path)
      let name = StagedFile.exportLock(in: path).lastComponent
      if let lock = try FileLock.take(name, in: tree.root) {
        return OpenTarget(tree: tree, lock: lock)
      }
    } catch {
      throw unusable(error)
    }
    throw .busyTarget(path)
  }

  /// Removes what killed exports have left under temporary names, here and in folders below; no link is
  /// followed.
  func sweep(_ folders: Set<String>, in tree: TargetTree) {
    let own = try? path.resolved()
    for folder in folders.union([""]) {
      guard let place = try? tree.folder(folder) else { continue }
      StagedFile.removeLeftovers(in: place, exportingTo: own)
    }
  }
}

/// A target that only this process exports into.
struct OpenTarget: ~Copyable {
  let tree: TargetTree
  let lock: FileLock
}

/// Why an export cannot begin, or had to end before it was done.
package enum ExportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another export is writing there.
  case busyTarget(BytePath)
  case diskFull(BytePath)
  /// The target's folder cannot be made, read or written.
  case unusableTarget(BytePath, SystemError)
  /// A folder of the target has another path, or none, by the time its results are there.
  case movedFolder(BytePath)
  /// A file with a name of Shoebox's own is not what Shoebox makes; why, a phrase.
  case foreignFile(BytePath, String)

  package var description: String {
    switch self {
    case .busyTarget(let path):
      "another export is writing into \(path.display): wait until it has finished"
    case .diskFull(let path):
      "the disk that contains \(path.display) is full: finished files are kept, the others were not exported"
    case .unusableTarget(let path, let error):
      "cannot export into \(path.display): \(error.reason)"
    case .movedFolder(let path):
      "\(path.display) was moved or replaced while results were written into it: run the export again"
    case .foreignFile(let path, let why):
      "cannot export into \(path.parent.display): \(path.display) \(why): move it away"
    }
  }
}
