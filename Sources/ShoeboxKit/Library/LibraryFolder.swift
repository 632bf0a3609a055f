import Catalog
public import Foundation
import Indexer
import Linux
import MediaModel
public import SystemPackage

/// A folder that a scan has added to the library, with all below it.
public struct LibraryFolder: Sendable, Hashable, Codable {
  /// Its path.
  public let path: FilePath
  /// When a scan added it.
  public let addedDate: Date
  /// The pictures and videos that the last scans found in it, those that cannot be read among them.
  public let fileCount: Int
  /// Why it cannot be read now, a phrase; nil if it can. Its assets stay in the library meanwhile.
  public let unavailability: String?

  /// Whether it can be read now.
  public var isAvailable: Bool { unavailability == nil }

  init(_ root: LibraryRoot, unavailability: String?) {
    path = FilePath(root.record.path)
    addedDate = Date(milliseconds: root.added)
    fileCount = root.mediaCount
    self.unavailability = unavailability
  }
}

/// The result of ``PhotoLibrary/moveFolder(_:to:)``.
public struct FolderMove: Sendable, Hashable {
  /// A library folder inside the one that was moved.
  public struct InnerFolder: Sendable, Hashable {
    /// Its path before.
    public let old: FilePath
    /// Its path now; nil if it was not found there, and has kept the old one in the catalog.
    public let new: FilePath?
  }

  /// Whether the folder's name decides about kinds, as `Screenshots` does: the next scan re-evaluates its files.
  public let affectsKinds: Bool
  /// The library folders inside it, in the order in which they were added.
  public let inside: [InnerFolder]
}

extension Date {
  /// A date by the catalog's number.
  package init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// Milliseconds since 1970 UTC, as the catalog has them. A date outside of the years 1 to 9999 is the nearest of them,
  /// and one that is not a number is 1970.
  package var milliseconds: Int64 {
    let milliseconds = (timeIntervalSince1970 * 1000).rounded()
    guard !milliseconds.isNaN else { return 0 }
    return Int64(min(max(milliseconds, -62_135_596_800_000), 253_402_300_799_999))
  }

  /// The same for a date by which a caller selects.
  ///
  /// - Throws: ``PhotoLibraryError/invalidFilter(_:)`` if it is not a number.
  var selectedMilliseconds: Int64 {
    get throws(PhotoLibraryError) {
      guard !timeIntervalSince1970.isNaN else { throw .invalidFilter(Self.notANumber) }
      return milliseconds
    }
  }

  /// Why a date cannot be used.
  static let notANumber = "the date is not a number: name one of the years 1 to 9999"
}

extension PhotoLibrary {
  /// The library folders, in the order in which they were added. A folder is added by ``scan(_:options:)``.
  nonisolated public func folders() async throws(PhotoLibraryError) -> [LibraryFolder] {
    try await query { try Self.folders(in: $0) }
  }

  /// The same on the caller's thread.
  nonisolated package func listedFolders() throws -> [LibraryFolder] {
    try read(Self.folders)
  }

  nonisolated private static func folders(in catalog: Catalog) throws -> [LibraryFolder] {
    try catalog.roots().map { root in
      LibraryFolder(
        root, unavailability: try ScanScope.unavailability(of: root.record, in: catalog))
    }
  }

  /// Removes a library folder and its assets from the catalog. Its files stay as they are; if it is scanned again, its
  /// assets get new ids.
  ///
  /// - Returns: the number of assets that the catalog no longer has.
  /// - Throws: ``PhotoLibraryError/unknownFolder(_:reason:)``, ``PhotoLibraryError/busy(catalog:)`` while a scan runs,
  ///   ``PhotoLibraryError/readOnly(catalog:)``.
  @discardableResult
  nonisolated public func forgetFolder(_ folder: FilePath) async throws(PhotoLibraryError) -> Int {
    try await change { _ in try changing { try $0.forgetRoot(BytePath(folder)) } }
  }

  /// Records the new path of a library folder that was moved. Ids stay the same; library folders inside it follow if
  /// they are there.
  ///
  /// - Throws: ``PhotoLibraryError/unknownFolder(_:reason:)``, ``PhotoLibraryError/folder(_:reason:)`` if the new path is
  ///   not a folder, ``PhotoLibraryError/knownFolder(_:reason:)``, ``PhotoLibraryError/nestedFolders(reason:)``,
  ///   ``PhotoLibraryError/busy(catalog:)`` while a scan runs, ``PhotoLibraryError/readOnly(catalog:)``.
  @discardableResult
  nonisolated public func moveFolder(
    _ old: FilePath, to new: FilePath
  ) async throws(PhotoLibraryError) -> FolderMove {
    try await change { _ in
      try changing { catalog in
        let (affectsKinds, inside) = try catalog.relocateRoot(BytePath(old), to: BytePath(new))
        return FolderMove(
          affectsKinds: affectsKinds,
          inside: inside.map { .init(old: FilePath($0.old), new: $0.new.map(FilePath.init)) })
      }
    }
  }

  /// Changes the catalog while no scan runs.
  nonisolated func changing<Value>(_ body: (Catalog) throws -> Value) throws -> Value {
    let lock = try takeScanLock()
    let value = try body(catalog)
    _ = consume lock
    return value
  }

  /// Takes the lock that prevents a second scan. It is held until the value's last use.
  ///
  /// - Throws: ``PhotoLibraryError/busy(catalog:)``, ``PhotoLibraryError/readOnly(catalog:)``, `SystemError`.
  nonisolated func takeScanLock() throws -> FileLock {
    guard configuration.access == .readWrite else {
      throw PhotoLibraryError.readOnly(catalog: configuration.catalog)
    }
    guard let lock = try FileLock.take(catalog.lockPath) else {
      throw PhotoLibraryError.busy(catalog: FilePath(catalog.path))
    }
    return lock
  }
}
