/// How the user has chosen a picture while culling, as Lightroom's flags and digiKam's pick labels record it.
package enum Pick: Int, Sendable, CaseIterable {
  case rejected = -1
  /// The user has taken a mark back, or has set none.
  case none = 0
  case picked = 1
  /// digiKam's undecided.
  case pending = 2

  /// As expressions and JSON have it.
  package var word: String {
    switch self {
    case .rejected: "rejected"
    case .none: "none"
    case .picked: "picked"
    case .pending: "pending"
    }
  }
}

/// A hierarchical keyword: its levels with `|` between them, such as `Places|Europe|Rome`.
package enum KeywordPath {
  package static let separator: Character = "|"
  /// Deeper paths are left out.
  package static let mostLevels = 32
  /// Of an asset; the others are left out. A path has up to two rows a level in the catalog.
  private static let mostPaths = 128
  /// Bytes of a path; longer ones are left out.
  private static let longest = 512

  /// The paths that an asset may have.
  package static func limited(_ paths: [String]) -> [String] {
    let short = paths.lazy.filter { path in
      path.utf8.count <= longest && path.count { $0 == separator } < mostLevels
    }
    return Array(short.prefix(mostPaths))
  }

  /// What an asset with a path is found by: the path, the paths above it, and the name of each level.
  package static func terms(of path: String) -> Set<String> {
    let levels = path.split(separator: separator).map(String.init)
    var terms = Set(levels)
    for count in levels.indices {
      terms.insert(levels[...count].joined(separator: String(separator)))
    }
    return terms
  }

  /// What a path as a user types it may mean: with `|` between its levels, which may contain a `/`, or with `/`.
  package static func meanings(ofTyped text: String) -> [String] {
    text.contains("/") ? [text, text.replacing("/", with: String(separator))] : [text]
  }
}
