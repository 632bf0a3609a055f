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
  /// Files that are not media.
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
    left = contents.left
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
    known = KnownContent(catalog, request, progress: progress)
    names = TargetNames(root: request.root)
  }

  mutating func plan(_ group: ImportGroup, index: Int) throws {
    let files = group.files
    let ownStem = Self.stem(of: group.lead)
    let groupNames = GroupNames(files, stem: ownStem)
    var places: [[BytePath]] = []
    for file in group.media { places.append(try known.places(of: file)) }
    // An equal group may have completed what the library has of it, or have been copied as a whole.
    if places.contains(where: \.isEmpty), isPlanned(group) { return }
    if places.contains(where: { !$0.isEmpty }), settle(group, groupNames, places, ownStem) {
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

  /// Decides about a group of which the library has something: nothing is copied of a complete one but sidecars that it lacks,
  /// and an incomplete one is completed where it is.
  ///
  /// - Parameter places: of each medium, the files that have its content.
  /// - Returns: false if the group has to be copied as a whole.
  private mutating func settle(
    _ group: ImportGroup, _ groupNames: GroupNames, _ places: [[BytePath]], _ ownStem: String
  ) -> Bool {
    let isComplete = places.allSatisfy { !$0.isEmpty }
    if let (folder, stem) = commonPlace(groupNames, places) {
      let wanted = groupNames.names(stem: stem, isOwn: stem == ownStem, number: nil)
      if !names.isReserved(wanted, in: folder) {
        var missing: Set<Int> = []
        var isFree = true
        for (index, file) in group.files.enumerated() {
          if index < places.count, !places[index].isEmpty { continue }
          guard let existing = names.existing(wanted[index], in: folder) else {
            missing.insert(index)
            continue
          }
          let path = self.path(existing, in: folder)
          if index < places.count, !known.areEqual(file.path, path) { isFree = false }
        }
        if isFree || isComplete {
          add(group, wanted, in: folder, copying: missing, knownAt: places)
          return true
        }
      }
    }
    guard isComplete else { return false }
    for (index, file) in group.files.enumerated() {
      let place = index < places.count ? places[index].first : nil
      note(file, place, index < places.count ? .known : .kept)
    }
    return true
  }

  /// The folder and stem that all known files of a group have in the root; nil if they are elsewhere or apart.
  private func commonPlace(
    _ groupNames: GroupNames, _ places: [[BytePath]]
  ) -> (folder: String, stem: String)? {
    var found: (folder: String, stem: String)?
    for (index, candidates) in places.enumerated() {
      guard let path = candidates.first else { continue }
      guard path.isWithin(request.root), let folder = below(path.parent),
        let name = path.lastComponent.asText,
        let stem = groupNames.stem(of: index, named: name)
      else { return nil }
      if let found, found != (folder, stem) { return nil }
      found = (folder, stem)
    }
    return found
  }

  /// A folder's path below the root.
  private func below(_ folder: BytePath) -> String? {
    let names = folder.components.dropFirst(request.root.components.count)
    return Array(names.joined(separator: [UInt8(ascii: "/")])).asText
  }

  private func path(_ name: String, in folder: String) -> BytePath {
    request.root.appending(Array(folder.utf8)).appending(name)
  }

  /// Whether each medium of a group has the content of a file that this run copies already, or that is in the place where
  /// this run completes a group.
  private mutating func isPlanned(_ group: ImportGroup) -> Bool {
    var places: [BytePath] = []
    for file in group.media {
      let key = ContentKey(size: file.stamp.size, fingerprint: file.fingerprint)
      let twin = (planned[key] ?? []).first { known.areEqual($0.source.path, file.path) }
      guard let twin else { return false }
      places.append(path(twin.name, in: twin.folder))
    }
    for (index, file) in group.files.enumerated() {
      note(file, index < places.count ? places[index] : nil, index < places.count ? .known : .kept)
    }
    return true
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
    if !copies.isEmpty { plan.copies.append(copies) }
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
