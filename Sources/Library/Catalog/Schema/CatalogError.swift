import Foundation
import GRDB

/// Why the catalog cannot be used, in a sentence that says what to do about it.
package enum CatalogError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Nothing was ever scanned into this file.
  case absent(String)
  /// The path is empty.
  case unnamed
  /// The path names a folder.
  case isAFolder(String)
  /// Its folder does not exist and cannot be created.
  case noFolder(String)
  /// The file is something else.
  case notACatalog(String)
  /// Written by a version of Shoebox that knows a later schema.
  case newerVersion(String)
  /// Made by a version from before the first release, whose schema is not supported any more.
  case developmentVersion(String)
  /// The file's bytes contradict each other.
  case damaged(String)
  /// The arguments of a saved search cannot be read; the second value is its name.
  case damagedSearch(String, String)
  case diskFull(String)
  /// Another process kept it locked for longer than we wait.
  case busy(String)
  /// The operating system refused; the second value is its reason.
  case cannotOpen(String, String)
  /// It is to be merged into itself.
  case itself(String)
  /// No scan of it has ended.
  case unfinished(String)
  /// This user may not write to it.
  case readOnly(String)
  /// Its folder cannot be written, and some of its data is in the write-ahead log.
  case unwritableFolder(String)
  /// Another file has taken its place since it was opened, or it was removed.
  case replaced(String)
  /// A copy could not be written; the second value is the reason.
  case cannotCopy(String, String)
  /// SQLite's parser cannot take a filter's conditions.
  case nestedTooDeep
  /// SQLite refused for a reason that has no case of its own.
  case database(String, String)

  package var description: String {
    switch self {
    case .absent(let path):
      "there is no catalog at \(path) yet: create one with `shoebox scan DIR`"
    case .unnamed:
      "the path of the catalog is empty: name a file"
    case .isAFolder(let path):
      "\(path) is a folder: name a file, as \(path)/catalog.sqlite"
    case .noFolder(let path):
      "the catalog \(path) cannot be created: its folder does not exist and cannot be created"
    case .notACatalog(let path):
      "\(path) is not a catalog of Shoebox: name another file"
    case .newerVersion(let path):
      "the catalog \(path) was made by a newer version of Shoebox: update Shoebox"
    case .developmentVersion(let path):
      "the catalog \(path) was made by a version of Shoebox from before the first release: move it away and "
        + "scan again"
    case .damaged(let path):
      "the catalog \(path) is damaged: move it away and scan again, or restore it from a backup"
    case .damagedSearch(let path, let name):
      "the saved search '\(name)' in the catalog \(path) is damaged: delete it with `shoebox searches delete '\(name)'`"
    case .diskFull(let path):
      "the disk that holds the catalog \(path) is full: free some space and try again"
    case .busy(let path):
      "the catalog \(path) is locked by another program: try again when that has finished"
    case .cannotOpen(let path, let reason):
      "cannot open the catalog \(path): \(reason)"
    case .itself(let path):
      "\(path) is the catalog to merge into: name others"
    case .unfinished(let path):
      "the catalog \(path) has no finished scan: scan its folders first"
    case .readOnly(let path):
      "this user cannot write to the catalog \(path) and its folder: run Shoebox as its owner, name another catalog, "
        + "or make its disk writable"
    case .unwritableFolder(let path):
      "the catalog \(path) cannot be read in a folder that cannot be written: copy it, and \(path)-wal if "
        + "that is there, to another folder and name it with --catalog"
    case .replaced(let path):
      "the catalog \(path) was replaced or removed while it was in use: start again"
    case .cannotCopy(let path, let reason):
      "the copy of the catalog \(path) cannot be written: \(reason)"
    case .nestedTooDeep:
      "the filter is nested too deep: use fewer 'all', 'any', 'not', 'and' and 'or' in each other"
    case .database(let path, let reason):
      "the catalog \(path) could not be used: \(reason)"
    }
  }

  /// Runs `body` and turns whatever SQLite or Foundation throws into a ``CatalogError``.
  package static func translating<Value>(
    _ path: String, _ body: () throws -> Value
  ) throws(CatalogError) -> Value {
    do {
      return try body()
    } catch let error as CatalogError {
      throw error
    } catch let error as DatabaseError {
      throw CatalogError(error, path: path)
    } catch {
      throw .cannotOpen(path, error.localizedDescription)
    }
  }

  private static func isInUnwritableFolder(_ path: String) -> Bool {
    let files = FileManager.default
    let folder = URL(filePath: path).deletingLastPathComponent().path
    return files.fileExists(atPath: path) && !files.isWritableFile(atPath: folder)
  }

  init(_ error: DatabaseError, path: String) {
    let reason = error.message ?? "SQLite error \(error.resultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_NOTADB: self = .notACatalog(path)
    case .SQLITE_CORRUPT: self = .damaged(path)
    case .SQLITE_FULL: self = .diskFull(path)
    // Only a full disk has no space for the index of the write-ahead log.
    case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
      self = .diskFull(path)
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path)
    case .SQLITE_READONLY: self = .readOnly(path)
    // To write it, SQLite makes files next to it.
    case .SQLITE_CANTOPEN where Self.isInUnwritableFolder(path): self = .readOnly(path)
    case .SQLITE_CANTOPEN, .SQLITE_PERM: self = .cannotOpen(path, reason)
    // The one schema before the first release may still change.
    case .SQLITE_ERROR
    where reason.hasPrefix("no such column") || reason.hasPrefix("no such table")
      || reason.contains(" has no column named "):
      self = .developmentVersion(path)
    case .SQLITE_ERROR
    where reason.contains("parser stack overflow")
      || reason.hasPrefix("Expression tree is too large"):
      self = .nestedTooDeep
    default: self = .database(path, reason)
    }
  }
}
