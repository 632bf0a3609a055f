import Catalog
import Linux
import MediaModel

/// Walks the folders of one root, depth first and in the order of names, a few folders in memory at a time.
struct Walk {
  private static let unmounted =
    "The disk that was mounted here is not mounted: its files were not scanned."

  /// Folders that have changed since the walk read them, and are read again.
  private struct Revisit {
    var folders: Set<Int64> = []
    /// The folders above them.
    var above: Set<Int64> = []
  }

  private let scope: ScanScope
  /// Nil for the first walk.
  private let revisit: Revisit?
  /// Other roots, which do not belong to this one, whatever path leads to them.
  private let otherRoots: Set<FolderIdentity>
  private let ledger: ScanLedger
  private let catalog: Catalog
  private var reader: FolderReader
  /// The walk continues with the last folder. Early readings exist for some of the last ones.
  private var pendingFolders: [(folder: PendingFolder, reading: FolderReading?)] = []

  /// A known folder that was not in its place. It is missing, unless the walk finds it elsewhere.
  private struct GoneFolder {
    var folder: FolderRecord
    /// Those inside its parent folder.
    var exclusions: Exclusions
    var disk: MountIdentity
  }
  private var goneFolders: [GoneFolder] = []
  /// The device of the root, once the walk has read it.
  private var rootDevice: UInt64?

  /// - Parameters:
  ///   - otherRoots: the other library folders.
  ///   - changed: the folders to read again, because they may have new entries since the walk read them; nil
  ///     for the first walk. New folders in them are read, too.
  ///   - lastScan: a time before the last scan, nanoseconds since 1970 UTC; nil if there was none.
  init(
    _ scope: ScanScope, exclusions: Exclusions, otherRoots: Set<FolderIdentity>,
    again changed: [FolderRecord]? = nil, lastScan: Int64?, ledger: ScanLedger
  ) throws {
    self.scope = scope
    self.otherRoots = otherRoots
    self.ledger = ledger
    catalog = ledger.catalog
    revisit = try changed.map { folders in
      var revisit = Revisit(folders: Set(folders.map(\.id)))
      for folder in folders {
        revisit.above.formUnion(try ledger.catalog.read { try $0.foldersAbove(folder.id) })
      }
      return revisit
    }
    reader = FolderReader(scope, lastScan: lastScan)
    let top = try catalog.write { try $0.topFolder(ofRoot: scope.root.id) }
    add(
      PendingFolder(
        folder: top, path: scope.root.path, components: [], disk: nil,
        exclusions: exclusions))
  }

  /// Has `body` called when a folder seems to have new files, before the folder is read to its end. It may be called on
  /// any thread, and more than once.
  mutating func onNewFiles(_ body: @escaping @Sendable () -> Void) {
    reader.expectNewFiles = body
  }

  /// Reads the next folder; nil when all have been read.
  ///
  /// A folder that cannot be read is recorded as a failure and skipped. Its files do not become missing.
  mutating func next() async throws -> FolderListing? {
    while try await hasPendingFolders(), let (next, early) = pendingFolders.popLast() {
      var (pending, early) = (next, early)
      pending.folder = try await ledger.currentRecord(of: next.folder)
      if pending.folder.id != next.folder.id, let reading = early {
        // It was read for comparison with the files of the folder that has moved.
        _ = try await reader.outcome(of: next, from: reading)
        early = nil
      }
      let reading = early ?? reader.start(pending, isEarly: false)
      readAhead()
      let read: ReadFolder
      switch try await reader.outcome(of: pending, from: reading) {
      case .read(let folder): read = folder
      case .failed(let error):
        try await skip(pending, error)
        continue
      case .isOnOtherFileSystem: continue
      }
      let directory = read.directory
      if !pending.components.isEmpty, otherRoots.contains(directory.identity) {
        // Another root, mounted here or reached by a name that the file system considers equal.
        _ = try await ledger.markMissing(pending.folder, sparingMounts: false)
        continue
      }
      guard let disk = try await disk(of: pending, directory) else { continue }
      var listing: FolderListing
      let exclusions: Exclusions
      switch read.content {
      case .success(let content): (listing, exclusions) = content
      case .failure(let error):
        try await skip(pending, error, on: disk)
        continue
      }
      listing.disk = disk
      let isRead = scope.options.reads(pending.folder)
      if isRead, let moved = try await ledger.takeMovedFolder(listing, directory.identity) {
        pending.folder = moved
        listing.folder = moved
      }
      try noteDevice(of: &pending.folder, directory)
      let gone = try await descend(
        from: pending, into: listing.folders, besides: listing.unseen, exclusions, on: disk)
      // Above the requested folder, only the next folder on its path matters.
      guard pending.components.count >= scope.subfolder.count else {
        try await noteUnreachable(of: pending, directory, listing.folders)
        continue
      }
      // If entries have disappeared, the disk may have been unmounted, and the walk has read the folder under it.
      guard isRead else {
        guard gone.isEmpty || disk.isInPlace else {
          try await abandon(disk)
          continue
        }
        goneFolders += gone.map { GoneFolder(folder: $0, exclusions: exclusions, disk: disk) }
        continue
      }
      guard (listing.isUnchanged && gone.isEmpty) || (read.wasDiskInPlace && disk.isInPlace) else {
        try await abandon(disk)
        continue
      }
      if let revisit, await ledger.hasVisited(pending.folder.id) {
        guard revisit.folders.contains(pending.folder.id) else { continue }
        listing.isRevisit = true
        return listing
      }
      goneFolders += gone.map { GoneFolder(folder: $0, exclusions: exclusions, disk: disk) }
      try await noteUnseen(listing, directory)
      await ledger.visit(
        pending.folder.id,
        changed: isYoung(directory.changed, at: read.now) ? FileRecord.young : directory.changed)
      return listing
    }
    return nil
  }

