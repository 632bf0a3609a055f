import MediaModel

// Results of an earlier export that stay, and get what is missing next to them: XMP files, and sidecars that are new or have
// changed.

extension ExportPlanner {
  /// The files of an asset of which the results stay.
  ///
  /// - Parameter reason: why they stay.
  /// - Returns: copied sidecars that have no earlier result have no name.
  func completedFiles(
    of subject: ExportSubject, _ parts: [ExportPart], _ earlier: EarlierResult,
    _ reason: SkipReason
  ) -> [PlannedFile] {
    let targets = earlier.targets
    return parts.compactMap { part in
      if let state = earlier.sidecars[part] {
        let why = skipReason(state)
        let decision =
          why.map { .keep(part.uniformType, $0) }
          ?? FileDecision(work: .copy, type: part.uniformType, reasons: ["its sidecar as it is"])
        return PlannedFile(
          part: part, decision: decision, target: targets[part] ?? "", replacesOwn: false)
      }
      guard part.kind == .description else {
        return targets[part].map { target in
          PlannedFile(
            part: part, decision: .keep(part.uniformType, reason), target: target,
            replacesOwn: false)
        }
      }
      guard let described = earlier.files.first(where: { part.isAbout($0.part) }) else {
        return nil
      }
      let why = skipReason(earlier.descriptions[part] ?? .absent)
      guard let target = (why == nil ? nil : targets[part]) ?? described.target.descriptionPath
      else { return nil }
      var file = description(part, subject, keeping: why)
      let type = FileNameParts(name: Array(described.target.utf8)).fileExtension
      file.describedExtension = type.isEmpty ? "" : "." + type
      file.target = target
      return file
    }
  }

  /// Gives the sidecars that are copied the names that an export of all files would give them, by the names of the results
  /// that stay.
  ///
  /// - Parameter added: their indices.
  func nameAdded(
    _ added: [Int], of item: inout ExportItem, _ wanted: WantedName, index: Int
  ) {
    var files = item.files
    var staying: [Int: String] = [:]
    for (number, file) in files.enumerated() where file.part.mayBeDescribed {
      // A result that stays has the type that its name says.
      let type = FileNameParts(name: Array(file.target.utf8)).fileExtension
      files[number].decision.type = UniformType(fileExtension: type) ?? file.decision.type
      staying[number] = file.target
    }
    let unit = NamingUnit(
      wanted: wanted, extensions: files.map(\.fileExtension),
      stems: item.subject.otherStems(request, files, wanted: wanted, index: index),
      sidecars: (files.firstIndex { $0.part.kind == .sidecar } ?? files.count)..<files.count)
    let names = unit.paths(beside: staying)
    for number in added { item.files[number].target = names[number] }
  }
}
