import MediaModel
import SeededRandom

@testable import Recognition

/// A small folder with random names of all the patterns that rules of Recognition know.
struct RandomFamily {
  var media: [PairingCandidate] = []
  var sidecars: [FamilySidecar] = []

  private static let stems = [
    "IMG_0001", "IMG_E0001", "IMG_O0001", "IMG_3", "a", "a.b", "Zoë 1", "Zoe\u{308} 1", "",
    "PXL_20200101_120000123", "PXL_20200101_120000123.RAW-01.MP.COVER",
    "PXL_20200101_120000123.RAW-02.ORIGINAL", "20200101_120000", "20200101_120000_001",
    "20200101_120000_002", "20200101_120000_003", "20200101_120000_004", "家族",
    "Backyard_ceremony_wedding_photography_xxxxxxx_magnolia",
    "Backyard_ceremony_wedding_photography_x",
  ]
  private static let counters = ["", "", "", "(1)", "(2)", " (1)"]
  private static let suffixes =
    ["", "", "", "", "_HEVC", ".HEIC", ".jpg", "_3", ".MP", "_edited", "-modifie\u{301}"]
    + EditedName.takeoutSuffixes
  private static let types: [(String, UniformType)] = [
    (".JPG", .jpeg), (".jpg", .jpeg), (".HEIC", .heic), (".DNG", .dng), (".MOV", .quickTimeMovie),
    (".mp4", .mpeg4), (".MP", .mpeg4), ("", .mpeg4), (".jpg(2)", .jpeg),
  ]

  static func folder(using generator: inout SeededGenerator) -> RandomFamily {
    var family = RandomFamily()
    let stems = (0..<2).map { _ in Self.stems.randomElement(using: &generator) ?? "" }
    func pick(_ texts: [String]) -> String { texts.randomElement(using: &generator) ?? "" }
    func stem() -> String {
      let parts = [pick(suffixes), pick(counters)].shuffled(using: &generator)
      return pick(stems) + parts.joined()
    }
    var names: Set<[UInt8]> = []
    for id in 1...Int64.random(in: 3...9, using: &generator) {
      let (ending, type) = types.randomElement(using: &generator) ?? types[0]
      let name = Array(((Bool.random(using: &generator) ? pick(stems) : stem()) + ending).utf8)
      guard !name.isEmpty, names.insert(name).inserted else { continue }
      let isVideo = type.mediaType == .video
      family.media.append(
        PairingCandidate(
          id: id, folderID: 1, name: name, mediaType: isVideo ? .video : .image,
          uniformType: type,
          contentIdentifier: Int.random(in: 0...5, using: &generator) == 0 ? "A" : nil,
          time: PairingTime(wall: Int.random(in: 0...5, using: &generator) == 0 ? 60_000 : 0),
          duration: isVideo ? 2 : nil, size: 7,
          embeddedClipLength: !isVideo && Int.random(in: 0...4, using: &generator) == 0 ? 7 : nil))
    }
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      let base = stem() + pick(["", ".jpg", ".JPG", ".DNG", ".MP.jpg"])
      var facts = SidecarFacts(
        kind: [SidecarKind.xmp, .adjustmentData, .takeoutJSON].randomElement(using: &generator)
          ?? .xmp)
      var name = Array(base.utf8)
      switch facts.kind {
      case .albumJSON: continue
      case .xmp: name += Array(".xmp".utf8)
      case .adjustmentData:
        name += Array(".AAE".utf8)
        facts.adjustmentFormat =
          Bool.random(using: &generator) ? SidecarFacts.slowMotionFormat : nil
      case .takeoutJSON:
        let supplement = Array(".supplemental-metadata".utf8)
        name += supplement.prefix(Int.random(in: 0...22, using: &generator))
        name = Array(name.prefix(46)) + Array((pick(counters) + ".json").utf8)
        facts.describedName = base + pick(["", ".jpg", ".JPG"])
      }
      guard names.insert(name).inserted else { continue }
      family.sidecars.append(FamilySidecar(name: name, facts: facts))
    }
    return family
  }

  /// The names that each relation found in the folder connects.
  var relations: [[[UInt8]]] {
    let names = Dictionary(media.map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
    var result: [[Int64]] = []
    for links in [
      FolderFamilies.alternates(media), FolderFamilies.edited(media),
      FolderFamilies.extractedClips(media),
    ] {
      result += links.map { [$0.member, $0.owner] }
    }
    result += FolderFamilies.numberedBursts(media).map(\.members)
    let named = LivePhotoPairing.pairs(sharingNames: media)
    result += named.pairs.map { [$0.still, $0.clip] }
    result += named.refusals.map { [$0.still, $0.clip] }
    let matching = SidecarMatching(
      media.map {
        FolderItem(name: $0.name, mediaType: $0.mediaType, isRaw: $0.uniformType.isRaw)
      })
    return result.map { $0.compactMap { names[$0] } }
      + sidecars.map { sidecar in
        [sidecar.name]
          + matching.owners(
            of: sidecar.name, sidecar.facts.kind, describing: sidecar.facts.describedName
          ).map { media[$0].name }
      }
      + sidecars.filter { $0.facts.kind == .takeoutJSON }.map { sidecar in
        [sidecar.name]
          + matching.possibleOwners(
            ofTakeoutJSON: sidecar.name, describing: sidecar.facts.describedName
          ).map { media[$0].name }
      }
  }
}
