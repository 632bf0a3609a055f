import MediaModel
import Testing

@testable import Recognition

/// Names as the programs that write sidecars make them (Adobe, Apple Photos, Google Takeout).
struct SidecarMatchingTests {
  private struct Case: Sendable, CustomTestStringConvertible {
    let sidecar: String
    let kind: SidecarKind
    let media: [String]
    let owners: [String]
    var title: String?
    var testDescription: String { sidecar }
  }

  /// 46 characters.
  private static let cut = "0123456789012345678901234567890123456789abcdef"

  private static let cases = [
    Case(sidecar: "a.jpg.xmp", kind: .xmp, media: ["a.jpg", "a.png"], owners: ["a.jpg"]),
    Case(sidecar: "A.JPG.XMP", kind: .xmp, media: ["a.jpg"], owners: ["a.jpg"]),
    Case(sidecar: "a.xmp", kind: .xmp, media: ["a.jpg", "a.cr2"], owners: ["a.cr2"]),
    Case(sidecar: "a.xmp", kind: .xmp, media: ["a.mov", "a.heic"], owners: ["a.heic"]),
    Case(sidecar: "a.xmp", kind: .xmp, media: ["ab.jpg"], owners: []),
    Case(
      sidecar: "IMG_0001.AAE", kind: .adjustmentData, media: ["IMG_0001.HEIC", "IMG_0001.MOV"],
      owners: ["IMG_0001.HEIC"]),
    Case(
      sidecar: "IMG_8001.AAE", kind: .adjustmentData,
      media: ["IMG_8001.DNG", "IMG_8001.JPG", "IMG_8001.MOV"], owners: ["IMG_8001.JPG"]),
    Case(
      sidecar: "IMG_8001.AAE", kind: .adjustmentData, media: ["IMG_8001.DNG"],
      owners: ["IMG_8001.DNG"]),
    Case(
      sidecar: "IMG_O8001.AAE", kind: .adjustmentData, media: ["IMG_8001.DNG", "IMG_8001.JPG"],
      owners: ["IMG_8001.JPG"]),
    Case(
      sidecar: "IMG_O0001.AAE", kind: .adjustmentData, media: ["IMG_0001.HEIC", "IMG_E0001.HEIC"],
      owners: ["IMG_0001.HEIC"]),
    Case(sidecar: "a.jpg.json", kind: .takeoutJSON, media: ["a.jpg"], owners: ["a.jpg"]),
    Case(
      sidecar: "a.jpg.supplemental-metadata.json", kind: .takeoutJSON, media: ["a.jpg"],
      owners: ["a.jpg"]),
    Case(
      sidecar: "a.jpg.supplemental-me.json", kind: .takeoutJSON, media: ["a.jpg"],
      owners: ["a.jpg"]),
    Case(
      sidecar: "IMG_1.jpg(2).json", kind: .takeoutJSON, media: ["IMG_1.jpg", "IMG_1(2).jpg"],
      owners: ["IMG_1(2).jpg"]),
    Case(
      sidecar: "IMG_1.jpg.supplemental-metadata(2).json", kind: .takeoutJSON,
      media: ["IMG_1.jpg", "IMG_1(2).jpg"], owners: ["IMG_1(2).jpg"]),
    Case(
      sidecar: "a.jpg.json", kind: .takeoutJSON, media: ["a.jpg", "a-edited.jpg"],
      owners: ["a.jpg", "a-edited.jpg"]),
    Case(
      sidecar: "a.jpg(1).json", kind: .takeoutJSON,
      media: ["a(1).jpg", "a-bearbeitet(1).jpg", "a-bearbeitet.jpg"],
      owners: ["a(1).jpg", "a-bearbeitet(1).jpg"]),
    Case(
      sidecar: "0123456789012345678901234567890123456789012345.json", kind: .takeoutJSON,
      media: ["01234567890123456789012345678901234567890123456789.jpg", "0.jpg"],
      owners: ["01234567890123456789012345678901234567890123456789.jpg"]),
    Case(
      sidecar: "Backyard_ceremony_wedding_photography_xxxxxxx_.json", kind: .takeoutJSON,
      media: [
        "Backyard_ceremony_wedding_photography_xxxxxxx_magnoliastudios-371.jpg",
        "Backyard_ceremony_wedding_photography_xxxxxxx_magnoliastudios-371(1).jpg",
      ],
      owners: ["Backyard_ceremony_wedding_photography_xxxxxxx_magnoliastudios-371.jpg"]),
    Case(
      sidecar: "Backyard_ceremony_wedding_photography_xxxxxxx_(1).json", kind: .takeoutJSON,
      media: [
        "Backyard_ceremony_wedding_photography_xxxxxxx_magnoliastudios-371.jpg",
        "Backyard_ceremony_wedding_photography_xxxxxxx_magnoliastudios-371(1).jpg",
      ],
      owners: ["Backyard_ceremony_wedding_photography_xxxxxxx_magnoliastudios-371(1).jpg"]),
    // Cut within the extension.
    Case(
      sidecar: "0123456789012345678901234567890123456789012.jp(1).json", kind: .takeoutJSON,
      media: [
        "0123456789012345678901234567890123456789012.jpg",
        "0123456789012345678901234567890123456789012(1).jpg",
      ],
      owners: ["0123456789012345678901234567890123456789012(1).jpg"]),
    // An import has given the second one its number, because the name was taken.
    Case(
      sidecar: "\(cut)(2).json", kind: .takeoutJSON,
      media: ["\(cut)s(2).jpg", "\(cut)s(2) (2).jpg"], owners: ["\(cut)s(2).jpg"]),
    // Older exports leave the extension out; the title has the whole name.
    Case(
      sidecar: "IMG_1.json", kind: .takeoutJSON, media: ["IMG_1.JPG", "IMG_1.MP4"],
      owners: ["IMG_1.JPG"], title: "IMG_1.JPG"),
    Case(
      sidecar: "IMG_1(1).json", kind: .takeoutJSON, media: ["IMG_1.jpg", "IMG_1(1).jpg"],
      owners: ["IMG_1(1).jpg"], title: "IMG_1.jpg"),
    Case(
      sidecar: "a.json", kind: .takeoutJSON, media: ["a.jpg", "a-edited.jpg", "b.jpg"],
      owners: ["a.jpg", "a-edited.jpg"], title: "a.jpg"),
    Case(sidecar: "a.json", kind: .takeoutJSON, media: ["b.jpg"], owners: [], title: "b.jpg"),
    Case(sidecar: "metadata.json", kind: .takeoutJSON, media: ["a.jpg"], owners: []),
    // The counter may be on either side of the extension, and next to another one that belongs to the title.
    Case(
      sidecar: "IMG(1).jpg.json", kind: .takeoutJSON, media: ["IMG.jpg", "IMG(1).jpg"],
      owners: ["IMG(1).jpg"]),
    Case(
      sidecar: "IMG(1).jpg.supplemental-metadata(2).json", kind: .takeoutJSON,
      media: ["IMG(1).jpg", "IMG(2).jpg", "IMG(1)(2).jpg"], owners: ["IMG(1)(2).jpg"]),
    Case(
      sidecar: "IMG.jpg.supplemental-metad(1).json", kind: .takeoutJSON,
      media: ["IMG.jpg", "IMG(1).jpg", "IMG(1)-edited.jpg"],
      owners: ["IMG(1).jpg", "IMG(1)-edited.jpg"]),
    // Cut after the dot, and within the suffix.
    Case(
      sidecar: "PXL_20240101_120000000.PORTRAIT-01.COVER.jpg..json", kind: .takeoutJSON,
      media: ["PXL_20240101_120000000.PORTRAIT-01.COVER.jpg"],
      owners: ["PXL_20240101_120000000.PORTRAIT-01.COVER.jpg"]),
    // immich-go's examples: the name of the picture is cut too, and is one character longer.
    Case(
      sidecar: "PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGIN.json", kind: .takeoutJSON,
      media: ["PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGINA.jpg"],
      owners: ["PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGINA.jpg"]),
    Case(
      sidecar: "😀😃😄😁😆😅😂🤣🥲☺️😊😇🙂🙃😉😌😍🥰😘😗😙😚😋.json", kind: .takeoutJSON,
      media: ["😀😃😄😁😆😅😂🤣🥲☺️😊😇🙂🙃😉😌😍🥰😘😗😙😚😋😛.jpg"],
      owners: ["😀😃😄😁😆😅😂🤣🥲☺️😊😇🙂🙃😉😌😍🥰😘😗😙😚😋😛.jpg"]),
    // 46 bytes are not 46 characters.
    Case(
      sidecar: "ÄÖÜäöüÄÖÜäöüÄÖÜäöüÄÖÜäöü.json", kind: .takeoutJSON,
      media: ["ÄÖÜäöüÄÖÜäöüÄÖÜäöüÄÖÜäöü 2.jpg"], owners: []),
    // The edited version of a HEIC file is a JPEG.
    Case(
      sidecar: "IMG_1.HEIC.supplemental-metadata.json", kind: .takeoutJSON,
      media: ["IMG_1.HEIC", "IMG_1-edited.jpg", "IMG_1-edited.mp4"],
      owners: ["IMG_1.HEIC", "IMG_1-edited.jpg"]),
    Case(
      sidecar: "IMG_1.HEIC.json", kind: .takeoutJSON,
      media: ["IMG_1.HEIC", "IMG_1.jpg", "IMG_1-edited.jpg"], owners: ["IMG_1.HEIC"]),
    // Names that differ in nothing but their case.
    Case(
      sidecar: "IMG_1.JPG.json", kind: .takeoutJSON, media: ["IMG_1.JPG", "img_1.jpg"],
      owners: ["IMG_1.JPG"]),
    Case(
      sidecar: "img_1.jpg.xmp", kind: .xmp, media: ["IMG_1.JPG", "img_1.jpg"],
      owners: ["img_1.jpg"]),
    Case(
      sidecar: "Img_1.jpg.json", kind: .takeoutJSON, media: ["IMG_1.JPG", "img_1.jpg"], owners: []),
    Case(
      sidecar: "IMG_1.AAE", kind: .adjustmentData, media: ["IMG_1.JPG", "img_1.jpg"],
      owners: ["IMG_1.JPG"]),
    // Two names that are equal where they are cut: their titles say which is meant.
    Case(
      sidecar: cut + ".json", kind: .takeoutJSON, media: [cut + "1.jpg", cut + "2.jpg"],
      owners: [cut + "1.jpg"], title: cut + "1.jpg"),
    Case(
      sidecar: cut + "(1).json", kind: .takeoutJSON, media: [cut + "1.jpg", cut + "2.jpg"],
      owners: [cut + "2.jpg"], title: cut + "2.jpg"),
    Case(
      sidecar: cut + ".json", kind: .takeoutJSON, media: [cut + "1.jpg", cut + "2.jpg"],
      owners: []),
    Case(
      sidecar: cut + ".json", kind: .takeoutJSON, media: [cut + "1.heic", cut + "1.mp4"],
      owners: [cut + "1.heic", cut + "1.mp4"], title: cut + "1.HEIC"),
    // Takeout replaces characters in names of files, and not in the title.
    Case(
      sidecar: String(cut.dropLast()) + "_.json", kind: .takeoutJSON,
      media: [String(cut.dropLast()) + "_ 1_.jpg", String(cut.dropLast()) + "_ 2_.jpg"],
      owners: [String(cut.dropLast()) + "_ 2_.jpg"], title: cut.dropLast() + "& 2?.jpg"),
    Case(
      sidecar: String(cut.dropLast()) + "_(1).json", kind: .takeoutJSON,
      media: [
        String(cut.dropLast()) + "_1_.jpg", String(cut.dropLast()) + "_1_-edited.jpg",
        String(cut.dropLast()) + "_2.jpg",
      ],
      owners: [String(cut.dropLast()) + "_1_.jpg", String(cut.dropLast()) + "_1_-edited.jpg"],
      title: cut.dropLast() + "&1'.jpg"),
    Case(
      sidecar: "a_b.json", kind: .takeoutJSON, media: ["a_b.jpg", "a_b.png", "a_b-edited.jpg"],
      owners: ["a_b.jpg", "a_b-edited.jpg"], title: "a&b.jpg"),
    Case(
      sidecar: "a_b(1).json", kind: .takeoutJSON, media: ["a_b.jpg", "a_b(1).jpg", "a_b(1).png"],
      owners: ["a_b(1).jpg"], title: "a?b.jpg"),
    // Letters and digits are never replaced.
    Case(
      sidecar: "a_b.json", kind: .takeoutJSON, media: ["a_b.jpg"], owners: [], title: "axb.jpg"),
    // An import has renamed its picture.
    Case(
      sidecar: "beach.o.AAE", kind: .adjustmentData, media: ["beach.DNG", "beach.HEIC"],
      owners: ["beach.HEIC"]),
    // The suffix of an edited version is cut with its name.
    Case(
      sidecar: "PXL_20240101_120000000.LONG_EXPOSURE-01.jpg.su.json", kind: .takeoutJSON,
      media: [
        "PXL_20240101_120000000.LONG_EXPOSURE-01.jpg",
        "PXL_20240101_120000000.LONG_EXPOSURE-01-edited.jpg",
      ],
      owners: [
        "PXL_20240101_120000000.LONG_EXPOSURE-01.jpg",
        "PXL_20240101_120000000.LONG_EXPOSURE-01-edited.jpg",
      ]),
    Case(
      sidecar: "0123456789012345678901234567890123456789abc.jp.json", kind: .takeoutJSON,
      media: [
        "0123456789012345678901234567890123456789abc.jpg",
        "0123456789012345678901234567890123456789abc-edi.jpg",
      ],
      owners: [
        "0123456789012345678901234567890123456789abc.jpg"
      ]),
    Case(
      sidecar: "0123456789012345678901234567890123456789a.jpg..json", kind: .takeoutJSON,
      media: [
        "0123456789012345678901234567890123456789a.jpg",
        "0123456789012345678901234567890123456789a-bearb.jpg",
      ],
      owners: [
        "0123456789012345678901234567890123456789a.jpg",
        "0123456789012345678901234567890123456789a-bearb.jpg",
      ]),
  ]

