import Importer
import Linux
import MediaModel
public import SystemPackage

/// The result of an import, or of its dry run.
public struct ImportReport: Sendable, Hashable {
  /// The outcome for a file of the source.
  public enum Action: String, Sendable, Hashable, Codable, CaseIterable {
    /// It was copied; in a dry run, it would be.
    case copied
    /// The library has its content already.
    case known
    /// It is a sidecar, and the library has another version of it, which stays.
    case kept
    /// It could not be copied.
    case failed
  }

  /// A file of the source.
  public struct File: Sendable, Hashable {
    /// Its path on the source.
    public let source: FilePath
    /// The file of the library: the copy, or one with the same content.
    public let target: FilePath?
    /// Its outcome.
    public let action: Action
    /// Bytes.
    public let size: Int64
    /// Why it failed; of a copied or known file, why it cannot be read as a picture or video. The copy is exact.
    public let message: String?
    /// For a copied file: the path of a file with this content in the catalog, which is not there. If a user has moved it,
    /// the copy is a duplicate, which a scan before the import prevents.
    public let absentTwin: FilePath?

    init(_ item: ImportItem) {
      (source, target) = (FilePath(item.source), item.target.map { FilePath($0) })
      action =
        switch item.action {
        case .copied: .copied
        case .known: .known
        case .kept: .kept
        case .failed: .failed
        }
      (size, message) = (item.size, item.error)
      absentTwin = item.absentTwin.map { FilePath($0) }
    }
  }

  /// Pictures, videos and their sidecars on the source, by path.
  public let files: [File]
  /// Other files on the source, which stay there; among them sidecars of pictures that the library has outside of the target.
  public let leftFiles: [FilePath]
  /// Folders and files of the source that could not be read at all, and why.
  public let failures: [ScanReport.Failure]
  /// Whether the import was cancelled. Copies that are complete stay, and the next import does the rest.
  public let isInterrupted: Bool
  /// The report of the scan that followed; nil if there was none.
  public let scan: ScanReport?
  /// Why there was no scan, for example because another one was running; nil if there was one, or after a dry run.
  public let scanFailure: PhotoLibraryError?
  /// The error that ended the import early, for example a full disk.
  public let failure: PhotoLibraryError?
  /// How long it took.
  public let duration: Duration

  /// The number of files with an action.
  public func count(_ action: Action) -> Int { files.count { $0.action == action } }

  /// The bytes of the files that were copied.
  public var bytesCopied: Int64 {
    files.reduce(Int64(0)) { $0.adding(size: $1.action == .copied ? $1.size : 0) }
  }
}
