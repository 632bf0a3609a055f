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
    ["a.jpg", "a-edited.jpg", "a_edited.jpg"],
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
    ["图片1.jpg", "图片2.jpg", "-edited.jpg", "_edited.jpg", ".jpg"],
  ])
  func `names of different groups have different stems`(_ names: [String]) {
    #expect(Set(names.map { commonStem(Array($0.utf8)) }).count == names.count)
  }

  private func names(_ files: [String], stem: String) -> GroupNames {
    GroupNames(
      files.map { name in
        ImportableFile(
          id: 0, path: BytePath("/card/" + name), stamp: FileStamp(size: 1, modified: 0, inode: 0),
          kind: .media, fingerprint: nil)
      }, stem: stem)
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
