import MediaModel
import SeededRandom
import Testing

@testable import Recognition

/// The rules, and the ways in which other programs are known to pair wrongly.
struct LivePhotoPairingTests {
  private static let noon: Int64 = 1_645_012_800_000

  private func still(
    _ id: Int64, _ name: String, folder: Int64 = 1, identifier: String? = nil,
    at seconds: Int64? = 0,
    offset: Int? = nil, type: UniformType = .heic
  ) -> PairingCandidate {
    PairingCandidate(
      id: id, folderID: folder, name: Array(name.utf8), mediaType: .image, uniformType: type,
      contentIdentifier: identifier, time: time(seconds, offset))
  }

  private func clip(
    _ id: Int64, _ name: String, folder: Int64 = 1, identifier: String? = nil,
    at seconds: Int64? = 0,
    offset: Int? = nil, lasting duration: Double? = 2.8, marksStillTime: Bool = false
  ) -> PairingCandidate {
    PairingCandidate(
      id: id, folderID: folder, name: Array(name.utf8), mediaType: .video,
      uniformType: .quickTimeMovie, contentIdentifier: identifier, time: time(seconds, offset),
      duration: duration, marksStillTime: marksStillTime)
  }

  private func time(_ seconds: Int64?, _ offset: Int?) -> PairingTime? {
    seconds.map { PairingTime(wall: Self.noon + $0 * 1000, offset: offset) }
  }

  private func links(_ pairs: [LivePair]) -> Set<[Int64]> {
    Set(pairs.map { [$0.still, $0.clip] })
  }

  // Identifiers.

  @Test func copiesInTwoFoldersArePairedEachInItsOwn() {
    let pairs = LivePhotoPairing.pairs(sharingIdentifier: [
      still(1, "IMG_1.HEIC", folder: 1), still(2, "IMG_1.HEIC", folder: 2),
      clip(3, "IMG_1.MOV", folder: 2), clip(4, "IMG_1.MOV", folder: 1),
    ])
    #expect(links(pairs) == [[1, 4], [2, 3]])
    #expect(pairs.allSatisfy { $0.certainty == 100 })
  }

  @Test func twoClipsWithOneIdentifierGiveOnePair() {
    let pairs = LivePhotoPairing.pairs(sharingIdentifier: [
      still(1, "IMG_1.HEIC"), clip(2, "IMG_1 copy.MOV"), clip(3, "IMG_1.MOV"),
    ])
    #expect(links(pairs) == [[1, 3]])
  }

  @Test func anEditedPairStaysWithItsOwn() {
    let pairs = LivePhotoPairing.pairs(sharingIdentifier: [
      still(1, "IMG_1.HEIC"), still(2, "IMG_E1.HEIC"), clip(3, "IMG_E1.MOV"), clip(4, "IMG_1.MOV"),
    ])
    #expect(links(pairs) == [[1, 4], [2, 3]])
  }

  @Test func namesMayDifferWhereIdentifiersAreEqual() {
    let pairs = LivePhotoPairing.pairs(sharingIdentifier: [
      still(1, "a.jpg", type: .jpeg), clip(2, "b.mov", lasting: 3.9),
    ])
    #expect(links(pairs) == [[1, 2]])
  }

  @Test func amongManyInAFolderTheNearestInTimePairs() {
    let pairs = LivePhotoPairing.pairs(sharingIdentifier: [
      still(1, "a.heic", at: 0), still(2, "b.heic", at: 100),
      clip(3, "x.mov", at: 101), clip(4, "y.mov", at: 1),
    ])
    #expect(links(pairs) == [[1, 4], [2, 3]])
  }

  @Test func aHalfInAnotherFolderPairsLast() {
    let pairs = LivePhotoPairing.pairs(sharingIdentifier: [
      still(1, "IMG_1.HEIC", folder: 1), still(2, "IMG_1.HEIC", folder: 2),
      clip(3, "IMG_1.MOV", folder: 2), clip(4, "IMG_1.MOV", folder: 3),
    ])
    #expect(links(pairs) == [[2, 3], [1, 4]])
    #expect(pairs.first { $0.still == 1 }?.certainty == 90)
  }

