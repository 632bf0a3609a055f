import Indexer
import Linux
import MediaModel
public import SystemPackage

/// The phase and the progress of a scan at one moment.
public struct ScanEvent: Sendable, Hashable {
  /// The phases of a scan, in this order.
  public enum Phase: String, Sendable, Hashable, Codable, CaseIterable {
    /// Walks the folders, and reads new and changed files.
    case reading
    /// Decides which files belong together.
    case settling
    /// Adds texts to the search index.
    case indexingTexts
    /// Reads files that may be copies.
    case comparingCopies
  }

  /// The present phase of the scan.
  public let phase: Phase
  /// Files of the library, media or not, that were compared or read.
  public let filesSeen: Int
  /// The bytes in files that were read.
  public let bytesRead: Int64
  /// The folder or file that was read last.
  public let current: FilePath?
  /// In later phases than ``Phase/reading``: how many steps are done.
  public let completed: Int
  /// In later phases than ``Phase/reading``: how many steps there are. The number may grow.
  public let total: Int

  init(_ event: Indexer::ScanEvent) {
    phase =
      switch event.phase {
      case .reading: .reading
      case .settling: .settling
      case .indexingTexts: .indexingTexts
      case .comparingCopies: .comparingCopies
      }
    (filesSeen, bytesRead) = (event.filesSeen, event.bytesRead)
    current = event.current.map(FilePath.init)
    (completed, total) = (event.completed, event.total)
  }
}
