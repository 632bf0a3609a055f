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
    /// The permitted use of the library.
    public var access: Access
    /// How far the kernel confines the workers.
    public var sandbox: Sandbox
    /// The time limit for one file, of a verification for one block of it; nil for 20 seconds, and 120 to export one.
    public var fileTimeout: Duration?
    /// How many different pictures may wait to be made before ``PhotoLibraryError/tooManyRequests`` refuses more. Each
    /// takes about a kilobyte. Pictures that are there already do not count, nor do equal requests.
    public var pendingImages = 10_000

    /// - Parameters:
    ///   - catalog: the catalog's file.
    ///   - workers: where the worker programs are.
    ///   - jobs: how many workers of each kind may work at once; nil for one for each core.
    ///   - access: what the library may be used for.
    ///   - sandbox: how far the kernel confines the workers.
    ///   - fileTimeout: the time limit for one file, of a verification for one block of it; nil for 20 seconds, and 120 to
    ///     export one.
    public init(
      catalog: FilePath, workers: WorkerLocation = .automatic, jobs: Int? = nil,
      access: Access = .readWrite, sandbox: Sandbox = .auto, fileTimeout: Duration? = nil
    ) {
      (self.catalog, self.workers, self.jobs, self.access) = (catalog, workers, jobs, access)
      (self.sandbox, self.fileTimeout) = (sandbox, fileTimeout)
    }
  }

  /// The permitted use of a library.
  public enum Access: Sendable, Hashable {
    /// Everything; creates the catalog and its folder if they do not exist.
    case readWrite
    /// Fetching and pictures: works while another process scans, and needs no permission to write.
    case readOnly
  }

  /// Where the worker programs `shoebox-probe` and `shoebox-codec` are.
  public enum WorkerLocation: Sendable, Hashable {
    /// `$SHOEBOX_CODEC` and `$SHOEBOX_PROBE`, else next to the running program, in its `../libexec`, or in the system's
    /// `libexec` folders.
    case automatic
    /// In this folder.
    case programs(in: FilePath)
    /// Nowhere: the library only fetches.
    case none
  }

  /// How far the kernel confines the workers, which read hostile bytes.
  public enum Sandbox: String, Sendable, Hashable, Codable, CaseIterable {
    /// As far as the kernel supports it.
    case auto
    /// Completely: no worker starts on a kernel without Landlock or system call filters.
    case required
    /// Not at all, but for limits on memory, files and privileges.
    case off
  }

  /// How the library was opened.
  nonisolated public let configuration: Configuration
  nonisolated let catalog: Catalog
  nonisolated let surroundings: Surroundings
  /// The folder of a catalog that is deleted with this library.
  private let scratch: TemporaryFolder?
  nonisolated let telemetry: Telemetry
  /// The threads of queries and plans, which wait for disks: Swift's own threads must not.
  nonisolated let threads: BlockingExecutor
  /// The workers, once they were needed.
  private var workers: MediaWorkers?
  /// The workers of exports, once there was one.
  private var renderers: MediaWorkers?
  /// The pictures that are kept next to the catalog.
  nonisolated let imageCache = SharedImageCache()
  /// The folders of transferred files.
  nonisolated let transfers = TemporaryFolders(for: "transfer")
  /// The maker of pictures, once one was requested.
  private var images: ImageMaking?

  /// The parts of the process's state that a library depends on.
  struct Surroundings: Sendable {
    var environment: [String: String]
    /// Receives, at most once, what the kernel's sandbox lacks for the workers.
    var reportsLack: @Sendable (String) -> Void

    /// Those of this process. A lack is not reported.
    static var process: Surroundings {
      Surroundings(environment: ProcessInfo.processInfo.environment, reportsLack: { _ in })
    }
  }

  /// - Parameters:
  ///   - threads: those of queries and plans.
  ///   - scratch: the folder of a catalog that is deleted with this library.
  init(
    _ configuration: Configuration, _ catalog: Catalog, _ surroundings: Surroundings,
    threads: BlockingExecutor = BlockingExecutor(), scratch: TemporaryFolder? = nil
  ) {
    self.threads = threads
    (self.configuration, self.catalog) = (configuration, catalog)
    (self.surroundings, self.scratch) = (surroundings, scratch)
    telemetry = Telemetry(catalog: configuration.catalog)
  }

  /// Opens a library.
  ///
  /// - Throws: ``PhotoLibraryError/catalog(path:reason:)`` if the catalog cannot be used.
  @concurrent
  public static func open(_ configuration: Configuration) async throws(PhotoLibraryError)
    -> PhotoLibrary
  {
    let threads = BlockingExecutor()
    // It waits for another process that creates the catalog.
    let catalog = try await threads.run { () throws(PhotoLibraryError) in
      try Self.catalog(at: configuration.catalog.string, configuration.access)
    }
    return PhotoLibrary(configuration, catalog, .process, threads: threads)
  }

  /// The catalog at a path, which is a text that messages have as it is.
  static func catalog(at path: String, _ access: Access) throws(PhotoLibraryError) -> Catalog {
    do {
      return try Catalog.open(at: path, mode: access == .readOnly ? .readOnly : .readWrite)
    } catch {
      throw .catalog(path: FilePath(path), reason: error.description)
    }
  }

  /// The workers, which are started when there is work for them and end after 30 seconds without.
  ///
  /// - Throws: ``PhotoLibraryError/workersMissing(searched:)``.
  func startedWorkers() throws(PhotoLibraryError) -> MediaWorkers {
    if let workers { return workers }
    let workers = MediaWorkers(
      try workerConfiguration(timeout: .seconds(20)), reportingLack: surroundings.reportsLack)
    self.workers = workers
    return workers
  }

  /// The workers of exports. Rendering takes more time and memory than reading, and a cancelled export ends at once.
  ///
  /// A program that is missing is an error of the first file that needs it: copies need none.
  func exportWorkers() throws(PhotoLibraryError) -> MediaWorkers {
    if let renderers { return renderers }
    var settings = try workerConfiguration(timeout: .seconds(120), isOptional: true)
    (settings.memoryLimit, settings.stopsAtOnce) = (6 << 30, true)
    let workers = MediaWorkers(settings, reportingLack: surroundings.reportsLack)
    renderers = workers
    return workers
  }

  /// - Parameters:
  ///   - timeout: the usual time limit for one file.
  ///   - isOptional: whether a program may be missing until it is needed.
  private func workerConfiguration(
    timeout: Duration, isOptional: Bool = false
  ) throws(PhotoLibraryError) -> WorkerConfiguration {
    let programs = try WorkerSearch(configuration.workers, environment: surroundings.environment)
      .programs(isOptional: isOptional)
    return WorkerConfiguration(
      probe: programs.probe, codec: programs.codec, jobs: jobs,
      fileTimeout: configuration.fileTimeout ?? timeout,
      sandbox: SandboxMode(configuration.sandbox))
  }

  nonisolated var jobs: Int {
    max(1, configuration.jobs ?? ProcessInfo.processInfo.activeProcessorCount)
  }

  /// The maker of pictures.
  ///
  /// - Parameter trimming: whether the oldest pictures may be removed first.
  /// - Throws: as ``startedWorkers()``, and if the cache cannot be opened.
  func imageMaking(trimming: Bool = true) throws(PhotoLibraryError) -> ImageMaking {
    if let images { return images }
    let images = try ImageMaking(
      catalog, imageCache, try startedWorkers(), on: threads, jobs: jobs,
      pending: max(1, configuration.pendingImages), trimming: trimming)
    self.images = images
    return images
  }

  /// Runs a query, which ends soon after the task is cancelled.
  ///
  /// - Throws: ``PhotoLibraryError`` for everything that the catalog throws.
  @concurrent
  nonisolated func query<Value: Sendable>(
    _ body: @Sendable (Catalog) throws -> Value
  ) async throws(PhotoLibraryError) -> Value {
    try await onThreads {
      let value = try Catalog.endingWhenCancelled { try body(catalog) }
      try Task.checkCancellation()
      return value
    }
  }

  /// Changes the catalog. Once it has begun, a change is completed although the task is cancelled.
  ///
  /// - Throws: ``PhotoLibraryError`` for everything that the catalog throws.
  @concurrent
  nonisolated func change<Value: Sendable>(
    _ body: @Sendable (Catalog) throws -> Value
  ) async throws(PhotoLibraryError) -> Value {
    try await onThreads {
      try Task.checkCancellation()
      return try body(catalog)
    }
  }

  /// Runs work that waits for disks and locks, off the actor and off Swift's own threads.
  ///
  /// - Throws: ``PhotoLibraryError`` for everything that `body` throws.
  @concurrent
  nonisolated func onThreads<Value>(
    _ body: @concurrent () async throws -> Value
  ) async throws(PhotoLibraryError) -> Value {
    do {
      return try await threads.run(body)
    } catch {
      throw PhotoLibraryError(error, catalog: configuration.catalog)
    }
  }

  /// Runs a query on the caller's thread: a task for each would take longer than a short listing.
  ///
  /// - Throws: what `body` throws; ``PhotoLibraryError`` for errors of modules that callers do not import.
  nonisolated func read<Value>(_ body: (Catalog) throws -> Value) throws -> Value {
    do {
      return try body(catalog)
    } catch {
      throw PhotoLibraryError.forCommands(error, catalog: configuration.catalog)
    }
  }
}

extension SandboxMode {
  init(_ sandbox: PhotoLibrary.Sandbox) {
    self =
      switch sandbox {
      case .auto: .auto
      case .required: .required
      case .off: .off
      }
  }
}
