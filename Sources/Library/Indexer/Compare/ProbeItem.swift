import MediaModel

/// A file that has to be looked at, with what is known of it before.
struct ProbeItem: Sendable {
  /// Why it has to be looked at.
  enum Cause: Sendable {
    /// The catalog has no file of this name here.
    case new
    /// A known file with another size, time or inode.
    case changed
    /// A known file whose size, time and inode are as they were, which does not prove that its content is.
    case doubted
    /// A known file that could not be read last time.
    case retried
    /// A known file under another name: what follows from the name must be told anew.
    case renamed
  }

  var folderID: Int64
  var path: BytePath
  var name: [UInt8]
  var stamp: FileStamp
  /// As ``FileRecord/changed``.
  var changed: Int64
  var cause: Cause
  /// The row of the known file.
  var fileID: Int64?
}
