package import Catalog
package import Linux
package import MediaModel

/// A root, or a folder in it, that a scan updates.
package struct ScanScope: Sendable, Hashable {
  package let root: RootRecord
  /// The names from the root down to the folder to scan; empty for all of it.
  package let subfolder: [[UInt8]]
  /// Why the root is unavailable; nil if it is available.
  package var unavailability: String?
  package var options = WalkOptions()

  package var isAvailable: Bool { unavailability == nil }
}

/// A folder was named that cannot be scanned.
package enum ScanScopeError: Error, Sendable, Hashable, CustomStringConvertible {
  case notFound(BytePath)
  case notAFolder(BytePath)
  case inaccessible(SystemError)
  case noRoots
  /// The folder is, or is inside, a library folder that has another path: a second mount, or a name that the
  /// file system considers equal.
  case knownByAnotherPath(BytePath, root: BytePath)

  /// Why a folder cannot be reached.
  init(_ folder: BytePath, _ error: SystemError) {
    self = error.isNotFound ? .notFound(folder) : .inaccessible(error)
  }

  package var description: String {
    switch self {
    case .notFound(let path):
      "there is no folder \(path.display): mount its disk, or check the name"
    case .notAFolder(let path): "\(path.display) is not a folder: name the folder that contains it"
    case .inaccessible(let error): error.description
    case .knownByAnotherPath(let path, let root):
      "\(path.display) is in the library folder \(root.display) by another path: scan it by its path in that folder"
    case .noRoots: "no library folder is known yet: name one, as in `shoebox scan ~/Pictures`"
    }
  }
}

extension ScanScope {
  /// The scopes of the given folders. A folder outside every root becomes a root. Without folders, every root
  /// is a scope.
  package static func resolve(
    _ folders: [BytePath], in catalog: Catalog, options: WalkOptions
  ) throws -> [ScanScope] {
    var scopes = try resolve(folders, in: catalog)
    for index in scopes.indices { scopes[index].options = options }
    return scopes
  }

  private static func resolve(_ folders: [BytePath], in catalog: Catalog) throws -> [ScanScope] {
    if folders.isEmpty {
      let roots = try catalog.read { try $0.roots() }
      guard !roots.isEmpty else { throw ScanScopeError.noRoots }
      return try roots.map { try scope($0, [], in: catalog) }
    }
    // Report a mistyped name before changing anything.
    try check(folders, in: catalog)
    var scopes: [ScanScope] = []
    for scope in try folders.flatMap({ try allScopes(named: $0, in: catalog) }) {
      if !scopes.contains(where: { $0.root.id == scope.root.id && $0.covers(scope) }) {
        scopes.removeAll { $0.root.id == scope.root.id && scope.covers($0) }
        scopes.append(scope)
      }
    }
    return scopes
  }

  /// The scope of a folder, and those of the roots inside it, which its own scope does not include.
  private static func allScopes(
    named folder: BytePath, in catalog: Catalog
  ) throws -> [ScanScope] {
    let own = try scope(named: folder, in: catalog)
    let path = own.subfolder.reduce(own.root.path) { $0.appending($1) }
    let inside = try catalog.read { try $0.roots() }
      .filter { $0.id != own.root.id && $0.path.isWithin(path) }
    return try [own] + inside.map { try scope($0, [], in: catalog) }
  }

  /// Throws if a path cannot be a scope: it is not a folder and the catalog has no such folder; or no path is
  /// given and the catalog has no root.
  ///
  /// - Parameter catalog: nil if there is none yet.
  package static func check(_ folders: [BytePath], in catalog: Catalog?) throws {
    if folders.isEmpty, catalog == nil { throw ScanScopeError.noRoots }
    for folder in folders { try check(folder, in: catalog) }
  }

  private static func check(_ folder: BytePath, in catalog: Catalog?) throws {
    guard !folder.bytes.isEmpty else { throw ScanScopeError.notFound(folder) }
    let absolute = try folder.absolute()
    let path: BytePath
    do {
      path = try absolute.resolved()
    } catch {
      if let catalog, try MissingFolder(absolute, in: catalog) != nil { return }
      throw ScanScopeError(folder, error)
    }
    guard try FileStatus(of: path).kind == .directory else {
      throw ScanScopeError.notAFolder(folder)
    }
    if let catalog { try checkIdentity(of: path, in: catalog) }
  }

  /// Throws if a folder is outside every root by its path, but inside one by its identity: its files would be
  /// in the catalog twice.
  private static func checkIdentity(of path: BytePath, in catalog: Catalog) throws {
    let roots = try catalog.read { try $0.roots() }
    guard !roots.contains(where: { path.isWithin($0.path) }) else { return }
    let identities = Dictionary(
      roots.compactMap { root in
        (try? FileStatus(of: root.path)).map { ($0.folderIdentity, root.path) }
      }, uniquingKeysWith: { first, _ in first })
    var folder = path
    while !folder.components.isEmpty {
      if let root = try identities[FileStatus(of: folder).folderIdentity] {
        throw ScanScopeError.knownByAnotherPath(path, root: root)
      }
      folder = folder.parent
    }
  }

  private func covers(_ other: ScanScope) -> Bool {
    other.subfolder.starts(with: subfolder)
  }

  private static func scope(named folder: BytePath, in catalog: Catalog) throws -> ScanScope {
    let absolute = try folder.absolute()
    let path: BytePath
    do {
      path = try absolute.resolved()
    } catch {
      guard let lost = try MissingFolder(absolute, in: catalog) else {
        throw ScanScopeError(folder, error)
      }
      return try scope(lost.root, lost.nearest, in: catalog)
    }
    let status = try FileStatus(of: path)
    guard status.kind == .directory else { throw ScanScopeError.notAFolder(folder) }
    let roots = try catalog.read { try $0.roots() }
    // The folder belongs to the innermost root that contains it.
    let holder = roots.filter { path.isWithin($0.path) }
      .max { $0.path.bytes.count < $1.path.bytes.count }
    if let holder {
      let below = Array(path.components.dropFirst(holder.path.components.count))
      return try scope(holder, below, in: catalog)
    }
    try catalog.write {
      try $0.addRoot(
        path, status.folderIdentity, now: millisecondsSince1970())
    }
    let added = try catalog.read { try $0.roots() }.first { $0.path == path }
    guard let added else { throw ScanScopeError.notFound(folder) }
    return ScanScope(root: added, subfolder: [])
  }

  private static func scope(
    _ root: RootRecord, _ subfolder: [[UInt8]], in catalog: Catalog
  ) throws -> ScanScope {
    var scope = ScanScope(root: root, subfolder: subfolder)
    scope.unavailability = try unavailability(of: root, in: catalog)
    return scope
  }

  /// Why a root is unavailable; nil if it is available.
  package static func unavailability(of root: RootRecord, in catalog: Catalog) throws -> String? {
    switch try RootAvailability(of: root, in: catalog) {
    case .available: nil
    case .unavailable(let reason): reason
    }
  }
}

/// A folder that cannot be reached now, but is in the catalog.
private struct MissingFolder {
  /// The root that it is, or that contains it.
  let root: RootRecord
  /// The names from the root down to its nearest existing parent.
  let nearest: [[UInt8]]

  /// Nil if the catalog does not contain it, for example because its name was mistyped.
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
    // The folder belongs to the innermost root that contains it.
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
  /// The names from a folder that contains this path down to it.
  fileprivate func below(_ folder: BytePath) -> [[UInt8]] {
    Array(components.dropFirst(folder.components.count))
  }

  /// Without symbolic links as far as it exists, and without repeated and trailing slashes.
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
