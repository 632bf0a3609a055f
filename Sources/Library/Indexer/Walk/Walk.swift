import Catalog
import Linux
import MediaModel

/// Walks the folders of one root, depth first and in the order of names, one folder in memory at a time.
struct Walk {
  /// A folder that is still to be read.
  private struct Stop {
    var folder: FolderRecord
    var path: BytePath
    var components: [[UInt8]]
    /// The disk that the folder above lies on; nil for the top.
    var disk: DiskWitness?
    var exclusions: Exclusions
  }

  private static let unmounted =
    "The disk that was mounted here is not mounted: its files were not scanned."

  /// What a second look is for: folders that have changed since the walk read them.
  private struct SecondLook {
    var folders: Set<Int64> = []
    /// The folders above them.
    var above: Set<Int64> = []
  }

  private let scope: ScanScope
  /// Nil for the walk itself.
  private let secondLook: SecondLook?
  /// Other roots, which are no part of this one, whatever name leads to them.
  private let otherRoots: Set<FolderIdentity>
  private let ledger: ScanLedger
  private let catalog: Catalog
  private var stops: [Stop]

  /// - Parameters:
  ///   - otherRoots: the other library folders.
  ///   - changed: the folders to read again because something may have come into them since the walk read
  ///     them; nil for the walk itself. Folders that have come into them are read, too.
  init(
    _ scope: ScanScope, exclusions: Exclusions, otherRoots: Set<FolderIdentity>,
    again changed: [FolderRecord]? = nil, ledger: ScanLedger
  ) throws {
    self.scope = scope
    self.otherRoots = otherRoots
    self.ledger = ledger
    catalog = ledger.catalog
    secondLook = try changed.map { folders in
      var look = SecondLook(folders: Set(folders.map(\.id)))
      for folder in folders {
        look.above.formUnion(try ledger.catalog.read { try $0.foldersAbove(folder.id) })
      }
      return look
    }
    let top = try catalog.write { try $0.topFolder(ofRoot: scope.root.id) }
    stops = [
      Stop(
        folder: top, path: scope.root.path, components: [], disk: nil,
        exclusions: exclusions)
    ]
  }

  /// Reads the next folder; nil when all have been read.
  ///
  /// A folder that cannot be read is noted as a failure and passed over: nothing in it is taken for
  /// gone.
  mutating func next() async throws -> FolderListing? {
    while let stop = stops.popLast() {
      var directory: Directory
      let now = nanosecondsSince1970()
      do {
        directory = try Directory(reading: stop.path)
      } catch {
        try await passOver(stop, error)
        continue
      }
      if !stop.components.isEmpty, otherRoots.contains(directory.identity) {
        // Another library folder, mounted here or reached by a name that the file system takes for its own.
        _ = try await ledger.lose(stop.folder, sparingMounts: false)
        continue
      }
      guard let disk = try await disk(of: stop, directory) else { continue }
      let exclusions: Exclusions
      do {
        exclusions = try stop.exclusions.entering(
          stop.path, depth: stop.components.count, entries: directory.entries)
      } catch {
        try await leaveOut(stop, error, on: disk)
        continue
      }
      var (listing, folders) = list(directory, at: stop, exclusions, now: now)
      // Only what has changed is worth the search for doubled names.
      if !listing.isUnchanged, directory.removeDuplicateNames() {
        (listing, folders) = list(directory, at: stop, exclusions, now: now)
      }
      let gone = try await descend(
        from: stop, into: folders, besides: listing.unseen, exclusions, on: disk)
      // Above the folder that was asked for only the way down matters.
      guard stop.components.count >= scope.subfolder.count else {
        try await noteEnd(of: stop, directory, folders)
        continue
      }
      // Where something may be gone, the disk may be: what was read may be what lies under it.
      guard (listing.isUnchanged && gone.isEmpty) || disk.isInPlace else {
        try await abandon(disk)
        continue
      }
      if let secondLook, await ledger.hasVisited(stop.folder.id) {
        guard secondLook.folders.contains(stop.folder.id) else { continue }
        listing.isSecondLook = true
        return listing
      }
      for folder in gone { try await lose(folder, exclusions, on: disk) }
      try await noteUnseen(listing, directory)
      await ledger.visit(
        stop.folder.id,
        changed: isYoung(directory.changed, at: now) ? FileRecord.young : directory.changed)
      return listing
    }
    return nil
  }

