import Catalog
import MediaModel
import Recognition
import WorkerProtocol

/// A file that has to be looked at, with what is known of it before.
struct ProbeItem: Sendable {
  /// Why it has to be looked at.
  enum Cause: Sendable {
    /// The catalog has no file of this name here.
    case new
    /// A known file with another size, time or inode.
    case changed
    /// A known file whose size, time and inode are as they were, which does not prove that its content is.
    case unproven
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

/// A file that was looked at, with what is to be kept of it.
///
/// Made in the task that heard the reply: weighing what a picture is takes no catalog, and so need not
/// wait for its turn there.
struct ProbedFile: Sendable {
  var item: ProbeItem
  var content: FileRecording.Content

  init(_ item: ProbeItem, _ reply: ProbeReply) {
    self.item = item
    switch reply {
    case .media(let facts, let fingerprint):
      let subject = RecognitionSubject(
        facts: facts, name: item.name, folders: item.path.parent.components)
      content = .media(subject.recognised, fingerprint, subject.labels)
    case .sidecar(let facts, let fingerprint):
      content = .sidecar(facts, fingerprint)
    case .other:
      content = .other(isTransient: false)
    case .failed(let failure):
      let isTransient = failure.reason.isTransient
      content =
        item.isNamedAsMedia
        ? .unreadable(error: failure.message, isTransient: isTransient)
        : .other(isTransient: isTransient)
    }
  }
}

extension ProbeItem {
  /// Whether a file that cannot be read should have been media, by its name.
  fileprivate var isNamedAsMedia: Bool {
    UniformType(fileExtension: FileNameParts(name: name).fileExtension)?.mediaType != nil
  }
}
