import MediaModel

/// A still and the clip that moves it.
package struct LivePair: Sendable, Hashable {
  package var still: Int64
  package var clip: Int64
  /// `contentIdentifier`, `name+time` …
  package var evidence: String
  /// How certain it is, in per cent: 100 where nothing could speak against it.
  package var certainty: Int

  /// The evidence of a pair that shares an identifier.
  package static let identifierEvidence = "contentIdentifier"
}

/// A still and a clip that look like a pair by their names and are none, or not certainly one.
package struct PairingRefusal: Sendable, Hashable {
  package var still: Int64
  package var clip: Int64
  /// A phrase for `shoebox show`.
  package var reason: String
}

/// Finds which stills and clips are one live photo.
///
/// Equal identifiers pair, one to one: copies in two folders are two pairs. Different identifiers never
/// do. Names count only where an identifier is missing, in one folder, for a short clip taken in the same
/// seconds. The result depends only on the candidates, not on their order.
package enum LivePhotoPairing {
  /// Apple's clips last up to three seconds; some run a little over.
  static let longestClip = 3.5
  /// The clip begins up to a second and a half before the still's moment; clocks are written to seconds.
  static let timeTolerance: Int64 = 5_000

  /// Pairs candidates that all carry the same identifier: by folder and stem first, then within a
  /// folder, then by nearest time.
  package static func pairs(sharingIdentifier candidates: [PairingCandidate]) -> [LivePair] {
    var stills = candidates.filter { $0.mediaType == .image }.sorted(by: precedes)
    var clips = candidates.filter { $0.mediaType == .video }.sorted(by: precedes)
    var pairs: [LivePair] = []
    let passes: [(certainty: Int, key: (PairingCandidate) -> String)] = [
      (100, { "\($0.folderID)/\(StemKey($0).exact)" }),
      (100, { "\($0.folderID)/\(StemKey($0).bare)" }),
      (99, { "\($0.folderID)" }),
      (90, { _ in "" }),
    ]
    for pass in passes {
      let groups = Dictionary(grouping: clips, by: pass.key)
      for (key, group) in Dictionary(grouping: stills, by: pass.key) {
        for (still, clip) in nearest(group, groups[key] ?? []) {
          pairs.append(
            LivePair(
              still: still.id, clip: clip.id, evidence: LivePair.identifierEvidence,
              certainty: pass.certainty))
        }
      }
      let taken = Set(pairs.flatMap { [$0.still, $0.clip] })
      stills.removeAll { taken.contains($0.id) }
      clips.removeAll { taken.contains($0.id) }
    }
    return pairs.sorted { $0.still < $1.still }
  }

  /// Pairs the candidates of one folder that no identifier has paired, by their names.
  ///
  /// - Returns: the pairs, and the reason for each clip with a still's name that is not paired.
  package static func pairs(
    sharingNames candidates: [PairingCandidate]
  ) -> (pairs: [LivePair], refusals: [PairingRefusal]) {
    let stills = candidates.filter { $0.mediaType == .image && $0.canBeStill }
      .sorted(by: precedes)
    let byExactStem = Dictionary(grouping: stills) { StemKey($0).exact }
    let byBareStem = Dictionary(grouping: stills) { StemKey($0).bare }
    var taken: Set<Int64> = []
    var pairs: [LivePair] = []
    var refusals: [PairingRefusal] = []
    for clip in candidates.filter({ $0.mediaType == .video }).sorted(by: precedes) {
      let key = StemKey(clip)
      let sameName = (byExactStem[key.exact] ?? byBareStem[key.bare] ?? [])
        .filter { !taken.contains($0.id) }
      let verdicts = sameName.map { NameVerdict(still: $0, clip: clip) }
      let best = verdicts.indices.max { verdicts[$0].certainty < verdicts[$1].certainty }
      // Without a still of that name there is nothing to say.
      guard let best else { continue }
      switch verdicts[best] {
      case .pair(let evidence, let certainty):
        pairs.append(
          LivePair(
            still: sameName[best].id, clip: clip.id, evidence: evidence, certainty: certainty))
        taken.insert(sameName[best].id)
      case .refused(let reason):
        refusals.append(PairingRefusal(still: sameName[0].id, clip: clip.id, reason: reason))
      }
    }
    return (pairs, refusals)
  }

  /// Stills with the clips nearest in time, each used once; ties go to the first in order.
  private static func nearest(
    _ stills: [PairingCandidate], _ clips: [PairingCandidate]
  ) -> [(PairingCandidate, PairingCandidate)] {
    // A pair is almost always the only one; beyond a few dozen copies the order decides, so that no library
    // can make this quadratic.
    guard clips.count > 1 || stills.count > 1, clips.count <= 64, stills.count <= 64 else {
      return Array(zip(stills, clips))
    }
    var links: [(distance: Int64, still: Int, clip: Int)] = []
    for still in stills.indices {
      for clip in clips.indices {
        let distance = PairingTime.distance(stills[still].time, clips[clip].time) ?? .max
        links.append((distance, still, clip))
      }
    }
    links.sort { ($0.distance, $0.still, $0.clip) < ($1.distance, $1.still, $1.clip) }
    var (usedStills, usedClips): (Set<Int>, Set<Int>) = ([], [])
    var result: [(PairingCandidate, PairingCandidate)] = []
    for link in links where !usedStills.contains(link.still) && !usedClips.contains(link.clip) {
      usedStills.insert(link.still)
      usedClips.insert(link.clip)
      result.append((stills[link.still], clips[link.clip]))
    }
    return result
  }

  /// A fixed order: folders, then what a live photo's still most likely is, then names.
  private static func precedes(_ left: PairingCandidate, _ right: PairingCandidate) -> Bool {
    if left.folderPath != right.folderPath { return left.folderPath < right.folderPath }
    if left.folderID != right.folderID { return left.folderID < right.folderID }
    if left.stillRank != right.stillRank { return left.stillRank < right.stillRank }
    if left.name != right.name { return left.name.lexicographicallyPrecedes(right.name) }
    return left.id < right.id
  }
}

