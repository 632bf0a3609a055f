package import Catalog
import Exporter
import Linux
package import MediaModel
import WorkerPool

/// A file that is to be copied.
package struct PlannedCopy: Sendable, Hashable {
  package var source: ImportableFile
  /// Below the root, with `/` between folders.
  package var folder: String
  package var name: String
  /// Where the catalog has a file with this content, which is not there.
  package var absentTwin: BytePath?
}

/// What an import does.
package struct ImportPlan: Sendable {
  /// The copies of each group, which appear together.
  package var copies: [[PlannedCopy]] = []
  /// Files that are not copied, because the library has them.
  package var settled: [ImportItem] = []
  /// Files that stay on the source: other files, and sidecars of what the library has outside of the root.
  package var left: [BytePath] = []
  /// Whether the planning was cancelled.
  package var isInterrupted = false
}

extension ImportPlan {
  /// Compares what is on a source with the catalog and with the files in the target.
  ///
  /// - Parameter progress: called with the number of finished groups and the bytes that were read since the last call.
  /// - Throws: ``CatalogError``.
  package init(
    _ contents: SourceContents, _ request: ImportRequest, _ catalog: Catalog,
    progress: @escaping @Sendable (_ groups: Int, _ bytes: Int) -> Void
  ) async throws {
    self = try await blocking {
      try ImportPlan(comparing: contents, request, catalog, progress: progress)
    }
  }

  private init(
    comparing contents: SourceContents, _ request: ImportRequest, _ catalog: Catalog,
    progress: @escaping @Sendable (_ groups: Int, _ bytes: Int) -> Void
  ) throws {
    var planner = ImportPlanner(request, catalog, contents) { count in
      progress(0, count)
      return !GracefulCancellation.isRequested
    }
    for (index, group) in contents.groups.enumerated() {
      if GracefulCancellation.isRequested { break }
      try planner.plan(group, index: index + 1)
      progress(1, 0)
    }
    self = planner.plan
    isInterrupted = GracefulCancellation.isRequested
    left = (left + contents.left).sorted()
  }
}

private struct ImportPlanner {
  private let request: ImportRequest
  private var known: KnownContent
  private var names: TargetNames
  /// The folder of each burst, by its identifier: that of its first picture.
  private var burstFolders: [String: String] = [:]
  /// Files of the source that may be copies of each other: their groups' targets, by size and fingerprint.
  private var planned: [ContentKey: [PlannedCopy]] = [:]
  /// The files that this run copies, by their paths below the root without case: what each is made of, and the index of its
  /// group in the plan.
  private var targets: [String: (source: BytePath, group: Int)] = [:]
  /// The numbers that were tried for each name of the template, so that each is tried about once, however many files have
  /// the name.
  private var numbers: [WantedName: TriedNumbers] = [:]
  private(set) var plan = ImportPlan()

  private struct WantedName: Hashable {
    var folder: String
    var stem: String
  }

  private struct TriedNumbers {
    /// Groups of this run have all numbers up to this one.
    var reserved = 0
    /// The largest number of a group of this run.
    var last = 0
  }

  private struct ContentKey: Hashable {
    var size: Int64
    var fingerprint: Fingerprint?
  }

  init(
    _ request: ImportRequest, _ catalog: Catalog, _ contents: SourceContents,
    progress: @escaping (Int) -> Bool
  ) {
    self.request = request
    known = KnownContent(catalog, request, contents, progress: progress)
    names = TargetNames(root: request.root)
  }

  mutating func plan(_ group: ImportGroup, index: Int) throws {
    let files = group.files
    let ownStem = Self.stem(of: group.lead)
    let groupNames = GroupNames(files, stem: ownStem)
    var places: [[BytePath]] = []
    for file in group.media { places.append(try known.places(of: file)) }
    // An equal group may have completed what the library has of it, or have been copied as a whole.
    if places.contains(where: \.isEmpty), let twins = plannedPlaces(of: group) {
      places = twins.map { [$0] }
    }
    if places.allSatisfy({ !$0.isEmpty }) {
      return settleComplete(group, groupNames, places, ownStem)
    }
    if places.contains(where: { !$0.isEmpty }), complete(group, groupNames, places, ownStem) {
      return
    }
    let (folder, stem) = wanted(group, index)
    let name = WantedName(folder: folder.caseFolded, stem: stem.caseFolded)
    var tried = numbers[name] ?? TriedNumbers()
    // An earlier run may have given the group any number. If no file there has the size, it has not.
    let mayBeThere = names.hasFile(ofSizes: group.media.map(\.stamp.size), in: folder)
    for number in ((mayBeThere ? tried.reserved : tried.last) + 1)... {
      let candidate = groupNames.names(
        stem: stem, isOwn: stem == ownStem, number: number == 1 ? nil : number)
      let isReserved = names.isReserved(candidate, in: folder)
      let missing = isReserved ? nil : self.missing(group, candidate, in: folder)
      if isReserved || missing != nil, number == tried.reserved + 1 { tried.reserved = number }
      guard let missing else { continue }
      tried.last = max(tried.last, number)
      numbers[name] = tried
      add(group, candidate, in: folder, copying: missing)
      return
    }
  }

