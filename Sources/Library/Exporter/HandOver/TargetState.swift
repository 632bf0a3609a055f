import MediaEdits
package import MediaModel

/// The current content of the target folder, as far as the plan needs it.
package struct TargetState: Sendable, Hashable {
  package var record: ExportRecord
  /// The files of the record and of the records of shards when they were read, by their names.
  package var recordStamps: [[UInt8]: FileStamp] = [:]
  /// The files that the record contains, as they are now, by their paths below the target; what is
  /// missing here is not there.
  package var versions: [String: FileStamp]
  /// The names in the folders below the target that results may get names in, by the folders' paths.
  package var names: [String: Set<String>]
  /// Whether a file that is still the same has the same inode number.
  package var keepsInodes: Bool
  /// The current versions of sources whose content is the recorded one, though their time stamp is another, by the
  /// parts made from them.
  package var touched: [ExportRecord.Key: ExportRecord.Version]
  /// The parts whose lines were about assets that the catalog does not have, see ``UnknownAssetResults``, or about the same
  /// files under other keys.
  var recognized: Set<ExportRecord.Key> = []
  /// The sources that are themselves what exports into the target have made: it is in the library.
  package var results: Set<BytePath> = []

  package init(
    record: ExportRecord = ExportRecord(), versions: [String: FileStamp] = [:],
    names: [String: Set<String>] = [:], keepsInodes: Bool = true,
    touched: [ExportRecord.Key: ExportRecord.Version] = [:]
  ) {
    self.record = record
    self.versions = versions
    self.names = names
    self.keepsInodes = keepsInodes
    self.touched = touched
  }
}

extension ExportRecord.Entry {
  /// Whether a file is the one that this line is about.
  ///
  /// - Parameter keepsInodes: whether inode numbers can be relied on where the file is; else size and time
  ///   have to do.
  func isAbout(_ stamp: FileStamp, keepsInodes: Bool) -> Bool {
    isExactly(stamp) || !keepsInodes && made.isStill(ExportRecord.Version(stamp))
  }
}

/// A file that an earlier export made, as its record has it.
struct RecordedFile: Sendable {
  var part: ExportPart
  /// Below the target's folder.
  var target: String
}

/// What has changed since an earlier export of an asset, in the manifest's words.
package enum ResultChange: String, Sendable, Hashable, CaseIterable {
  /// The content of the source file, or its time stamp if the record has nothing to compare the content with.
  case source = "source changed"
  case settings = "settings changed"
  /// The facts that sidecars and names add to the result.
  case facts = "facts of sidecars changed"
  /// A result is gone from the target.
  case missing = "result missing"
  /// Another program changed a result.
  case altered = "result changed"
  /// An export was interrupted before the result had its name.
  case interrupted = "export interrupted"
}

/// The results of an earlier export of an asset, compared with the current settings.
struct EarlierResult: Sendable {
  enum State: Sendable {
    /// There are no results, or some are gone.
    case absent
    /// The results are up to date.
    case current
    /// The source or the settings have changed.
    case outdated
    /// A result was changed in the target.
    case altered
    /// A result exists and has a line in the record, but without proof that this catalog exported it.
    case unproven
    /// An export was interrupted while it replaced the files; the others are already replaced.
    case interrupted
  }

  /// Of all files together, without the XMP files about them, and without sidecars beside other files.
  var state: State
  /// The states of sidecars beside other files. They are copied independently of those.
  var sidecars: [ExportPart: State] = [:]
  /// The recorded files, a picture before its clip.
  var files: [RecordedFile] = []
  /// What has changed since; empty for an asset that was never exported.
  var changes: Set<ResultChange> = []
  /// The states of files that only `--overwrite` replaces: changed by another program, or without proof.
  var foreign: [ExportPart: State] = [:]
  /// The states of the XMP files about them that are asked for.
  var descriptions: [ExportPart: State] = [:]

  /// The states of the XMP files about results that exist: a clip inside its picture's file has none.
  var describedStates: [State] {
    descriptions.filter { description, _ in
      files.contains { description.isAbout($0.part) }
    }.map(\.value)
  }

  /// The names by the part they belong to.
  var targets: [ExportPart: String] {
    Dictionary(files.map { ($0.part, $0.target) }) { first, _ in first }
  }
}

