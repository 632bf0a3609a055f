package import ByteReading
import Linux
import MediaModel
import WorkerProtocol

// The conversion of all errors to one plain sentence each.

extension ProbeFailure {
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