  /// The name of a group by the template. The pictures of a burst share the folder of the first one.
  private mutating func wanted(_ group: ImportGroup, _ index: Int) -> (folder: String, stem: String)
  {
    let source = request.sources.filter { group.lead.path.isWithin($0) }
      .max { $0.bytes.count < $1.bytes.count }
    var folders = group.lead.path.components.dropFirst(source?.components.count ?? 0).dropLast()
    // Of a card, the folders of the camera count.
    if folders.first.map(readableName)?.caseFolded == "dcim" { folders = folders.dropFirst() }
    let below = folders.reduce(BytePath(bytes: [])) { $0.appending($1) }
    var name = request.template.name(of: group.lead, in: below, index: index)
    if let burst = group.lead.burstIdentifier {
      if let folder = burstFolders[burst] {
        name.folder = folder
      } else {
        burstFolders[burst] = name.folder
      }
    }
    return name
  }

  private static func stem(of asset: AssetRecord) -> String {
    readableName(FileNameParts(name: asset.path.lastComponent).stem)
  }

  /// Reports a group of which the library has, or this run makes, all pictures and videos, and copies the sidecars that are
  /// missing next to them. Those of pictures outside of the root are left on the source.
  ///
  /// - Parameter places: of each medium, the files that have its content.
  private mutating func settleComplete(
    _ group: ImportGroup, _ groupNames: GroupNames, _ places: [[BytePath]], _ ownStem: String
  ) {
    for (file, place) in zip(group.media, places) { note(file, place.first, .known) }
    guard !group.companions.isEmpty else { return }
    let found = places.enumerated().compactMap { index, candidates in
      place(groupNames, index, candidates)
    }.first
    guard let found else {
      plan.left += group.companions.map(\.path)
      return
    }
    let wanted = groupNames.names(stem: found.stem, ownStem: ownStem)
    var copies: [PlannedCopy] = []
    for (file, name) in zip(group.companions, wanted.dropFirst(group.media.count)) {
      guard let folder = below(found.folder) else {
        let path = found.folder.appending(name)
        if (try? FileStatus(of: path)) == nil {
          plan.left.append(file.path)
        } else {
          note(file, path, known.areEqual(file.path, path) ? .known : .kept)
        }
        continue
      }
      if let existing = names.existing(name, in: folder) {
        let path = self.path(existing, in: folder)
        note(file, path, known.areEqual(file.path, path) ? .known : .kept)
      } else if let other = targets[Self.key(name, folder)] {
        // An equal group has brought its own.
        let isEqual = known.areEqual(file.path, other.source)
        note(file, path(name, in: folder), isEqual ? .known : .kept)
      } else {
        copies.append(PlannedCopy(source: file, folder: folder, name: name))
      }
    }
    if let folder = copies.first?.folder { names.reserve(copies.map(\.name), in: folder) }
    // They appear with their pictures if this run copies those.
    add(copies, to: places.compactMap { $0.first.flatMap(target) }.first?.group)
  }

  /// Completes a group where the library has some of it.
  ///
  /// - Parameter places: of each medium, the files that have its content.
  /// - Returns: false if the group has to be copied as a whole.
  private mutating func complete(
    _ group: ImportGroup, _ groupNames: GroupNames, _ places: [[BytePath]], _ ownStem: String
  ) -> Bool {
    guard let (folder, stem) = commonPlace(groupNames, places) else { return false }
    let wanted = groupNames.names(stem: stem, ownStem: ownStem)
    if names.isReserved(wanted, in: folder) { return false }
    var missing: Set<Int> = []
    for (index, file) in group.files.enumerated() {
      if index < places.count, !places[index].isEmpty { continue }
      guard let existing = names.existing(wanted[index], in: folder) else {
        missing.insert(index)
        continue
      }
      if index < places.count, !known.areEqual(file.path, path(existing, in: folder)) {
        return false
      }
    }
    add(group, wanted, in: folder, copying: missing, knownAt: places)
    return true
  }

  /// The folder and stem that all known files of a group have in the root; nil if they are elsewhere or apart.
  private func commonPlace(
    _ groupNames: GroupNames, _ places: [[BytePath]]
  ) -> (folder: String, stem: String)? {
    var found: (folder: BytePath, stem: String)?
    for (index, candidates) in places.enumerated() {
      // `IMG_E0001.JPG` shares no stem with the others: it only has to be in their folder.
      if candidates.isEmpty || groupNames.hasOtherStem(index) { continue }
      guard let place = place(groupNames, index, candidates) else { return nil }
      if let found, found != place { return nil }
      found = place
    }
    guard let found, let folder = below(found.folder),
      places.allSatisfy({ $0.isEmpty || $0[0].parent == found.folder })
    else { return nil }
    return (folder, found.stem)
  }

  /// The folder of a known file, and the stem that it shares there with others of its group; nil if it shares none.
  private func place(
    _ groupNames: GroupNames, _ index: Int, _ candidates: [BytePath]
  ) -> (folder: BytePath, stem: String)? {
    guard let path = candidates.first, let name = path.lastComponent.asText,
      let stem = groupNames.stem(of: index, named: name)
    else { return nil }
    return (path.parent, stem)
  }

