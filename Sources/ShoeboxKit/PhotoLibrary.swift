// ShoeboxKit: what a Swift program imports to have on Linux what PhotoKit gives on Apple's systems.
//
// A `PhotoLibrary` is opened on a catalog; it scans folders, fetches assets and reports changes. The module links no C
// library that reads media: worker programs do that, which the first scan starts.

import Catalog
import Foundation
import Linux
import MediaModel
public import SystemPackage
import WorkerPool

/// A library of pictures and videos, described by one catalog.
///
/// Several libraries, and several handles on one, may be open at once, in one process or in many. Fetching never waits
/// for a scan that runs in another task or process, and never starts a worker.
///
/// ```swift
/// let library = try await PhotoLibrary.open(.init(catalog: "/var/lib/photos/catalog.sqlite"))
/// _ = try await library.scan(["/photos"]).report
/// for try await asset in try await library.fetchAssets(.livePhotos, options: .init(limit: 100)) {
///   print(asset.path)
/// }
/// ```
public actor PhotoLibrary {
  /// Where a library is and how it is used.
  public struct Configuration: Sendable, Hashable {
    /// The catalog's file. With ``Access/readWrite`` it is created if it does not exist.
    public var catalog: FilePath
    /// Where the worker programs are.
    public var workers: WorkerLocation
    /// How many workers of each kind may work at once; nil for one for each core.
    public var jobs: Int?
    /// What the library may be used for.
    public var access: Access

    /// - Parameters:
    ///   - catalog: the catalog's file.
    ///   - workers: where the worker programs are.
    ///   - jobs: how many workers of each kind may work at once; nil for one for each core.
    ///   - access: what the library may be used for.
    public init(
      catalog: FilePath, workers: WorkerLocation = .automatic, jobs: Int? = nil,
      access: Access = .readWrite
    ) {
      (self.catalog, self.workers, self.jobs, self.access) = (catalog, workers, jobs, access)
    }
  }

  /// What a library may be used for.
  public enum Access: Sendable, Hashable {
    /// Everything; creates the catalog and its folder if they do not exist.
    case readWrite
    /// Fetching and pictures: works while another process scans, and needs no permission to write.
    case readOnly
  }

  /// Where the worker programs `shoebox-probe` and `shoebox-codec` are.
  public enum WorkerLocation: Sendable, Hashable {
    /// `$SHOEBOX_CODEC` and `$SHOEBOX_PROBE`, else beside the running program, in its `../libexec`, or in the system's
    /// `libexec` folders.
    case automatic
    /// In this folder.
    case programs(in: FilePath)
    /// Nowhere: the library only fetches.
    case none
  }

  /// How the library was opened.
  nonisolated public let configuration: Configuration
  nonisolated let catalog: Catalog
  /// The workers, once they were needed.
  private var workers: MediaWorkers?
  /// The workers of exports, once there was one.
  private var renderers: MediaWorkers?
  /// What makes pictures, once one was asked for.
  private var images: ImageMaking?

  private init(_ configuration: Configuration, _ catalog: Catalog) {
    (self.configuration, self.catalog) = (configuration, catalog)
  }

  /// Opens a library.
  ///
  /// - Throws: ``PhotoLibraryError/catalog(path:reason:)`` if the catalog cannot be used.
  @concurrent
  public static func open(_ configuration: Configuration) async throws(PhotoLibraryError)
    -> PhotoLibrary
  {
    let path = configuration.catalog
    let mode: Catalog.Mode = configuration.access == .readOnly ? .readOnly : .readWrite
    do {
      return PhotoLibrary(configuration, try Catalog.open(at: path.string, mode: mode))
    } catch {
      throw .catalog(path: path, reason: error.description)
    }
  }

  /// The workers, which are started when there is work for them and end after 30 seconds without.
  ///
  /// - Throws: ``PhotoLibraryError/workersMissing(searched:)``.
  func startedWorkers() throws(PhotoLibraryError) -> MediaWorkers {
    if let workers { return workers }
    let programs = try WorkerSearch(configuration.workers).programs()
    let workers = MediaWorkers(
      WorkerConfiguration(
        probe: programs.probe, codec: programs.codec,
        jobs: jobs))
    self.workers = workers
    return workers
  }

  /// The workers of exports. Rendering takes more time and memory than reading, and a cancelled export ends at once.
  ///
  /// - Throws: as ``startedWorkers()``.
  func exportWorkers() throws(PhotoLibraryError) -> MediaWorkers {
    if let renderers { return renderers }
    let programs = try WorkerSearch(configuration.workers).programs()
    let workers = MediaWorkers(
      WorkerConfiguration(
        probe: programs.probe, codec: programs.codec, jobs: jobs, fileTimeout: .seconds(120),
        memoryLimit: 6 << 30, stopsAtOnce: true))
    renderers = workers
    return workers
  }

  /// Threads that the making of one video may use.
  var threadsForExports: Int { max(1, ProcessInfo.processInfo.activeProcessorCount / jobs) }

  private var jobs: Int {
    max(1, configuration.jobs ?? ProcessInfo.processInfo.activeProcessorCount)
  }

  /// What makes pictures.
  ///
  /// - Throws: as ``startedWorkers()``, and if the cache cannot be opened.
  func imageMaking() throws(PhotoLibraryError) -> ImageMaking {
    if let images { return images }
    let images = try ImageMaking(catalog, try startedWorkers(), jobs: jobs)
    self.images = images
    return images
  }

  /// Runs a query.
  ///
  /// - Throws: ``PhotoLibraryError`` for everything that the catalog throws.
  @concurrent
  nonisolated func query<Value: Sendable>(
    _ body: @Sendable (Catalog) throws -> Value
  ) async throws(PhotoLibraryError) -> Value {
    do {
      try Task.checkCancellation()
      return try body(catalog)
    } catch {
      throw PhotoLibraryError(error, catalog: configuration.catalog)
    }
  }
}
