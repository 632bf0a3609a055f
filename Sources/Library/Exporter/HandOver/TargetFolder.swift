package import Catalog
import Linux
package import MediaModel

/// The folder that an export writes into, with the record of what earlier ones made there.
package struct TargetFolder: Sendable {
  /// Absolute; without symbolic links as far as it exists.
  package let path: BytePath
  private let libraries: [RootRecord]
  /// The catalog's key, by which it knows the lines of the record that it has written; nil where it has none.
  let key: [UInt8]?
  private let libraryFiles: @Sendable (_ inode: UInt64) throws -> [BytePath]

  /// - Parameter libraryFiles: the paths of the library's files that have, or had, an inode.
  package init(
    _ path: BytePath, libraries: [RootRecord], key: [UInt8]? = nil,
    libraryFiles: @escaping @Sendable (_ inode: UInt64) throws -> [BytePath] = { _ in [] }
  ) {
    self.path = path
    self.libraries = libraries
    self.key = key
    self.libraryFiles = libraryFiles
  }

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
  ///   - compared: the assets whose earlier results the plan compares with the files that are here; nil for all.
  package func state(
    of interest: ExportRecord.Interest? = nil, listing folders: Set<String> = [],
    comparing compared: Set<String>? = nil
  ) throws(ExportError) -> TargetState {
    do throws(SystemError) {
      let tree: TargetTree
      do {
        tree = try TargetTree(path)
      } catch  where error.isNotFound {
        return TargetState()
      }
      return try state(in: tree, of: interest, listing: folders, comparing: compared)
    } catch {
      throw unusable(error)
    }
  }

  /// Those of the files of a library that exports into this folder have made, and that are as they were made.
  func results(among files: [BytePath]) throws(ExportError) -> Set<BytePath> {
    let folder = (try? path.resolved()) ?? path
    let inside = Set(files.filter { $0.isWithin(folder) })
    guard !inside.isEmpty else { return [] }
    let state = try state()
    let entries = state.record.history.values.lazy.flatMap(\.self).filter { entry in
      guard entry.isOwn, let stamp = state.versions[entry.target] else { return false }
      return entry.isAbout(stamp, keepsInodes: state.keepsInodes)
    }
    return inside.intersection(entries.map { folder.appending($0.target) })
  }

  /// What is in a tree of this folder that was opened; the parameters are those of ``state(of:listing:comparing:)``.
  func state(
    in tree: TargetTree, of interest: ExportRecord.Interest?, listing folders: Set<String> = [],
    comparing compared: Set<String>? = nil
  ) throws(SystemError) -> TargetState {
    var state = TargetState(keepsInodes: tree.root.keepsInodes)
    // Before the records: a file that another task names meanwhile is in its record already, and is not taken for a
    // foreign one.
    for folder in folders { state.names[folder] = try names(in: folder, tree) }
    (state.record, state.recordStamps) = try RecordReading(tree.root, key: key).records(interest)
    let targets = Set(
      state.record.history.lazy.filter { compared?.contains($0.key.identifier) ?? true }
        .flatMap(\.value).map(\.target)
    ).sorted()
    for target in targets {
      guard let status = try tree.status(of: target), status.kind == .regular else { continue }
      state.versions[target] = status.stamp
    }
    return state
  }

  /// Whether the records that matter to an export are still what a state was read from.
  ///
  /// - Parameter shard: the export's. Other tasks' records are not about its assets.
  func isUpToDate(_ state: TargetState, in tree: TargetTree, for shard: Shard?) -> Bool {
    let names = [Array(ExportRecord.fileName.utf8)] + (shard.map { [ShardRecord($0).name] } ?? [])
    return names.allSatisfy { name in
      let now = try? tree.root.status(of: name)
      return now?.stamp == state.recordStamps[name]
    }
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

  /// Whether a file is one of the library, which may have it through a symbolic link, or on a file system that is mounted a
  /// second time.
  ///
  /// - Parameters:
  ///   - status: the file's own, not that of the file that a symbolic link leads to.
  ///   - sources: files of the library as they are now, whatever their inodes were when they were scanned.
  func isInLibrary(_ status: FileStatus, sources: some Sequence<BytePath>) throws -> Bool {
    let identity = FileIdentity(status)
    // Size and time do not count: they may be of an earlier state of the file.
    return try (libraryFiles(identity.inode) + sources).contains { path in
      (try? FileStatus(of: path, followingLinks: true)).map(FileIdentity.init) == identity
    }
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
