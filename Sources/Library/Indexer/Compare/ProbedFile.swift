import Catalog
import MediaModel
import Recognition
import WorkerProtocol

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
        item.promisesMedia
        ? .unreadable(error: failure.message, isTransient: isTransient)
        : .other(isTransient: isTransient)
    }
  }
}

extension ProbeItem {
  /// Whether a file that cannot be read should have been media, by its name.
  fileprivate var promisesMedia: Bool {
    UniformType(fileExtension: FileNameParts(name: name).fileExtension)?.mediaType != nil
  }
}
