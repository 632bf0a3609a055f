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
    /// A known file with another size or time.
    case changed
    /// A known file with the same size and time, whose content may still have changed.
    case unproven
    /// A known file that could not be read last time.
    case retried
    /// A known file that was missing and is back, with the same size, time and inode.
    case returned
    /// A known file under another name: labels that depend on the name have to be re-evaluated.
    case renamed

    /// Whether the file has the recorded size and time.
    var leavesContent: Bool {
      switch self {
      case .retried, .returned, .renamed, .unproven: true
      case .new, .changed: false
      }
    }
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

/// The files of one folder that have to be read.
///
/// An element is created when it is accessed: a folder may have a million.
struct ProbeItems: Sendable, RandomAccessCollection {
  private struct Known: Sendable {
    var cause: ProbeItem.Cause
    var fileID: Int64
  }

  private let folder: Int64
  private let path: BytePath
  private let files: ListedFiles
  /// The indices of the files among the listed ones.
  private var order: [UInt32] = []
  /// What is known of some of the files, by their indices. Usually few are known, or few are new.
  private var known: [UInt32: Known] = [:]

  /// - Parameters:
  ///   - folder: the folder's row.
  ///   - path: its full path.
  init(folder: Int64, path: BytePath, _ files: ListedFiles) {
    (self.folder, self.path, self.files) = (folder, path, files)
  }

  var startIndex: Int { 0 }
  var endIndex: Int { order.count }

  subscript(index: Int) -> ProbeItem {
    let file = files[Int(order[index])]
    let known = known[order[index]]
    return ProbeItem(
      folderID: folder, path: path.appending(file.name), name: file.name, stamp: file.stamp,
      changed: file.changed, cause: known?.cause ?? .new, fileID: known?.fileID)
  }

  /// The rows of those that are known.
  var knownFiles: some Sequence<Int64> { known.values.lazy.map(\.fileID) }

  mutating func reserveCapacity(_ count: Int) { order.reserveCapacity(count) }

  /// - Parameter index: that of the file among the listed ones.
  mutating func append(new index: Int) { order.append(UInt32(index)) }

  /// - Parameters:
  ///   - index: that of the file among the listed ones.
  ///   - fileID: the row of the known file.
  mutating func append(_ index: Int, _ cause: ProbeItem.Cause, known fileID: Int64) {
    order.append(UInt32(index))
    known[UInt32(index)] = Known(cause: cause, fileID: fileID)
  }

  /// A rotating disk reads files fastest in the order of their inodes, which is close to that of their blocks.
  mutating func sortByInode() {
    let files = files
    order.sort { files.inode(at: Int($0)) < files.inode(at: Int($1)) }
  }
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
    case .other, .passedOn:
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
