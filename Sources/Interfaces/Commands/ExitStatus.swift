import Linux
import MediaModel
import Presets
import Query
import ShoeboxKit
import SystemPackage

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
    case let error as PhotoLibraryError: self.init(error)
    case is SystemError: self = .inputOutput
    case is BadValue, is UnknownWord, is PresetProblem, is PresetChoiceError, is InvalidSettings:
      self = .badData
    case let failure as Failure: self = failure.status
    default: return nil
    }
  }

  private init(_ error: PhotoLibraryError) {
    self =
      switch error {
      case .busy, .busyFolder: .busy
      case .cancelled: .interrupted
      case .folder: .unavailable
      case .noFolders, .nestedFolders, .notReplaceable: .usage
      case .unknownAsset, .noAsset, .unreadable: .someFailed
      case .knownFolder, .unknownFolder, .invalidFilter, .invalidCursor, .invalidRepresentation,
        .invalidNameTemplate, .unknownAlbum, .invalidAlbum:
        .badData
      case .catalog, .expiredToken, .readOnly, .workersMissing, .workers, .export, .tooManyRequests,
        .system:
        .inputOutput
      }
  }
}

extension ExitStatus {
  /// From the least to the most serious. What the user has to repair follows what may pass by itself.
  private static let order: [ExitStatus] = [
    .success, .someFailed, .unavailable, .busy, .usage, .badData, .inputOutput, .interrupted,
  ]

  private var seriousness: Int { Self.order.firstIndex(of: self) ?? 0 }

  /// The one of two results of a command that its exit status reports.
  func moreSerious(_ other: ExitStatus) -> ExitStatus {
    other.seriousness > seriousness ? other : self
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

extension CommandContext {
  /// What an error says on the command line, which has remedies of its own.
  static func sentence(of error: any Error) -> String {
    if error is CancellationError || error as? PhotoLibraryError == .cancelled {
      return "it was interrupted"
    }
    guard let error = error as? PhotoLibraryError else { return "\(error)" }
    switch error {
    case .noFolders: return "\(error), as in `shoebox scan ~/Pictures`"
    case .workersMissing(let searched):
      let program = searched.first.map { BytePath($0).display } ?? "shoebox-codec"
      return
        "the program \(program) is missing: install Shoebox again, or name it in "
        + "$SHOEBOX_CODEC or $SHOEBOX_PROBE"
    default: return error.description
    }
  }
}
