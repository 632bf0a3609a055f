import MediaEdits
import MediaModel
import Presets
package import WorkerProtocol

/// Makes plans: pure functions over what was found out beforehand.
package struct ExportPlanner: Sendable {
  package let request: ExportRequest
  package let target: TargetState
  private let settings: SettingsDigests

  package init(_ request: ExportRequest, target: TargetState = TargetState()) {
    self.request = request
    self.target = target
    settings = SettingsDigests(request)
  }

  /// The files whose headers have to be examined before the plan can be made.
  package func examinations(_ subjects: [ExportSubject]) -> [ExamineItem] {
    examinations(PlanSubjects(subjects, request, checking: {}), checking: {}).map(\.examineItem)
  }

  /// - Parameter check: as for ``PlanSubjects``.
  func examinations(
    _ subjects: PlanSubjects, checking check: () throws -> Void
  ) rethrows -> [ExportPart] {
    try subjects.neededSubjects.flatMap { subject -> [ExportPart] in
      try check()
      guard earlyFate(of: subject).isOpen else { return [] }
      let parts = subject.parts(request)
      let converted = Set(parts.compactMap { subject.converted($0, parts, request) })
      let embedded = Set(
        parts.filter { !request.isKept($0, of: subject.asset, size: $0.pixelSize) }
          .compactMap { request.embeddedClip(of: $0, parts) })
      return parts.filter {
        request.needsExamination($0, of: subject.asset) || embedded.contains($0)
          || converted.contains($0) && $0.uniformType != .jpeg
      }
    }
  }

  /// The plan for these assets.
  ///
  /// - Parameter examined: the replies for ``examinations(_:)``.
  package func plan(
    _ subjects: [ExportSubject], examined: [ExamineItem: ExamineReply] = [:]
  ) -> ExportPlan {
    plan(
      PlanSubjects(subjects, request, checking: {}), examined: examined, checking: {})
  }

  /// - Parameter check: as for ``PlanSubjects``.
  func plan(
    _ subjects: PlanSubjects, examined: [ExamineItem: ExamineReply],
    checking check: () throws -> Void
  ) rethrows -> ExportPlan {
    var drafts = try subjects.needed.map {
      try check()
      return draft(subjects, at: $0, examined)
    }
    try nameFiles(of: &drafts, allFolders: subjects.folders, checking: check)
    return ExportPlan(items: drafts.map(\.item).filter { request.owns($0.asset) })
  }

  /// An item whose files have no final names yet.
  private struct Draft {
    var item: ExportItem
    var wanted: WantedName
    /// Stems of files that have another one, by their index.
    var stems: [Int: ResultStem]
    /// The names that stay, if all do.
    var kept: [String]?
    /// The names that earlier exports gave to the asset's parts, also to those that this one does not make.
    var own: [ExportPart: String]
    /// The indices of sidecars that are copied next to files which stay.
    var added: [Int] = []

    /// Whether an earlier export gave a name to a file that this one makes.
    func isOwn(_ name: String) -> Bool {
      item.files.contains { own[$0.part] == name }
    }

    var namingUnit: NamingUnit {
      let files = item.files
      let made = Set(files.map(\.part))
      func names(ofMade isMade: Bool) -> Set<String> {
        Set(own.filter { made.contains($0.key) == isMade }.values)
      }
      return NamingUnit(
        wanted: wanted, extensions: files.map(\.fileExtension), kept: kept, stems: stems,
        own: names(ofMade: true), staying: Set(names(ofMade: false).map(\.caseFolded)),
        sidecars: (files.firstIndex { $0.part.kind == .sidecar } ?? files.count)..<files.count)
    }
  }

  /// The decision before any file is examined.
  private enum EarlyFate {
    case skip(SkipReason, EarlierResult)
    case fail(String)
    case open(EarlierResult)
    /// The results of an earlier export stay, for this reason; XMP files about them are written, and sidecars copied.
    case complete(SkipReason, EarlierResult)

    var isOpen: Bool {
      if case .open = self { true } else { false }
    }
  }

  // MARK: Fates

  private func earlyFate(of subject: ExportSubject) -> EarlyFate {
    let asset = subject.asset
    if target.results.contains(asset.path) {
      return .skip(.ownResult, EarlierResult(state: .absent))
    }
    if asset.status == .unreadable {
      let error = asset.error ?? "The file could not be read by the last scan."
      return subject.isNamed
        ? .fail(error) : .skip(.unreadable(error), EarlierResult(state: .absent))
    }
    let gone = subject.parts(request).first { subject.stamps[$0.path] == nil }
    if asset.status == .missing || gone != nil {
      let name = gone.flatMap { $0.path == asset.path ? nil : readableName($0.path.lastComponent) }
      if let obstacle = gone.flatMap({ subject.obstacles[$0.path] }) {
        return .fail("\(name ?? "The file") cannot be read: \(obstacle)")
      }
      return .fail(
        "\(name ?? "The file") is not there. If it is gone for good, `shoebox scan` records that.")
    }
    let earlier = target.earlierResult(
      of: subject, request, settings: settings[asset])
    // Other facts of the catalog bring nothing back that the same settings left out.
    let own = earlier.changes == [.facts] ? [] : [earlier.state]
    let states =
      own + earlier.foreign.values + earlier.descriptions.values
      + earlier.sidecars.values
    if let error = metadataError(subject, states) {
      return .fail(error)
    }
    let undescribable = undescribableResults(earlier)
    if let kept = undescribable.first(where: { earlier.foreign[$0.part].flatMap(skipReason) != nil }
    ) {
      return .fail(
        "The name of \(kept.target) is too long for an XMP file next to it: move the result away, or "
          + "use --overwrite.")
    }
    guard let reason = skipReason(earlier.state), undescribable.isEmpty else {
      return .open(earlier)
    }
    let described = earlier.describedStates + earlier.sidecars.values
    if described.contains(where: { skipReason($0) == nil }) { return .complete(reason, earlier) }
    let unusual = ([reason] + described.compactMap(skipReason)).first(where: \.isUnusual)
    return .skip(unusual ?? reason, earlier)
  }

  /// Earlier results that lack an XMP file, because its name would be too long. They get shorter names.
  private func undescribableResults(_ earlier: EarlierResult) -> [RecordedFile] {
    earlier.files.filter { file in
      file.target.descriptionPath == nil
        && earlier.descriptions.contains { $0.isAbout(file.part) && skipReason($1) == nil }
    }
  }

  /// Why an earlier result stays; nil if it is made again.
  func skipReason(_ state: EarlierResult.State) -> SkipReason? {
    switch (request.replacement, state) {
    case (.always, _), (_, .absent), (_, .interrupted), (.outdated, .outdated): nil
    case (.outdated, .current): .unchanged
    case (.outdated, .altered): .keptChange
    case (.never, .current): .present
    case (.never, .outdated): .outdated
    case (.never, .altered): .changed
    case (_, .unproven): .unproven
    }
  }

  private func draft(
    _ subjects: PlanSubjects, at place: Int, _ examined: [ExamineItem: ExamineReply]
  ) -> Draft {
    let (subject, index) = (subjects.all[place], subjects.captureIndices[place])
    let isImage = subject.asset.mediaType == .image
    let preset = isImage ? request.imagePreset.header.name : request.videoPreset.header.name
    var item = ExportItem(
      subject: subject, preset: preset, fate: .make, files: [],
      metadata: isImage ? request.imageMetadata : request.videoMetadata)
    var kept: [String]?
    var added: [Int] = []
    let own = target.recordedNames(of: subject, request)
    let parts = subject.parts(request)
    let wanted = subjects.wanted[place]
    switch earlyFate(of: subject) {
    case .fail(let sentence): item.fate = .fail(sentence)
    case .skip(let reason, let earlier):
      item.fate = .skip(reason)
      item.files = earlier.files.map { file in
        let decision = FileDecision(work: .copy, type: file.part.uniformType, reasons: [])
        return PlannedFile(
          part: file.part, decision: decision, target: file.target, replacesOwn: false)
      }
      kept = earlier.files.map(\.target)
    case .complete(let reason, let earlier):
      item.changes = ResultChange.allCases.filter(earlier.changes.contains)
      item.files = completedFiles(of: subject, parts, earlier, reason)
      added = item.files.indices.filter { item.files[$0].target.isEmpty }
      if !added.isEmpty { nameAdded(added, of: &item, wanted, index: index) }
      kept = item.files.map(\.target)
    case .open(let earlier):
      item.changes = ResultChange.allCases.filter(earlier.changes.contains)
      do {
        item.files = try files(of: subject, parts, examined)
        item.files += descriptions(of: item.files, subject, parts, earlier)
        item.files =
          item.files.filter { $0.part.kind != .sidecar }
          + item.files.filter { $0.part.kind == .sidecar }
        item.notes = subject.notes(request, parts) + item.files.flatMap(\.decision.notes)
        if item.files.allSatisfy({
          ($0.part.describes ?? $0.part.resource) == .pairedVideo
        }) {
          item.preset = request.videoPreset.header.name
        }
        kept = keptNames(of: item.files, earlier)
        keepForeign(&item, earlier)
      } catch {
        item.fate = .fail(error.sentence)
      }
    }
    var stems =
      item.files.count > 1
      ? subject.otherStems(request, item.files, wanted: wanted, index: index) : [:]
    for (number, file) in item.files.enumerated() {
      if let described = file.described(in: item.files) { stems[number] = stems[described] }
    }
    return Draft(item: item, wanted: wanted, stems: stems, kept: kept, own: own, added: added)
  }

  private func files(
    of subject: ExportSubject, _ parts: [ExportPart], _ examined: [ExamineItem: ExamineReply]
  ) throws(ExportRefusal) -> [PlannedFile] {
    var files: [PlannedFile] = []
    let clips = parts.reduce(into: [ExportPart: ExportPart]()) { clips, part in
      if let still = subject.converted(part, parts, request) { clips[still] = part }
    }
    var converted = Set(clips.values)
    for part in parts where part.kind != .description {
      if converted.contains(part) { continue }
      if let clip = clips[part] {
        files += try LivePhotoConversion(
          request: request, asset: subject.asset, still: part, clip: clip,
          examinedStill: examined[part.examineItem], examinedClip: examined[clip.examineItem]
        ).files()
        continue
      }
      // A clip inside its picture's file goes with it where that stays one file.
      if part.range != nil, files.contains(where: { $0.part.path == part.path && $0.isWholeFile }) {
        continue
      }
      // An embedded clip may have been examined only for what it can become next to its picture.
      let isExamined = part.range == nil || request.needsExamination(part, of: subject.asset)
      var decision = try request.decision(
        part, of: subject.asset, examined: isExamined ? examined[part.examineItem] : nil)
      if decision.isReencodedPicture, let clip = request.embeddedClip(of: part, parts),
        let made = try LivePhotoConversion(
          request: request, asset: subject.asset, still: part, clip: clip,
          examinedStill: examined[part.examineItem], examinedClip: examined[clip.examineItem]
        ).files(reencoding: decision)
      {
        files += made
        converted.insert(clip)
        continue
      }
      if part.resource == .pairedVideo, request.crop != nil {
        decision.reasons.append(LivePhotoConversion.uncroppedReason)
      }
      files.append(PlannedFile(part: part, decision: decision, target: "", replacesOwn: false))
    }
    if subject.original.clip?.range != nil,
      let still = files.firstIndex(where: { $0.part == subject.original.main }),
      files[still].isWholeFile, files[still].hasAllMetadata,
      !clips.keys.contains(files[still].part)
    {
      files[still].decision.reasons += request.reasonsOfEmbeddedClip(of: subject.asset)
    }
    for index in files.indices { request.addFacts(to: &files[index], of: subject.asset) }
    return files
  }

  /// Leaves results in place that only `--overwrite` replaces, while those that are gone are made again.
  private func keepForeign(_ item: inout ExportItem, _ earlier: EarlierResult) {
    let targets = earlier.targets
    var kept: SkipReason?
    for (index, file) in item.files.enumerated() {
      guard let reason = earlier.foreign[file.part].flatMap(skipReason),
        let target = targets[file.part]
      else { continue }
      item.files[index].decision = .keep(file.decision.type, reason)
      item.files[index].clip = nil
      item.files[index].target = target
      kept = reason
    }
    guard let kept else { return }
    item.changes.removeAll { $0 == .altered }
    if item.files.allSatisfy({ $0.decision.work == .keep }) { item.fate = .skip(kept) }
  }

  /// The recorded names, if every file has one and is still of the type that the name promises.
  private func keptNames(of files: [PlannedFile], _ earlier: EarlierResult) -> [String]? {
    let targets = earlier.targets
    var names: [String] = []
    for file in files {
      if let described = file.described(in: files), names.indices.contains(described) {
        guard let name = names[described].descriptionPath else { return nil }
        names.append(name)
        continue
      }
      guard let name = targets[file.part], name.hasSuffix(file.fileExtension) else { return nil }
      names.append(name)
    }
    // An XMP file may want the name that an earlier export gave to a copied sidecar.
    return names.isEmpty || Set(names).count < names.count ? nil : names
  }

  // MARK: XMP files

  /// The XMP files about the files of an item that is made.
  private func descriptions(
    of files: [PlannedFile], _ subject: ExportSubject, _ parts: [ExportPart],
    _ earlier: EarlierResult
  ) -> [PlannedFile] {
    let targets = earlier.targets
    return parts.filter { $0.kind == .description }.compactMap { part in
      guard let described = files.first(where: { part.isAbout($0.part) }),
        request.describesResult(of: described.decision.type)
      else { return nil }
      let state = earlier.descriptions[part] ?? .absent
      let reason = state == .current ? nil : skipReason(state)
      var file = description(part, subject, keeping: reason)
      file.describedExtension = described.fileExtension
      file.target = targets[part] ?? ""
      return file
    }
  }

  /// An XMP file.
  ///
  /// - Parameter reason: why an earlier one stays; nil if it is written.
  func description(
    _ part: ExportPart, _ subject: ExportSubject, keeping reason: SkipReason?
  ) -> PlannedFile {
    let decision =
      reason.map { FileDecision.keep(.xmp, $0) }
      ?? FileDecision(
        work: .describe(request.metadata(ofDescribed: part)), type: .xmp, reasons: ["with XMP"],
        wasOpened: true)
    return PlannedFile(part: part, decision: decision, target: "", replacesOwn: false)
  }

  /// Fails the item if another file has the name of an XMP file: one that no export has made, because that does not
  /// describe the result, or a copied sidecar that stays.
  private func failIfTaken(
    _ item: inout ExportItem, own: [ExportPart: String], _ taken: Set<String>
  ) {
    let file = item.files.first { file in
      guard case .describe = file.decision.work else { return false }
      return own[file.part] != file.target && taken.contains(file.target.caseFolded)
    }
    guard let name = file?.target else { return }
    item.fate = .fail(
      own.values.contains(name)
        ? "\(name) is a sidecar that an earlier export has copied: choose another folder, or use --overwrite."
        : "\(name) exists, and no export of this catalog has made it: move it away, or use --overwrite."
    )
    item.files = []
  }

  // MARK: Names

  /// - Parameter allFolders: those of all results. What the names are does not depend on which assets can be exported.
  private func nameFiles(
    of drafts: inout [Draft], allFolders: Set<String>, checking check: () throws -> Void
  ) rethrows {
    let named = drafts.indices.filter { !drafts[$0].item.files.isEmpty }
    let reserved = takenNames(in: Set(named.map { drafts[$0].wanted.folder }))
    renameAdded(of: &drafts, reserved)
    let units = try named.map {
      try check()
      return drafts[$0].namingUnit
    }
    var assignment = NameAssignment(reserved: reserved, folders: allFolders)
    let taken =
      request.sidecars == nil && !request.writesMetadata ? [] : Set(reserved.map(\.caseFolded))
    for (index, names) in zip(named, try assignment.assign(units, checking: check)) {
      try check()
      let isKept = drafts[index].kept != nil
      for (file, name) in names.enumerated() {
        let isStaying = drafts[index].item.files[file].decision.work == .keep
        if !isStaying { drafts[index].item.files[file].target = name }
        drafts[index].item.files[file].replacesOwn =
          isKept || drafts[index].isOwn(name)
      }
      if isKept, request.replacement != .always {
        failIfTaken(&drafts[index].item, own: drafts[index].own, taken)
      }
      failIfKeepingMetadata(&drafts[index].item)
      if let note = drafts[index].item.missingEdits(request) {
        drafts[index].item.notes.append(note)
      }
    }
  }

  /// Gives sidecars that are copied next to files which stay other names if others have theirs.
  private func renameAdded(of drafts: inout [Draft], _ reserved: Set<String>) {
    guard drafts.contains(where: { !$0.added.isEmpty }) else { return }
    var taken = Set(reserved.map(\.caseFolded))
    for index in drafts.indices {
      for file in drafts[index].added {
        guard let name = drafts[index].kept?[file] else { continue }
        let free = freeName(name, own: drafts[index].isOwn(name), taken)
        taken.insert(free.caseFolded)
        drafts[index].kept?[file] = free
        drafts[index].item.files[file].target = free
      }
    }
  }

  private func freeName(_ path: String, own isOwn: Bool, _ taken: Set<String>) -> String {
    guard !isOwn else { return path }
    var (name, copy) = (path, 2)
    while taken.contains(name.caseFolded) {
      name = path.insertingBeforeExtension("-\(copy)")
      copy += 1
    }
    return name
  }

  /// The paths that earlier results have, and, unless they may be overwritten, all others that are there.
  private func takenNames(in folders: Set<String>) -> Set<String> {
    var taken = target.record.names
    guard request.replacement != .always else { return taken }
    for folder in folders {
      let prefix = folder.isEmpty ? "" : folder + "/"
      taken.formUnion(target.names[folder, default: []].map { prefix + $0 })
    }
    return taken
  }
}