  /// A folder's path below the root; nil if it is elsewhere.
  private func below(_ folder: BytePath) -> String? {
    guard folder.isWithin(request.root) else { return nil }
    let names = folder.components.dropFirst(request.root.components.count)
    return Array(names.joined(separator: [UInt8(ascii: "/")])).asText
  }

  private func path(_ name: String, in folder: String) -> BytePath {
    request.root.appending(Array(folder.utf8)).appending(name)
  }

  /// For each medium of a group, a file with its content that this run makes, or that is in the place where this run
  /// completes a group; nil if a medium has none.
  private mutating func plannedPlaces(of group: ImportGroup) -> [BytePath]? {
    var places: [BytePath] = []
    for file in group.media {
      let key = ContentKey(size: file.stamp.size, fingerprint: file.fingerprint)
      let twin = (planned[key] ?? []).first { known.areEqual($0.source.path, file.path) }
      guard let twin else { return nil }
      places.append(path(twin.name, in: twin.folder))
    }
    return places
  }

  private static func key(_ name: String, _ folder: String) -> String {
    (folder + "/" + name).caseFolded
  }

  /// What this run copies to a path.
  private func target(at path: BytePath) -> (source: BytePath, group: Int)? {
    guard let folder = below(path.parent), let name = path.lastComponent.asText else { return nil }
    return targets[Self.key(name, folder)]
  }

  /// Adds copies to a group of the plan.
  ///
  /// - Parameter group: its index; nil makes a new one.
  private mutating func add(_ copies: [PlannedCopy], to group: Int? = nil) {
    guard !copies.isEmpty else { return }
    let group = group ?? plan.copies.endIndex
    if group == plan.copies.endIndex { plan.copies.append([]) }
    plan.copies[group] += copies
    for copy in copies { targets[Self.key(copy.name, copy.folder)] = (copy.source.path, group) }
  }

  /// The files of a group that have to be copied if it gets these names: those that an earlier run has copied need not.
  ///
  /// - Returns: nil if other files have the names, or names that belong together with these.
  private mutating func missing(
    _ group: ImportGroup, _ wanted: [String], in folder: String
  ) -> Set<Int>? {
    let relatives = names.relatives(of: wanted, in: folder)
    guard !relatives.isEmpty else { return Set(group.files.indices) }
    var missing: Set<Int> = []
    var present: Set<String> = []
    var hasMedium = false
    // Whether other sidecars than the group's are there. They may stay only with the group's own pictures: a user has
    // changed them since.
    var hasOtherSidecars = false
    for (index, file) in group.files.enumerated() {
      guard let existing = names.existing(wanted[index], in: folder) else {
        missing.insert(index)
        continue
      }
      present.insert(existing.caseFolded)
      let isEqual = known.areEqual(file.path, path(existing, in: folder))
      if index < group.media.count {
        if !isEqual { return nil }
        hasMedium = true
      } else if !isEqual {
        hasOtherSidecars = true
      }
    }
    for stranger in relatives where !present.contains(stranger.caseFolded) {
      guard isCompanion(Array(stranger.utf8)) else { return nil }
      hasOtherSidecars = true
    }
    return hasMedium || !hasOtherSidecars ? missing : nil
  }

  /// Adds a group under its names.
  ///
  /// - Parameters:
  ///   - missing: the indices of the files that are copied.
  ///   - places: of each medium, the files that have its content.
  private mutating func add(
    _ group: ImportGroup, _ wanted: [String], in folder: String, copying missing: Set<Int>,
    knownAt places: [[BytePath]] = []
  ) {
    names.reserve(wanted, in: folder)
    var copies: [PlannedCopy] = []
    for (index, file) in group.files.enumerated() {
      let copy = PlannedCopy(source: file, folder: folder, name: wanted[index])
      if index < group.media.count {
        let key = ContentKey(size: file.stamp.size, fingerprint: file.fingerprint)
        planned[key, default: []].append(copy)
      }
      if missing.contains(index) {
        var copy = copy
        if index < group.media.count { copy.absentTwin = known.absent[file.path] }
        copies.append(copy)
      } else if index < places.count, let place = places[index].first {
        note(file, place, .known)
      } else {
        let existing = path(names.existing(wanted[index], in: folder) ?? wanted[index], in: folder)
        note(file, existing, known.areEqual(file.path, existing) ? .known : .kept)
      }
    }
    add(copies)
  }

  private mutating func note(_ file: ImportableFile, _ place: BytePath?, _ action: ImportAction) {
    // A damaged file may be what a failed copy has left: that the library has it, too, does not make it whole.
    plan.settled.append(
      ImportItem(
        source: file.path, target: place, action: action, size: file.stamp.size,
        error: action == .known ? file.error : nil))
  }
}

extension [UInt8] {
  /// Nil if it is not UTF-8.
  fileprivate var asText: String? { String(validating: self, as: UTF8.self) }
}