  /// Says why the way to the folder that was asked for ends, if it does.
  private func noteEnd(
    of stop: Stop, _ directory: Directory, _ folders: [[UInt8]]
  ) async throws {
    let wanted = scope.subfolder[stop.components.count]
    guard !folders.contains(wanted) else { return }
    let entry = directory.entries.first { $0.name == wanted }
    let error =
      if let reason = entry?.failure?.reason {
        "It cannot be examined: \(reason.lowercased())."
      } else if entry != nil {
        "It is ignored: it is hidden, a system folder, or matched by a .shoeboxignore."
      } else {
        // Perhaps the file system takes other letters for the same.
        "Its parent folder contains no folder of exactly this name."
      }
    try await ledger.fail(stop.path.appending(wanted), error)
  }

  /// Notes why a folder could not be read.
  private mutating func passOver(_ stop: Stop, _ error: SystemError) async throws {
    guard let disk = stop.disk else {
      await ledger.leave(scope.root, ScanScope.reason(error))
      return
    }
    if !error.isNotFound {
      try await ledger.fail(
        stop.path, "The folder cannot be read: \(error.reason.lowercased()).")
    } else if !disk.isInPlace {
      try await abandon(disk)
    } else if stop.folder.isMountPoint {
      try await ledger.fail(stop.path, Self.unmounted)
    }
    // What else vanished between two looks is found gone by the next scan.
  }

  /// Leaves a folder as it is, with all below it, because its rules are not known.
  private mutating func leaveOut(
    _ stop: Stop, _ error: IgnoreFileError, on disk: DiskWitness
  ) async throws {
    guard disk.isInPlace else {
      try await abandon(disk)
      return
    }
    try await ledger.fail(stop.path.appending(Exclusions.fileName), error.description)
  }

  /// Ends the walk of what lies on a disk that was pulled out meanwhile.
  private mutating func abandon(_ disk: DiskWitness) async throws {
    stops.removeAll { $0.path.isWithin(disk.path) }
    if disk.path == scope.root.path {
      await ledger.leave(scope.root, "its disk was unmounted during the scan")
    } else {
      try await ledger.fail(
        disk.path, "The disk that was mounted here was unmounted during the scan.")
    }
  }

  /// The disk that a folder lies on; nil if what the folder shows is not believed. Keeps the notes about
  /// mounts up to date.
  private func disk(of stop: Stop, _ directory: Directory) async throws -> DiskWitness? {
    if let above = stop.disk {
      guard directory.isMountPoint || stop.folder.isMountPoint else { return above }
      if try catalog.read({ try $0.isUnmounted(stop.folder, directory) }) {
        try await ledger.fail(stop.path, Self.unmounted)
        return nil
      }
    } else {
      let doubt = try catalog.read { try $0.doubt(about: directory, asRoot: scope.root) }
      if let doubt {
        await ledger.leave(scope.root, doubt)
        return nil
      }
      try await ledger.see(scope.root, directory)
    }
    if directory.isMountPoint != stop.folder.isMountPoint {
      try catalog.write { try $0.setMountPoint(directory.isMountPoint, folder: stop.folder.id) }
    }
    let own = DiskWitness(stop.path, directory)
    return directory.isMountPoint ? own : stop.disk ?? own
  }

  /// What of a folder's entries is part of the library: its files, and the names of the folders in it.
  private func list(
    _ directory: Directory, at stop: Stop, _ exclusions: Exclusions, now: Int64
  ) -> (FolderListing, folders: [[UInt8]]) {
    var listing = FolderListing(
      folder: stop.folder, path: stop.path, files: [], digest: FolderDigest(), ignored: 0)
    var folders: [[UInt8]] = []
    for entry in directory.entries {
      let isExcluded = exclusions.excludes(entry, below: stop.components)
      switch (entry.kind, entry.stamp) {
      case _ where entry.failure != nil && !isExcluded: listing.unseen.insert(entry.name)
      case (.directory, _):
        if !isExcluded { folders.append(entry.name) }
      case (.regular, let stamp?) where !isExcluded:
        listing.files.append(
          ListedFile(name: entry.name, stamp: stamp, changed: entry.changed ?? now, now: now))
      default: listing.ignored += 1
      }
    }
    listing.finish()
    return (listing, folders)
  }

