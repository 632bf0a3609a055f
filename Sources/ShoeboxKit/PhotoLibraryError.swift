import Catalog
import Exporter
public import Foundation
import Indexer
import Linux
import MediaModel
import Query
public import SystemPackage
import Thumbnails
import WorkerPool

/// Why a library cannot do what it was asked for. The description is a sentence with the remedy.
public enum PhotoLibraryError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
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
  /// A folder cannot be reached, or is none.
  case folder(FilePath, reason: String)
  /// A folder is in the library already, perhaps by another path.
  case knownFolder(FilePath, reason: String)
  /// A folder is not a library folder.
  case unknownFolder(FilePath, reason: String)
  /// One of two library folders would be inside the other.
  case nestedFolders(reason: String)
  /// No folder was named, and the library has none yet.
  case noFolders
  /// The worker programs are in none of these places.
  case workersMissing(searched: [FilePath])
  /// A worker program cannot be used.
  case workers(reason: String)
  /// A ``ChangeToken`` is of another catalog, or of one in whose place a backup was put, so that what has changed since is
  /// not known: fetch all assets, and follow changes from a new token.
  case expiredToken
  /// The user has no album of this title.
  case unknownAlbum(reason: String)
  /// An album cannot have this title.
  case invalidAlbum(reason: String)
  /// A representation has a preset that does not exist, or a number out of range.
  case invalidRepresentation(String)
  /// A template for the names of results has a mistake.
  case invalidNameTemplate(String)
  /// An export cannot begin or go on, for example because the disk is full.
  case export(reason: String)
  /// Another export is writing into the same folder.
  case busyFolder(reason: String)
  /// A file is not replaced, because it may be of value: the reason is half a sentence after the path.
  case notReplaceable(FilePath, reason: String)
  /// There is no asset with this id.
  case noAsset(Asset.ID)
  /// A text that is to name one asset names none, or several.
  case unknownAsset(reason: String)
  /// A file is missing, damaged or of a type that cannot be decoded; the reason is a sentence.
  case unreadable(path: FilePath, reason: String)
  /// ``PhotoLibrary/Configuration/pendingImages`` pictures wait to be made: ask for fewer, or cancel those that are not
  /// needed.
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
      "'\(text)' is not a cursor of this listing: begin at its first page"
    case .folder(_, let reason), .knownFolder(_, let reason), .unknownFolder(_, let reason),
      .nestedFolders(let reason):
      reason
    case .noFolders: "no library folder is known yet: name one"
    case .workersMissing(let searched) where searched.isEmpty:
      "the library was opened without worker programs: open it with workers .automatic or "
        + ".programs(in:)"
    case .workersMissing(let searched):
      "the worker programs shoebox-probe and shoebox-codec are in none of "
        + searched.map(\.string).joined(separator: ", ")
        + ": install Shoebox, or name shoebox-codec in $SHOEBOX_CODEC"
    case .workers(let reason): reason
    case .expiredToken:
      "the change token is not of this catalog's past: fetch all assets, and take a new token"
    case .invalidRepresentation(let reason): "the representation cannot be made: \(reason)"
    case .invalidNameTemplate(let reason), .export(let reason), .busyFolder(let reason): reason
    case .notReplaceable(let path, let reason): "\(path) \(reason): name another file"
    case .noAsset(let id): "no asset has the id \(id)"
    case .unknownAsset(let reason), .unknownAlbum(let reason), .invalidAlbum(let reason): reason
    case .unreadable(let path, let reason): "\(path): \(reason)"
    case .tooManyRequests:
      "too many pictures are requested at once: cancel those that are not needed"
    case .cancelled: "the task was cancelled"
    case .system(_, let reason): reason
    }
  }

  /// The same sentence, which `localizedDescription` is.
  public var errorDescription: String? { description }

  /// Translates an error of the modules below.
  init(_ error: any Error, catalog: FilePath) {
    if let known = Self.known(error, catalog: catalog) {
      self = known
      return
    }
    switch error {
    case is CancellationError: self = .cancelled
    case let error as BadValue: self = .invalidFilter(error.description)
    case let error as ExpressionError: self = .invalidFilter(error.complaint)
    case let error as SystemError:
      self = .system(path: error.path.map(FilePath.init), reason: error.description)
    default: self = .system(path: nil, reason: String(describing: error))
    }
  }

  /// The error as the command line gets it: it reports errors of values and of the operating system itself.
  static func forCommands(_ error: any Error, catalog: FilePath) -> any Error {
    known(error, catalog: catalog) ?? error
  }

  /// The form of an error of a module that only this one imports; nil for others.
  private static func known(_ error: any Error, catalog: FilePath) -> PhotoLibraryError? {
    switch error {
    case let error as PhotoLibraryError: error
    case CatalogError.nestedTooDeep:
      .invalidFilter(CatalogError.nestedTooDeep.description)
    case let error as CatalogError: .catalog(path: catalog, reason: error.description)
    case let error as AssetReferenceError: .unknownAsset(reason: error.description)
    case is UnknownStateError: .expiredToken
    case let error as RootError: PhotoLibraryError(error)
    case let error as AlbumError: PhotoLibraryError(error)
    case let error as ScanScopeError: PhotoLibraryError(error)
    case WorkerError.tooManyRequests: .tooManyRequests
    case WorkerError.notFound(let path): .workersMissing(searched: [FilePath(path)])
    case let error as WorkerError: .workers(reason: error.description)
    case let error as ExportError:
      if error.isBusy {
        .busyFolder(reason: error.description)
      } else {
        .export(reason: error.description)
      }
    case let error as NameTemplateError: .invalidNameTemplate(error.description)
    case let error as ThumbnailCacheError: .system(path: nil, reason: error.description)
    default: nil
    }
  }

  private init(_ error: AlbumError) {
    self =
      switch error {
      case .unknown, .isFolder: .unknownAlbum(reason: error.description)
      case .badTitle, .taken: .invalidAlbum(reason: error.description)
      }
  }

  private init(_ error: RootError) {
    let reason = error.description
    self =
      switch error {
      case .unknown(let path): .unknownFolder(FilePath(path), reason: reason)
      case .alreadyARoot(let path): .knownFolder(FilePath(path), reason: reason)
      case .noFolder(let path): .folder(FilePath(path), reason: reason)
      case .nested, .overlapping: .nestedFolders(reason: reason)
      }
  }

  private init(_ error: ScanScopeError) {
    let reason = error.description
    self =
      switch error {
      case .notFound(let path), .notAFolder(let path): .folder(FilePath(path), reason: reason)
      case .inaccessible(let error):
        .folder(FilePath(error.path ?? BytePath(bytes: [])), reason: reason)
      case .knownByAnotherPath(let path, _): .knownFolder(FilePath(path), reason: reason)
      case .noRoots: .noFolders
      }
  }
}
