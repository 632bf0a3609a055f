import ByteReading
import FactReading
import MediaFormats
import MediaModel
import MediaTools
import Testing

/// RAW files with containers of their own around a JPEG or a TIFF, to which exiftool writes metadata and which it reads.
@Suite(.enabled(if: Tool.areInstalled(.exiftool, .ffmpeg)))
struct RawContainerTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private static let tags = [
    "-EXIF:Make=Acme", "-XMP-dc:Title=Lake", "-XMP-xmp:Rating=4", "-XMP-dc:Subject=boat",
    "-XMP-iptcExt:PersonInImage=Ana", "-XMP-exif:GPSLatitude=47.36",
    "-XMP-exif:GPSLongitude=8.54",
  ]

  private func tagged(_ name: String) async throws -> [UInt8] {
    try await folder.makePicture(name)
    try await Tool.exiftool.run(
      ["-q", "-n", "-overwrite_original"] + Self.tags + ["-IPTC:Keywords=shore"]
        + [folder.path(name)])
    return try folder.bytes(name)
  }

  private func facts(_ type: UniformType, _ file: [UInt8]) throws -> MediaFacts {
    try #require(try PictureReading.read(type, ArraySource(file))).facts(type: type, name: [])
  }

  private func expectTags(_ facts: MediaFacts, _ comment: Comment) {
    #expect(facts.camera.make == "Acme", comment)
    #expect(facts.title == "Lake", comment)
    #expect(facts.rating == 4, comment)
    #expect(facts.keywords == ["boat", "shore"], comment)
    #expect(facts.people == ["Ana"], comment)
    #expect(facts.location.map { abs($0.latitude - 47.36) < 1e-6 } == true, comment)
    #expect(facts.warnings == [], comment)
  }

  /// A RAF with a JPEG and no list of tags.
  private static func raf(_ jpeg: [UInt8]) -> [UInt8] {
    let start = Array("FUJIFILMCCD-RAW 0201".utf8)
    let end = 120 + jpeg.count
    return start + [UInt8](repeating: 0, count: 84 - start.count) + bigEndian(120)
      + bigEndian(jpeg.count) + bigEndian(end) + [UInt8](repeating: 0, count: 24) + jpeg
      + bigEndian(0)
  }

  /// An X3F of version 2.2 with a picture of 2,640 × 1,760, and a JPEG in an `IMA2` section.
  private static func x3f(_ jpeg: [UInt8]?, rotation: Int = 0) -> [UInt8] {
    var file = Array("FOVb".utf8) + little(0x2_0002) + [UInt8](repeating: 0, count: 20)
    file += little(2640) + little(1760) + little(rotation)
    file += [UInt8](repeating: 0, count: 264 - file.count)
    var table: [UInt8] = []
    if let jpeg {
      table = little(file.count) + little(28 + jpeg.count) + Array("IMA2".utf8)
      file += Array("SECi".utf8) + [UInt8](repeating: 0, count: 24) + jpeg
    }
    let directory = file.count
    file += Array("SECd".utf8) + little(0x2_0000) + little(jpeg == nil ? 0 : 1) + table
    return file + little(directory)
  }

  private static func little(_ number: Int) -> [UInt8] { bigEndian(number).reversed() }

  /// An MRW of 2,568 × 1,928 pixels with a block of metadata.
  private static func mrw(_ block: [UInt8]) -> [UInt8] {
    let sizes =
      [0, 0x50, 0x52, 0x44] + bigEndian(24) + Array("27820001".utf8) + bigEndian(1936, 2)
      + bigEndian(2584, 2) + bigEndian(1928, 2) + bigEndian(2568, 2)
      + [UInt8](repeating: 0, count: 8)
    let blocks = sizes + [0, 0x54, 0x54, 0x57] + bigEndian(block.count) + block
    return [0, 0x4D, 0x52, 0x4D] + bigEndian(blocks.count) + blocks
  }

  @Test func `titles, keywords, people, ratings and places of XMP and IPTC are read`() async throws
  {
    let jpeg = try await tagged("a.jpg")
    expectTags(try facts(.fujiRAF, Self.raf(jpeg)), "RAF")
    expectTags(try facts(.sigmaX3F, Self.x3f(jpeg)), "X3F")
    let tiff = try await tagged("a.tiff")
    expectTags(try facts(.minoltaMRW, Self.mrw(tiff)), "MRW")
  }

  @Test func `a damaged block is a warning`() async throws {
    let damaged = [UInt8](repeating: 0x55, count: 300)
    let reports = [
      try facts(.fujiRAF, Self.raf(damaged)),
      try facts(.sigmaX3F, Self.x3f([0xFF, 0xD8, 0xFF] + damaged)),
      try facts(.minoltaMRW, Self.mrw(damaged)),
    ]
    #expect(
      reports.map(\.warnings) == [
        ["The embedded JPEG with the metadata is damaged."],
        ["The embedded JPEG with the metadata is damaged."],
        ["The block with the metadata is damaged."],
      ])
    #expect(reports[2].pixelSize == PixelSize(width: 2568, height: 1928))
  }

  @Test(arguments: [(0, Orientation.up), (90, .right), (180, .down), (270, .left)])
  func `the rotation of an X3F without EXIF turns it`(
    rotation: Int, orientation: Orientation
  ) async throws {
    let file = Self.x3f(nil, rotation: rotation)
    try folder.write(file, to: "a.x3f")
    let found = try await Tool.exiftool.run(["-s3", "-Rotation", folder.path("a.x3f")])
    #expect(found.contains("\(rotation)"))
    let facts = try facts(.sigmaX3F, file)
    #expect(facts.orientation == orientation)
    let size = PixelSize(width: 2640, height: 1760)
    #expect(facts.pixelSize == orientation.upright(size))
  }
}
