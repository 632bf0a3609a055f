import Catalog
import MediaModel
import Testing

@testable import Importer

/// Which names belong together, and what becomes of them.
struct GroupNamesTests {
  @Test(arguments: [
    [
      "IMG_0001.HEIC", "img_0001.mov", "IMG_0001.AAE", "IMG_0001.HEIC.xmp", "IMG_E0001.JPG",
      "IMG_O0001.AAE",
    ],
    ["DSC_7.NEF", "DSC_7.JPG", "DSC_7.xmp", "DSC_7.JPG.xmp", "DSC_7.wav"],
    ["MVI_1.MP4", "MVI_1.THM", "MVI_1.SRT"],
    ["2024.06.01 12.00.jpg", "2024.06.01 12.00.JPG.json"],
    ["a.jpg", "a-edited.jpg", "a_edited.jpg", "A-BEARBEITET.JPG", "a-modifie\u{301}.jpg"],
    ["a(1).jpg", "a-edited(1).jpg", "a-ha editado(1).jpg.xmp"],
    ["Größe.jpg", "GRÖSSE.xmp"],
  ])
  func `names of one group have one stem`(_ names: [String]) {
    #expect(Set(names.map { commonStem(Array($0.utf8)) }).count == 1)
  }

  @Test(arguments: [
    [
      "IMG_0001.JPG", "IMG_0001 (2).JPG", "IMG_0002.JPG", "IMG_00011.JPG", "IMG_E00011.JPG",
      "XIMG_0001.JPG",
    ],
    ["2024.06.01 12.00.jpg", "2024.06.01 12.01.jpg", "2024.jpg"],
    ["图片1.jpg", "图片2.jpg", "-edited.jpg", "_edited.jpg", ".jpg", "-bearbeitet.jpg"],
    ["a.jpg", "a(1).jpg", "a-edited(2).jpg", "abearbeitet.jpg", "a-edited-1.jpg"],
  ])
  func `names of different groups have different stems`(_ names: [String]) {
    #expect(Set(names.map { commonStem(Array($0.utf8)) }).count == names.count)
  }

  private func names(
    _ files: [String], stem: String, companions: [String] = []
  ) -> GroupNames {
    GroupNames(
      (files + companions).enumerated().map { index, name in
        ImportableFile(
          id: 0, path: BytePath("/card/" + name), stamp: FileStamp(size: 1, modified: 0, inode: 0),
          kind: index < files.count ? .media : .other, fingerprint: nil)
      }, stem: stem)
  }

  private struct Renaming: Sendable, CustomTestStringConvertible {
    var media: [String]
    var companions: [String]
    var stem: String
    /// Under the stem `beach`.
    var renamed: [String]
    /// Under its own stem with the number 2.
    var numbered: [String]
    var testDescription: String { stem }
  }

  /// Each name is one that recognition relates to the first.
  private static let renamings = [
    Renaming(
      media: ["IMG_0001.HEIC", "IMG_0001.MOV", "IMG_E0001.JPG"],
      companions: ["IMG_0001.AAE", "IMG_O0001.AAE", "IMG_E0001.JPG.xmp", "IMG_0001.HEIC.xmp"],
      stem: "IMG_0001",
      renamed: [
        "beach.HEIC", "beach.MOV", "beach-edited.JPG", "beach.AAE", "beach.o.AAE",
        "beach-edited.JPG.xmp", "beach.HEIC.xmp",
      ],
      numbered: [
        "IMG_0001 (2).HEIC", "IMG_0001 (2).MOV", "IMG_E0001 (2).JPG", "IMG_0001 (2).AAE",
        "IMG_O0001 (2).AAE", "IMG_E0001 (2).JPG.xmp", "IMG_0001 (2).HEIC.xmp",
      ]),
    Renaming(
      media: ["a(1).jpg", "a-bearbeitet(1).jpg"],
      companions: ["a.jpg.supplemental-metadata(1).json", "a(1).jpg.xmp"], stem: "a(1)",
      renamed: [
        "beach.jpg", "beach-bearbeitet.jpg", "beach.jpg.supplemental-metadata.json",
        "beach.jpg.xmp",
      ],
      numbered: [
        "a(1) (2).jpg", "a(1) (2)-bearbeitet.jpg", "a(1) (2).jpg.supplemental-metadata.json",
        "a(1) (2).jpg.xmp",
      ]),
    Renaming(
      media: ["0123456789012345678901234567890123456789012.jpg"],
      companions: ["0123456789012345678901234567890123456789012.jp(1).json"],
      stem: "0123456789012345678901234567890123456789012",
      renamed: ["beach.jpg", "beach.jpg.json"],
      numbered: [
        "0123456789012345678901234567890123456789012 (2).jpg",
        "0123456789012345678901234567890123456789012 (2).jpg.json",
      ]),
    Renaming(
      media: [
        "PXL_20240101_120000000.RAW-01.COVER.jpg", "PXL_20240101_120000000.RAW-02.ORIGINAL.dng",
      ],
      companions: [
        "PXL_20240101_120000000.RAW-02.ORIGINAL.dng.xmp",
        "PXL_20240101_120000000.RAW-02.ORIGINAL.dng.supp.json",
      ],
      stem: "PXL_20240101_120000000.RAW-01.COVER",
      renamed: ["beach.jpg", "beach.dng", "beach.dng.xmp", "beach.dng.supp.json"],
      numbered: [
        "PXL_20240101_120000000.RAW-01.COVER (2).jpg",
        "PXL_20240101_120000000.RAW-01.COVER (2).dng",
        "PXL_20240101_120000000.RAW-01.COVER (2).dng.xmp",
        "PXL_20240101_120000000.RAW-01.COVER (2).dng.supp.json",
      ]),
  ]

