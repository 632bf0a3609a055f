package import Linux
package import MediaModel
import Synchronization

/// A file that is being made in the folder it will be in.
///
/// It has no name until it is published, so that nothing of it is left if this process is killed. Where the file system
/// has no such files, and while it replaces another file, it has a temporary name, which is removed with this value
/// unless the file was published.
///
/// A lock shows that a file with a temporary name is still being made. What an export makes is also written by other
/// processes and through other descriptors, which a lock on the file itself would keep from it where locks are
/// mandatory (SMB shares, see "CIFS details" in flock(2)): there the lock of the whole export speaks for
/// it, which is in this folder or in one above.
///
/// All that is done with its names is done in the folder that was opened, whatever its path leads to by then.
package final class StagedFile: Sendable {
  private static let prefix = Array(".shoebox-".utf8)
  private static let suffix = Array(".partial".utf8)

  package let file: OutputFile
  package let folder: OpenFolder
  /// The temporary name, if it has one.
  private let name: [UInt8]
  /// The temporary path, for a library that opens files itself; see `isNamed` of ``init(in:isLocked:isNamed:)``.
  package var path: BytePath { folder.path.appending(name) }

  private enum State: Int, AtomicRepresentable {
    case unnamed
    /// It has the temporary name. After an exchange of names that is the name of the file that gave way.
    case temporary
    /// The temporary name is gone, or was never given.
    case published
  }

  private let state: Atomic<State>
  /// Whether it had no name when its content was synced, and this file system then syncs only a part of it.
  private let needsSync: Bool

  /// Whether a name is one that results have while they are made.
  package static func isTemporaryName(_ name: [UInt8]) -> Bool {
    name.starts(with: prefix) && name.suffix(suffix.count) == suffix[...]
  }

  /// Removes what killed processes have left in a folder.
  package static func removeLeftovers(in path: BytePath) {
    guard let folder = try? OpenFolder(path) else { return }
    removeLeftovers(in: folder, exportingTo: nil)
  }

  /// Removes what killed processes have left in a folder.
  ///
  /// - Parameter target: the folder of the export that asks, which holds its lock itself.
  static func removeLeftovers(in folder: OpenFolder, exportingTo target: BytePath?) {
    guard let entries = try? folder.names() else { return }
    let leftovers = entries.filter { $0.kind == .regular && isTemporaryName($0.name) }
    guard !leftovers.isEmpty, !isExportUnderWay(in: folder.path, besides: target) else { return }
    for entry in leftovers {
      guard let lock = try? FileLock.take(entry.name, in: folder) else { continue }
      try? folder.removeFile(entry.name)
      _ = consume lock
    }
  }

  /// Whether an export into a folder or one above it goes on.
  private static func isExportUnderWay(in folder: BytePath, besides own: BytePath?) -> Bool {
    // If that is unknown, nothing is removed.
    guard var folder = try? folder.absolute() else { return true }
    while true {
      if folder != own, FileLock.isHeld(exportLock(in: folder), evenShared: true) { return true }
      if folder.parent == folder { return false }
      folder = folder.parent
    }
  }

  /// What an export into a folder locks.
  static func exportLock(in folder: BytePath) -> BytePath {
    folder.appending(".shoebox-export.lock")
  }

  /// Makes an empty file in a folder that exists.
  ///
  /// - Parameters:
  ///   - isLocked: whether it has a lock of its own: for what only ``file`` writes to, and no export's lock speaks for.
  ///   - isNamed: whether it has its temporary name from the beginning, for a library that opens files itself.
  package convenience init(
    in folder: BytePath, isLocked: Bool = false, isNamed: Bool = false
  ) throws(SystemError) {
    try self.init(in: OpenFolder(folder), isLocked: isLocked, isNamed: isNamed)
  }

  /// Makes an empty file in an open folder.
  package init(
    in folder: OpenFolder, isLocked: Bool = false, isNamed: Bool = false
  ) throws(SystemError) {
    self.folder = folder
    // 64 random bits: no other file has this name.
    name =
      Self.prefix + Array(String(UInt64.random(in: 0...UInt64.max), radix: 16).utf8) + Self.suffix
    if !isNamed, let unnamed = try OutputFile.createUnnamed(name, in: folder) {
      if isLocked { unnamed.lock() }
      file = unnamed
      state = Atomic(.unnamed)
      needsSync = !folder.syncsUnnamedFiles
    } else {
      file =
        isLocked
        ? try OutputFile.createLocked(name, in: folder) : try OutputFile.create(name, in: folder)
      state = Atomic(.temporary)
      needsSync = false
    }
  }

  deinit {
    if state.load(ordering: .relaxed) == .temporary { try? folder.removeFile(name) }
  }

  /// Gives a file that will replace another its temporary name, if it has none, and syncs it if necessary: only then
  /// may another file give way to it.
  package func prepareToReplace() throws(SystemError) {
    guard state.load(ordering: .relaxed) == .unnamed else { return }
    try file.link(as: name, in: folder)
    state.store(.temporary, ordering: .relaxed)
    if needsSync { try file.sync() }
  }

  /// Gives the file its name. ``syncNamed()`` must follow.
  ///
  /// - Parameter path: of which the last component is the name.
  /// - Throws: `SystemError` with ``SystemError/isTaken`` if something has the name and may keep it.
  package func publish(as path: BytePath, replacing: Bool) throws(SystemError) {
    if replacing { try prepareToReplace() }
    if state.load(ordering: .relaxed) == .unnamed {
      try file.link(as: path.lastComponent, in: folder)
    } else {
      try folder.rename(name, to: path.lastComponent, replacing: replacing)
    }
    state.store(.published, ordering: .relaxed)
  }

  /// Completes the sync of a file that had no name before. Its folder has to be synced too.
  package func syncNamed() throws(SystemError) {
    if needsSync { try file.sync() }
  }

  /// Gives the file the name of another, which gets this one's temporary name and is removed with this value.
  ///
  /// - Returns: whether ``takeBack(from:)`` can undo it; where the file system cannot exchange names, the other
  ///   file has given way for good.
  package func publish(exchangingWith path: BytePath) throws(SystemError) -> Bool {
    try prepareToReplace()
    if try folder.exchange(name, with: path.lastComponent) { return true }
    try publish(as: path, replacing: true)
    return false
  }

  /// Removes the file that gave way in an exchange of names, if there was one.
  ///
  /// - Throws: `SystemError`, whose path is the temporary name that the file still has.
  package func removeReplaced() throws(SystemError) {
    guard state.load(ordering: .relaxed) == .temporary else { return }
    try folder.removeFile(name)
    state.store(.published, ordering: .relaxed)
  }

  /// Undoes an exchange of names.
  package func takeBack(from path: BytePath) throws(SystemError) {
    _ = try folder.exchange(name, with: path.lastComponent)
  }
}
