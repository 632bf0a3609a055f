import MediaModel

/// A picture that is another version of one in the same folder.
package struct FamilyLink: Sendable, Hashable {
  /// The version, which becomes a resource.
  package var member: Int64
  /// The picture of which it is a version.
  package var owner: Int64
}

/// Finds pictures of one folder that belong together, by their names and times.
package enum FolderFamilies {
  /// Milliseconds between the times of a RAW and a picture of one exposure, which cameras give the same name.
  private static let exposureTolerance: Int64 = 2_000

  /// RAW files of exposures of which the folder has a JPEG or HEIC too.
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

  /// The part of a name that all files of one exposure share. Pixels write `PXL_1.RAW-01.COVER.jpg` with
  /// `PXL_1.RAW-02.ORIGINAL.dng`, `PXL_1.NIGHT.RAW-01.COVER.jpg` with `PXL_1.NIGHT.RAW-02.ORIGINAL.dng`, and older
  /// ones `PXL_1.MP.jpg` with `PXL_1.dng`. The number is the time in milliseconds, and the word after it is the
  /// camera mode. The suffix of a copy, `~2`, is not such a word.
  private static func exposureStem(_ candidate: PairingCandidate) -> String {
    let stem = StemKey(candidate).exact
    guard stem.hasPrefix("pxl_"), let dot = stem.firstIndex(of: "."),
      DatePattern.isDate(stem.dropFirst(4)),
      stem[dot...].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
    else { return stem }
    return String(stem[..<dot])
  }

  /// What an original and its edited version have in common.
  private struct OriginalKey: Hashable {
    var mediaType: MediaType
    var stem: String
  }

  /// Edited pictures and videos, recognized by their names (``EditedName``), each with the original of its
  /// kind next to it. Counters restart on every card and phone, so that another camera's picture, or one of
  /// another time, is not the original, whatever its name.
  package static func edited(_ candidates: [PairingCandidate]) -> [FamilyLink] {
    let originals = Dictionary(grouping: candidates) {
      OriginalKey(mediaType: $0.mediaType, stem: StemKey($0).exact)
    }
    return candidates.sorted { $0.id < $1.id }.compactMap { candidate in
      guard let stem = EditedName.original(ofEdited: StemKey(candidate).exact) else { return nil }
      let owner = originals[OriginalKey(mediaType: candidate.mediaType, stem: stem)]?
        .filter { mayBeOriginal($0, of: candidate) }
        .min { $0.name.lexicographicallyPrecedes($1.name) }
      return owner.map { FamilyLink(member: candidate.id, owner: $0.id) }
    }
  }

  /// Programs keep the camera and the time of the shot in what they save, or leave them out.
  private static func mayBeOriginal(
    _ original: PairingCandidate, of edited: PairingCandidate
  ) -> Bool {
    if original.isFromAnotherCamera(than: edited) { return false }
    if original.time?.mayBeOfEdit == true || edited.time?.mayBeOfEdit == true { return true }
    return PairingTime.relation(original.time, edited.time, within: exposureTolerance) != .different
  }

  /// Clips that were taken out of the picture that holds them: Takeout writes `PXL_1.MP` beside
  /// `PXL_1.MP.jpg`. One for each picture: of its name and of the length of the clip inside.
  package static func extractedClips(_ candidates: [PairingCandidate]) -> [FamilyLink] {
    let stills = candidates.filter { $0.embeddedClipLength != nil }
      .sorted { $0.name.lexicographicallyPrecedes($1.name) }
    guard !stills.isEmpty else { return [] }
    var clips = Dictionary(
      grouping: candidates.filter { $0.mediaType == .video }
        .sorted { $0.name.lexicographicallyPrecedes($1.name) }
    ) { StemKey($0).bare }
    return stills.compactMap { still in
      let stem = StemKey(still).bare
      let clip = clips[stem]?.firstIndex { $0.size == still.embeddedClipLength }
      return clip.flatMap { clips[stem]?.remove(at: $0) }
        .map { FamilyLink(member: $0.id, owner: still.id) }
    }
  }

  /// Samsung's bursts, `20200101_120000_001.jpg` and on: the members of each with what their names share. Two
  /// are not a burst: a second picture in one second gets such a name too.
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