  @Test(arguments: renamings)
  private func `other names keep what belongs together`(_ renaming: Renaming) {
    let group = names(renaming.media, stem: renaming.stem, companions: renaming.companions)
    let own = renaming.media + renaming.companions
    #expect(group.names(stem: renaming.stem, isOwn: true, number: nil) == own)
    #expect(group.names(stem: "beach", isOwn: false, number: nil) == renaming.renamed)
    #expect(group.names(stem: renaming.stem, isOwn: true, number: 2) == renaming.numbered)
  }

  @Test func `the stem of a picture and its sidecar is cut at the same byte`() {
    let stem = String(repeating: "x", count: 300)
    let cut = names(["a.jpg"], stem: "a", companions: ["a.jpg.supplemental-metadata.json"])
      .names(stem: stem, isOwn: false, number: 2)
    #expect(cut[1] == cut[0] + ".supplemental-metadata.json")
    #expect(cut[1].utf8.count == 255)
  }

  @Test func `the files of a group get one stem and keep their extensions`() {
    let group = names(
      ["IMG_1.HEIC", "img_1.MOV", "IMG_1.HEIC.xmp", "IMG_E1.JPG"], stem: "IMG_1")
    #expect(
      group.names(stem: "IMG_1", isOwn: true, number: nil)
        == ["IMG_1.HEIC", "IMG_1.MOV", "IMG_1.HEIC.xmp", "IMG_E1.JPG"])
    #expect(
      group.names(stem: "IMG_1", isOwn: true, number: 3)
        == ["IMG_1 (3).HEIC", "IMG_1 (3).MOV", "IMG_1 (3).HEIC.xmp", "IMG_E1 (3).JPG"])
    #expect(
      group.names(stem: "beach", isOwn: false, number: nil)
        == ["beach.HEIC", "beach.MOV", "beach.HEIC.xmp", "beach-IMG_E1.JPG"])
  }

  @Test func `names differ also where case does not count, and are never too long`() {
    let twins = names(["a.jpg", "A.JPG"], stem: "a").names(stem: "a", isOwn: true, number: nil)
    #expect(Set(twins.map { $0.lowercased() }).count == 2)
    let long = names(["a.jpg", "a.jpg.xmp"], stem: "a")
      .names(stem: String(repeating: "ü", count: 200), isOwn: false, number: 12)
    #expect(long.allSatisfy { $0.utf8.count <= 255 })
    #expect(long[0].hasSuffix(" (12).jpg") && long[1].hasSuffix(" (12).jpg.xmp"))
  }

  @Test func `a known file gives the stem of its group`() {
    let group = names(["IMG_1.HEIC", "IMG_1.MOV", "IMG_E1.JPG"], stem: "IMG_1")
    #expect(group.stem(of: 0, named: "beach.heic") == "beach")
    #expect(group.stem(of: 1, named: "beach (2).MOV") == "beach (2)")
    #expect(group.stem(of: 1, named: "beach.mp4") == nil)
    #expect(group.stem(of: 2, named: "beach.JPG") == nil)
  }
}