  // Names.

  @Test(arguments: [
    ("IMG_1.HEIC", "IMG_1.MOV"), ("IMG_1.HEIC", "IMG_1_HEVC.MOV"), ("IMG_1.HEIC", "IMG_1_3.mov"),
    ("IMG_1(1).HEIC", "IMG_1(1).MOV"), ("img_1.heic", "IMG_1.MOV"),
    ("PXL_20230101.MP.jpg", "PXL_20230101.MP"), ("IMG_1.HEIC", "IMG_1"),
    ("IMG_1.HEIC", "IMG_1.HEIC.MOV"), ("IMG_1_3.HEIC", "IMG_1_3.MOV"),
  ])
  func stemVariantsPair(stillName: String, clipName: String) {
    let result = LivePhotoPairing.pairs(sharingNames: [still(1, stillName), clip(2, clipName)])
    #expect(links(result.pairs) == [[1, 2]])
    #expect(result.refusals.isEmpty)
  }

  @Test func differentIdentifiersNeverPair() {
    let result = LivePhotoPairing.pairs(sharingNames: [
      still(1, "IMG.JPG", identifier: "A", type: .jpeg), clip(2, "IMG.MOV", identifier: "B"),
    ])
    #expect(result.pairs.isEmpty)
    #expect(result.refusals.map(\.reason) == ["their identifiers differ"])
  }

  @Test func equalNamesWeeksApartDoNotPair() {
    let result = LivePhotoPairing.pairs(sharingNames: [
      still(1, "IMG_1.JPG", at: 0, type: .jpeg), clip(2, "IMG_1.MOV", at: 14 * 86_400),
    ])
    #expect(result.pairs.isEmpty)
    #expect(result.refusals.map(\.reason) == ["they were taken at different times"])
  }

  @Test func aLongClipIsNoLivePhotosClip() {
    let result = LivePhotoPairing.pairs(sharingNames: [
      still(1, "IMG_1.JPG", type: .jpeg), clip(2, "IMG_1.MOV", lasting: 12.34),
    ])
    #expect(result.pairs.isEmpty)
    #expect(result.refusals.map(\.reason) == ["the clip lasts 12.3 s, a live photo's lasts three"])
  }

  @Test func otherFoldersAreNotComparedByName() {
    // The caller gives one folder at a time; a name in it that nothing matches says nothing.
    let result = LivePhotoPairing.pairs(sharingNames: [
      still(1, "IMG_1.HEIC"), clip(2, "IMG_2.MOV"),
    ])
    #expect(result.pairs.isEmpty)
    #expect(result.refusals.isEmpty)
  }

  @Test func zonesAreNormalised() {
    // 12:00 +01:00 is 11:00 UTC; without a zone the same instant may read 11:00.
    let zoned = LivePhotoPairing.pairs(sharingNames: [
      still(1, "a.heic", at: 0, offset: 60), clip(2, "a.mov", at: -3600, offset: 0),
    ])
    #expect(zoned.pairs.map(\.evidence) == ["name+time"])
    let unzoned = LivePhotoPairing.pairs(sharingNames: [
      still(1, "a.heic", at: 0), clip(2, "a.mov", at: -3601, offset: 0),
    ])
    #expect(unzoned.pairs.map(\.evidence) == ["name+timeButZone"])
    let apart = LivePhotoPairing.pairs(sharingNames: [
      still(1, "a.heic", at: 0), clip(2, "a.mov", at: -3900, offset: 0),
    ])
    #expect(apart.pairs.isEmpty)
  }

  @Test func withoutTimesOnlyALiveClipPairs() {
    let unknown = LivePhotoPairing.pairs(sharingNames: [
      still(1, "a.heic", at: nil), clip(2, "a.mov", at: nil),
    ])
    #expect(unknown.pairs.isEmpty)
    #expect(unknown.refusals.count == 1)
    let live = LivePhotoPairing.pairs(sharingNames: [
      still(1, "a.heic", at: nil), clip(2, "a.mov", at: nil, marksStillTime: true),
    ])
    #expect(live.pairs.map(\.evidence) == ["name+liveClip"])
  }

