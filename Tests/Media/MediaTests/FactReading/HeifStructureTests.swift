import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// HEIF files that libheif refuses, decodes without end, or decodes slowly.
@Suite(
  .enabled(if: Tool.areInstalled(.exiftool, .ffmpeg, .heifDecoder, .heifEncoder, .imageMagick)))
struct HeifStructureTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func encode(_ options: [String] = [], size: String = "96x64") async throws {
    try await folder.makeSoftPicture("a.png", size: size)
    try await Tool.heifEncoder.run(
      options + ["-q", "90", folder.path("a.png"), "-o", folder.path("a.heic")])
  }

  private func number(_ bytes: [UInt8], _ at: Int) -> Int {
    (0..<4).reduce(0) { $0 << 8 | Int(bytes[at + $1]) }
  }

  /// Names the only item of the thumbnail's reference twice. The rest of the file moves by two bytes.
  private func repeatReference(_ name: String, to result: String) throws {
    var bytes = try folder.bytes(name)
    func place(_ type: String) throws -> Int {
      try #require(bytes.firstRange(of: Array(type.utf8))).lowerBound - 4
    }
    let (meta, iref, thmb) = (try place("meta"), try place("iref"), try place("thmb"))
    try #require(bytes[iref + 8] == 0)
    // `iloc` version 0 or 1, offsets and lengths of four bytes, a base of four bytes or none.
    let iloc = try place("iloc")
    try #require(bytes[iloc + 12] == 0x44 && [0, 0x40].contains(bytes[iloc + 13]))
    let base = Int(bytes[iloc + 13] >> 4)
    let hasMethod = bytes[iloc + 8] == 1
    let count = Int(bytes[iloc + 14]) << 8 | Int(bytes[iloc + 15])
    var position = iloc + 16
    for _ in 0..<count {
      let method = hasMethod ? bytes[position + 3] : 0
      position += (hasMethod ? 6 : 4) + base
      let extents = Int(bytes[position]) << 8 | Int(bytes[position + 1])
      position += 2
      for _ in 0..<extents {
        if method == 0 {
          bytes.replaceSubrange(
            position..<(position + 4), with: bigEndian(number(bytes, position) + 2))
        }
        position += 8
      }
    }
    let target = Array(bytes[(thmb + 12)..<(thmb + 14)])
    for start in [meta, iref, thmb] {
      bytes.replaceSubrange(start..<(start + 4), with: bigEndian(number(bytes, start) + 2))
    }
    bytes.replaceSubrange((thmb + 10)..<(thmb + 12), with: bigEndian(2, 2))
    bytes.insert(contentsOf: target, at: thmb + 14)
    try folder.write(bytes, to: result)
  }

  @Test func itemsNamedTwiceAreOpened() async throws {
    try await encode(["-t", "32"])
    try await Tool.exiftool.run([
      "-q", "-overwrite_original", "-EXIF:Make=Acme", folder.path("a.heic"),
    ])
    try repeatReference("a.heic", to: "b.heic")
    // Some versions of libheif alone refuse it; others show the same picture.
    if let alone = try? await folder.heifPixels("b.heic") {
      #expect(try await alone == folder.heifPixels("a.heic"))
    }
    guard case .media(let facts, _) = probe(BytePath(folder.path("b.heic"))) else {
      throw ToolFailure(description: "b.heic is not read")
    }
    #expect(facts.warnings.isEmpty)
    #expect(facts.camera.make == "Acme")
    #expect(facts.pixelSize == PixelSize(width: 96, height: 64))
    try folder.mustRender("b.heic", .picture(.heic, PictureRendering(format: .png)), to: "b.png")
    let expected = try await folder.heifPixels("a.heic")
    #expect(try await peakSignalToNoise(expected, folder.pixels("b.png")) > 38)
    let item = ThumbnailItem(path: BytePath(folder.path("b.heic")), uniformType: .heic)
    guard case .thumbnail = thumbnail(item, longerSide: 320) else {
      throw ToolFailure(description: "b.heic has no thumbnail")
    }
  }

  /// Black is 16 and white 235: the range is stretched exactly, with libheif's result.
  @Test func limitedRangeIsStretched() async throws {
    try await encode([
      "--full_range_flag", "0", "--matrix_coefficients", "6", "--colour_primaries", "1",
      "--transfer_characteristic", "13",
    ])
    try folder.mustRender("a.heic", .picture(.heic, PictureRendering(format: .png)), to: "b.png")
    let expected = try await folder.heifPixels("a.heic")
    #expect(try await peakSignalToNoise(expected, folder.pixels("b.png")) > 38)
    let original = try await folder.pixels("a.png")
    #expect(try await peakSignalToNoise(original, folder.pixels("b.png")) > 30)
  }

  /// ISO/IEC 23001-17's property `cmpC`: refused before libheif can inflate anything.
  @Test func compressionAsAWholeIsRefused() async throws {
    try await encode()
    var bytes = try folder.bytes("a.heic")
    let place = try #require(bytes.firstRange(of: Array("pixi".utf8)))
    bytes.replaceSubrange(place, with: Array("cmpC".utf8))
    try folder.write(bytes, to: "b.heic")
    let item = ExamineItem(path: BytePath(folder.path("b.heic")), uniformType: .heic)
    guard case .picture(let description) = examine(item) else {
      throw ToolFailure(description: "b.heic cannot be examined")
    }
    let sentence =
      "HEIF pictures with all pixels compressed together (ISO/IEC 23001-17) cannot be decoded here."
    #expect(description.obstacle == sentence)
  }
}
