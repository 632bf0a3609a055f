package import Linux
package import MediaModel

/// Why an export cannot begin, or had to end before it was done.
package enum ExportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another export is writing there.
  case busyTarget(BytePath)
  /// Another process exports the same shard there.
  case busyShard(BytePath, Shard)
  /// Tasks with another number of shards are exporting there.
  case otherShardCount(BytePath, Shard, running: Int)
  case diskFull(BytePath)
  /// The target's folder cannot be made, read or written.
  case unusableTarget(BytePath, SystemError)
  /// A folder of the target has another path, or none, by the time its results are there.
  case movedFolder(BytePath)
  /// A file with a name of Shoebox's own is not what Shoebox makes; why, a phrase.
  case foreignFile(BytePath, String)

  package var description: String {
    switch self {
    case .busyTarget(let path):
      "another export is writing into \(path.display): wait until it has finished"
    case .busyShard(let path, let shard):
      "another process exports shard \(shard.number)/\(shard.count) into \(path.display): wait until it has finished"
    case .otherShardCount(let path, let shard, let count):
      "shard \(shard.number)/\(shard.count) cannot be exported into \(path.display): tasks of \(count) shards are "
        + "writing there: wait until they have finished, or use --shard K/\(count)"
    case .diskFull(let path):
      "the disk that contains \(path.display) is full: finished files are kept, the others were not exported"
    case .unusableTarget(let path, let error):
      "cannot export into \(path.display): \(error.reason)"
    case .movedFolder(let path):
      "\(path.display) was moved or replaced while results were written into it: run the export again"
    case .foreignFile(let path, let why):
      "cannot export into \(path.parent.display): \(path.display) \(why): move it away"
    }
  }

  /// Whether the same export may succeed when another one has ended.
  package var isBusy: Bool {
    switch self {
    case .busyTarget, .busyShard, .otherShardCount: true
    case .diskFull, .unusableTarget, .movedFolder, .foreignFile: false
    }
  }
}