  /// Takeout's `PXL_1.MP` is the very clip that `PXL_1.MP.jpg` holds.
  @Test func aClipTakenOutOfAPictureMakesNoLivePhoto() {
    var motion = still(1, "PXL_20210503_101112345.MP.jpg", type: .jpeg)
    motion.embeddedClipLength = 6724
    var copy = clip(2, "PXL_20210503_101112345.MP")
    copy.size = 6724
    #expect(FolderFamilies.extractedClips([copy, motion]) == [FamilyLink(member: 2, owner: 1)])
    copy.size = 6725
    #expect(FolderFamilies.extractedClips([copy, motion]).isEmpty)
    let result = LivePhotoPairing.pairs(sharingNames: [copy, motion])
    #expect(result.pairs.isEmpty)
    #expect(result.refusals.map(\.reason) == ["the picture holds another clip"])
    var other = clip(3, "PXL_20210503_111112345.MP")
    other.size = 6724
    #expect(FolderFamilies.extractedClips([other, motion]).isEmpty)
  }

  @Test func aPictureOfTheSameNameThatHoldsNoClipStillPairs() {
    var motion = still(1, "IMG_1.JPG", type: .jpeg)
    motion.embeddedClipLength = 10
    let result = LivePhotoPairing.pairs(sharingNames: [
      motion, still(2, "IMG_1.HEIC"), clip(3, "IMG_1.MOV"),
    ])
    #expect(links(result.pairs) == [[2, 3]])
  }

  @Test func ofTwoStillsTheHEICIsTheLivePhoto() {
    let result = LivePhotoPairing.pairs(sharingNames: [
      still(1, "IMG_1.JPG", type: .jpeg), still(2, "IMG_1.HEIC"), clip(3, "IMG_1.MOV"),
    ])
    #expect(links(result.pairs) == [[2, 3]])
  }

  // Properties.

  @Test func pairingIsOneToOneAndIndependentOfOrder() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<300 {
      var candidates: [PairingCandidate] = []
      for id in 1...Int64.random(in: 2...14, using: &generator) {
        let name = "IMG_\(Int.random(in: 1...3, using: &generator))"
        let folder = Int64.random(in: 1...3, using: &generator)
        let seconds = Int64.random(in: 0...20, using: &generator)
        candidates.append(
          Bool.random(using: &generator)
            ? still(id, name + ".HEIC", folder: folder, at: seconds)
            : clip(id, name + ".MOV", folder: folder, at: seconds))
      }
      let expected = LivePhotoPairing.pairs(sharingIdentifier: candidates)
      let ids = expected.flatMap { [$0.still, $0.clip] }
      #expect(Set(ids).count == ids.count)
      let stillCount = candidates.count { $0.mediaType == .image }
      #expect(expected.count == min(stillCount, candidates.count - stillCount))
      #expect(
        LivePhotoPairing.pairs(sharingIdentifier: candidates.shuffled(using: &generator))
          == expected)

      let local = candidates.filter { $0.folderID == 1 }
      let named = LivePhotoPairing.pairs(sharingNames: local)
      let namedIDs = named.pairs.flatMap { [$0.still, $0.clip] }
      #expect(Set(namedIDs).count == namedIDs.count)
      #expect(
        LivePhotoPairing.pairs(sharingNames: local.shuffled(using: &generator)).pairs == named.pairs
      )
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func tenThousandCopiesOfOneIdentifierEndSoon() {
    let candidates = (0..<10_000).map { index in
      index % 2 == 0
        ? still(index, "a\(index).heic") : clip(index, "b\(index).mov", lasting: 1)
    }
    #expect(LivePhotoPairing.pairs(sharingIdentifier: candidates).count == 5_000)
  }
}
