import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// Copies of JPEGs without their gain map, as exiftool and ImageMagick read them.
@Suite(.enabled(if: Tool.areInstalled(.imageMagick, .heifEncoder, .exiftool)))
struct GainMapCopyTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// The coded first picture, from its first scan to End Of Image.
  private func scans(_ name: String) throws -> [UInt8] {
    let bytes = try folder.bytes(name)
    let source = ArraySource(bytes)
    let file = try JPEGFile(source)
    let (start, end) = (try #require(file.scanOffset), try #require(try file.end(in: source)))
    return Array(bytes[Int(start)..<Int(end)])
  }

  private func description(_ name: String) throws -> PictureDescription {
    let item = ExamineItem(path: BytePath(folder.path(name)), uniformType: .jpeg)
    guard case .picture(let found) = examine(item) else {
      throw ToolFailure(description: "\(name) is not described")
    }
    return found
  }

  private func copy(
    _ name: String, _ change: (inout RenderStep) -> Void = { _ in }
  ) throws -> RenderResult {
    var step = RenderStep(
      source: BytePath(folder.path(name)), work: .copy(.jpeg), removesGainMap: true)
    change(&step)
    let reply = try render(step, to: BytePath(folder.path("copy.jpg"))) { _ in }
    guard case .done(let result) = reply else {
      throw ToolFailure(description: "\(name): \(reply)")
    }
    return result
  }

  /// `result.jpg`: a map in the index, in XMP and with ISO's segment. `list.jpg`: a map that only XMP lists, and EXIF.
  private func makePictures() async throws {
    try await folder.makeSoftPicture("base.png", size: "192x128")
    try await folder.makeSoftPicture("map.png", ["-colorspace", "gray"])
    try await MadeGainMap.writeHEIC(
      "a.heic", base: "base.png", map: "map.png", .apple(headroom: 6.9), in: folder)
    try folder.mustRender("a.heic", .picture(.heic, PictureRendering()), to: "result.jpg")
    try await folder.convert("base.png", ["-quality", "95"], to: "base.jpg")
    try await folder.convert("map.png", to: "map.jpg")
    try await Tool.exiftool.run([
      "-q", "-n", "-overwrite_original", "-Make=Acme", "-GPSLatitude=47.36", "-GPSLatitudeRef=N",
      "-GPSLongitude=8.54", "-GPSLongitudeRef=E", folder.path("base.jpg"),
    ])
    try MadeGainMap.writeJPEG(
      "list.jpg", base: "base.jpg", map: "map.jpg",
      #"hdrgm:GainMapMax="2.5" hdrgm:HDRCapacityMax="2.5""#, in: folder)
  }

  @Test(arguments: ["result.jpg", "list.jpg"])
  func `the picture is the same without its map`(name: String) async throws {
    try await makePictures()
    #expect(try description(name).sdrCopy == .withoutGainMap)
    #expect(try copy(name).notes == [])
    let coded = try scans(name)
    #expect(try folder.bytes("copy.jpg").suffix(coded.count) == ArraySlice(coded))
    #expect(try await folder.pixels("copy.jpg") == folder.pixels(name))
    let rest = try await Tool.exiftool.run([
      "-s3", "-a", "-MPF:all", "-XMP-hdrgm:all", "-XMP-GContainer:all", "-XMP-Container:all",
      folder.path("copy.jpg"),
    ])
    #expect(rest == "")
    let found = try description("copy.jpg")
    #expect(found.sdrCopy == .unchanged)
    #expect(!found.hasGainMap)
    let clues = try JPEGFormat.reading(.jpeg, ArraySource(folder.bytes("copy.jpg"))).clues
    #expect(
      !clues.contains { [.jpegGainMap, .gainMapVersion, .gainMapBaseIsHDR].contains($0.key) })
  }

  @Test func `the location, an identifier and facts go together with it`() async throws {
    try await makePictures()
    let coded = try scans("list.jpg")
    func tags() async throws -> [String] {
      try await Tool.exiftool.run([
        "-s3", "-n", "-f", "-EXIF:Make", "-EXIF:GPSLatitude",
        "-XMP-dc:Title", "-XMP-hdrgm:Version", folder.path("copy.jpg"),
      ]).split(separator: "\n").map(String.init)
    }
    _ = try copy("list.jpg")
    #expect(try await tags() == ["Acme", "47.36", "-", "-"])
    _ = try copy("list.jpg") { $0.metadata = .withoutLocation }
    #expect(try await tags() == ["Acme", "-", "-", "-"])
    // Versions of exiftool have different names for the identifier.
    let identifier = "0B6A7E66-9D2C-4A31-8C5E-5A1C3F0D7B42"
    _ = try copy("list.jpg") { $0.livePhoto = .paired(identifier: identifier) }
    #expect(try await tags() == ["Acme", "47.36", "-", "-"])
    #expect(try folder.bytes("copy.jpg").firstIndex(of: identifier) != nil)
    _ = try copy("list.jpg") { step in
      var facts = CatalogFacts()
      facts.title = "T1"
      step.facts = facts
    }
    #expect(try await tags() == ["Acme", "47.36", "T1", "-"])
    #expect(try folder.bytes("copy.jpg").suffix(coded.count) == ArraySlice(coded))
    _ = try copy("list.jpg") { $0.metadata = .appearanceOnly }
    #expect(try await tags() == ["-", "-", "-", "-"])
    #expect(try scans("copy.jpg") == coded)
  }
}
