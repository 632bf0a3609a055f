/// Parts of a file, collected in any order and then joined. They show which bytes the file's structures use. All other
/// bytes can contain data of an earlier version of the file.
///
/// Memory grows with the number of gaps, not with the number of parts: a part that continues the previous one extends
/// it, and the others are joined from time to time.
package struct ByteRanges: Sendable {
  private var ranges: [Range<UInt64>] = []
  /// Whether the parts are in order and separate.
  private var isJoined = true
  /// The number of parts at which they are joined next.
  private var limit = 1 << 16

  package init() {}

  /// The number of stored parts: at least the number of separate ones.
  package var count: Int { ranges.count }

  /// Adds a part.
  package mutating func insert(_ range: Range<UInt64>) {
    guard !range.isEmpty else { return }
    if let last = ranges.last {
      if last.lowerBound <= range.lowerBound, range.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
        return
      }
      if range.lowerBound < last.lowerBound { isJoined = false }
    }
    ranges.append(range)
    guard ranges.count >= limit else { return }
    join()
    limit = max(limit, 2 * ranges.count)
  }

  /// The parts in order. Adjacent ones are joined.
  package mutating func joined() -> [Range<UInt64>] {
    join()
    return ranges
  }

  /// The ranges of `whole` that no part covers, in order.
  package mutating func gaps(in whole: Range<UInt64>) -> [Range<UInt64>] {
    join()
    var found: [Range<UInt64>] = []
    var position = whole.lowerBound
    for range in ranges[firstIndex(endingAfter: position)...] {
      guard range.lowerBound < whole.upperBound else { break }
      if range.lowerBound > position { found.append(position..<range.lowerBound) }
      position = max(position, range.upperBound)
    }
    if position < whole.upperBound { found.append(position..<whole.upperBound) }
    return found
  }

  private mutating func join() {
    guard !isJoined else { return }
    ranges.sort { $0.lowerBound < $1.lowerBound }
    var found: [Range<UInt64>] = []
    for range in ranges {
      if let last = found.last, range.lowerBound <= last.upperBound {
        found[found.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        found.append(range)
      }
    }
    ranges = found
    isJoined = true
  }

  /// The index of the first part that ends after a position, by binary search.
  private func firstIndex(endingAfter position: UInt64) -> Int {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = low + (high - low) / 2
      if ranges[middle].upperBound > position { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
