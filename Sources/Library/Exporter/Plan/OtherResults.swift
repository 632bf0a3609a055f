import MediaModel

/// Results whose lines are about ids that are not exported now, but which come from the very files that are: a catalog that
/// was deleted and made again has other ids, and so have the files of a library folder that was forgotten and scanned again.
///
/// Without them, an export would make all files a second time, with numbers.
struct OtherResults {
  /// What a result must have come from.
  private struct Origin: Hashable {
    var source: ExportRecord.Version
    var resource: ResourceType
    var variant: String
  }

  private let request: ExportRequest
  private let settings: SettingsDigests
  /// The keys of lines, those with short names first: names without numbers.
  private var keys: [Origin: [ExportRecord.Key]] = [:]

  /// - Parameter identifiers: the assets that are exported.
  init(_ state: TargetState, _ request: ExportRequest, except identifiers: Set<String>) {
    (self.request, settings) = (request, SettingsDigests(request))
    for (key, entries) in state.record.history where !identifiers.contains(key.identifier) {
      // What is gone is made again.
      guard let entry = entries.last, entry.naming == request.naming,
        state.versions[entry.target] != nil
      else { continue }
      let origin = Origin(source: entry.source, resource: key.resource, variant: key.variant)
      keys[origin, default: []].append(key)
    }
    for (origin, several) in keys where several.count > 1 {
      let named = several.map { (key: $0, name: state.record.latest($0)?.target ?? "") }
      keys[origin] = named.sorted { ($0.name.count, $0.name) < ($1.name.count, $1.name) }
        .map(\.key)
    }
  }

  /// The keys of the lines about a subject's parts, by the keys that these have now; empty if there are none, or if its
  /// results must not be taken for this one's.
  ///
  /// - Parameters:
  ///   - wanted: the name that is wanted for its results.
  ///   - index: its number in the order of capture, from 1.
  func keys(
    of subject: ExportSubject, _ wanted: WantedName, index: Int, in record: ExportRecord
  ) -> [ExportRecord.Key: ExportRecord.Key] {
    if keys.isEmpty { return [:] }
    var found: [ExportRecord.Key: ExportRecord.Key] = [:]
    var stems: [String]?
    for part in subject.parts(request) {
      let key = ExportRecord.Key(subject.asset, part)
      if record.latest(key) != nil { return [:] }
      guard let version = subject.version(of: part, request) else { continue }
      let origin = Origin(source: version, resource: key.resource, variant: key.variant)
      for other in keys[origin] ?? [] {
        guard let entry = record.latest(other) else { continue }
        let possible =
          stems
          ?? subject.possibleStems(request, wanted, index: index).map(\.caseFolded)
        stems = possible
        guard Self.fits(entry.target, wanted.folder, possible) else { continue }
        let current =
          part.kind == .description
          ? subject.sidecar(part, request).settings : settings[subject.asset]
        // An own line may be about a copy that is still in the catalog. Its file is not replaced for another.
        if entry.isOwn, request.replacement == .always || entry.settings != current { return [:] }
        found[key] = other
        break
      }
    }
    return found
  }

  /// Whether a path is in a folder and its name one of the stems, perhaps with a number, and an extension.
  private static func fits(_ target: String, _ folder: String, _ stems: [String]) -> Bool {
    let own = target.folder
    guard own.caseFolded == folder.caseFolded else { return false }
    let name = String(target.dropFirst(own.isEmpty ? 0 : own.count + 1)).caseFolded
    return stems.contains { stem in
      guard name.hasPrefix(stem) else { return false }
      var rest = name.dropFirst(stem.count)
      if rest.hasPrefix(" ("), let end = rest.firstIndex(of: ")") {
        rest = rest[end...].dropFirst()
      }
      return rest.isEmpty || rest.first == "."
    }
  }
}

extension TargetState {
  /// Takes the results of other ids for those of these subjects, where they come from the same files.
  mutating func adoptOtherResults(for subjects: PlanSubjects, _ request: ExportRequest) {
    let identifiers = Set(subjects.all.map(\.asset.identifier))
    guard record.history.keys.contains(where: { !identifiers.contains($0.identifier) })
    else { return }
    let others = OtherResults(self, request, except: identifiers)
    for place in subjects.needed {
      let keys = others.keys(
        of: subjects.all[place], subjects.wanted[place], index: subjects.captureIndices[place],
        in: record)
      for (key, other) in keys { record.move(other, to: key) }
    }
  }
}
