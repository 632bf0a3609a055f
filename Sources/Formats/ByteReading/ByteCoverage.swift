/// Which bytes of a file its structures reach: what is left over belongs to nothing, and can hold what an
/// earlier version of the file said.
package struct ByteCoverage {
  private var ranges: [Range<UInt64>] = []
  /// Ranges after which they are merged, so that memory does not grow with what a hostile table claims.
  private var limit = 1 << 16

  package init() {}

  /// Adds a range that a structure reaches.
  package mutating func add(_ range: Range<UInt64>) {
    guard !range.isEmpty else { return }
    if let last = ranges.last, last.lowerBound <= range.lowerBound,
      range.lowerBound <= last.upperBound
    {
      ranges[ranges.count - 1] =
        last.lowerBound..<max(last.upperBound, range.upperBound)
      return
    }
    ranges.append(range)
    guard ranges.count >= limit else { return }
    ranges = merged
    limit = max(limit, 2 * ranges.count)
  }

  /// The ranges in order, those that touch joined.
  private var merged: [Range<UInt64>] {
    var found: [Range<UInt64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = found.last, range.lowerBound <= last.upperBound {
        found[found.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        found.append(range)
      }
    }
    return found
  }

  /// The parts of a range that nothing reaches, in order.
  package func gaps(in whole: Range<UInt64>) -> [Range<UInt64>] {
    var found: [Range<UInt64>] = []
    var position = whole.lowerBound
    for range in merged {
      if range.lowerBound > position {
        found.append(position..<min(range.lowerBound, whole.upperBound))
      }
      position = max(position, range.upperBound)
      if position >= whole.upperBound { return found }
    }
    if position < whole.upperBound { found.append(position..<whole.upperBound) }
    return found
  }

  /// Where the first range begins that is not before an offset.
  package func start(after offset: UInt64) -> UInt64? {
    ranges.lazy.map(\.lowerBound).filter { $0 > offset }.min()
  }
}
