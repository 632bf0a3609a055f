import MediaModel
import SeededRandom
import Testing

@testable import Recognition

/// The law of ``FamilyKey``: names that a rule relates have one key.
struct FamilyKeyTests {
  private func text(_ name: String) -> String {
    String(decoding: FamilyKey.text(Array(name.utf8)), as: UTF8.self)
  }

  @Test(arguments: [
    "IMG_0001.HEIC", "img_0001.mov", "IMG_0001_HEVC.MOV", "IMG_0001.HEIC.MOV", "IMG_0001_3.MOV",
    "IMG_E0001.JPG", "IMG_O0001.AAE", "IMG_0001-edited.jpg", "IMG_0001_edited.jpeg",
    "IMG_0001-modifié.jpg", "IMG_0001-modifie\u{301}.jpg", "IMG_0001-編集済み.jpg", "IMG_0001.xmp",
    "IMG_0001.DNG.xmp", "IMG_0001.jpg.supplemental-me.json", "IMG_0001",
  ])
  func `names of one family share a key`(name: String) {
    #expect(text(name) == "img_0001")
  }

  @Test(arguments: [
    "a(2).jpg", "a (2).jpg", "a.jpg(2).json", "a.jpg.supplemental-metadata(2).json",
    "a-edited(2).jpg", "a(2)-edited.jpg", "a(2).json",
  ])
  func `a counter counts wherever it is`(name: String) {
    #expect(text(name) == "a(2)")
  }

  /// Stored keys must stay what they are.
  @Test func `the keys of names do not change`() {
    #expect(FamilyKey(Array("IMG_0001.HEIC".utf8)).value == FNV1a("img_0001".utf8).value)
    #expect(FamilyKey([]).value == FNV1a([]).value)
  }

  @Test(
    arguments: [
      { "IMG_\($0).JPG" }, { "DSC0\($0).ARW" }, { "Scan (\($0)).jpg" }, { "20200101_12\($0).jpg" },
      { "PXL_20200101_12\($0)123.MP.jpg" }, { "Anna & Bert, 2020-06-20, \($0).jpg" },
    ] as [@Sendable (Int) -> String])
  func `the families of a camera's folder are small`(name: @Sendable (Int) -> String) {
    let keys = Dictionary(grouping: 1000...9999) { FamilyKey(Array(name($0).utf8)) }
    #expect(keys.values.allSatisfy { $0.count <= 2 })
  }

  @Test(.timeLimit(.minutes(1)))
  func `all relations are within a family`() {
    var generator = SeededGenerator(seed: 16)
    var found = 0
    for round in 0..<6_000 {
      let folder = RandomFamily.folder(using: &generator)
      for relation in folder.relations {
        found += 1
        #expect(
          Set(relation.map { FamilyKey($0) }).count == 1,
          "\(round): \(relation.map { String(decoding: $0, as: UTF8.self) })")
      }
    }
    #expect(found > 3_000, "\(found)")
  }
}
