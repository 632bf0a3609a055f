import MediaModel

/// A picture that is another version of one beside it.
package struct FamilyLink: Sendable, Hashable {
  /// The version, which becomes a resource.
  package var member: Int64
  /// The picture whose version it is.
  package var owner: Int64
}

/// Finds what belongs together among the pictures of one folder, by their names and times.
package enum FolderFamilies {
  /// Cameras that write a RAW and a picture of one exposure give both one name and one time.
  private static let exposureTolerance: Int64 = 2_000

  /// RAW files beside the JPEG or HEIC of the same exposure.
  package static func alternates(_ candidates: [PairingCandidate]) -> [FamilyLink] {
    let pictures = Dictionary(grouping: candidates.filter(\.isDeveloped), by: exposureStem)
    return candidates.filter { $0.mediaType == .image && $0.uniformType.isRaw }
      .sorted { $0.id < $1.id }
      .compactMap { raw in
        let sameTime = pictures[exposureStem(raw)]?.filter { picture in
          PairingTime.relation(raw.time, picture.time, within: exposureTolerance) == .same
        }
        let owner = sameTime?.min { $0.name.lexicographicallyPrecedes($1.name) }
        return owner.map { FamilyLink(member: raw.id, owner: $0.id) }
      }
  }

  /// What the names of one exposure have in common: Pixels write `PXL_1.RAW-01.COVER.jpg` beside
  /// `PXL_1.RAW-02.ORIGINAL.dng`, and before that `PXL_1.MP.jpg` beside `PXL_1.dng`.
  private static func exposureStem(_ candidate: PairingCandidate) -> String {
    let stem = StemKey(candidate).exact
    guard stem.hasPrefix("pxl_"), let dot = stem.firstIndex(of: ".") else { return stem }
    let marks = [".raw-01.cover", ".raw-01.mp.cover", ".raw-02.original", ".mp"]
    return marks.contains(String(stem[dot...])) ? String(stem[..<dot]) : stem
  }

  /// `IMG_E0001.JPG`, which Apple writes beside `IMG_0001.HEIC`, and Takeout's
  /// `a-edited.jpg` beside `a.jpg`: the picture after its edits.
  package static func edited(_ candidates: [PairingCandidate]) -> [FamilyLink] {
    let stills = candidates.filter { $0.mediaType == .image }
    let byStem = Dictionary(grouping: stills) { StemKey($0).exact }
    return stills.sorted { $0.id < $1.id }.compactMap { still in
      guard let original = originalStem(ofEdited: StemKey(still).exact) else { return nil }
      let owner = byStem[original]?.min { $0.name.lexicographicallyPrecedes($1.name) }
      return owner.map { FamilyLink(member: still.id, owner: $0.id) }
    }
  }

  /// What Takeout adds to an edited picture's name, in the languages that are known.
  private static let editedSuffixes = [
    "-edited", "-bearbeitet", "-modifié", "-modificato", "-ha editado", "-editat", "-bewerkt",
    "-edytowane", "-編集済み",
  ]

  /// The stem of the original of `img_e0001` or `a-edited`; nil for what is no such name.
  package static func originalStem(ofEdited stem: String) -> String? {
    if let suffix = editedSuffixes.first(where: { stem.hasSuffix($0) }) {
      return String(stem.dropLast(suffix.count))
    }
    guard stem.hasPrefix("img_e"), stem.dropFirst(5).count >= 4,
      stem.dropFirst(5).prefix(4).allSatisfy(\.isASCIIDigit)
    else { return nil }
    return "img_" + stem.dropFirst(5)
  }

  /// Samsung's bursts, `20200101_120000_001.jpg` and on: the members of each with what their names
  /// share. Two are no burst: a second picture in one second gets such a name too.
  package static func numberedBursts(
    _ candidates: [PairingCandidate]
  ) -> [(group: String, members: [Int64])] {
    let numbered = candidates.compactMap { candidate -> (group: String, id: Int64)? in
      let stem = StemKey(candidate).exact
      let parts = stem.split(separator: "_", omittingEmptySubsequences: false)
      guard candidate.uniformType == .jpeg || candidate.uniformType == .heic, parts.count == 3,
        parts[0].count == 8, DatePattern.isDate(parts[0]), parts[1].count == 6,
        parts[2].count == 3, parts[1...2].allSatisfy({ $0.allSatisfy(\.isASCIIDigit) })
      else { return nil }
      return (String(stem.dropLast(4)), candidate.id)
    }
    return Dictionary(grouping: numbered, by: \.group)
      .filter { $0.value.count >= 3 }
      .map { (group: $0.key, members: $0.value.map(\.id).sorted()) }
      .sorted { $0.group < $1.group }
  }
}

extension PairingCandidate {
  /// A finished picture that a camera may have written beside its RAW.
  fileprivate var isDeveloped: Bool {
    [.jpeg, .heic, .heif].contains(uniformType)
  }
}
