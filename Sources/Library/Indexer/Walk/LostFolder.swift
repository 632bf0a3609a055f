import Catalog
import Linux
import MediaModel

/// A folder that somebody named, that cannot be reached, and that the catalog knows: it was there once.
struct LostFolder {
  /// The root that it is, or that it lies in.
  let root: RootRecord
  /// The names from the root down to the nearest folder above it that is there.
  let nearest: [[UInt8]]

  /// Nil for one that the catalog has never seen, such as a mistyped name.
  ///
  /// - Parameter folder: absolute.
  init?(_ folder: BytePath, in catalog: Catalog) throws {
    let path = folder.resolvedAsFarAsItExists
    let known = try catalog.read { transaction in
      try transaction.roots().filter { path.isWithin($0.path) }.filter { root in
        let below = BytePath(bytes: Array(path.below(root.path).joined(separator: slash)))
        return try below.bytes.isEmpty || transaction.knownFolder(below, ofRoot: root.id) != nil
      }
    }
    // The innermost root is its own.
    guard let root = known.max(by: { $0.path.bytes.count < $1.path.bytes.count }) else {
      return nil
    }
    self.root = root
    var (reached, nearest) = (root.path, [[UInt8]]())
    for name in path.below(root.path) {
      reached = reached.appending(name)
      guard let status = try? FileStatus(of: reached), status.kind == .directory else { break }
      nearest.append(name)
    }
    self.nearest = nearest
  }
}

private let slash = [UInt8(ascii: "/")]

extension BytePath {
  /// The names from a folder that this lies in down to it.
  fileprivate func below(_ folder: BytePath) -> [[UInt8]] {
    Array(components.dropFirst(folder.components.count))
  }

  /// Without symbolic links as far as there is anything, and without doubled and trailing slashes.
  fileprivate var resolvedAsFarAsItExists: BytePath {
    var (above, rest) = (components, [[UInt8]]())
    while let name = above.popLast() {
      rest.insert(name, at: 0)
      let folder = BytePath(bytes: slash + above.joined(separator: slash))
      if let resolved = try? folder.resolved() {
        return rest.reduce(resolved) { $0.appending($1) }
      }
    }
    return self
  }
}
