import Catalog
import Exporter
import Indexer
import Linux
import MediaModel
import Query
public import SystemPackage
import WorkerPool

/// Why a library cannot do what it was asked for. The description is a sentence with the remedy.
public enum PhotoLibraryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The catalog cannot be opened, read or written.
  case catalog(path: FilePath, reason: String)
  /// Another scan is running on the catalog, in this process or another one.
  case busy(catalog: FilePath)
  /// The library was opened for reading only.
  case readOnly(catalog: FilePath)
  /// A filter has a part that cannot be read, such as a date that does not exist.
  case invalidFilter(String)
  /// A cursor is not one of this kind of listing.
  case invalidCursor(String)
  /// A folder cannot be scanned.
  case folder(FilePath, reason: String)
  /// No folder was named, and the library has none yet.
  case noFolders
  /// The worker programs are in none of these places.
  case workersMissing(searched: [FilePath])
  /// A worker program cannot be used.
  case workers(reason: String)
  /// A representation has a preset that does not exist, or a number out of range.
  case invalidRepresentation(String)
  /// An export cannot begin or go on, for example because the disk is full.
  case export(reason: String)
  /// There is no asset with this id.
  case noAsset(Asset.ID)
  /// A file is missing, damaged or of a type that cannot be decoded; the reason is a sentence.
  case unreadable(path: FilePath, reason: String)
  /// Ten thousand pictures wait to be made: ask for fewer, or cancel those that are not needed.
  case tooManyRequests
  /// The task was cancelled.
  case cancelled
  /// The operating system refused.
  case system(path: FilePath?, reason: String)

  /// A sentence that names the cause and the remedy.
  public var description: String {
    switch self {
    case .catalog(_, let reason): reason
    case .busy(let path):
      "another scan is using the catalog \(path): wait until it has finished"
    case .readOnly(let path):
      "the catalog \(path) was opened for reading only: open it with access .readWrite"
    case .invalidFilter(let reason): "the filter cannot be used: \(reason)"
    case .invalidCursor(let text):
      "'\(text)' is no cursor of this listing: begin at its first page"
    case .folder(_, let reason): reason
    case .noFolders: "no library folder is known yet: name one"
    case .workersMissing(let searched):
      "the worker programs shoebox-probe and shoebox-codec are in none of "
        + searched.map(\.string).joined(separator: ", ")
        + ": install Shoebox, or name shoebox-codec in $SHOEBOX_CODEC"
    case .workers(let reason): reason
    case .invalidRepresentation(let reason): "the representation cannot be made: \(reason)"
    case .export(let reason): reason
    case .noAsset(let id): "no asset has the id \(id)"
    case .unreadable(let path, let reason): "\(path): \(reason)"
    case .tooManyRequests:
      "too many pictures are asked for at once: cancel those that are not needed"
    case .cancelled: "the task was cancelled"
    case .system(_, let reason): reason
    }
  }

  /// Translates an error of the modules below.
  init(_ error: any Error, catalog: FilePath) {
    switch error {
    case let error as PhotoLibraryError: self = error
    case is CancellationError: self = .cancelled
    case let error as CatalogError: self = .catalog(path: catalog, reason: error.description)
    case let error as BadValue: self = .invalidFilter(error.description)
    case let error as ExpressionError: self = .invalidFilter(error.complaint)
    case WorkerError.tooManyRequests: self = .tooManyRequests
    case let error as WorkerError: self = .workers(reason: error.description)
    case let error as ExportError: self = .export(reason: error.description)
    case ScanScopeError.noRoots: self = .noFolders
    case let error as ScanScopeError: self = .folder(error.folder, reason: error.description)
    case let error as SystemError:
      self = .system(path: error.path.map(FilePath.init), reason: error.description)
    default: self = .system(path: nil, reason: String(describing: error))
    }
  }
}

extension ScanScopeError {
  /// The folder that cannot be scanned.
  fileprivate var folder: FilePath {
    switch self {
    case .notFound(let path), .notAFolder(let path), .knownByAnotherPath(let path, _):
      FilePath(path)
    case .inaccessible(let error): FilePath(error.path ?? BytePath(bytes: []))
    case .noRoots: FilePath()
    }
  }
}
