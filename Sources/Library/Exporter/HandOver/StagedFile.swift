package import Linux
package import MediaModel
import Synchronization

/// A file that is being made in the folder it will be in, under a temporary name; removed with this value
/// unless it was published.
///
/// A lock shows that it is still being made. What an export makes is also written by other processes
/// and through other descriptors, which a lock on the file itself would keep from it where locks are
/// mandatory (SMB shares, see "CIFS details" in flock(2)): there the lock of the whole export speaks for
/// it, which is in this folder or in one above.
///
/// All that is done with its names is done in the folder that was opened, whatever its path leads to by then.
package final class StagedFile: Sendable {
  private static let prefix = Array(".shoebox-".utf8)
  private static let suffix = Array(".partial".utf8)

  package let file: OutputFile
  package let folder: OpenFolder
  private let name: [UInt8]
  /// The temporary path, for a library that opens files itself.
  package var path: BytePath { folder.path.appending(name) }
  /// Whether the temporary name is gone. After an exchange of names it is that of the file that gave way.
  private let isPublished = Atomic(false)

  /// Whether a name is one that results have while they are made.
  static func isTemporaryName(_ name: [UInt8]) -> Bool {
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
      if folder != own, FileLock.isHeld(exportLock(in: folder)) { return true }
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
  /// - Parameter isLocked: whether it has a lock of its own: for what only ``file`` writes to, and no
  ///   export's lock speaks for.
  package convenience init(in folder: BytePath, isLocked: Bool = false) throws(SystemError) {
    try self.init(in: OpenFolder(folder), isLocked: isLocked)
  }

  /// Makes an empty file in an open folder.
  package init(in folder: OpenFolder, isLocked: Bool = false) throws(SystemError) {
    self.folder = folder
    while true {
      let number = String(UInt64.random(in: 0...UInt64.max), radix: 16)
      let name = Self.prefix + Array(number.utf8) + Self.suffix
      do {
        file = try OutputFile.create(name, in: folder)
      } catch {
        if error.isTaken { continue }
        throw error
      }
      self.name = name
      if isLocked { file.lock() }
      return
    }
  }

  deinit {
    if !isPublished.load(ordering: .relaxed) { try? folder.removeFile(name) }
  }

  /// Gives the file its name.
  ///
  /// - Parameter path: of which the last component is the name.
  /// - Throws: `SystemError` with ``SystemError/isTaken`` if something has the name and may keep it.
  package func publish(as path: BytePath, replacing: Bool) throws(SystemError) {
    try folder.rename(name, to: path.lastComponent, replacing: replacing)
    isPublished.store(true, ordering: .relaxed)
  }

  /// Gives the file the name of another, which gets this one's temporary name and is removed with this value.
  ///
  /// - Returns: whether ``takeBack(from:)`` can undo it; where the file system cannot exchange names, the other
  ///   file has given way for good.
  package func publish(exchangingWith path: BytePath) throws(SystemError) -> Bool {
    if try folder.exchange(name, with: path.lastComponent) { return true }
    try publish(as: path, replacing: true)
    return false
  }

  /// Removes the file that gave way in an exchange of names, if there was one.
  ///
  /// - Throws: `SystemError`, whose path is the temporary name that the file still has.
  package func removeReplaced() throws(SystemError) {
    guard !isPublished.load(ordering: .relaxed) else { return }
    try folder.removeFile(name)
    isPublished.store(true, ordering: .relaxed)
  }

  /// Undoes an exchange of names.
  package func takeBack(from path: BytePath) throws(SystemError) {
    _ = try folder.exchange(name, with: path.lastComponent)
  }
}
