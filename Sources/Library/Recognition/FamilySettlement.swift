package import MediaModel

/// Decides what should hold for the present files of one folder, or of one family of it (``FamilyKey``). The result
/// for a family is the same, whether it is settled alone or with the whole folder, and does not depend on the order
/// of the files.
package struct FamilySettlement {
  /// The evidence for a clip that is a copy of the one inside its still. The two are not a live photo.
  package static let embeddedClip = "embeddedClip"
  /// The evidence for a burst that only numbered names show.
  package static let numberedName = "name"

  /// What should hold for each asset, by its row.
  package private(set) var verdicts: [Int64: FamilyVerdict]

  private let members: [FamilyMember]
  private let candidates: [PairingCandidate]
  private let sidecars: [FamilySidecar]
  /// The indices of each asset's own sidecars, in the order of their priority.
  private let ownSidecars: [Int64: [Int]]

  /// - Parameter members: with the times of the files themselves; those of their own sidecars are considered here.
  package init(_ members: [FamilyMember], sidecars: [FamilySidecar]) {
    let own = Self.ownSidecars(members.map(\.candidate), sidecars)
    self.members = members.sorted { $0.candidate.id < $1.candidate.id }.map { member in
      var timed = member
      timed.candidate.time = Self.time(
        of: member.candidate, (own[member.candidate.id] ?? []).map { sidecars[$0].facts })
      return timed
    }
    self.sidecars = sidecars
    ownSidecars = own
    candidates = self.members.map(\.candidate)
    verdicts = Dictionary(
      candidates.map { ($0.id, FamilyVerdict()) }, uniquingKeysWith: { first, _ in first })
    linkExtractedClips()
    pairByName()
    let resources = linkFamilies()
    describe(resources)
    markEdited()
    markBursts()
  }

  private mutating func change(_ asset: Int64, _ body: (inout FamilyVerdict) -> Void) {
    body(&verdicts[asset, default: FamilyVerdict()])
  }

  /// Gives stills that hold a clip the copy of it next to them; that does not make a live photo.
  private mutating func linkExtractedClips() {
    let free = members.filter { $0.pairedHalf == nil }.map(\.candidate)
    for link in FolderFamilies.extractedClips(free) {
      let tie = FamilyTie(owner: link.owner, role: .pairedVideo, evidence: Self.embeddedClip)
      change(link.member) { $0.tie = tie }
    }
  }

  /// Pairs the stills and clips that no identifier has paired, by their names.
  private mutating func pairByName() {
    let free = members.filter {
      $0.pairedHalf == nil && verdicts[$0.candidate.id]?.tie == nil
    }
    let result = LivePhotoPairing.pairs(sharingNames: free.map(\.candidate))
    for pair in result.pairs {
      let tie = FamilyTie(owner: pair.still, role: .pairedVideo, evidence: pair.evidence)
      change(pair.clip) { $0.tie = tie }
      change(pair.still) { $0.livePhoto = pair.label }
    }
    let paired = Set(result.pairs.flatMap { [$0.still, $0.clip] })
    let single = free.filter { !paired.contains($0.candidate.id) }
    for member in single where member.candidate.contentIdentifier != nil {
      change(member.candidate.id) { $0.livePhoto = .notLive(member.reasonForMissingHalf) }
    }
    let singles = Set(single.map(\.candidate.id))
    let names = Dictionary(
      candidates.map { ($0.id, BytePath(bytes: $0.name).display) }, uniquingKeysWith: { $1 })
    for refusal in result.refusals {
      for (asset, other) in [(refusal.still, refusal.clip), (refusal.clip, refusal.still)]
      where singles.contains(asset) && singles.contains(other) {
        guard let name = names[other] else { continue }
        change(asset) { $0.livePhoto = .notLive("\(name) has its name, but \(refusal.reason)") }
      }
    }
  }

  /// Links the RAW of an exposure and the edited version of a picture to the picture.
  ///
  /// An edited live photo goes with its original, and its clip with it: the clip belongs to the edited picture,
  /// which belongs to the asset.
  ///
  /// - Returns: the resources of each asset, without clips.
  private mutating func linkFamilies() -> [Int64: [Int64]] {
    var resources: [Int64: [Int64]] = [:]
    let videos = Set(candidates.filter { $0.mediaType == .video }.map(\.id))
    let moving = Set(
      members.filter {
        $0.pairedHalf == .still || verdicts[$0.candidate.id]?.livePhoto?.isGiven == true
      }.map(\.candidate.id))
    var alternates: [Int64: Int64] = [:]
    // A RAW that moves has a clip of its own and stays an asset of its own.
    for link in FolderFamilies.alternates(candidates) where !moving.contains(link.member) {
      alternates[link.member] = link.owner
      resources[link.owner, default: []].append(link.member)
      let tie = FamilyTie(owner: link.owner, role: .alternatePhoto, evidence: "name+time")
      change(link.member) { $0.tie = tie }
      change(link.owner) { $0.raw = Label(.raw, isGiven: true, evidence: ["alternatePhoto"]) }
    }
    let owners = Set(alternates.values)
    for link in FolderFamilies.edited(candidates) {
      let owner = alternates[link.owner] ?? link.owner
      // So does an edited picture that moves where its original does not, or that has a RAW; and a video, which
      // has no such resource.
      if !videos.contains(link.member), !moving.contains(link.member) || moving.contains(owner),
        !owners.contains(link.member), alternates[link.member] == nil
      {
        resources[owner, default: []].append(link.member)
        let tie = FamilyTie(owner: owner, role: .fullSizePhoto, evidence: "name")
        change(link.member) { $0.tie = tie }
        change(owner) { $0.edited = .edited("fullSizePhoto") }
      }
      change(link.member) { $0.edited = .edited("name") }
    }
    return resources
  }

  private static func ownSidecars(
    _ candidates: [PairingCandidate], _ sidecars: [FamilySidecar]
  ) -> [Int64: [Int]] {
    guard !sidecars.isEmpty else { return [:] }
    let media = candidates.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    let matching = SidecarMatching(
      media.map {
        FolderItem(name: $0.name, mediaType: $0.mediaType, isRaw: $0.uniformType.isRaw)
      })
    var own: [Int64: [Int]] = [:]
    let ordered = sidecars.indices.sorted {
      sidecars[$0].name.lexicographicallyPrecedes(sidecars[$1].name)
    }
    var unmatched: [Int] = []
    /// The media files that a Takeout file describes.
    var described: Set<Int> = []
    for index in ordered {
      let (name, facts) = (sidecars[index].name, sidecars[index].facts)
      let owners = matching.owners(of: name, facts.kind, describing: facts.describedName)
      for owner in owners { own[media[owner].id, default: []].append(index) }
      guard facts.kind == .takeoutJSON else { continue }
      if owners.isEmpty { unmatched.append(index) } else { described.formUnion(owners) }
    }
    for index in unmatched {
      let (name, facts) = (sidecars[index].name, sidecars[index].facts)
      let owners = matching.possibleOwners(ofTakeoutJSON: name, describing: facts.describedName)
      for owner in owners where !described.contains(owner) {
        own[media[owner].id, default: []].append(index)
      }
    }
    for owner in media {
      own[owner.id]?.sort {
        SidecarPriority(sidecars[$0], ofFile: owner.name)
          < SidecarPriority(sidecars[$1], ofFile: owner.name)
      }
    }
    return own
  }

  /// The time of a file: its own, unless that is missing or from the file's name and a sidecar has one.
  private static func time(of candidate: PairingCandidate, _ sidecars: [SidecarFacts])
    -> PairingTime?
  {
    // A time from a name is nil here.
    guard candidate.time == nil else { return candidate.time }
    return sidecars.indexOfTime.flatMap { sidecars[$0].captureTime }.flatMap {
      PairingTime(wall: $0.wallMilliseconds, offset: $0.offsetMinutes, source: $0.source)
    }
  }

  /// Finds the sidecars of each asset. The XMP and Takeout files of a resource describe the asset too: Lightroom
  /// rates the RAW of a RAW+JPEG pair, digiKam the edited version.
  private mutating func describe(_ resources: [Int64: [Int64]]) {
    guard !sidecars.isEmpty else { return }
    for asset in candidates.map(\.id) {
      let mine = ownSidecars[asset] ?? []
      let shared = (resources[asset] ?? []).flatMap { ownSidecars[$0] ?? [] }
        .filter { sidecars[$0].facts.kind != .adjustmentData && !mine.contains($0) }
      change(asset) { ($0.sidecars, $0.sharedSidecars) = (mine, shared) }
    }
  }

  /// Labels pictures and videos with edit instructions as edited. Instructions for slow motion also show that the
  /// user chose which part of a high-speed video plays slowly; a trim does not.
  private mutating func markEdited() {
    for member in members {
      let instructions = (verdicts[member.candidate.id]?.sidecars ?? []).map { sidecars[$0].facts }
        .filter { $0.kind == .adjustmentData }
      guard !instructions.isEmpty else { continue }
      change(member.candidate.id) { $0.edited = .edited("adjustmentData") }
      guard instructions.contains(where: { $0.adjustmentFormat == SidecarFacts.slowMotionFormat }),
        member.candidate.mediaType == .video, !member.ownSubtypes.contains(.slomo),
        let rate = member.trackRate, rate >= 100
      else { continue }
      change(member.candidate.id) { $0.slomo = .slomo(rate: rate, isEdited: true) }
    }
  }

  private mutating func markBursts() {
    let known = Dictionary(members.map { ($0.candidate.id, $0) }, uniquingKeysWith: { $1 })
    for burst in FolderFamilies.numberedBursts(candidates) {
      for asset in burst.members {
        guard let member = known[asset], !member.hasOwnBurst else { continue }
        change(asset) {
          $0.burstGroup = burst.group
          if !member.ownSubtypes.contains(.burst) {
            $0.burst = Label(.burst, isGiven: true, evidence: [Self.numberedName])
          }
        }
      }
    }
  }
}

extension FamilyMember {
  /// Why a half that has an identifier is not paired.
  fileprivate var reasonForMissingHalf: String {
    let other = candidate.mediaType == .image ? "clip" : "picture"
    return hasOtherHalf
      ? "every \(other) with its identifier is paired with a copy"
      : "no \(other) in the catalog has its identifier"
  }
}

extension LivePair {
  /// The label of the pair's still.
  package var label: Label {
    Label(.livePhoto, isGiven: true, score: certainty, evidence: [evidence])
  }
}

extension Label {
  fileprivate static func notLive(_ reason: String) -> Label {
    Label(.livePhoto, isGiven: false, evidence: [reason])
  }

  fileprivate static func edited(_ evidence: String) -> Label {
    Label(.edited, isGiven: true, evidence: [evidence])
  }
}
