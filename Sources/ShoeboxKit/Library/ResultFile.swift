import Exporter
package import Linux
package import MediaModel
import SystemPackage

/// A file of a name that the user chose, which is complete or does not appear. It replaces an earlier one of its kind
/// and no other file, because that may be an original.
package final class ResultFile: Sendable {
  /// A kind of files that Shoebox makes.
  package struct Kind: Sendable {
    /// The noun for it, without an article.
    let name: String
    /// The first bytes of such a file.
    let headLength: Int
    let isKnown: @Sendable ([UInt8]) -> Bool

    package init(
      _ name: String, headLength: Int, isKnown: @escaping @Sendable ([UInt8]) -> Bool
    ) {
      (self.name, self.headLength, self.isKnown) = (name, headLength, isKnown)
    }

    /// Whether an earlier file exists at a path and may be replaced; false if the name is free.
    ///
    /// - Throws: ``PhotoLibraryError/notReplaceable(_:reason:)`` if something else has the name,
    ///   ``PhotoLibraryError/system(path:reason:)`` if that is unknown.
    package func exists(at path: BytePath) throws(PhotoLibraryError) -> Bool {
      var head: [UInt8] = []
      var kind: FileStatus.Kind?
      do throws(SystemError) {
        kind = try path.status()?.kind
        if kind == .symbolicLink { kind = try FileStatus(of: path, followingLinks: true).kind }
        if kind == .regular {
          head = try ReadOnlyFile(path: path).read(at: 0, count: headLength)
        }
      } catch {
        throw .system(
          path: FilePath(path), reason: "\(path.display) cannot be examined: \(error.reason)")
      }
      guard let kind else { return false }
      if kind == .directory { throw .notReplaceable(FilePath(path), reason: "is a folder") }
      guard kind == .regular else {
        throw .notReplaceable(FilePath(path), reason: "is not a regular file")
      }
      guard isKnown(head) else {
        throw .notReplaceable(FilePath(path), reason: "exists and is not a \(name)")
      }
      return true
    }
  }

  /// Its final path.
  package let path: BytePath
  private let isReplacing: Bool
  private let staged: StagedFile

  /// Begins the file in the folder of its path.
  ///
  /// - Parameters:
  ///   - isReplacing: whether an earlier one is replaced, see ``Kind/exists(at:)``.
  ///   - isNamed: whether it has a temporary name from the beginning, ``temporaryPath``.
  package init(
    _ path: BytePath, isReplacing: Bool, removingLeftovers: Bool = true, isNamed: Bool = false
  ) throws(SystemError) {
    (self.path, self.isReplacing) = (path, isReplacing)
    if removingLeftovers { StagedFile.removeLeftovers(in: path.parent) }
    staged = try StagedFile(in: path.parent, isLocked: true, isNamed: isNamed)
  }

  /// The temporary path of a file that has one, for a library that opens files itself.
  var temporaryPath: BytePath { staged.path }

  /// The bytes written so far.
  package func size() throws(SystemError) -> UInt64 { try staged.file.size() }

  /// Writes bytes at a place.
  package func write(_ bytes: [UInt8], at offset: UInt64) throws(SystemError) {
    try staged.file.write(bytes, at: offset)
  }

  /// Gives the file its name.
  ///
  /// - Throws: ``PhotoLibraryError/system(path:reason:)`` if another process has made a file of that name meanwhile,
  ///   `SystemError`.
  package func publish() throws {
    try staged.file.seal(modified: millisecondsSince1970() * 1_000_000)
    try publishSealed()
  }

  /// Gives a file its name that another library has written.
  func publishWritten() throws {
    try staged.file.sync()
    try publishSealed()
    try staged.folder.sync()
  }

  private func publishSealed() throws {
    do {
      try staged.publish(as: path, replacing: isReplacing)
      try staged.syncNamed()
    } catch {
      guard error.isTaken else { throw error }
      throw PhotoLibraryError.system(
        path: FilePath(path),
        reason: "\(path.display) was created by another process, and is left as it is")
    }
  }
}
