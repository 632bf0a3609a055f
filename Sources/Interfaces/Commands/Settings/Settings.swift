import Logging
import Logs
import MediaModel
import Query
import ShoeboxKit

/// What the configuration file and the environment set. Flags override it.
package struct Settings: Sendable, Hashable {
  /// The file that was read; nil if there was none.
  var file: BytePath?
  var catalog: String?
  /// The library folders that scans without a folder add and update.
  var roots: [String] = []
  var exclude: [String] = []
  var oneFileSystem = false
  var followLinks = false
  var jobs: Int?
  var nightly = Nightly()
  var notification: Notification?
  var logFormat = LogFormat.auto
  /// Messages below it are dropped.
  var logLevel = Logger.Level.info
  /// What is wrong with the file and the variables, each a sentence with its place.
  var mistakes: [String] = []

  /// What a nightly run does.
  struct Nightly: Sendable, Hashable {
    /// Seconds to wait for another scan to end.
    var wait = 4 * 3600.0
    /// The folder for copies of the catalog; nil for none.
    var backup: String?
    var backupsKept = 7
    var thumbnails = true
    var verification = VerificationAmount.share(1 / 30)
    /// The largest share of a root's files that may be gone, 0...1.
    var maximumLoss = 0.25
    /// After this number of nights in a row, an absent disk is an alarm.
    var absentNights = 3
    /// The arguments of each `shoebox export`.
    var exports: [[String]] = []
    /// The file for the report as a page; nil for none.
    var report: String?
    /// The file for the figures, in the text format of Prometheus; nil for none.
    var metrics: String?
  }

  /// How much content a nightly run verifies.
  enum VerificationAmount: Sendable, Hashable {
    case nothing
    /// Of all bytes, 0...1.
    case share(Double)
    case bytes(Int64)

    /// In the form of the kit; nil for nothing.
    var extent: VerificationExtent? {
      switch self {
      case .nothing: nil
      case .share(1): .all
      case .share(let share): .share(share)
      case .bytes(let bytes): .slice(bytes: bytes)
      }
    }
  }

  /// Who receives a report.
  struct Notification: Sendable, Hashable {
    enum Occasion: String, WordChoice, CaseIterable {
      /// After every run.
      case always
      /// If something has changed or failed.
      case changes
      /// If the exit status is not 0.
      case problems
    }

    /// The program and its arguments.
    var command: [String]
    var occasion = Occasion.changes
  }
}

/// The configuration is invalid. Each mistake is a sentence with its place.
struct InvalidSettings: Error {
  let mistakes: [String]
}

extension LogFormat: WordChoice {}

/// The names of the settings, as in the file.
enum SettingName: String, CaseIterable {
  case catalog, roots, exclude, oneFileSystem, followLinks, jobs
  case wait = "nightly.wait"
  case backup = "nightly.backup"
  case backupsKept = "nightly.backupsKept"
  case thumbnails = "nightly.thumbnails"
  case verify = "nightly.verify"
  case maximumLoss = "nightly.maximumLoss"
  case absentNights = "nightly.absentNights"
  case exports = "nightly.exports"
  case report = "nightly.report"
  case metrics = "nightly.metrics"
  case notifyCommand = "notify.command"
  case notifyWhen = "notify.when"
  case logFormat = "log.format"
  case logLevel = "log.level"

  /// The environment's variable: `SHOEBOX_NIGHTLY_MAXIMUM_LOSS` of `nightly.maximumLoss`.
  var variable: String {
    var name = "SHOEBOX_"
    for character in rawValue {
      if character.isUppercase { name += "_" }
      name += character == "." ? "_" : character.uppercased()
    }
    return name
  }
}
