/// Finds hashes that differ in few bits, without comparing each with each.
///
/// Multi-index hashing (M. Norouzi, A. Punjani, D. J. Fleet, *Fast Search in Hamming Space with Multi-Index Hashing*,
/// CVPR 2012): each hash is in four tables, by 16 of its bits each. A hash that is near another has nearly the same bits
/// in at least one of them. Which bits may differ is taken from the certainty of the searched hash's bits, as in
/// multi-probe hashing (Q. Lv et al., *Multi-Probe LSH*, VLDB 2007), so that few lists are read.
package struct HashIndex: Sendable {
  private let hashes: [UInt64]
  private let tables: [Table]

  /// Numbers of hashes, sorted by 16 of their bits.
  private struct Table: Sendable {
    /// Where the list of each value of those bits begins in `entries`; one more at the end.
    var starts: [UInt32]
    var entries: [UInt32]
  }

  /// A hash that was found.
  package struct Match: Sendable, Hashable {
    /// Its number.
    package var entry: Int
    /// The number of bits that differ.
    package var distance: Int
  }

  private static let tableCount = 4
  private static let bitsOfTable = 16
  /// Lists that are read in one table.
  private static let probes = 32
  /// The most entries that are compared for one search. Longer lists, of hashes that many pictures share, are left out:
  /// the time of all searches grows with their number.
  package static let mostComparisons = 60_000

  /// - Parameter hashes: fewer than 2³².
  package init(_ hashes: [UInt64]) {
    self.hashes = hashes
    tables = (0..<Self.tableCount).map { Self.table($0, of: hashes) }
  }

  private static func table(_ number: Int, of hashes: [UInt64]) -> Table {
    var starts = [UInt32](repeating: 0, count: 1 << bitsOfTable + 1)
    for hash in hashes { starts[key(number, of: hash) + 1] += 1 }
    for value in 1..<starts.count { starts[value] += starts[value - 1] }
    var next = starts
    var entries = [UInt32](repeating: 0, count: hashes.count)
    for (entry, hash) in hashes.enumerated() {
      let key = key(number, of: hash)
      entries[Int(next[key])] = UInt32(entry)
      next[key] += 1
    }
    return Table(starts: starts, entries: entries)
  }

  /// Every fourth bit from `table` on, so that each table has low and high frequencies.
  private static func key(_ table: Int, of hash: UInt64) -> Int {
    // Moves every fourth bit to the lower end, by halving the gaps.
    var bits = hash >> UInt64(table) & 0x1111_1111_1111_1111
    bits = (bits | bits >> 3) & 0x0303_0303_0303_0303
    bits = (bits | bits >> 6) & 0x000F_000F_000F_000F
    bits = (bits | bits >> 12) & 0x0000_00FF_0000_00FF
    bits = (bits | bits >> 24) & 0xFFFF
    return Int(bits)
  }

  /// The hashes that differ from `hash` in at most `distance` bits, with few exceptions. An entry may be there twice.
  ///
  /// - Parameters:
  ///   - certainty: of each bit of the hash; those of the smallest values may differ.
  ///   - comparisons: grows by the number of hashes that were compared.
  package func matches(
    _ hash: UInt64, certainty: [Float], within distance: Int, comparisons: inout Int
  ) -> [Match] {
    var matches: [Match] = []
    var left = Self.mostComparisons
    let flips = (0..<Self.tableCount).map { Self.flips(table: $0, certainty) }
    for probe in 0..<Self.probes {
      for (number, table) in tables.enumerated() {
        let key = Self.key(number, of: hash) ^ flips[number][probe]
        let (start, end) = (Int(table.starts[key]), Int(table.starts[key + 1]))
        guard end - start <= left else { continue }
        left -= end - start
        for place in start..<end {
          let entry = Int(table.entries[place])
          let different = (hashes[entry] ^ hash).nonzeroBitCount
          if different <= distance { matches.append(Match(entry: entry, distance: different)) }
        }
      }
    }
    comparisons += Self.mostComparisons - left
    return matches
  }

  /// Which bits of a table's keys to flip, the most probable first: none, then the sets of uncertain bits with the
  /// smallest sums.
  private static func flips(table: Int, _ certainty: [Float]) -> [Int] {
    let bits = (0..<bitsOfTable).map { (bit: 1 << $0, cost: certainty[$0 * tableCount + table]) }
      .sorted { $0.cost < $1.cost }.prefix(7)
    var sets: [(mask: Int, cost: Float)] = [(0, 0)]
    for (bit, cost) in bits { sets += sets.map { ($0.mask | bit, $0.cost + cost * cost) } }
    return sets.sorted { $0.cost < $1.cost }.prefix(probes).map(\.mask)
  }
}
