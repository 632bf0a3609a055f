package import MediaModel
package import POSIX
import Synchronization

/// A file that is being made in the folder it will lie in, under a passing name; gone with this value
/// unless it was published.
package final class StagedFile: Sendable {
  private static let prefix = Array(".shoebox-".utf8)
  private static let suffix = Array(".partial".utf8)

  package let file: OutputFile
  /// Tells the next export that this one still lives.
  private let lock: FileLock?
  private let isPublished = Atomic(false)

  /// Whether a name is one that results have while they are made.
  static func isPassingName(_ name: [UInt8]) -> Bool {
    name.starts(with: prefix) && name.suffix(suffix.count) == suffix[...]
  }

  /// Removes what killed processes have left in a folder.
  package static func removeLeftovers(in folder: BytePath) {
    guard let directory = try? Directory(reading: folder, namesOnly: true) else { return }
    for entry in directory.entries where isPassingName(entry.name) {
      let leftover = folder.appending(entry.name)
      // Whoever is still at work on it holds its lock.
      guard entry.kind == .regular, let lock = try? FileLock.take(leftover) else { continue }
      try? leftover.removeFile()
      _ = consume lock
    }
  }

  /// Makes an empty file in a folder that exists.
  package init(in folder: BytePath) throws(SystemError) {
    while true {
      let number = String(UInt64.random(in: 0...UInt64.max), radix: 16)
      let path = folder.appending(Self.prefix + Array(number.utf8) + Self.suffix)
      do {
        file = try OutputFile.create(path)
      } catch {
        if error.isTaken { continue }
        throw error
      }
      // Where there are no locks, leftovers stay until somebody removes them.
      lock = (try? FileLock.take(path)) ?? nil
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
