import MediaModel

/// One of several parts of a library, for tasks that scan or export it side by side, also on several machines.
///
/// A folder, and an asset, belongs to one shard of each count, on every machine and in every run. All files of a folder
/// are in one shard, because live photos, bursts and sidecars are found among them.
public struct LibraryShard: Sendable, Hashable {
  let shard: Shard

  /// Its number, from 1 to ``count``.
  public var number: Int { shard.number }
  /// How many shards the library has.
  public var count: Int { shard.count }

  /// Nil unless the number is one from 1 to the count, and the count at most a million.
  public init?(_ number: Int, of count: Int) {
    guard let shard = Shard(number, of: count) else { return nil }
    self.shard = shard
  }
}
