import Catalog
import MediaModel
import Recognition
import WorkerProtocol

/// A file that has to be read, with what the catalog contains of it.
struct ProbeItem: Sendable {
  /// Why it has to be read.
  enum Cause: Sendable {
    /// The catalog has no file of this name here.
    case new
    /// A known file with another size, time or inode.
    case changed
    /// A known file with the same size, time and inode, whose content may still have changed.
    case unproven
    /// A known file that could not be read last time.
    case retried
    /// A known file under another name: labels that depend on the name have to be re-evaluated.
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

  /// Equal for all files of a folder whose names may relate them.
  var family: Int64 { FamilyKey(name).number }
}

/// A file that was read, with what to record of it.
///
/// Recognition runs in the task that received the reply: it needs no catalog, and so does not wait for it.
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
  /// Whether a file's extension is that of a media type.
  fileprivate var isNamedAsMedia: Bool {
    UniformType(fileExtension: FileNameParts(name: name).fileExtension)?.mediaType != nil
  }
}
