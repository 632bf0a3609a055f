/// Parts of a file, collected in any order and then joined.
///
/// Memory grows with the gaps between the parts, not with their number: a part that continues the one
/// added last extends it.
struct ByteRanges {
  /// Parts that are stored; a table that needs more is hostile.
  private static let maximumCount = 4_000_000

  private var ranges: [Range<UInt64>] = []
  private var isSorted = true
  /// The parts that ``join()`` found, in order and apart from each other.
  private(set) var joined: [Range<UInt64>] = []

  /// Adds a part.
  ///
  /// - Throws: ``RedactionRefusal`` for more parts than a movie has.
  mutating func insert(_ range: Range<UInt64>) throws {
    guard !range.isEmpty else { return }
    if let last = ranges.last {
      if range.lowerBound >= last.lowerBound, range.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
        return
      }
      if range.lowerBound < last.lowerBound { isSorted = false }
    }
    guard ranges.count < Self.maximumCount else {
      throw RedactionRefusal("The movie's samples are in too many separate parts to check.")
    }
    ranges.append(range)
  }

  /// Sorts the parts and joins those that touch; ``gaps(in:)`` knows parts from then on.
  mutating func join() {
    if !isSorted { ranges.sort { $0.lowerBound < $1.lowerBound } }
    joined = []
    for range in ranges {
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    ranges = []
  }

  /// The bytes of `whole` that none of the joined parts covers, in order.
  func gaps(in whole: Range<UInt64>) -> [Range<UInt64>] {
    var found: [Range<UInt64>] = []
    var position = whole.lowerBound
    for range in joined[firstIndex(endingAfter: position)...] {
      guard range.lowerBound < whole.upperBound else { break }
      if range.lowerBound > position { found.append(position..<range.lowerBound) }
      position = max(position, range.upperBound)
    }
    if position < whole.upperBound { found.append(position..<whole.upperBound) }
    return found
  }

  /// The index of the first part that ends after a position, by bisection.
  private func firstIndex(endingAfter position: UInt64) -> Int {
    var low = 0
    var high = joined.count
    while low < high {
      let middle = low + (high - low) / 2
      if joined[middle].upperBound > position { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
