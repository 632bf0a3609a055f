import Linux
import MediaModel

/// Finds the results that exports have made from the same sources for assets that the catalog does not have: for those of
/// another catalog, or for its own before it forgot a library folder. Most often the other catalog is the one of the same
/// library before it was deleted and made again; there all assets had other identifiers.
///
/// Such a result counts only if it is as it was made, and if the whole content of the source is still the one that it was
/// made from. Without proof of this catalog its settings must be those of this export, too.
struct UnknownAssetResults: Sendable {
  let subjects: PlanSubjects
  let request: ExportRequest
  let target: TargetFolder
  /// Those of some identifiers that assets of the catalog have.
  let known: @Sendable (Set<String>) throws -> Set<String>

  /// The results of an unknown asset, as lines about one of the catalog.
  private struct Match {
    var candidates: [ContentCheck.Candidate] = []
    /// The lines with the source as it is now.
    var lines: [(key: ExportRecord.Key, entry: ExportRecord.Entry)] = []
  }

  /// Adds the lines to the target's state, as lines about the catalog's assets.
  ///
  /// Only assets that no export has exported into the target are compared, and of the record only lines
  /// about files whose names they may want: without such files nothing is read.
  func add(to state: inout TargetState) async throws {
    guard !state.record.otherNames.isEmpty else { return }
    let open = subjects.needed.filter { isNew(subjects.all[$0], in: state) }
    let wanted = open.reduce(into: Set<Int>()) { $0.formUnion(nameKeys(ofSubject: $1)) }
    let names = state.record.otherNames.filter { !wanted.isDisjoint(with: nameKeys(of: $0)) }
    guard !names.isEmpty else { return }
    let others = try target.state(
      of: ExportRecord.Interest(identifiers: [], folders: [], targets: names))
    let known = try known(Set(others.record.history.keys.map(\.identifier)))
    let matches = matches(open, others, unknownAssets(others, known))
    guard !matches.isEmpty, let tree = try? TargetTree(target.path) else { return }
    let check = ContentCheck(request: request, state: others, tree: tree)
    let same = await check.touched(matches.flatMap(\.candidates))
    for match in matches where match.candidates.allSatisfy({ same[$0.key] != nil }) {
      for (key, entry) in match.lines {
        state.record.add(key, entry)
        state.versions[entry.target] = others.versions[entry.target]
        state.recognized.insert(key)
      }
    }
  }

  /// Whether the record has nothing about an asset that can be exported.
  private func isNew(_ subject: ExportSubject, in state: TargetState) -> Bool {
    guard subject.asset.status == .present, !state.results.contains(subject.asset.path) else {
      return false
    }
    return !subject.parts(request).contains {
      state.record.latest(ExportRecord.Key(subject.asset, $0)) != nil
    }
  }

  // MARK: Names

  private func nameKeys(ofSubject index: Int) -> [Int] {
    let wanted = subjects.wanted[index]
    return subjects.all[index].possibleStems(
      request, wanted, index: subjects.captureIndices[index]
    ).flatMap { NamingGroups.keys(of: $0, in: wanted.folder) }
  }

  /// - Parameter path: below the target.
  private func nameKeys(of path: String) -> [Int] {
    let folder = path.folder
    let name = folder.isEmpty ? path[...] : path.dropFirst(folder.count + 1)
    return NamingGroups.keys(of: String(name), in: folder)
  }

  // MARK: Matches

  /// The results of unknown assets that may be those of the catalog's, each at most once.
  ///
  /// - Parameters:
  ///   - open: the indices of the catalog's assets.
  ///   - others: what is recorded of files whose names they may want.
  ///   - unknown: the unknown assets.
  private func matches(
    _ open: [Int], _ others: TargetState, _ unknown: UnknownAssets
  ) -> [Match] {
    let settings = SettingsDigests(request)
    // Several unknown assets may have had one result after the other.
    var used: Set<String> = []
    return open.compactMap { index in
      let subject = subjects.all[index]
      let versions = subject.parts(request).compactMap { subject.version(of: $0, request) }
      let found = unknown.candidates(
        names: Set(nameKeys(ofSubject: index)), sizes: Set(versions.map(\.size)),
        modified: subject.version(of: subject.original.main, request)?.modified
      ) { used.isDisjoint(with: $0.targets) }
      for other in found {
        guard let match = match(subject, other, others, settings[subject.asset]) else { continue }
        used.formUnion(other.targets)
        return match
      }
      return nil
    }
  }

  /// What is recorded of unknown assets. A result that is also one of a known asset stays that asset's alone.
  ///
  /// - Parameter known: the identifiers that assets of the catalog have.
  private func unknownAssets(
    _ others: TargetState, _ known: Set<String>
  ) -> UnknownAssets {
    let history = others.record.history
    let taken = Set(
      history.lazy.filter { known.contains($0.key.identifier) }.compactMap(\.value.last?.target))
    var lines: [String: [UnknownAsset.Line]] = [:]
    for (key, entries) in history where !known.contains(key.identifier) {
      guard var entry = entries.last, !taken.contains(entry.target),
        let stamp = others.versions[entry.target],
        entry.isAbout(stamp, keepsInodes: others.keepsInodes || !entry.isDone)
      else { continue }
      entry.isDone = true
      lines[key.identifier, default: []].append((key, entry))
    }
    return UnknownAssets(
      lines.map { UnknownAsset(identifier: $0, lines: $1) }, nameKeys: nameKeys(of:))
  }

  /// The results of an unknown asset as results of one of the catalog, if they may be.
  private func match(
    _ subject: ExportSubject, _ other: UnknownAsset, _ others: TargetState, _ settings: String
  ) -> Match? {
    let parts = subject.parts(request)
    var match = Match()
    var state = TargetState(keepsInodes: others.keepsInodes)
    for (var key, var entry) in other.lines {
      guard entry.naming == request.naming,
        let part = parts.first(where: { $0.resource == key.resource && $0.variant == key.variant })
      else { continue }
      key = ExportRecord.Key(subject.asset, part)
      if part.kind != .description {
        guard let version = subject.version(of: part, request), entry.content != nil,
          version.size == entry.source.size
        else { return nil }
        match.candidates.append(
          ContentCheck.Candidate(
            key: key, entry: entry, subject: subject, part: part, version: version))
        entry.source = version
      }
      match.lines.append((key, entry))
      state.record.add(key, entry)
      state.versions[entry.target] = others.versions[entry.target]
    }
    guard !match.candidates.isEmpty else { return nil }
    let result = state.earlierResult(of: subject, request, settings: settings)
    let states = [result.state] + result.describedStates
    return states.allSatisfy(isUsable) ? match : nil
  }

  /// Whether results in this state stay, or are made again under their names.
  private func isUsable(_ state: EarlierResult.State) -> Bool {
    switch state {
    // Outdated is only what this catalog has made: the settings were other ones.
    case .current, .outdated: true
    case .unproven: request.replacement == .always
    case .absent, .altered, .interrupted: false
    }
  }
}
