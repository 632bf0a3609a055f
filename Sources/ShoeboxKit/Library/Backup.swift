import Catalog
import Linux
package import MediaModel
public import SystemPackage

extension PhotoLibrary {
  /// Copies the catalog to a file, also while a scan runs. The copy is complete and synced, or does not appear. To use
  /// it, copy it to where the catalog was. It does not contain pictures.
  ///
  /// - Parameter file: replaced if it is an earlier backup.
  /// - Returns: the bytes of the copy.
  /// - Throws: ``PhotoLibraryError/notReplaceable(_:reason:)`` if another file has the name,
  ///   ``PhotoLibraryError/system(path:reason:)``, ``PhotoLibraryError/catalog(path:reason:)``,
  ///   ``PhotoLibraryError/cancelled``.
  @concurrent @discardableResult
  nonisolated public func backup(to file: FilePath) async throws(PhotoLibraryError) -> Int64 {
    try await onThreads {
      let target = try BytePath(file).absolute()
      let isReplacing = try Self.backup.exists(at: target)
      let result: ResultFile
      do throws(SystemError) {
        result = try ResultFile(target, isReplacing: isReplacing, isNamed: true)
      } catch {
        throw PhotoLibraryError.system(
          path: file, reason: "\(target.display) cannot be written: \(error.reason)")
      }
      try await catalog.copy(to: result.temporaryPath)
      let size = try result.size()
      try result.publishWritten()
      return Int64(clamping: size)
    }
  }

  /// Whether a file is a backup of another catalog than this one; false if it cannot be read.
  package nonisolated func isOfOtherCatalog(_ backup: BytePath) -> Bool {
    guard let other = try? Catalog.open(at: backup.display, mode: .readOnly).identity(),
      let own = try? catalog.identity()
    else { return false }
    return other != own
  }

  /// An SQLite file of Shoebox without a write-ahead log: no process has written it since it was made. (Database File
  /// Format, 1.3: the header's bytes 18 and 19 are 1, the application id is at 68.)
  private static var backup: ResultFile.Kind {
    ResultFile.Kind("backup of a catalog", headLength: 72) { head in
      head.count == 72 && head.starts(with: Array("SQLite format 3\0".utf8))
        && head[18] == 1 && head[19] == 1 && head[68...].elementsEqual(Array("Shbx".utf8))
    }
  }
}
