import Linux
import MediaModel

/// The record and the lock of one of several tasks that export into a target at the same time.
///
/// Each task appends to a record of its own, `.shoebox-export.K-of-N.jsonl`, because NFS does not append the lines of
/// several machines to one file without loss. Its lock is another file, because SMB shares refuse others to read a file
/// that is locked.
struct ShardRecord: Hashable, Sendable {
  private static let prefix = Array(".shoebox-export.".utf8)

  let shard: Shard

  init(_ shard: Shard) {
    self.shard = shard
  }

  /// The record's name in the target's folder.
  var name: [UInt8] { Self.prefix + Array("\(shard.number)-of-\(shard.count).jsonl".utf8) }
  /// The lock's name.
  var lockName: [UInt8] { Self.prefix + Array("\(shard.number)-of-\(shard.count).lock".utf8) }

  /// The shard with a record or a lock of this name; nil for other files.
  private init?(name: [UInt8]) {
    guard name.starts(with: Self.prefix),
      let parts = String(validating: name.dropFirst(Self.prefix.count), as: UTF8.self)?
        .split(separator: ".", omittingEmptySubsequences: false), parts.count == 2
    else { return nil }
    let numbers = parts[0].split(separator: "-of-", omittingEmptySubsequences: false)
    guard numbers.count == 2, let number = Int(numbers[0]), let count = Int(numbers[1]),
      let shard = Shard(number, of: count)
    else { return nil }
    self.init(shard)
    // No other form of the same numbers, such as with a sign.
    guard name == self.name || name == lockName else { return nil }
  }

  /// The shards that have a record or a lock in a folder, in their order.
  static func all(in folder: OpenFolder) throws(SystemError) -> [ShardRecord] {
    let found = Set(try folder.names().compactMap { ShardRecord(name: $0.name) })
    return found.sorted {
      ($0.shard.count, $0.shard.number) < ($1.shard.count, $1.shard.number)
    }
  }
}
