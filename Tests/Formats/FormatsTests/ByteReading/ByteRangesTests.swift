import ByteReading
import SeededRandom
import Testing

/// Parts of a file and the gaps between them.
struct ByteRangesTests {
  @Test func `adjacent parts are joined`() {
    var parts = ByteRanges()
    for part in [30..<40, 0..<10, 10..<12, 5..<8, 50..<50, 39..<45] as [Range<UInt64>] {
      parts.insert(part)
    }
    #expect(parts.joined() == [0..<12, 30..<45])
    #expect(parts.gaps(in: 0..<60) == [12..<30, 45..<60])
    #expect(parts.gaps(in: 11..<31) == [12..<30])
    #expect(parts.gaps(in: 31..<45) == [])
    #expect(parts.gaps(in: 50..<60) == [50..<60])
    // More can be added later.
    parts.insert(12..<30)
    #expect(parts.joined() == [0..<45])
  }

  @Test func `empty parts cover nothing`() {
    var parts = ByteRanges()
    #expect(parts.joined() == [])
    #expect(parts.gaps(in: 3..<9) == [3..<9])
    #expect(parts.gaps(in: 3..<3) == [])
    parts.insert(0..<UInt64.max)
    #expect(parts.gaps(in: 7..<UInt64.max) == [])
  }

  @Test func `gaps are the bytes outside all parts`() {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<200 {
      var parts = ByteRanges()
      var covered = [Bool](repeating: false, count: 64)
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let start = Int.random(in: 0..<64, using: &random)
        let end = Int.random(in: start...64, using: &random)
        parts.insert(UInt64(start)..<UInt64(end))
        for index in start..<end { covered[index] = true }
      }
      let whole = 8..<56
      let free = parts.gaps(in: UInt64(whole.lowerBound)..<UInt64(whole.upperBound))
      #expect(free.flatMap { $0.map(Int.init) } == whole.filter { !covered[$0] })
    }
  }

  @Test func `repeated parts need no memory`() {
    var parts = ByteRanges()
    for index in 0..<500_000 as Range<UInt64> {
      let start = index % 3 * 100
      parts.insert(start..<(start + 10))
    }
    #expect(parts.count <= 1 << 16)
    #expect(parts.joined() == [0..<10, 100..<110, 200..<210])
  }
}
