package import Catalog
package import MediaModel
package import POSIX

/// The folder that an export writes into, with the record of what earlier ones made there.
package struct TargetFolder: Sendable {
  /// Absolute; without symbolic links as far as it exists.
  package let path: BytePath
  private let libraries: [RootRecord]

  package init(_ path: BytePath, libraries: [RootRecord]) {
    self.path = path
    self.libraries = libraries
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

  /// What lies here now; nothing is changed.
  ///
  /// - Parameter folders: those below this one whose names the plan needs to know.
  package func state(listing folders: Set<String> = []) throws(ExportError) -> TargetState {
    let record = try record()
    var state = TargetState(record: record)
    do throws(SystemError) {
      for entry in record.entries.values {
        guard let status = try path(of: entry.target).status(), status.kind == .regular
        else { continue }
        state.versions[entry.target] = ExportRecord.Version(status.stamp)
      }
      for folder in folders { state.names[folder] = try names(in: folder) }
    } catch {
      throw .unusableTarget(path, error)
    }
    return state
  }

  /// The names in a folder below this one, which may be a link to another; none if it is not there.
  private func names(in folder: String) throws(SystemError) -> Set<String> {
    do {
      let directory = try Directory(reading: path(of: folder).resolved(), namesOnly: true)
      return Set(directory.entries.map { String(decoding: $0.name, as: UTF8.self) })
    } catch  where error.isNotFound {
      return []
    }
  }

  private func record() throws(ExportError) -> ExportRecord {
    do {
      let file = try ReadOnlyFile(path: recordPath)
      return ExportRecord(try file.read(at: 0, count: Int(clamping: file.size)))
    } catch {
      if error.isNotFound { return ExportRecord() }
      throw .unusableTarget(path, error)
    }
  }

  /// Whether a folder lies in the library, by whatever path it is reached.
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
  func open() throws(ExportError) -> FileLock {
    do {
      try path.makeFolders(isShared: true)
      if let lock = try FileLock.take(StagedFile.exportLock(in: path)) { return lock }
    } catch {
      throw .unusableTarget(path, error)
    }
    throw .busyTarget(path)
  }

  /// Removes what killed exports have left under passing names, here and in folders below.
  ///
  /// - Parameters:
  ///   - noted: as the record has them, which anybody may have written: no link leads out of here.
  ///   - wanted: what is written into anyhow.
  func sweep(_ noted: Set<String>, surely wanted: Set<String>) {
    guard let own = try? path.resolved() else { return }
    for folder in noted.union(wanted).union([""]) {
      guard let place = try? path(of: folder).resolved(),
        wanted.contains(folder) || place.isWithin(own)
      else { continue }
      StagedFile.removeLeftovers(in: place, exportingTo: own)
    }
  }

  /// Writes the record anew if much of it no longer counts.
  func compact(_ record: ExportRecord) throws(SystemError) {
    guard record.staleLines > 0 else { return }
    let staged = try StagedFile(in: path)
    try staged.file.write(record.bytes, at: 0)
    try staged.file.seal(modified: millisecondsSince1970() * 1_000_000)
    try staged.publish(as: recordPath, replacing: true)
  }
}

/// Why an export cannot begin, or had to end before it was done.
package enum ExportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another export is writing there.
  case busyTarget(BytePath)
  case diskFull(BytePath)
  /// The target's folder cannot be made, read or written.
  case unusableTarget(BytePath, SystemError)

  package var description: String {
    switch self {
    case .busyTarget(let path):
      "another export is writing into \(path.display): wait until it has finished"
    case .diskFull(let path):
      "the disk that holds \(path.display) is full: what is finished stays, the rest is not there"
    case .unusableTarget(let path, let error):
      "cannot export into \(path.display): \(error.reason)"
    }
  }
}