  private static func matching(_ media: [String]) -> SidecarMatching {
    SidecarMatching(
      media.map { name in
        let type = UniformType(fileExtension: FileNameParts(name: Array(name.utf8)).fileExtension)
        return FolderItem(
          name: Array(name.utf8), mediaType: type?.mediaType ?? .image, isRaw: type?.isRaw ?? false)
      })
  }

  @Test(arguments: cases)
  private func belongsTo(_ example: Case) {
    let owners = Self.matching(example.media).owners(
      of: Array(example.sidecar.utf8), example.kind, describing: example.title)
    #expect(owners.map { example.media[$0] } == example.owners)
  }

  /// The languages of Google Photos in which users have reported names.
  @Test(arguments: [
    "-edited", "-bearbeitet", "-modifié", "-modifie\u{301}", "-modificato", "-ha editado",
    "-editado", "-editat", "-bewerkt", "-edytowane", "-redigeret", "-redigert", "-redigerad",
    "-muokattu", "-upravené", "-編集済み", "-编辑", "-已编辑", "-已編輯", "-편집됨",
  ])
  func `an edited version has the JSON of its original`(suffix: String) {
    let matching = Self.matching(["IMG_1.jpg", "IMG_1\(suffix).jpg", "IMG_1\(suffix)(1).jpg"])
    for name in ["IMG_1.jpg.json", "IMG_1.jpg.supplemental-metadata.json"] {
      #expect(matching.owners(of: Array(name.utf8), .takeoutJSON) == [0, 1])
    }
    #expect(matching.owners(of: Array("IMG_1.jpg(1).json".utf8), .takeoutJSON) == [2])
  }

