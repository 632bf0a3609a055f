import Linux
import MediaModel

/// How a source was before it was read: a result is handed over only if it still is so afterwards.
struct SourceState {
  private let status: FileStatus

  /// Looks at a file that another process is about to read.
  ///
  /// - Throws: ``HandOverError`` if it is not as it was when it was selected; `SystemError`.
  init(of path: BytePath, in subject: ExportSubject) throws {
    try self.init(FileStatus(of: path, followingLinks: true), path, subject)
  }

  /// - Parameter status: of the file that has just been opened.
  init(_ status: FileStatus, _ path: BytePath, _ subject: ExportSubject) throws(HandOverError) {
    self.status = status
    // Not the inode: some file systems give a file another one each time they are asked.
    guard let selected = subject.stamps[path], selected.size == status.stamp.size,
      selected.modified == status.stamp.modified
    else { throw Self.changed }
  }

  /// - Throws: ``HandOverError`` if the file has changed since.
  func verify(_ now: FileStatus) throws(HandOverError) {
    guard now.stamp.size == status.stamp.size, now.stamp.modified == status.stamp.modified,
      now.changed == status.changed
    else { throw Self.changed }
  }

  static let changed = HandOverError(
    sentence: "The file changed while it was exported: run the export again.")
}
