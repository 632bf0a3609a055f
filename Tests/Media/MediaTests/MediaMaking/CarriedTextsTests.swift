import Foundation
import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// A picture's PNG texts, comments and density, in a picture made from it: ImageMagick and exiftool write
/// them, and exiftool reads them.
@Suite(.enabled(if: Tool.areInstalled(.imageMagick, .exiftool)))
struct CarriedTextsTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func render(
    _ name: String, _ type: UniformType, to target: String, _ policy: MetadataPolicy = .keep
  ) throws {
    let format: PictureRendering.Format = target.hasSuffix("png") ? .png : .jpeg
    try folder.mustRender(
      name, .picture(type, PictureRendering(format: format, maxPixels: 32)), to: target,
      metadata: policy)
  }

  private func tags(_ name: String) async throws -> [String: String] {
    let text = try await Tool.exiftool.run(["-a", "-G1", "-j", "-n", folder.path(name)])
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
    return (parsed?.first ?? [:]).mapValues { String(describing: $0) }
  }

  private static let texts = [
    "Title": "Lake", "Author": "Ana", "Description": "A <wide> lake & Zürich's",
    "Copyright": "Us", "Comment": "Hello", "Source": "Scanner", "Software": "Paint",
    "CreationTime": "2011:02:03 04:05:06",
  ]

  private func makePNG(_ name: String) async throws {
    try await folder.makeSoftPicture(name)
    try await Tool.exiftool.run(
      ["-q", "-overwrite_original"] + Self.texts.map { "-PNG:\($0.key)=\($0.value)" }
        + [folder.path(name)])
  }

  @Test func textsStayTextsInAPNG() async throws {
    try await makePNG("a.png")
    let before = try await tags("a.png")
    try render("a.png", .png, to: "b.png")
    let after = try await tags("b.png")
    for key in Self.texts.keys {
      let value = try #require(before["PNG:" + key])
      #expect(after["PNG:" + key] == value, "\(key)")
    }
    try render("a.png", .png, to: "c.png", .appearanceOnly)
    #expect(
      try await tags("c.png").keys.filter {
        $0.hasPrefix("PNG:") && Self.texts[String($0.dropFirst(4))] != nil
      } == [])
  }

  @Test func textsBecomeXMPAndCommentsInAJPEG() async throws {
    try await makePNG("a.png")
    try render("a.png", .png, to: "b.jpg")
    let after = try await tags("b.jpg")
    #expect(after["XMP-dc:Title"] == "Lake")
    #expect(after["XMP-dc:Creator"] == "Ana")
    #expect(after["XMP-dc:Description"] == "A <wide> lake & Zürich's")
    #expect(after["XMP-dc:Rights"] == "Us")
    #expect(after["XMP-xmp:CreatorTool"] == "Paint")
    #expect(after["XMP-xmp:CreateDate"] == "2011:02:03 04:05:06")
    let comments = try await Tool.exiftool.run(["-a", "-s3", "-File:Comment", folder.path("b.jpg")])
    #expect(Set(comments.split(separator: "\n").map(String.init)) == ["Hello", "Source: Scanner"])
    #expect(after["ExifTool:Warning"] == nil)
  }

  /// Properties that XMP already has are neither repeated nor changed.
  @Test func existingXMPIsNotOverwritten() async throws {
    try await makePNG("a.png")
    try await Tool.exiftool.run([
      "-q", "-overwrite_original", "-XMP-dc:Title=Sea", "-XMP-xmp:Rating=3", folder.path("a.png"),
    ])
    try render("a.png", .png, to: "b.jpg")
    let after = try await tags("b.jpg")
    #expect(after["XMP-dc:Title"] == "Sea")
    #expect(after["XMP-xmp:Rating"] == "3")
    #expect(after["XMP-dc:Creator"] == "Ana")
    #expect(after["ExifTool:Warning"] == nil)
  }

  @Test func textsWithAPlaceAreLeftOut() async throws {
    try await folder.makeSoftPicture("a.png")
    try await Tool.exiftool.run([
      "-q", "-overwrite_original", "-PNG:Comment=GPS 47.1 8.2", "-PNG:Title=Lake",
      folder.path("a.png"),
    ])
    for target in ["b.png", "b.jpg"] {
      try render("a.png", .png, to: target, .withoutLocation)
      let bytes = String(decoding: try folder.bytes(target), as: UTF8.self)
      #expect(!bytes.contains("47.1"))
      #expect(bytes.contains("Lake"))
    }
  }

  @Test(arguments: ["a.jpg", "a.gif"])
  func commentsAreKept(name: String) async throws {
    try await folder.makeSoftPicture(name, ["-set", "comment", "A comment"])
    try #require(try await tags(name).contains { $0.key.hasSuffix("Comment") })
    let type: UniformType = name == "a.jpg" ? .jpeg : .gif
    try render(name, type, to: "b.jpg")
    #expect(try await tags("b.jpg")["File:Comment"] == "A comment")
    try render(name, type, to: "b.png")
    #expect(try await tags("b.png")["PNG:Comment"] == "A comment")
  }

  @Test(arguments: [
    ("a.jpg", UniformType.jpeg), ("a.png", .png), ("a.bmp", .bmp), ("a.tiff", .tiff),
  ])
  func densityIsKept(name: String, type: UniformType) async throws {
    try await folder.makeSoftPicture(name, ["-units", "PixelsPerInch", "-density", "300"])
    try render(name, type, to: "b.jpg")
    let jpeg = try await tags("b.jpg")
    #expect(jpeg["JFIF:XResolution"] == "300")
    #expect(jpeg["JFIF:YResolution"] == "300")
    #expect(jpeg["JFIF:ResolutionUnit"] == "1")
    try render(name, type, to: "b.png")
    let png = try await tags("b.png")
    #expect(png["PNG-pHYs:PixelsPerUnitX"] == "11811")
    #expect(png["PNG-pHYs:PixelsPerUnitY"] == "11811")
    #expect(png["PNG-pHYs:PixelUnits"] == "1")
  }

  /// A fax has pixels that are not square; if the picture is turned, their sides are exchanged.
  @Test func anUnevenDensityIsTurnedWithThePicture() async throws {
    try await folder.makeSoftPicture("a.jpg", ["-units", "PixelsPerInch", "-density", "204x98"])
    try await Tool.exiftool.run([
      "-q", "-n", "-overwrite_original", "-Orientation=6", folder.path("a.jpg"),
    ])
    try render("a.jpg", .jpeg, to: "b.jpg")
    let turned = try await tags("b.jpg")
    #expect(turned["JFIF:XResolution"] == "98")
    #expect(turned["JFIF:YResolution"] == "204")
  }

  @Test func noDensityIsInvented() async throws {
    try await folder.makeSoftPicture("a.png", ["-strip"])
    try render("a.png", .png, to: "b.png")
    #expect(try await tags("b.png")["PNG-pHYs:PixelsPerUnitX"] == nil)
  }
}