  /// Whether the walk goes on. When all folders have been read, those that were not found become missing.
  private mutating func hasPendingFolders() async throws -> Bool {
    while pendingFolders.isEmpty, let gone = goneFolders.popLast() {
      if gone.disk.isInPlace {
        try await markMissing(gone.folder, gone.exclusions, on: gone.disk)
      } else {
        try await abandon(gone.disk)
      }
    }
    return !pendingFolders.isEmpty
  }

  private mutating func add(_ folder: PendingFolder) {
    pendingFolders.append((folder, nil))
  }

  /// Starts to read the next folders.
  private mutating func readAhead() {
    for index in pendingFolders.indices.suffix(FolderReader.depth).reversed() {
      guard reader.hasSpace else { return }
      guard pendingFolders[index].reading == nil else { continue }
      pendingFolders[index].reading = reader.start(
        pendingFolders[index].folder, isEarly: true)
    }
  }

  /// Records why the requested folder cannot be reached, if it cannot.
  private func noteUnreachable(
    of pending: PendingFolder, _ directory: Directory, _ folders: [[UInt8]]
  ) async throws {
    let wanted = scope.subfolder[pending.components.count]
    guard !folders.contains(wanted) else { return }
    let entry = directory.entries.firstIndex(named: wanted).map { directory.entries[$0] }
    let error =
      if let reason = entry?.failure?.reason {
        "It cannot be examined: \(reason.lowercased())."
      } else if entry != nil {
        "It is ignored: it is hidden, a system folder, or matched by a .shoeboxignore or --exclude."
      } else {
        // The file system may consider a different spelling equal.
        "Its parent folder contains no folder of exactly this name."
      }
    try await ledger.fail(pending.path.appending(wanted), error)
  }

  /// Records why a folder could not be read.
  private mutating func skip(_ pending: PendingFolder, _ error: SystemError) async throws {
    guard let disk = pending.disk else {
      await ledger.markUnavailable(scope.root, RootAvailability.reason(error))
      return
    }
    if !error.isNotFound {
      try await ledger.fail(
        pending.path, "The folder cannot be read: \(error.reason.lowercased()).")
    } else if !disk.isInPlace {
      try await abandon(disk)
    } else if pending.folder.isMountPoint {
      try await ledger.fail(pending.path, Self.unmounted, isAbsence: true)
    }
    // The next scan marks other folders missing that disappeared during this one.
  }

  /// Skips a folder with all below it, because its rules are unknown.
  private mutating func skip(
    _ pending: PendingFolder, _ error: IgnoreFileError, on disk: MountIdentity
  ) async throws {
    guard disk.isInPlace else {
      try await abandon(disk)
      return
    }
    try await ledger.fail(pending.path.appending(Exclusions.fileName), error.description)
  }

  /// Ends the walk on a disk that was unmounted during the scan.
  private mutating func abandon(_ disk: MountIdentity) async throws {
    pendingFolders.removeAll { $0.folder.path.isWithin(disk.path) }
    goneFolders.removeAll { $0.disk.path == disk.path }
    try await ledger.noteUnmounted(disk, in: scope.root)
  }

  /// The disk that contains a folder; nil if the disk is not mounted. Updates the recorded mount points.
  private mutating func disk(of pending: PendingFolder, _ directory: Directory) async throws
    -> MountIdentity?
  {
    if let above = pending.disk {
      guard directory.isMountPoint || pending.folder.isMountPoint else { return above }
      if try catalog.read({ try $0.isUnmounted(pending.folder, directory) }) {
        try await ledger.fail(pending.path, Self.unmounted, isAbsence: true)
        return nil
      }
    } else {
      let reason = try catalog.read { try $0.unavailability(of: scope.root, showing: directory) }
      if let reason {
        await ledger.markUnavailable(scope.root, reason)
        return nil
      }
      try await ledger.noteIdentity(of: scope.root, directory)
      rootDevice = directory.identity.device
    }
    if directory.isMountPoint != pending.folder.isMountPoint {
      try catalog.write { try $0.setMountPoint(directory.isMountPoint, folder: pending.folder.id) }
    }
    let own = MountIdentity(pending.path, directory)
    return directory.isMountPoint ? own : pending.disk ?? own
  }

