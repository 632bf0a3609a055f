import Linux
import MediaModel

extension [DuplicateSet] {
  /// Without the spare assets that may be another name of a file of the set, those that waste most first. Sets without
  /// spare assets are left out.
  ///
  /// The catalog knows the devices of library folders, but not those of disks and folders that are mounted below them.
  /// The files are examined now: an asset is spare only if all of its files are there and have one name in all sets,
  /// and the file to keep is there.
  ///
  /// - Throws: `CancellationError`.
  func withoutNamesOfOneFile() throws -> [DuplicateSet] {
    let identities = try FileIdentities(flatMap(\.members))
    let sets = compactMap { set -> DuplicateSet? in
      guard identities.isThere(set.keeper.asset.path) else { return nil }
      var set = set
      set.spares.removeAll { spare in
        !spare.files.allSatisfy { file in
          identities.isOnlyName(file.path) && (file.equal.map(identities.isThere) ?? true)
        }
      }
      guard let best = set.spares.first else { return nil }
      set.reason = best.reason ?? ""
      return set
    }
    return sets.sorted {
      ($1.reclaimableBytes, $0.keeper.asset.path) < ($0.reclaimableBytes, $1.keeper.asset.path)
    }
  }
}

/// Which files the paths of some assets are now.
private struct FileIdentities {
  private struct Identity: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  /// The identity of the regular file at each path.
  private var identities: [BytePath: Identity] = [:]
  /// How many of the paths each file has.
  private var names: [Identity: Int] = [:]

  init(_ members: [DuplicateSet.Member]) throws {
    var paths: Set<BytePath> = []
    for member in members {
      paths.insert(member.asset.path)
      for resource in member.asset.resources { paths.insert(resource.path) }
      for file in member.files {
        paths.insert(file.path)
        if let equal = file.equal { paths.insert(equal) }
      }
    }
    for path in paths {
      try Task.checkCancellation()
      // A path may be a link, if the scan has followed links. What cannot be examined is not there.
      guard let status = try? FileStatus(of: path, followingLinks: true), status.kind == .regular
      else { continue }
      let identity = Identity(device: status.device, inode: status.stamp.inode)
      identities[path] = identity
      names[identity, default: 0] += 1
    }
  }

  func isThere(_ path: BytePath) -> Bool { identities[path] != nil }

  /// Whether a file is there that no other of the paths leads to.
  func isOnlyName(_ path: BytePath) -> Bool {
    guard let identity = identities[path] else { return false }
    return names[identity] == 1
  }
}
