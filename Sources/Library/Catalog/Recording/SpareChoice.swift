package import Foundation

// Which of the assets that share content are spare. To delete all spare assets with all of their files never
// deletes the last copy of any content, not even where two paths lead to one file.

/// What a file of an asset contains, and which file it is.
package struct CopyFile: Sendable, Hashable {
  /// What is in it.
  package enum Content: Sendable, Hashable {
    /// - Parameter size: bytes.
    case digest(Data, size: Int64)
    /// No other file has it.
    case unique(file: Int64)
  }

  /// Which file it is, whatever its path.
  package struct Identity: Sendable, Hashable {
    package var device: Int64
    package var inode: Int64
    /// Nanoseconds since 1970.
    package var modified: Int64

    package init(device: Int64, inode: Int64, modified: Int64) {
      (self.device, self.inode, self.modified) = (device, inode, modified)
    }
  }

  package var content: Content
  package var identity: Identity

  package init(content: Content, identity: Identity) {
    (self.content, self.identity) = (content, identity)
  }
}

/// A listed asset with the files of all it has absorbed.
package struct CopyHolder: Sendable {
  /// What the files contain, and which files they are.
  struct Holding: Sendable, Hashable {
    var contents: Set<CopyFile.Content>
    var identities: Set<CopyFile.Identity>

    /// Whether all of the content is, in other files, in another asset.
    func isCovered(by other: Holding) -> Bool {
      contents.isSubset(of: other.contents) && identities.isDisjoint(with: other.identities)
    }
  }

  package let asset: Int64
  let holding: Holding
  /// How many sidecars describe the asset: among assets with equally much content, the larger one is kept.
  let sidecars: Int
  /// Among those with equally many sidecars, the smaller one is kept.
  let rank: Int64
  /// Whether it is kept in any case.
  let isFixed: Bool

  /// - Parameters:
  ///   - sidecars: how many describe the asset. Among assets with equally much content, the larger one is kept: it
  ///     knows more about the picture, such as the title in a Takeout's JSON.
  ///   - rank: among those with equally many sidecars, the smaller one is kept; nil for the one that the catalog has
  ///     known longest.
  ///   - isFixed: whether the asset is kept in any case.
  package init(
    asset: Int64, files: [CopyFile], sidecars: Int = 0, rank: Int64? = nil, isFixed: Bool = false
  ) {
    (self.asset, self.sidecars) = (asset, sidecars)
    (self.rank, self.isFixed) = (rank ?? asset, isFixed)
    holding = Holding(
      contents: Set(files.map(\.content)), identities: Set(files.map(\.identity)))
  }
}

/// Chooses the spare ones among assets, in a time that grows with their number and not with its square.
package struct SpareChoice {
  /// The assets that can go.
  package private(set) var spares: Set<Int64> = []

  /// What the assets that are kept hold, by each content of theirs.
  private var kept: [CopyFile.Content: [CopyHolder.Holding]] = [:]
  /// The files that all kept assets with a content share, as hard links do.
  private var shared: [CopyFile.Content: Set<CopyFile.Identity>] = [:]
  /// What is in `kept`; assets that hold the same count once.
  private var known: Set<CopyHolder.Holding> = []

  /// - Parameter holders: all assets that share content with one another.
  ///
  /// Those that are kept in any case come first, then those with more content, with more sidecars, of a smaller rank;
  /// each other is spare if an asset that is kept has all of its content in other files.
  package init(_ holders: [CopyHolder]) {
    var spare: [CopyHolder] = []
    let sorted = holders.sorted {
      ($0.isFixed ? 0 : 1, $1.holding.contents.count, $1.sidecars, $0.rank)
        < ($1.isFixed ? 0 : 1, $0.holding.contents.count, $0.sidecars, $1.rank)
    }
    for holder in sorted {
      if !holder.isFixed, isCovered(holder.holding) {
        spare.append(holder)
      } else {
        keep(holder.holding)
      }
    }
    spares = Set(spare.map(\.asset))
    // A spare asset must not be, by another path, a file of one that is kept.
    var sharing: [CopyFile.Identity: [CopyHolder]] = [:]
    for holder in spare {
      for identity in holder.holding.identities { sharing[identity, default: []].append(holder) }
    }
    var waiting = known.flatMap(\.identities)
    while let identity = waiting.popLast() {
      for holder in sharing.removeValue(forKey: identity) ?? []
      where spares.remove(holder.asset) != nil {
        waiting += holder.holding.identities
      }
    }
  }

  /// Whether a kept asset has all of this content in other files.
  private func isCovered(_ holding: CopyHolder.Holding) -> Bool {
    var fewest: [CopyHolder.Holding]?
    for content in holding.contents {
      guard let candidates = kept[content], let common = shared[content],
        common.isDisjoint(with: holding.identities)
      else { return false }
      if candidates.count < fewest?.count ?? .max { fewest = candidates }
    }
    return fewest?.contains { holding.isCovered(by: $0) } ?? false
  }

  private mutating func keep(_ holding: CopyHolder.Holding) {
    guard known.insert(holding).inserted else { return }
    for content in holding.contents {
      kept[content, default: []].append(holding)
      shared[content] =
        shared[content]?.intersection(holding.identities) ?? holding.identities
    }
  }
}