  /// Records the device that a folder is on: two names of one file are on the same one.
  private func noteDevice(of folder: inout FolderRecord, _ directory: Directory) throws {
    let device = directory.identity.device
    let other = device == rootDevice ? nil : device
    guard other != folder.device else { return }
    folder.device = other
    try catalog.write { [id = folder.id] in try $0.setDevice(other, folder: id) }
  }

  /// Records the entries that could not be examined; the folder itself if it contains no others.
  private func noteUnseen(_ listing: FolderListing, _ directory: Directory) async throws {
    if listing.unseen.isEmpty { return }
    let entries = directory.entries
    let unseen = entries.indices.filter { entries.failure(at: $0) != nil }.map { entries[$0] }
      .filter { listing.unseen.contains($0.name) }
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

  /// Adds subfolders to the pending folders; the first name is read next.
  ///
  /// - Parameter unseen: names that may also be folders.
  /// - Returns: the known folders that are no longer present.
  private mutating func descend(
    from pending: PendingFolder, into names: [[UInt8]], besides unseen: Set<[UInt8]>,
    _ exclusions: Exclusions,
    on disk: MountIdentity
  ) async throws -> [FolderRecord] {
    let known = try catalog.read { try $0.folders(in: pending.folder.id) }
    let byName = Dictionary(known.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let depth = pending.components.count
    let wanted = depth < scope.subfolder.count ? scope.subfolder[depth] : nil
    // A set, because an unchanged folder may list a name twice.
    let relevant = Set(names).filter { wanted == nil || wanted == $0 }
    let added = try add(relevant.filter { byName[$0] == nil }, in: pending.folder)
    for name in relevant.sorted(by: { $1.lexicographicallyPrecedes($0) }) {
      guard let folder = byName[name] ?? added[name], await isWanted(folder) else { continue }
      add(
        PendingFolder(
          folder: folder, path: pending.path.appending(name),
          components: pending.components + [name], disk: disk, exclusions: exclusions))
    }
    let present = unseen.union(names)
    return byName.values.filter { !present.contains($0.name) }
  }

  /// Whether a folder is to be read: during a revisit, only changed and new folders.
  private func isWanted(_ folder: FolderRecord) async -> Bool {
    guard let revisit else { return true }
    if revisit.folders.contains(folder.id) || revisit.above.contains(folder.id) {
      return true
    }
    return await !ledger.hasVisited(folder.id)
  }

  /// Adds new folders to the catalog in one transaction; returns them by their names.
  private func add(
    _ names: [[UInt8]], in parent: FolderRecord
  ) throws -> [[UInt8]: FolderRecord] {
    if names.isEmpty { return [:] }
    return try catalog.write { transaction in
      var added: [[UInt8]: FolderRecord] = [:]
      for name in names {
        added[name] = try transaction.addFolder(
          root: scope.root.id, parent: parent.id, path: parent.path.appending(name), name: name,
          device: parent.device)
      }
      return added
    }
  }

  /// Marks the files of a folder that is gone as missing.
  ///
  /// Files on a disk that was mounted in it are not missing: some systems remove the folder at which they
  /// mounted a disk. The walk tries to read such mount points, since automounters mount a disk on access. If
  /// the user has excluded a mount point, its files become missing, too.
  private mutating func markMissing(
    _ folder: FolderRecord, _ exclusions: Exclusions, on disk: MountIdentity
  ) async throws {
    for mount in try await ledger.markMissing(folder, sparingMounts: true) {
      let components = mount.path.components
      // The rule may name the mount point or a folder above it.
      let isExcluded = (folder.path.components.count...components.count).contains { count in
        exclusions.excludes(
          components[count - 1][...], isFolder: true, below: Array(components.prefix(count - 1)))
      }
      if isExcluded {
        _ = try await ledger.markMissing(mount, sparingMounts: false)
        continue
      }
      add(
        PendingFolder(
          folder: mount, path: scope.root.path.appending(mount.path.bytes),
          components: components, disk: disk, exclusions: exclusions))
    }
  }
}

extension [ScanScope] {
  /// The number of files that the walk will list, for an estimate of the remaining time; nil if cancelled.
  ///
  /// It reads every folder a second time, but without the files' status, and so soon overtakes the walk. It does
  /// not read the rules of a `.shoeboxignore`, and keeps only the names of folders.
  package func countFiles() -> Int? {
    var count = 0
    for scope in self where scope.isAvailable {
      let exclusions = Exclusions(paths: [], patterns: scope.options.exclusions)
      var folders = [scope.subfolder]
      while let folder = folders.popLast() {
        if Task.isCancelled { return nil }
        let path = folder.reduce(scope.root.path) { $0.appending($1) }
        if scope.options.staysOnFileSystem, folder.count > scope.subfolder.count,
          path.isMountPoint(automounting: false)
        {
          continue
        }
        guard let contents = try? FolderCount(reading: path) else { continue }
        count += contents.others
        for name in contents.folders
        where !exclusions.excludes(name[...], isFolder: true, below: folder) {
          folders.append(folder + [name])
        }
      }
    }
    return count
  }
}