extension PairingCandidate {
  /// iPhones write HEIC, or JPEG when asked to; a RAW beside it is an alternate.
  fileprivate var stillRank: Int {
    switch uniformType {
    case .heic: 0
    case .heif: 1
    case .jpeg: 2
    default: 3
    }
  }

  /// Whether a live photo's clip is ever of this type: QuickTime, or the MP4 that programs make of it.
  fileprivate var canBeClip: Bool {
    [.quickTimeMovie, .mpeg4].contains(uniformType)
  }

  /// Whether a live photo's still is ever of this type.
  fileprivate var canBeStill: Bool {
    [.heic, .heif, .jpeg, .dng].contains(uniformType)
  }
}

/// The relation between a still and a clip of the same name.
private enum NameVerdict {
  case pair(evidence: String, certainty: Int)
  case refused(String)

  var certainty: Int {
    if case .pair(_, let certainty) = self { certainty } else { 0 }
  }

  init(still: PairingCandidate, clip: PairingCandidate) {
    if let left = still.contentIdentifier, let right = clip.contentIdentifier {
      self = .refused(
        left == right
          ? "its identifier is already paired with another file" : "their identifiers differ")
      return
    }
    if still.embeddedClipLength != nil {
      self = .refused("the picture holds another clip")
      return
    }
    guard let duration = clip.duration, duration <= LivePhotoPairing.longestClip else {
      let length = clip.duration.map { "lasts \(shortSeconds($0)) s" } ?? "has no known duration"
      self = .refused("the clip \(length), a live photo's lasts three")
      return
    }
    guard clip.canBeClip else {
      self = .refused("a live photo's clip is a QuickTime or MP4 file")
      return
    }
    guard !still.isFromAnotherCamera(than: clip) else {
      self = .refused("they were taken with different cameras")
      return
    }
    let isLiveClip = clip.contentIdentifier != nil || clip.marksStillTime
    switch PairingTime.relation(still.time, clip.time, within: LivePhotoPairing.timeTolerance) {
    case .same: self = .pair(evidence: "name+time", certainty: 95)
    case .sameButForZone: self = .pair(evidence: "name+timeButZone", certainty: 85)
    case .unknown where isLiveClip: self = .pair(evidence: "name+liveClip", certainty: 70)
    case .unknown: self = .refused("one of them has no capture time to compare")
    case .different: self = .refused("they were taken at different times")
    }
  }
}

/// Seconds with one decimal, without Foundation.
private func shortSeconds(_ seconds: Double) -> String {
  guard seconds.isFinite, abs(seconds) < 1e9 else { return "?" }
  let tenths = Int(seconds * 10 + 0.5)
  return "\(tenths / 10).\(tenths % 10)"
}