extension TargetState {
  /// What an earlier export made of an asset under the same naming.
  ///
  /// - Parameter settings: the digest of what is asked for now.
  func earlierResult(
    of subject: ExportSubject, _ request: ExportRequest, settings: String
  ) -> EarlierResult {
    var result = EarlierResult(state: .current)
    var (states, isInterrupted) = ([EarlierResult.State](), false)
    let parts = subject.parts(request)
    let hasMain = parts.contains { $0.mayBeDescribed }
    for part in parts {
      let key = ExportRecord.Key(subject.asset, part)
      let isBeside = hasMain && part.kind == .sidecar
      if part.kind == .description {
        addDescription(part, of: subject, request, record.history[key] ?? [], to: &result)
        continue
      }
      if subject.isAppended(part, request) { continue }
      guard let entries = record.history[key], let entry = entries.last,
        entry.naming == request.naming, entry.isOwn || versions[entry.target] != nil
      else {
        if isBeside {
          result.sidecars[part] = .absent
          continue
        }
        // A clip inside its picture's file may not have been exported separately.
        if part.range == nil || request.livePhotos == .motion || request.extractsClip(part) {
          result.state = .absent
        }
        continue
      }
      let version = subject.version(of: part, request)
      let source = version != nil && touched[key] == version ? entry.source : version
      let state = state(of: entries, source, settings)
      if state == .outdated || state == .absent, entry.settings != settings,
        isEmbedded(part, of: subject, parts, settings)
      {
        continue
      }
      result.files.append(RecordedFile(part: part, target: entry.target))
      if state == .altered || state == .unproven { result.foreign[part] = state }
      if state != .current {
        result.changes.formUnion(changes(of: entry, state, source, settings))
      }
      if isBeside {
        result.sidecars[part] = state
        continue
      }
      states.append(state)
      if state == .outdated, !entry.isDone, entry.settings == settings { isInterrupted = true }
      result.state = result.state.worse(state)
    }
    if request.sidecars == nil {
      // An XMP file is only about a result that cannot contain the facts itself.
      let described = result.files.filter {
        UniformType(fileExtension: FileNameParts(name: Array($0.target.utf8)).fileExtension)
          .map(request.describesResult) ?? true
      }
      result.descriptions = result.descriptions.filter { description, _ in
        described.contains { description.isAbout($0.part) }
      }
    }
    if isInterrupted, states.contains(.current) { result.state = .interrupted }
    return result
  }

  /// Whether the latest export of a picture, with these settings, left its clip inside. A clip next to it is then older.
  private func isEmbedded(
    _ clip: ExportPart, of subject: ExportSubject, _ parts: [ExportPart], _ settings: String
  ) -> Bool {
    guard clip.range != nil,
      let still = parts.first(where: { $0.kind == .picture && $0.path == clip.path })
    else { return false }
    return record.latest(ExportRecord.Key(subject.asset, still))?.settings == settings
  }

  /// The names that earlier exports under the same naming gave to an asset's parts, whatever was asked for then.
  func recordedNames(of subject: ExportSubject, _ request: ExportRequest) -> [ExportPart: String] {
    var names: [ExportPart: String] = [:]
    for part in subject.recordableParts {
      guard let entry = record.latest(ExportRecord.Key(subject.asset, part)),
        entry.naming == request.naming, entry.isOwn || versions[entry.target] != nil
      else { continue }
      names[part] = entry.target
    }
    return names
  }

  /// What has changed since a line was written.
  private func changes(
    of entry: ExportRecord.Entry, _ state: EarlierResult.State, _ source: ExportRecord.Version?,
    _ settings: String
  ) -> Set<ResultChange> {
    var changes: Set<ResultChange> = []
    if state == .absent { changes.insert(.missing) }
    if state == .altered { changes.insert(.altered) }
    if source != entry.source { changes.insert(.source) }
    let (own, wanted) = (SettingsDigests.parts(entry.settings), SettingsDigests.parts(settings))
    if own.settings != wanted.settings { changes.insert(.settings) }
    if own.facts != wanted.facts { changes.insert(.facts) }
    // The line is about a file that has not got its name.
    return changes.isEmpty && state == .outdated ? [.interrupted] : changes
  }

