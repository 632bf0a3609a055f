import LibHeif
import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import LibraryFacts
@testable import MediaFormats

/// Our own reader of HEIF and AVIF against libheif, over files that heif-enc and exiftool make.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .heifEncoder, .exiftool, .imageMagick)))
struct HEIFFactsTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// Compares both readings of a file and returns libheif's.
  @discardableResult
  private func compare(_ bytes: [UInt8], _ name: String) throws -> HeifPicture {
    let source = ArraySource(bytes)
    let own = try HEIFFormat.reading(.heic, source)
    let picture = try openHeif(source, HEIFContainer(source)).picture()
    #expect(own.size == picture.uprightSize, "\(name)")
    #expect(own.exif == picture.exifItem.flatMap(tiffBlock(inExifItem:)), "\(name)")
    #expect(own.xmp?.properties == picture.xmp.flatMap { XMPPacket($0) }?.properties, "\(name)")
    let types = own.clues.filter { $0.key == .heifAuxiliary }.compactMap(\.value)
    #expect(types == picture.auxiliaryTypes, "\(name)")
    #expect(own.clues.contains(Clue(.heifDepth)) == picture.hasDepthImage, "\(name)")
    let range = own.clues.first { $0.key == .heifTransfer }?.value
    #expect(range == picture.dynamicRange?.rawValue, "\(name)")
    return picture
  }

  private func encode(_ options: [String], _ input: String, to name: String) async throws {
    try await Tool.heifEncoder.run(options + [folder.path(input), "-o", folder.path(name)])
  }

  @Test(arguments: ["a.heic", "a.avif"])
  func readsMetadataAndAuxiliaryPictures(name: String) async throws {
    try await folder.makeSoftPicture(
      "a.png", size: "101x77", ["-alpha", "set", "-channel", "A", "-evaluate", "set", "50%"])
    let codec = name.hasSuffix("avif") ? ["-A"] : []
    try await encode(codec + ["-t", "32"], "a.png", to: name)
    try await Tool.exiftool.run([
      "-q", "-overwrite_original", "-EXIF:Make=Acme", "-XMP:Title=Title", folder.path(name),
    ])
    let picture = try compare(folder.bytes(name), name)
    #expect(picture.auxiliaryTypes.count == 1)
    #expect(picture.exifItem != nil && picture.xmp != nil)
  }

  @Test func readsGrids() async throws {
    for row in 0...1 {
      for column in 0...2 {
        try await folder.makePicture("tile-0\(row)-0\(column).png", size: "64x64")
      }
    }
    try await encode(
      ["-T", "--tiled-image-width", "150", "--tiled-image-height", "100"], "tile-00-00.png",
      to: "a.heic")
    let picture = try compare(folder.bytes("a.heic"), "grid")
    #expect(picture.uprightSize == PixelSize(width: 150, height: 100))
  }

  /// heif-enc turns the EXIF orientation into the properties `irot` and `imir`.
  @Test(arguments: 1...8)
  func readsTransformations(orientation: Int) async throws {
    try await folder.makePicture("a.jpg", size: "96x64")
    try await Tool.exiftool.run([
      "-q", "-n", "-overwrite_original", "-Orientation=\(orientation)", folder.path("a.jpg"),
    ])
    try await encode([], "a.jpg", to: "a.heic")
    let picture = try compare(folder.bytes("a.heic"), "orientation \(orientation)")
    #expect((picture.uprightSize.width == 64) == (orientation >= 5))
  }

  @Test(arguments: [(16, DynamicRange.pq), (18, .hlg), (13, nil)])
  func readsTransferFunctions(transfer: Int, range: DynamicRange?) async throws {
    try await folder.makePicture("a.png")
    try await encode(
      [
        "--matrix_coefficients", "9", "--colour_primaries", "9", "--transfer_characteristic",
        String(transfer),
      ], "a.png", to: "a.heic")
    #expect(try compare(folder.bytes("a.heic"), "transfer \(transfer)").dynamicRange == range)
  }

  /// Without `ispe` our reader does not know the size. libheif then reports the size of the crop, or none. heif-enc
  /// adds a crop if the height is not a multiple of 64.
  @Test(arguments: [("64x48", PixelSize(width: 64, height: 48)), ("64x64", nil)])
  func passesOnPicturesWithoutSize(size: String, expected: PixelSize?) async throws {
    try await folder.makePicture("a.png", size: size)
    try await encode([], "a.png", to: "a.heic")
    var bytes = try folder.bytes("a.heic")
    let place = try #require(bytes.firstRange(of: Array("ispe".utf8)))
    bytes.replaceSubrange(place, with: Array("free".utf8))
    #expect(throws: NeedsCodec.self) { try HEIFFormat.reading(.heic, ArraySource(bytes)) }
    try folder.write(bytes, to: "b.heic")
    guard case .media(let facts, _) = probe(BytePath(folder.path("b.heic")), readers: .libraries)
    else { throw ToolFailure(description: "b.heic is not read") }
    #expect(facts.pixelSize == expected)
    let warning = "The file does not record the picture's size."
    #expect(facts.warnings == (expected == nil ? [warning] : []))
  }
}
