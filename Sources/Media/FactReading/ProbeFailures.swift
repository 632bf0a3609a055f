package import ByteReading
package import FFmpeg
import Linux
import MediaModel
import WorkerProtocol

// The conversion of all errors to one plain sentence each.

extension ProbeFailure {
  package init(_ error: AudioVideoError) {
    switch error.reason {
    case .damaged: self.init(.damaged, "The video's header cannot be read: it is damaged.")
    case .cutOff: self.init(.damaged, "The video is truncated: it ends within its header.")
    case .unsupported:
      self.init(.unsupported, "The video cannot be opened: \(error.detail.asPartOfSentence).")
    case .outOfMemory:
      self.init(.outOfMemory, "The video needs more memory than the limit for one file.")
    }
  }

  package init(_ error: ContainerError) {
    self.init(.damaged, error.description)
  }

  /// The failure for any error of a reader.
  package init(_ error: any Error) {
    switch error {
    case let failure as ProbeFailure: self = failure
    case let error as SystemError: self.init(error)
    case let error as ContainerError: self.init(error)
    default: self.init(.damaged, "The file cannot be read: its format is unknown or damaged.")
    }
  }
}
