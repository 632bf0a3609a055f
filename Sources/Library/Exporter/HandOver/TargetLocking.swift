import Linux
import MediaModel
import WorkerPool

/// A target that only this process exports into, or that it shares with the tasks of other shards.
struct OpenTarget: ~Copyable {
  let tree: TargetTree
  let lock: FileLock
  /// The lock of the shard that this process exports; nil for an export of everything.
  let shardLock: FileLock?
}

extension TargetFolder {
  /// How long a task waits for a lock that another one may hold only to finish the record.
  private static let patience = Duration.seconds(2)
  /// How long it waits at most, while the records of shards are there.
  private static let longestPatience = Duration.seconds(600)

  /// Makes the folder if it is missing, and keeps other exports away from it as long as the result lives.
  func open() throws(ExportError) -> OpenTarget {
    let tree = try makeTree()
    guard let lock = try take(StagedFile.exportLock(in: path).lastComponent, tree) else {
      throw .busyTarget(path)
    }
    return OpenTarget(tree: tree, lock: lock, shardLock: nil)
  }

  /// Makes the folder if it is missing, and keeps other exports away from it as long as the result lives, but for tasks
  /// with other shards of the same count.
  ///
  /// - Parameters:
  ///   - shard: the shard that is exported.
  ///   - folders: those of the results, below this one.
  /// - Throws: ``ExportError``, `CancellationError`.
  func open(for shard: Shard, _ folders: Set<String>) async throws -> OpenTarget {
    let tree = try makeTree()
    try foldLeftovers(tree, folders)
    let lock = try await shareLock(tree)
    let record = ShardRecord(shard)
    guard let own = try take(record.lockName, tree) else {
      throw ExportError.busyShard(path, shard)
    }
    // Each task takes its lock before it looks for others, so of two tasks at least one sees the other.
    let others: [ShardRecord]
    do {
      others = try ShardRecord.all(in: tree.root).filter { $0.shard.count != shard.count }
    } catch {
      throw unusable(error)
    }
    for other in others where FileLock.isHeld(path.appending(other.lockName)) {
      throw ExportError.otherShardCount(path, shard, running: other.shard.count)
    }
    return OpenTarget(tree: tree, lock: lock, shardLock: own)
  }

  private func makeTree() throws(ExportError) -> TargetTree {
    do {
      let missing = path.missingFolders
      try path.makeFolders(isShared: true)
      for folder in missing {
        // The user may be allowed to make folders in it, but not to open it.
        guard let above = try? OpenFolder(folder.parent) else { continue }
        try above.sync()
      }
      return try TargetTree(path)
    } catch {
      throw unusable(error)
    }
  }

  /// Moves what killed tasks have recorded into the target's record, unless others are running: lines of this task will be
  /// newer.
  private func foldLeftovers(_ tree: TargetTree, _ folders: Set<String>) throws(ExportError) {
    guard (try? ShardRecord.all(in: tree.root))?.isEmpty == false,
      let lock = try take(StagedFile.exportLock(in: path).lastComponent, tree)
    else { return }
    let known = try fold(tree) ?? []
    sweep(known.union(folders), in: tree)
    _ = consume lock
  }

  private func take(
    _ name: [UInt8], _ tree: TargetTree, isShared: Bool = false
  ) throws(ExportError) -> FileLock? {
    do {
      return try FileLock.take(name, in: tree.root, isShared: isShared)
    } catch {
      throw unusable(error)
    }
  }

  /// Takes the target's lock together with other tasks. While the last of other tasks moves the records of shards into the
  /// target's record, this one waits.
  private func shareLock(_ tree: TargetTree) async throws -> FileLock {
    let name = StagedFile.exportLock(in: path).lastComponent
    let start = ContinuousClock.now
    var end = start + Self.patience
    while true {
      if let lock = try take(name, tree, isShared: true) { return lock }
      let now = ContinuousClock.now
      let areThere = (try? ShardRecord.all(in: tree.root))?.isEmpty == false
      if areThere, now < start + Self.longestPatience { end = now + Self.patience }
      if now >= end { throw ExportError.busyTarget(path) }
      if GracefulCancellation.isRequested { throw CancellationError() }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  /// Moves the records of shards into the target's record, and removes temporary files that killed tasks have left, unless
  /// other tasks are still exporting: then the last of them does so.
  ///
  /// - Parameters:
  ///   - opened: which this process exports no more into.
  ///   - folders: those of its results.
  func finish(_ opened: borrowing OpenTarget, _ folders: Set<String>) throws(ExportError) {
    let isLast: Bool
    do {
      isLast = try opened.lock.makeExclusive()
    } catch {
      throw unusable(error)
    }
    guard isLast else { return }
    let known = try fold(opened.tree) ?? []
    sweep(known.union(folders), in: opened.tree)
  }

  /// Moves the records of shards into the target's record, whose lock this process holds exclusively.
  ///
  /// - Returns: the folders into which exports have written, or begun to write; nil if no shard has a record.
  func fold(_ tree: TargetTree) throws(ExportError) -> Set<String>? {
    do {
      return try RecordFolding(tree.root).run()
    } catch {
      throw error.isDiskFull ? .diskFull(path) : unusable(error)
    }
  }
}

extension BytePath {
  /// This folder and those above it that do not exist.
  fileprivate var missingFolders: [BytePath] {
    var folders: [BytePath] = []
    var folder = self
    while !folder.bytes.isEmpty, (try? FileStatus(of: folder, followingLinks: true)) == nil {
      folders.append(folder)
      folder = folder.parent
    }
    return folders
  }
}