extension PlannedFile {
  /// Whether the result is the whole of the source's file, with all that is inside it.
  fileprivate var isWholeFile: Bool {
    switch decision.work {
    case .copy, .render(.copy, _): part.range == nil
    case .render, .describe, .keep: false
    }
  }

  /// Whether nothing but its place and its captions may be missing in the result.
  fileprivate var hasAllMetadata: Bool {
    if case .render(_, .appearanceOnly) = decision.work { false } else { true }
  }

  /// What the name of an XMP file adds to that of the result it describes, as digiKam and exiftool expect it.
  static let descriptionSuffix = ".xmp"

  /// The index of the file that this XMP file describes; nil for other files.
  func described(in files: [PlannedFile]) -> Int? {
    part.kind == .description ? files.firstIndex { part.isAbout($0.part) } : nil
  }

  /// The result's extension with its point: the source's own where that says what the result is.
  var fileExtension: String {
    if part.kind == .description { return (describedExtension ?? "") + Self.descriptionSuffix }
    let own = FileNameParts(name: part.path.lastComponent).fileExtension
    // Motion Photo format 1.0, "Filename Pattern".
    if clip != nil {
      let isNamed =
        part.path.lastComponent.dropLast(own.utf8.count + 1).suffix(2) == Array("MP".utf8)[...]
      var plain = self
      plain.clip = nil
      return (isNamed ? "" : ".MP") + plain.fileExtension
    }
    if part.range == nil, part.kind == .sidecar || decision.type.isPromised(by: own) {
      let bytes = part.path.lastComponent.suffix(own.utf8.count)
      return "." + (String(validating: bytes, as: UTF8.self) ?? own)
    }
    return decision.type.preferredExtension.map { "." + $0 } ?? ""
  }
}
