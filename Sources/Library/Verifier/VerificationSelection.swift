import MediaModel

/// Chooses the files of a run, in the order in which they are read. A file that turns out not to be read takes nothing of the
/// limit: else those that are gone, and so are never checked, would soon be all that a limited run tries.
struct VerificationSelection {
  /// A file that may be read. Those that failed their last check come first.
  typealias Candidate = (id: Int64, size: Int64, hasFailed: Bool)

  private let candidates: [Candidate]
  /// Bytes; nil for all files.
  private let limit: Int64?
  /// The next candidate.
  private var position = 0
  /// The bytes of the files that were chosen: of those that failed their last check, and of the others.
  private var (failed, others): (Int64, Int64) = (0, 0)
  /// The last files that were chosen.
  private var page: ArraySlice<Candidate> = []

  /// - Parameter candidates: in the order in which they are read.
  init(_ candidates: [Candidate], _ extent: VerificationExtent) {
    self.candidates = candidates
    switch extent {
    case .all: limit = nil
    case .bytes(let count): limit = count
    case .share(let share):
      let all = candidates.reduce(Int64(0)) { $0.adding(size: $1.size) }
      let wanted = (Double(all) * min(1, max(0, share))).rounded(.up)
      limit = Int64(exactly: wanted) ?? .max
    }
  }

  /// The next files, at most `count`; none if the run has enough.
  mutating func next(_ count: Int) -> [Int64] {
    // Those that have failed, and have had their part of the limit, are left to later runs.
    while position < candidates.count, candidates[position].hasFailed, !hasSpace(for: position) {
      position += 1
    }
    let start = position
    while position < candidates.count, position - start < count, hasSpace(for: position) {
      let candidate = candidates[position]
      if candidate.hasFailed {
        failed = failed.adding(size: candidate.size)
      } else {
        others = others.adding(size: candidate.size)
      }
      position += 1
    }
    page = candidates[start..<position]
    return page.map(\.id)
  }

  /// Takes back that the last files have used the limit, if they were not read.
  ///
  /// - Parameter skipped: the rows of files that were not read.
  /// - Returns: about how many more are read instead.
  mutating func giveBack(_ skipped: Set<Int64>) -> Int {
    let unread = page.filter { skipped.contains($0.id) }
    for file in unread {
      // A sum that reached its maximum is less than its parts.
      if file.hasFailed {
        failed = max(0, failed - max(0, file.size))
      } else {
        others = max(0, others - max(0, file.size))
      }
    }
    page = []
    return limit == nil ? 0 : min(unread.count, candidates.count - position)
  }

  /// How much is still to be read, if all of it is.
  var remainder: (count: Int, bytes: Int64) {
    var rest = self
    var (count, bytes) = (0, Int64(0))
    while case let files = rest.next(candidates.count), !files.isEmpty {
      count += files.count
      bytes = rest.page.reduce(bytes) { $0.adding(size: $1.size) }
    }
    return (count, bytes)
  }

  private func hasSpace(for index: Int) -> Bool {
    guard let limit else { return true }
    // For files that failed their last check. The others get the rest, and as much at least, also if the failed ones have
    // more bytes than the limit: else these would be all that is ever read.
    let half = limit - limit / 2
    return candidates[index].hasFailed ? failed < half : others < max(limit - failed, half)
  }
}
