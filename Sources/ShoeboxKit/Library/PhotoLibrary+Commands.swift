import Catalog
import Indexer
import Linux
package import MediaModel
import SystemPackage

extension PhotoLibrary {
  /// Opens a library on the caller's thread, for the command line.
  ///
  /// - Parameters:
  ///   - path: the catalog's path as messages have it; the one of the configuration is ignored.
  ///   - reportsLack: receives, at most once, what the kernel's sandbox lacks for the workers.
  package static func opened(
    at path: String, _ configuration: Configuration, environment: [String: String],
    reportingLack reportsLack: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(PhotoLibraryError) -> PhotoLibrary {
    var configuration = configuration
    configuration.catalog = FilePath(path)
    return PhotoLibrary(
      configuration, try catalog(at: path, configuration.access),
      Surroundings(environment: environment, reportsLack: reportsLack))
  }

  /// Opens a library to scan it. Nothing is created if the scan could not begin.
  ///
  /// - Parameters:
  ///   - path: the catalog's path.
  ///   - folders: the folders to scan.
  ///   - options: for ``ScanOptions/Mode/dryRun``, a catalog that does not exist is a temporary one.
  package static func opened(
    at path: String, toScan folders: [BytePath], _ options: ScanOptions,
    _ configuration: Configuration, environment: [String: String],
    reportingLack reportsLack: @escaping @Sendable (String) -> Void
  ) throws -> PhotoLibrary {
    var configuration = configuration
    configuration.access = options.mode == .dryRun ? .readOnly : .readWrite
    _ = try WorkerSearch(configuration.workers, environment: environment).programs()
    guard try BytePath(path).status() == nil else {
      return try opened(
        at: path, configuration, environment: environment, reportingLack: reportsLack)
    }
    do {
      // A command that fails must not leave an empty catalog.
      try ScanScope.check(folders, in: nil)
    } catch {
      throw PhotoLibraryError.forCommands(error, catalog: FilePath(path))
    }
    guard options.mode == .dryRun else {
      return try opened(
        at: path, configuration, environment: environment, reportingLack: reportsLack)
    }
    let scratch = try TemporaryFolder()
    let empty = scratch.path.appending("catalog.sqlite").display
    configuration.catalog = FilePath(empty)
    return PhotoLibrary(
      configuration, try catalog(at: empty, .readWrite),
      Surroundings(environment: environment, reportsLack: reportsLack), scratch: scratch)
  }
}
