import Catalog
import Linux
import MediaModel
import Synchronization

/// A folder that the walk has not read yet.
struct PendingFolder: Sendable {
  var folder: FolderRecord
  var path: BytePath
  /// The names from the root's folder down to this one.
  var components: [[UInt8]]
  /// The disk that contains the parent folder; nil for the top.
  var disk: MountIdentity?
  /// Those inside the parent folder.
  var exclusions: Exclusions
}

extension FolderRecord {
  /// Whether the last scan has completed the folder and found fewer files than there are names now.
  fileprivate func hasFewer(than names: Int) -> Bool { digest != nil && counts.total < names }
}

/// A folder as it was when it was read.
struct ReadFolder: Sendable {
  var directory: Directory
  /// A time before the folder was read, nanoseconds since 1970 UTC.
  var now: Int64
  /// Whether the disk that contains the parent folder was mounted after the folder was read.
  var wasDiskInPlace: Bool
  /// The files and folders in it, with the exclusions inside it; an error if its rules are not known.
  var content: Result<(listing: FolderListing, exclusions: Exclusions), IgnoreFileError>
}

/// The reading of one folder, on a thread that may block.
final class FolderReading: Sendable {
  enum Outcome: Sendable {
    case read(ReadFolder)
    case failed(SystemError)
    /// Not read: another file system is mounted at the folder, and the scan skips other file systems.
    case isOnOtherFileSystem
  }

  private enum State {
    case underway(CheckedContinuation<Outcome, any Error>?)
    case done(Outcome)
    case cancelled
  }

  private let state = Mutex(State.underway(nil))
  /// Whether the reading was started before the walk came to the folder.
  let isEarly: Bool
  private let size: EntryCount
  /// The number of entries in the folder.
  private let count = Atomic(0)

  /// - Parameter size: counts the entries as long as this object keeps them.
  init(isEarly: Bool, counting size: EntryCount) {
    self.isEarly = isEarly
    self.size = size
  }

  deinit {
    size.value.subtract(count.load(ordering: .relaxed), ordering: .relaxed)
  }

  func finish(_ outcome: Outcome) {
    if case .read(let folder) = outcome {
      let entries = folder.directory.entries.count
      count.store(entries, ordering: .relaxed)
      size.value.add(entries, ordering: .relaxed)
    }
    let waiting = state.withLock { state -> CheckedContinuation<Outcome, any Error>? in
      guard case .underway(let continuation) = state else { return nil }
      state = .done(outcome)
      return continuation
    }
    waiting?.resume(returning: outcome)
  }

  /// Waits for the outcome; only one caller may.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, even while the file system does not respond.
  func outcome() async throws -> Outcome {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Outcome, any Error>? in
          switch state {
          case .done(let outcome): return .success(outcome)
          case .cancelled: return .failure(CancellationError())
          case .underway:
            state = .underway(continuation)
            return nil
          }
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let waiting = state.withLock { state -> CheckedContinuation<Outcome, any Error>? in
        guard case .underway(let continuation) = state else { return nil }
        state = .cancelled
        return continuation
      }
      waiting?.resume(throwing: CancellationError())
    }
  }
}

/// The number of entries in folders that were read early and are in memory.
final class EntryCount: Sendable {
  let value = Atomic(0)
}

/// Reads folders of one root, also ahead of the walk: a file server answers a call in milliseconds, and many
/// concurrent calls in hardly more.
struct FolderReader: Sendable {
  /// The number of folders that are read ahead of the walk.
  static let depth = 16
  /// The number of entries in folders that were read early, at which no more folders are read early. An entry
  /// needs some 60 bytes.
  private static let entryLimit = 100_000
  /// Nanoseconds. A folder that was read longer ago is read again: the worker processes may have delayed the walk.
  private static let maximumAge: Int64 = 30_000_000_000

  private let options: WalkOptions
  /// A time before the last scan, nanoseconds since 1970 UTC; nil if there was none.
  private let lastScan: Int64?
  /// Called when a folder seems to have files that the last scan did not find. It may be called on any thread, and again.
  var expectNewFiles: @Sendable () -> Void = {}
  /// The number of names down to the folder that the user wants to scan.
  private let scopeDepth: Int
  private let threads = BlockingThreads()
  private let size = EntryCount()

  init(_ scope: ScanScope, lastScan: Int64?) {
    self.lastScan = lastScan
    options = scope.options
    scopeDepth = scope.subfolder.count
  }

  /// Whether another folder may be read early.
  var hasSpace: Bool { size.value.load(ordering: .relaxed) < Self.entryLimit }

  func start(_ folder: PendingFolder, isEarly: Bool) -> FolderReading {
    let reading = FolderReading(isEarly: isEarly, counting: size)
    threads.run(urgently: !isEarly) { reading.finish(read(folder)) }
    return reading
  }

  /// The folder as it is when the walk comes to it, from an early reading if that is still good enough.
  ///
  /// - Throws: `CancellationError`.
  func outcome(
    of folder: PendingFolder, from reading: FolderReading
  ) async throws -> FolderReading.Outcome {
    let outcome = try await reading.outcome()
    if !reading.isEarly { return outcome }
    switch outcome {
    case .read(let read)
    where read.wasDiskInPlace && nanosecondsSince1970() - read.now < Self.maximumAge:
      return outcome
    case .isOnOtherFileSystem: return outcome
    default: return try await start(folder, isEarly: false).outcome()
    }
  }

  private func read(_ pending: PendingFolder) -> FolderReading.Outcome {
    // The check does not need the folder's contents, so a server that does not respond cannot delay the scan.
    if options.staysOnFileSystem, pending.components.count > scopeDepth,
      pending.folder.isMountPoint || pending.path.isMountPoint(automounting: false)
    {
      return .isOnOtherFileSystem
    }
    let now = nanosecondsSince1970()
    let readsFiles = options.reads(pending.folder)
    var directory: Directory
    do {
      directory = try Directory(
        reading: pending.path, namesOnly: !readsFiles,
        followingLinks: options.followsLinks, sharedWith: threads
      ) { count, changed in
        if let lastScan, changed > lastScan, pending.folder.hasFewer(than: count) {
          expectNewFiles()
        }
      }
    } catch {
      return .failed(error)
    }
    let wasDiskInPlace = pending.disk?.isInPlace ?? true
    let exclusions: Exclusions
    do {
      exclusions = try pending.exclusions.entering(
        pending.path, depth: pending.components.count, entries: directory.entries)
    } catch {
      return .read(
        ReadFolder(
          directory: directory, now: now, wasDiskInPlace: wasDiskInPlace, content: .failure(error)))
    }
    var listing = FolderListing(
      directory, at: pending, exclusions, now: now, foldersOnly: !readsFiles)
    // The search for duplicate names is worth its time only in folders that have changed.
    if readsFiles, !listing.isUnchanged, directory.removeDuplicateNames() {
      listing = FolderListing(directory, at: pending, exclusions, now: now)
    }
    return .read(
      ReadFolder(
        directory: directory, now: now, wasDiskInPlace: wasDiskInPlace,
        content: .success((listing, exclusions))))
  }
}
