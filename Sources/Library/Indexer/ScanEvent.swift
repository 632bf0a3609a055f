package import Catalog
package import MediaModel
import Synchronization

/// What a scan does at the moment, and how far it has come.
package struct ScanEvent: Sendable {
  package enum Phase: Sendable, Comparable {
    /// Walks the folders and reads new and changed files.
    case reading
    /// Decides which files belong together.
    case settling
    /// Adds the texts of new and changed assets to the search index.
    case indexingTexts
    /// Reads the whole content of files that may be copies.
    case comparingCopies
  }

  package var phase: Phase
  package var counts: ScanCounts
  /// The bytes in files that were read.
  package var bytesRead: Int64 = 0
  /// In later phases than ``Phase/reading``: how many groups of files, assets or possible copies are done.
  package var completed = 0
  /// How many there are. The number may grow.
  package var total = 0
  /// A folder or file that was read last.
  package var current: BytePath?

  /// Files of the library, media or not, that were compared or read.
  package var filesSeen: Int { counts.scanned + counts.sidecars + counts.ignored }
}

/// The events of one scan. Several tasks report at once.
final class ScanEvents: Sendable {
  private let continuation: AsyncStream<ScanEvent>.Continuation?
  private let event = Mutex(ScanEvent(phase: .reading, counts: ScanCounts()))

  /// - Parameter continuation: nil without an observer.
  init(_ continuation: AsyncStream<ScanEvent>.Continuation?) {
    self.continuation = continuation
    report { _ in }
  }

  /// Reports a change.
  func report(_ change: (inout ScanEvent) -> Void) {
    // Under the lock, so that events arrive in their order.
    guard let continuation else { return }
    event.withLock { event in
      change(&event)
      continuation.yield(event)
    }
  }

  /// Reports that a phase begins.
  func begin(_ phase: ScanEvent.Phase, _ counts: ScanCounts) {
    report { event in
      (event.phase, event.counts) = (phase, counts)
      (event.completed, event.total, event.current) = (0, 0, nil)
    }
  }

  /// Reports how much is done, if the scan is in this phase. The search for copies goes through them more than once;
  /// what was done stays done.
  func report(_ completed: Int, of total: Int, in phase: ScanEvent.Phase) {
    guard let continuation else { return }
    event.withLock { event in
      guard event.phase == phase else { return }
      event.completed = max(event.completed, completed)
      event.total = max(total, event.completed)
      continuation.yield(event)
    }
  }
}