  /// Files that nothing names in full.
  private static let possibleCases = [
    Case(
      sidecar: "IMG_1.json", kind: .takeoutJSON, media: ["IMG_1.jpg", "b.jpg"],
      owners: ["IMG_1.jpg"]),
    Case(
      sidecar: "IMG_1(1).json", kind: .takeoutJSON, media: ["IMG_1.jpg", "IMG_1(1).jpg"],
      owners: ["IMG_1(1).jpg"]),
    Case(
      sidecar: "IMG_1.supplemental-metadata.json", kind: .takeoutJSON, media: ["IMG_1.jpg"],
      owners: ["IMG_1.jpg"]),
    Case(
      sidecar: "IMG_1.json", kind: .takeoutJSON, media: ["IMG_1.HEIC", "IMG_1.MP4"],
      owners: ["IMG_1.HEIC"]),
    Case(
      sidecar: "IMG_1.json", kind: .takeoutJSON, media: ["IMG_1.jpg", "IMG_1-bearbeitet.jpg"],
      owners: ["IMG_1.jpg", "IMG_1-bearbeitet.jpg"]),
    // Ambiguous, unless a title has the extension.
    Case(sidecar: "IMG_1.json", kind: .takeoutJSON, media: ["IMG_1.jpg", "IMG_1.png"], owners: []),
    Case(
      sidecar: "Foo_s.json", kind: .takeoutJSON, media: ["Foo_s.jpg", "Foo_s.png"],
      owners: ["Foo_s.png"], title: "Foo's.png"),
    Case(sidecar: "a.json", kind: .takeoutJSON, media: ["b.jpg"], owners: []),
    // A live photo's clip without its picture.
    Case(
      sidecar: "IMG_1.HEIC.supplemental-metadata.json", kind: .takeoutJSON, media: ["IMG_1.MP4"],
      owners: ["IMG_1.MP4"]),
    Case(
      sidecar: "IMG_1.HEIC(1).json", kind: .takeoutJSON, media: ["IMG_1.MP4", "IMG_1(1).MP4"],
      owners: ["IMG_1(1).MP4"]),
    Case(sidecar: "IMG_1.png.json", kind: .takeoutJSON, media: ["IMG_1.jpg"], owners: []),
  ]

  @Test(arguments: possibleCases)
  private func mayBelongTo(_ example: Case) {
    let owners = Self.matching(example.media).possibleOwners(
      ofTakeoutJSON: Array(example.sidecar.utf8), describing: example.title)
    #expect(owners.map { example.media[$0] } == example.owners)
  }
}
