package import Catalog

/// What a verification did.
package struct VerificationReport: Sendable, Hashable {
  /// Files whose content was read and compared, or recorded for the first time.
  package var checked = 0
  /// Of these: the content was not recorded before.
  package var first = 0
  /// Of these: a program has changed the file since the last check; its present content was recorded.
  package var edited = 0
  /// Of these: they had rotted, and the user has accepted their present content.
  package var accepted = 0
  /// Of these: the content is the recorded one again, after checks that found another or could not read it.
  package var recovered = 0
  /// Files that were not read because they have changed since the last scan.
  package var unscanned = 0
  /// Files that are gone.
  package var missing = 0
  /// Bytes that were read.
  package var bytes: Int64 = 0
  /// Files that this run left for later ones.
  package var remainingFiles = 0
  /// All files whose last check found other content with the same size and time, also if this run did not read them.
  package var rotted: [FailedCheck] = []
  /// All files whose last check could not read them.
  package var unreadable: [FailedCheck] = []
  package var isInterrupted = false
  package var seconds = 0.0

  /// Files that were read, or that a run cannot read.
  fileprivate(set) package var settledFiles = 0
}

/// What became of one file.
enum FileFinding: Sendable {
  case equal(RecordedContent, hasRecovered: Bool)
  case first(RecordedContent)
  case edited(RecordedContent)
  case accepted(RecordedContent)
  case rotted(FileJudgement.Evidence)
  case unreadable(reason: String)
  case unscanned
  case missing
  /// The run was cancelled.
  case stopped
}

extension VerificationReport {
  mutating func count(_ finding: FileFinding) {
    switch finding {
    case .equal(_, let hasRecovered):
      checked += 1
      if hasRecovered { recovered += 1 }
    case .first:
      checked += 1
      first += 1
    case .edited:
      checked += 1
      edited += 1
    case .accepted:
      checked += 1
      accepted += 1
    case .rotted: checked += 1
    case .unreadable: break
    case .unscanned: unscanned += 1
    case .missing: missing += 1
    case .stopped: return
    }
    settledFiles += 1
  }
}
