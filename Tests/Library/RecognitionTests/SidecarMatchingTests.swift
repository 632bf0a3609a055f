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
    Case(sidecar: "a.json", kind: .takeoutJSON, media: ["a.jpg"], owners: []),
    Case(sidecar: "metadata.json", kind: .takeoutJSON, media: ["a.jpg"], owners: []),
  ]

  @Test(arguments: cases)
  private func belongsTo(_ example: Case) {
    let items = example.media.map { name in
      let type = UniformType(fileExtension: FileNameParts(name: Array(name.utf8)).fileExtension)
      return FolderItem(
        name: Array(name.utf8), mediaType: type?.mediaType ?? .image, isRaw: type?.isRaw ?? false)
    }
    let owners = SidecarMatching(items).owners(
      of: Array(example.sidecar.utf8), example.kind, describing: example.title)
    #expect(owners.map { example.media[$0] } == example.owners)
  }
}
