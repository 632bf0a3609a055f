package import ByteReading
package import FFmpeg
package import LibHeif
package import Linux
import MediaModel
import WorkerProtocol

// How every kind of error becomes one plain sentence for a person.

extension ProbeFailure {
  package init(_ error: SystemError) {
    let reason = error.reason.asPartOfSentence
    switch error {
    case _ where error.isDiskFull: self.init(.diskFull, "The disk is full.")
    case _ where error.isFileTooLarge:
      self.init(.inaccessible, "The result is larger than a file may become in the target.")
    case _ where error.operation == "write":
      self.init(.inaccessible, "The result cannot be written: \(reason).")
    default: self.init(.inaccessible, "The file cannot be read: \(reason).")
    }
  }

  package init(_ error: HeifError) {
    switch error.reason {
    case .damaged:
      self.init(.damaged, "The HEIF picture is damaged: \(error.detail.asPartOfSentence).")
    case .unsupported:
      self.init(
        .unsupported, "The HEIF picture cannot be opened: \(error.detail.asPartOfSentence).")
    case .outOfMemory:
      self.init(.outOfMemory, "The HEIF picture asks for more memory than one file may cost.")
    }
  }

  package init(_ error: AudioVideoError) {
    switch error.reason {
    case .damaged: self.init(.damaged, "The video's header cannot be understood.")
    case .cutOff: self.init(.damaged, "The video ends before its header does.")
    case .unsupported:
      self.init(.unsupported, "The video cannot be opened: \(error.detail.asPartOfSentence).")
    case .outOfMemory:
      self.init(.outOfMemory, "The video asks for more memory than one file may cost.")
    }
  }

  package init(_ error: ContainerError) {
    self.init(.damaged, error.description)
  }

  /// Any error that a reader throws.
  package init(_ error: any Error) {
    switch error {
    case let failure as ProbeFailure: self = failure
    case let error as SystemError: self.init(error)
    case let error as ContainerError: self.init(error)
    default: self.init(.damaged, "The file cannot be understood.")
    }
  }
}

extension String {
  /// A library's message as the end of a sentence: its first letter small unless a second capital
  /// follows, no full stop, line breaks as blanks.
  package var asPartOfSentence: String {
    var text = replacing("\n", with: " ")
    while text.last == "." || text.last == " " { text.removeLast() }
    guard let first = text.first, text.dropFirst().first?.isUppercase != true else { return text }
    return first.lowercased() + text.dropFirst()
  }
}
