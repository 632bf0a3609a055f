package import MediaModel
package import POSIX
import Synchronization

/// A file that is being made in the folder it will lie in, under a passing name; gone with this value
/// unless it was published.
///
/// That it is still being made is told by a lock. What an export makes is also written by other processes
/// and through other descriptors, which a lock on the file itself would keep from it where locks are
/// mandatory (SMB shares, see "CIFS details" in flock(2)): there the lock of the whole export speaks for
/// it, which lies in this folder or in one above.
package final class StagedFile: Sendable {
  private static let prefix = Array(".shoebox-".utf8)
  private static let suffix = Array(".partial".utf8)

  package let file: OutputFile
  private let isPublished = Atomic(false)

  /// Whether a name is one that results have while they are made.
  static func isPassingName(_ name: [UInt8]) -> Bool {
    name.starts(with: prefix) && name.suffix(suffix.count) == suffix[...]
  }

  /// Removes what killed processes have left in a folder.
  ///
  /// - Parameter target: the folder of the export that asks, whose lock it holds itself.
  package static func removeLeftovers(in folder: BytePath, exportingTo target: BytePath? = nil) {
    guard let directory = try? Directory(reading: folder, namesOnly: true) else { return }
    let leftovers = directory.entries.filter {
      $0.kind == .regular && isPassingName($0.name)
    }
    guard !leftovers.isEmpty, !isExportUnderWay(in: folder, besides: target) else { return }
    for entry in leftovers {
      let leftover = folder.appending(entry.name)
      guard let lock = try? FileLock.take(leftover) else { continue }
      try? leftover.removeFile()
      _ = consume lock
    }
  }

  /// Whether an export into a folder or one above it goes on.
  private static func isExportUnderWay(in folder: BytePath, besides own: BytePath?) -> Bool {
    // Where that cannot be told, nothing is removed.
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
  package init(in folder: BytePath, isLocked: Bool = false) throws(SystemError) {
    while true {
      let number = String(UInt64.random(in: 0...UInt64.max), radix: 16)
      let path = folder.appending(Self.prefix + Array(number.utf8) + Self.suffix)
      do {
        file = try OutputFile.create(path)
      } catch {
        if error.isTaken { continue }
        throw error
      }
      if isLocked { file.lock() }
      return
    }
  }

  deinit {
    if !isPublished.load(ordering: .relaxed) { try? file.path.removeFile() }
  }

  /// Gives the file its name.
  ///
  /// - Throws: `SystemError` with ``SystemError/isTaken`` if something has the name and may keep it.
  package func publish(as name: BytePath, replacing: Bool) throws(SystemError) {
    try file.path.rename(to: name, replacing: replacing)
    isPublished.store(true, ordering: .relaxed)
  }
}
