import MediaModel
import Testing

@testable import Recognition

/// What belongs together in one folder, by the names that cameras and programs give.
struct FolderFamiliesTests {
  private func candidates(_ names: [String], seconds: [Int64] = []) -> [PairingCandidate] {
    names.enumerated().map { index, name in
      let parts = FileNameParts(name: Array(name.utf8))
      let type = UniformType(fileExtension: parts.fileExtension) ?? .jpeg
      return PairingCandidate(
        id: Int64(index), folderID: 1, name: Array(name.utf8),
        mediaType: type.mediaType ?? .image, uniformType: type,
        time: PairingTime(wall: (index < seconds.count ? seconds[index] : 0) * 1000))
    }
  }

  @Test(arguments: [
    ("DSC_0001.JPG", "DSC_0001.NEF"), ("IMG_0001.HEIC", "IMG_0001.DNG"),
    ("PXL_20231026_210642603.jpg", "PXL_20231026_210642603.dng"),
    ("PXL_20231026_205755225.MP.jpg", "PXL_20231026_205755225.dng"),
    ("PXL_20231207_032111247.RAW-01.COVER.jpg", "PXL_20231207_032111247.RAW-02.ORIGINAL.dng"),
    ("PXL_20231207_032108788.RAW-01.MP.COVER.jpg", "PXL_20231207_032108788.RAW-02.ORIGINAL.dng"),
    (
      "PXL_20230509_123456789.NIGHT.RAW-01.COVER.jpg",
      "PXL_20230509_123456789.NIGHT.RAW-02.ORIGINAL.dng"
    ),
  ])
  func aRAWGoesWithThePictureOfTheSameExposure(picture: String, raw: String) {
    let links = FolderFamilies.alternates(candidates([picture, raw]))
    #expect(links == [FamilyLink(member: 1, owner: 0)])
    #expect(FolderFamilies.alternates(candidates([picture, raw], seconds: [0, 60])).isEmpty)
  }

  @Test func otherNamesAreOtherExposures() {
    #expect(FolderFamilies.alternates(candidates(["DSC_0001.JPG", "DSC_0002.NEF"])).isEmpty)
    #expect(FolderFamilies.alternates(candidates(["a.MP.jpg", "a.dng"])).isEmpty)
  }

  @Test(arguments: [
    ("IMG_0001.HEIC", "IMG_E0001.JPG"), ("IMG_1.jpg", "IMG_1-edited.jpg"),
    ("IMG_1.HEIC", "IMG_1-bearbeitet.jpg"), ("IMG_1.jpg", "IMG_1-modifié.jpg"),
    ("IMG_1(1).jpg", "IMG_1-edited(1).jpg"), ("a(1).jpg", "a-bearbeitet(1).jpg"),
    ("IMG_9001.HEIC", "IMG_9001_edited.jpeg"), ("IMG_9001 (1).jpg", "IMG_9001 (1)_edited.jpeg"),
    ("IMG_9001 (1).jpg", "IMG_9001_edited (1).jpeg"), ("IMG_3001.MOV", "IMG_E3001.MOV"),
    ("VID_1.mp4", "VID_1-edited.mp4"), ("IMG_0001(1).JPG", "IMG_E0001(1).JPG"),
  ])
  func anEditedVersionGoesWithItsOriginal(original: String, edited: String) {
    #expect(
      FolderFamilies.edited(candidates([original, edited]))
        == [FamilyLink(member: 1, owner: 0)])
    #expect(FolderFamilies.edited(candidates([edited])).isEmpty)
  }

  /// An original of another kind or counter, and names that say something else; `~2` is what Android
  /// calls a copy, edited or not.
  @Test(arguments: [
    ("IMG_3001.HEIC", "IMG_E3001.MOV"), ("IMG_1.jpg", "IMG_1-edited(1).jpg"),
    ("IMG_1(1).jpg", "IMG_1-edited.jpg"), ("IMG_1.jpg", "IMG_1edited.jpg"),
    ("PXL_20210503_111112345.jpg", "PXL_20210503_111112345~2.jpg"),
    ("IMG_1.jpg", "IMG_1 (1).jpg"), ("IMG_AB.jpg", "IMG_EAB.jpg"), ("a.jpg", "-edited.jpg"),
    ("IMG_20230506_123456.jpg", "IMG_E20230506_123456.jpg"),
  ])
  func otherNamesAreNoEditedVersion(original: String, other: String) {
    #expect(FolderFamilies.edited(candidates([original, other])).isEmpty)
  }

  /// Two phones count from 1 each, and their pictures meet in one folder.
  @Test func aPictureOfAnotherCameraOrTimeIsNoOriginal() {
    var both = candidates(["IMG_1234.jpg", "IMG_E1234.jpg"])
    (both[0].cameraModel, both[1].cameraModel) = ("iPhone 13", "iPhone X")
    #expect(FolderFamilies.edited(both).isEmpty)
    both[1].cameraModel = nil
    #expect(FolderFamilies.edited(both) == [FamilyLink(member: 1, owner: 0)])
    both[1].time = PairingTime(wall: 3_600_000)
    #expect(FolderFamilies.edited(both).isEmpty)
    // Without a zone on one side an hour may be the zone.
    both[1].time = PairingTime(wall: 3_600_000, offset: 0)
    #expect(FolderFamilies.edited(both).count == 1)
    // When it was saved says nothing of when it was taken.
    both[1].time = PairingTime(wall: 7_000_000, offset: nil, source: "exif:DateTime+OffsetTime")
    #expect(FolderFamilies.edited(both).count == 1)
    both[1].time = PairingTime(wall: 7_000_000, offset: nil, source: "exif:DateTimeOriginal")
    #expect(FolderFamilies.edited(both).isEmpty)
  }

  @Test func threeNumbersInOneSecondAreABurst() {
    let burst = candidates((1...3).map { "20231207_101605_00\($0).jpg" } + ["20231207_101552.jpg"])
    let found = FolderFamilies.numberedBursts(burst)
    #expect(found.map(\.group) == ["20231207_101605"])
    #expect(found.first?.members == [0, 1, 2])
    #expect(FolderFamilies.numberedBursts(Array(burst.dropFirst())).isEmpty)
  }
}