  /// Names what could not be looked at: the folder, if that was all there is in it.
  private func noteUnseen(_ listing: FolderListing, _ directory: Directory) async throws {
    let unseen = directory.entries.filter { listing.unseen.contains($0.name) }
    if let reason = unseen.first?.failure?.reason, unseen.count > 1, listing.files.isEmpty {
      try await ledger.fail(
        listing.path, "The files in the folder cannot be examined: \(reason.lowercased()).")
      return
    }
    for entry in unseen {
      guard let reason = entry.failure?.reason else { continue }
      try await ledger.fail(
        listing.path.appending(entry.name), "It cannot be examined: \(reason.lowercased()).")
    }
  }

  /// Puts the folders inside on the list, the first name on top.
  ///
  /// - Parameter unseen: names that may be those of folders, too.
  /// - Returns: the known folders that are not there.
  private mutating func descend(
    from stop: Stop, into names: [[UInt8]], besides unseen: Set<[UInt8]>, _ exclusions: Exclusions,
    on disk: DiskWitness
  ) async throws -> [FolderRecord] {
    let known = try catalog.read { try $0.folders(in: stop.folder.id) }
    let byName = Dictionary(known.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let depth = stop.components.count
    let wanted = depth < scope.subfolder.count ? scope.subfolder[depth] : nil
    // A set: a name may be listed twice where the files are unchanged.
    let onTheWay = Set(names).filter { wanted == nil || wanted == $0 }
    let added = try add(onTheWay.filter { byName[$0] == nil }, in: stop.folder)
    for name in onTheWay.sorted(by: { $1.lexicographicallyPrecedes($0) }) {
      guard let folder = byName[name] ?? added[name], await isWanted(folder) else { continue }
      stops.append(
        Stop(
          folder: folder, path: stop.path.appending(name),
          components: stop.components + [name], disk: disk, exclusions: exclusions))
    }
    let present = unseen.union(names)
    return byName.values.filter { !present.contains($0.name) }
  }

  /// Whether a folder is to be read: in a second look only what has changed, or was not there before.
  private func isWanted(_ folder: FolderRecord) async -> Bool {
    guard let secondLook else { return true }
    if secondLook.folders.contains(folder.id) || secondLook.above.contains(folder.id) {
      return true
    }
    return await !ledger.hasVisited(folder.id)
  }

  /// Adds folders that the catalog has not seen, all in one transaction; by their names.
  private func add(
    _ names: [[UInt8]], in parent: FolderRecord
  ) throws -> [[UInt8]: FolderRecord] {
    if names.isEmpty { return [:] }
    return try catalog.write { transaction in
      var added: [[UInt8]: FolderRecord] = [:]
      for name in names {
        added[name] = try transaction.addFolder(
          root: scope.root.id, parent: parent.id, path: parent.path.appending(name), name: name)
      }
      return added
    }
  }

  /// Marks what was known in a folder that is gone.
  ///
  /// What lay on a disk that was mounted in it is no more gone than the disk: some systems remove the
  /// folder at which they mounted one. It is put on the list, for others mount a disk when it is asked for;
  /// unless a rule leaves it out, by which one says that the disk will not come back.
  private mutating func lose(
    _ folder: FolderRecord, _ exclusions: Exclusions, on disk: DiskWitness
  ) async throws {
    for mount in try await ledger.lose(folder, sparingMounts: true) {
      let components = mount.path.components
      let entry = DirectoryEntry(name: mount.name, kind: .directory)
      if exclusions.excludes(entry, below: components.dropLast()) {
        _ = try await ledger.lose(mount, sparingMounts: false)
        continue
      }
      stops.append(
        Stop(
          folder: mount, path: scope.root.path.appending(mount.path.bytes),
          components: components, disk: disk, exclusions: exclusions))
    }
  }
}

extension [ScanScope] {
  /// How many files the walk will meet, for an estimate of the time that remains; nil if cancelled.
  ///
  /// It reads every folder once more, but asks for no file's status, and so is soon ahead of the walk.
  package func countFiles() -> Int? {
    var count = 0
    let exclusions = Exclusions(paths: [])
    for scope in self where scope.isAvailable {
      var folders = [scope.subfolder.reduce(scope.root.path) { $0.appending($1) }]
      while let folder = folders.popLast() {
        if Task.isCancelled || Interruption.isRequested { return nil }
        guard var directory = try? Directory(reading: folder, namesOnly: true) else { continue }
        _ = directory.removeDuplicateNames()
        for entry in directory.entries {
          guard entry.kind == .directory else {
            count += 1
            continue
          }
          if !exclusions.excludes(entry, below: []) {
            folders.append(folder.appending(entry.name))
          }
        }
      }
    }
    return count
  }
}