  /// Compares an earlier XMP file with what it would contain now.
  private func addDescription(
    _ part: ExportPart, of subject: ExportSubject, _ request: ExportRequest,
    _ entries: [ExportRecord.Entry], to result: inout EarlierResult
  ) {
    guard let entry = entries.last, entry.naming == request.naming,
      entry.isOwn || versions[entry.target] != nil
    else {
      result.descriptions[part] = .absent
      return
    }
    result.files.append(RecordedFile(part: part, target: entry.target))
    // Its settings are a digest of its content, which is the catalog's, not the source's.
    result.descriptions[part] = state(
      of: entries, entry.source, subject.sidecar(part, request).settings)
  }

  /// The path of a part that an earlier export wrote, that may contain metadata which this export removes, and that this
  /// export does not replace: for example the clip, if only the still is exported.
  func retainedFile(of subject: ExportSubject, _ request: ExportRequest) -> String? {
    let wanted = subject.parts(request).filter { !subject.isAppended($0, request) }
    return subject.recordableParts.lazy.filter { !wanted.contains($0) }.compactMap { part in
      record.latest(ExportRecord.Key(subject.asset, part)).flatMap { entry in
        mayContainRemoved(entry, part, of: subject, request) ? entry.target : nil
      }
    }.first
  }

  /// The results of earlier exports of files that the asset no longer has, which may contain metadata that this export
  /// removes. No export replaces them.
  func filesOfGoneParts(of subject: ExportSubject, _ request: ExportRequest) -> [String] {
    let known = Set(subject.recordableParts.map { ExportRecord.Key(subject.asset, $0) })
    let gone = record.parts(of: subject.asset.identifier).filter { !known.contains($0) }
    let entries = gone.flatMap { record.history[$0] ?? [] }
    var found: [String] = []
    for entry in entries
    where entry.naming == request.naming && versions[entry.target] != nil
      && !found.contains(entry.target)
    {
      if request.removesMore(than: entry, among: entries) { found.append(entry.target) }
    }
    return found
  }

  /// The results of earlier exports of an asset that may contain metadata which this export removes, and that would stay
  /// because its own results get other names, for example with another extension.
  ///
  /// - Parameter names: those of this export's results.
  func filesUnderOtherNames(
    of subject: ExportSubject, _ request: ExportRequest, names: Set<String>
  ) -> [String] {
    var found: [String] = []
    for part in subject.recordableParts {
      for entry in record.history[ExportRecord.Key(subject.asset, part)] ?? []
      where !names.contains(entry.target) && !found.contains(entry.target) {
        if mayContainRemoved(entry, part, of: subject, request) { found.append(entry.target) }
      }
    }
    return found
  }

  /// Whether an earlier result exists and may contain metadata that this export removes.
  private func mayContainRemoved(
    _ entry: ExportRecord.Entry, _ part: ExportPart, of subject: ExportSubject,
    _ request: ExportRequest
  ) -> Bool {
    guard entry.naming == request.naming, versions[entry.target] != nil else { return false }
    if part.kind == .description {
      // What it contains is what it would contain now.
      return entry.settings != subject.sidecar(part, request).settings
        || request.metadata(ofDescribed: part) == .appearanceOnly
    }
    let isMovie = part.kind == .movie
    return !entry.removedMetadata(isMovie: isMovie)
      .isSuperset(of: isMovie ? request.videoMetadata : request.imageMetadata)
  }

  /// Compares one file with the current settings.
  ///
  /// - Parameter entries: the record's lines about it, the last one last.
  private func state(
    of entries: [ExportRecord.Entry], _ source: ExportRecord.Version?, _ settings: String
  ) -> EarlierResult.State {
    guard let latest = entries.last, let stamp = versions[latest.target] else { return .absent }
    // Where inodes say nothing, the file may be the one that an intended one was to replace.
    let isLatest =
      latest.isAbout(stamp, keepsInodes: keepsInodes || !latest.isDone)
    if isLatest {
      let isSame = source == latest.source
      if isSame, latest.settings == settings { return .current }
      return latest.isOwn ? .outdated : .unproven
    }
    guard latest.isOwn else { return .unproven }
    let isEarlier = entries.contains {
      $0.target == latest.target && $0.isAbout(stamp, keepsInodes: keepsInodes)
    }
    return isEarlier ? .outdated : .altered
  }
}

extension EarlierResult.State {
  /// The state of several files together.
  fileprivate func worse(_ other: EarlierResult.State) -> EarlierResult.State {
    let order: [EarlierResult.State] = [
      .absent, .altered, .unproven, .outdated, .interrupted, .current,
    ]
    return order.first { $0 == self || $0 == other } ?? self
  }
}
