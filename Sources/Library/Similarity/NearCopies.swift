import MediaModel

/// Pictures that are nearly equal, or linked by some that are. ``SimilaritySearch`` does not compare each of them with
/// each, so who needs to know of two must compare them.
struct NearCopies: Sendable {
  private var sets = DisjointSets()
  /// Of the smallest number of a set.
  private var members: [Int: [Int]] = [:]
  /// Of the smallest number of a set: how many more numbers ``others(of:)`` returns.
  private var left: [Int: Int] = [:]

  /// - Parameter matches: all of a search.
  init(_ matches: [PictureMatch]) {
    let near = matches.filter { $0.similarity >= SimilaritySearch.nearlyEqual }
    for match in near { sets.join(match.part, match.whole) }
    for number in Set(near.flatMap { [$0.part, $0.whole] }).sorted() {
      members[sets.smallest(with: number), default: []].append(number)
    }
    left = members.mapValues { $0.count * SimilaritySearch.mostAligned }
  }

  /// The other pictures that are linked with one. Nothing more when all calls together have returned
  /// ``SimilaritySearch/mostAligned`` times the number of linked pictures, so that the time does not grow with its
  /// square.
  mutating func others(of number: Int) -> [Int] {
    let smallest = sets.smallest(with: number)
    guard let all = members[smallest], let allowed = left[smallest], allowed > 0 else { return [] }
    left[smallest] = allowed - all.count
    return all.filter { $0 != number }
  }
}
