/// Numbers in sets that have none in common, and can be joined.
///
/// R. E. Tarjan, *Efficiency of a Good But Not Linear Set Union Algorithm*, 1975, with paths that are halved.
package struct DisjointSets: Sendable {
  /// Of each number that is not the smallest of its set, a smaller one.
  private var parents: [Int: Int] = [:]

  package init() {}

  /// The smallest number of a set.
  package mutating func smallest(with number: Int) -> Int {
    var current = number
    while let parent = parents[current] {
      let next = parents[parent] ?? parent
      parents[current] = next
      current = next
    }
    return current
  }

  package mutating func join(_ one: Int, _ other: Int) {
    let (one, other) = (smallest(with: one), smallest(with: other))
    if one != other { parents[max(one, other)] = min(one, other) }
  }

  package mutating func areJoined(_ one: Int, _ other: Int) -> Bool {
    smallest(with: one) == smallest(with: other)
  }
}
