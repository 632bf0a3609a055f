/// One of several parts of a library, for tasks that scan or export it side by side.
///
/// A folder, and an asset, belongs to one shard of each count, on every machine and in every run. All files of a folder
/// are in one shard, because live photos, bursts and sidecars are found among them.
package struct Shard: Sendable, Hashable {
  /// From 1 to ``count``.
  package let number: Int
  package let count: Int

  /// The largest number of shards.
  package static let most = 1_000_000

  /// Nil unless the number is one from 1 to the count, and the count at most ``most``.
  package init?(_ number: Int, of count: Int) {
    guard (1...Self.most).contains(count), (1...count).contains(number) else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// Whether the files of a folder belong to the shard.
  ///
  /// - Parameter path: below the library folder, so that a library has the same shards wherever it is mounted.
  package func owns(folder path: BytePath) -> Bool {
    // Ente's folders of JSON files belong to the pictures in the folder above.
    let isMetadata = ["metadata", ".meta"].contains { path.lastComponent == Array($0.utf8) }
    return owns(isMetadata ? path.parent.bytes : path.bytes)
  }

  /// Whether an asset belongs to the shard.
  package func owns(asset identifier: String) -> Bool { owns(Array(identifier.utf8)) }

  private func owns(_ bytes: [UInt8]) -> Bool {
    // FNV-1a's lower bits differ little between names that differ at their end; the multiplication and the higher
    // half mix them (Knuth, The Art of Computer Programming, 6.4: 2^64 divided by the golden ratio).
    let mixed = (FNV1a(bytes).value &* 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: UInt64(count))
    return Int(mixed.high) == number - 1
  }
}
