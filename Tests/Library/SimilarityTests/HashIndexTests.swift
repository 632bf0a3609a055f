import SeededRandom
import Testing

@testable import Similarity

/// The index of hashes: what it finds, and how much it compares.
@Suite struct HashIndexTests {
  private static let certainty = (0..<64).map { Float($0 % 16) }

  /// The bits whose sign is least certain differ.
  @Test func hashesThatDifferInUncertainBitsAreFound() {
    var random = SeededGenerator(seed: 1)
    let hashes = (0..<2000).map { _ in UInt64.random(in: 0...UInt64.max, using: &random) }
    let index = HashIndex(hashes)
    for entry in stride(from: 0, to: hashes.count, by: 50) {
      var hash = hashes[entry]
      for bit in [0, 1, 2, 3, 16, 17, 33, 50] { hash ^= 1 << UInt64(bit) }
      var comparisons = 0
      let found = index.matches(
        hash, certainty: Self.certainty, within: 8, comparisons: &comparisons)
      #expect(found.contains(HashIndex.Match(entry: entry, distance: 8)))
      #expect(found.allSatisfy { (hashes[$0.entry] ^ hash).nonzeroBitCount == $0.distance })
    }
  }

  /// Each search compares a small part of the hashes; the part does not grow with their number.
  @Test func theComparisonsOfOneSearchAreFew() {
    var random = SeededGenerator(seed: 2)
    var parts: [Double] = []
    for count in [20_000, 80_000] {
      let hashes = (0..<count).map { _ in UInt64.random(in: 0...UInt64.max, using: &random) }
      let index = HashIndex(hashes)
      var comparisons = 0
      for hash in hashes.prefix(100) {
        _ = index.matches(hash, certainty: Self.certainty, within: 10, comparisons: &comparisons)
      }
      parts.append(Double(comparisons) / 100 / Double(count))
    }
    // 4 tables with 32 lists each, of 65 536.
    #expect(parts.allSatisfy { $0 < 0.004 }, "\(parts)")
  }

  /// Pictures that all have one hash would take the square of their number.
  @Test func equalHashesCostNoMoreThanTheLimit() {
    let index = HashIndex([UInt64](repeating: 0x1234_5678_9ABC_DEF0, count: 200_000))
    var comparisons = 0
    let found = index.matches(
      0x1234_5678_9ABC_DEF0, certainty: Self.certainty, within: 0, comparisons: &comparisons)
    #expect(comparisons <= HashIndex.mostComparisons)
    #expect(found.count <= HashIndex.mostComparisons)
  }
}
