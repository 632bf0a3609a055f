import Catalog
import Exporter
import Indexer
import Linux
import MediaModel
import Presets
import Query
import Thumbnails
import WorkerPool

/// The exit status of a command. The numbers are those of `sysexits.h`, if it has one.
package enum ExitStatus: Int32, Sendable, CaseIterable {
  /// All done.
  case success = 0
  /// Finished, but some items failed; each was named.
  case someFailed = 1
  /// Wrong usage.
  case usage = 64
  /// Invalid data from the user: a filter, a preset, a configuration.
  case badData = 65
  /// A library folder that you named is unavailable.
  case unavailable = 69
  /// Input/output error, for example a full disk or an unreadable catalog.
  case inputOutput = 74
  /// Another scan holds the lock, or another export is writing to the same place.
  case busy = 75
  /// Interrupted; what was finished is kept.
  case interrupted = 130

  /// The exit status for an error that ends a command; nil for the argument parser's errors.
  init?(_ error: any Error) {
    switch error {
    case is CatalogError, is SystemError, is WorkerError, is ThumbnailCacheError:
      self = .inputOutput
    case RootError.nested: self = .usage
    case RootError.noFolder: self = .unavailable
    case let error as ExportError: self = error.isBusy ? .busy : .inputOutput
    case is BadValue, is UnknownWord, is RootError: self = .badData
    case is PresetProblem, is PresetChoiceError, is NameTemplateError: self = .badData
    case is AssetReferenceError: self = .someFailed
    case ScanScopeError.noRoots: self = .usage
    case ScanScopeError.knownByAnotherPath: self = .badData
    case is ScanScopeError: self = .unavailable
    case let failure as Failure: self = failure.status
    default: return nil
    }
  }
}

extension ExitStatus {
  /// Its meaning, for the manual.
  var meaning: String {
    switch self {
    case .success: "All done."
    case .someFailed: "Finished, but some items failed; each is named."
    case .usage: "Wrong usage."
    case .badData: "Invalid value: a filter, a date, a preset or an unknown word."
    case .unavailable: "A library folder that you named is unavailable."
    case .inputOutput: "Input/output error, for example a full disk or an unreadable catalog."
    case .busy: "Another scan uses the catalog, or another export uses the target folder."
    case .interrupted: "Interrupted; what was finished is kept."
    }
  }
}

/// An error message with the exit status of the command that it ends.
struct Failure: Error, CustomStringConvertible {
  let status: ExitStatus
  let description: String

  init(_ status: ExitStatus, _ description: String) {
    self.status = status
    self.description = description
  }
}

extension ExportError {
  fileprivate var isBusy: Bool {
    if case .busyTarget = self { true } else { false }
  }
}
