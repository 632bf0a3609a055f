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

/// Gain maps of HEICs and JPEGs that become JPEGs. exiftool finds the map and reads its parameters, ImageMagick decodes
/// its samples, and the formulas here are those of Apple's documentation and of ISO 21496-1.
@Suite(.enabled(if: Tool.areInstalled(.imageMagick, .heifEncoder, .exiftool)))
struct GainMapTests {
  private let folder: ScratchFolder
  private static let (width, height) = (96, 64)

  init() throws {
    folder = try ScratchFolder()
  }

  /// A map without symmetry and with all samples.
  private func makePictures() async throws {
    try await folder.makeSoftPicture("base.png", size: "\(Self.width * 2)x\(Self.height * 2)")
    try await Tool.imageMagick.run([
      "-size", "\(Self.height)x\(Self.width)", "gradient:black-white", "-rotate", "90",
      "(", "-size", "\(Self.width)x\(Self.height)", "gradient:white-gray50", ")",
      "-compose", "multiply", "-composite", "-colorspace", "gray", "-depth", "8",
      folder.path("map.png"),
    ])
  }

  /// The exported map: log2 of the gain for each of its samples, by the parameters that exiftool reads.
  private func exportedGain(_ name: String) async throws -> (gain: [Double], size: String) {
    try await extractMap(name)
    let texts = try await Tool.exiftool.run(
      ["-s3", "-n"]
        + ["GainMapMin", "GainMapMax", "Gamma", "HDRCapacityMin", "HDRCapacityMax"]
        .map { "-XMP-hdrgm:" + $0 } + [folder.path("map.jpg")])
    let numbers = texts.split(separator: "\n").compactMap { Double($0) }
    try #require(numbers.count == 5)
    #expect(numbers[3] == 0 && numbers[4] > 0)
    let size = try await Tool.imageMagick.run([folder.path("map.jpg"), "-format", "%wx%h", "info:"])
    return (
      try await samples("map.jpg").map {
        numbers[0] + (numbers[1] - numbers[0]) * pow($0, 1 / numbers[2])
      }, size
    )
  }

  /// The second picture of the index (CIPA DC-007), as a file.
  private func extractMap(_ name: String) async throws {
    try await Tool.exiftool.run([
      "-q", "-b", "-MPImage2", folder.path(name), "-w!", folder.path("%0f") + "map.jpg",
    ])
  }

  /// Grey samples of 0–1, as ImageMagick decodes them, without a change of scale.
  private func samples(_ name: String, _ options: [String] = []) async throws -> [Double] {
    try await Tool.imageMagick.run(
      [folder.path(name) + "[0]"] + options
        + ["-set", "colorspace", "gray", "-depth", "8", "gray:" + folder.path("map.gray")])
    return try folder.bytes("map.gray").map { Double($0) / 255 }
  }

  private func linear(_ value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  /// The share of samples whose light differs by at most 2 %.
  private func agreement(_ left: [Double], _ right: [Double]) -> Double {
    guard left.count == right.count, !left.isEmpty else { return 0 }
    let good = zip(left, right).count { abs(exp2($0 - $1) - 1) <= 0.02 }
    return Double(good) / Double(left.count)
  }

  @discardableResult
  private func render(
    _ name: String, _ type: UniformType, _ rendering: PictureRendering = PictureRendering()
  ) throws -> RenderResult {
    try folder.mustRender(name, .picture(type, rendering), to: "result.jpg")
  }

  @Test func applesMapOfAHEICBecomesUltraHDR() async throws {
    try await makePictures()
    try await MadeGainMap.writeHEIC(
      "a.heic", base: "base.png", map: "map.png", .apple(headroom: 6.9), in: folder)
    #expect(try render("a.heic", .heic).notes == [])
    let expected = try await samples("map.png").map { log2(1 + 5.9 * linear($0)) }
    let (gain, size) = try await exportedGain("result.jpg")
    #expect(size == "96x64")
    #expect(agreement(gain, expected) >= 0.99)
    // Programs that know nothing of it show the same picture as without it.
    try folder.mustRender(
      "a.heic", .picture(.heic, PictureRendering(keepsDynamicRange: false)), to: "plain.jpg")
    #expect(try await folder.pixels("result.jpg") == folder.pixels("plain.jpg"))
    let parts = try await Tool.exiftool.run([
      "-s3", "-a", "-sep", ",", "-MPF:NumberOfImages", "-XMP-hdrgm:Version",
      "-XMP:DirectoryItemSemantic", folder.path("result.jpg"),
    ])
    // Versions of exiftool differ in whether they make a list of the parts.
    #expect(parts.split { ",\n".contains($0) } == ["2", "1.0", "Primary", "GainMap"])
    let plain = try await Tool.exiftool.run([
      "-s3", "-a", "-MPF:all", "-XMP:all", folder.path("plain.jpg"),
    ])
    #expect(plain == "")
  }

  /// Before iOS 18 the headroom is a function of two numbers in the MakerNote: 2^(3 − 70 · 0.003) here.
  @Test func olderIPhonesRecordTheHeadroomInTheMakerNote() async throws {
    try await makePictures()
    try await MadeGainMap.writeHEIC(
      "a.heic", base: "base.png", map: "map.png",
      .makerNote(headroom: 1_010_000, gain: 3_000), in: folder)
    #expect(try render("a.heic", .heic).notes == [])
    let headroom = exp2(3 - 70 * 0.003)
    let expected = try await samples("map.png").map { log2(1 + (headroom - 1) * linear($0)) }
    #expect(agreement(try await exportedGain("result.jpg").gain, expected) >= 0.99)
  }

  @Test func aToneMapKeepsItsParameters() async throws {
    try await makePictures()
    let parameters = MadeGainMap.parameters(
      alternate: 2_300_000, minimum: -500_000, maximum: 2_300_000, gamma: 800_000)
    try await MadeGainMap.writeHEIC(
      "a.heic", base: "base.png", map: "map.png", .toneMap(parameters), in: folder)
    #expect(try render("a.heic", .heic).notes == [])
    let expected = try await samples("map.png").map { -0.5 + 2.8 * pow($0, 1 / 0.8) }
    #expect(agreement(try await exportedGain("result.jpg").gain, expected) >= 0.99)
    // ISO's own segment in the map has the same numbers, in the base the versions only.
    let name = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)
    let map = try folder.bytes("map.jpg")
    let place = try #require(map.firstIndex(of: name))
    #expect(map.bytes(from: place + name.count).starts(with: parameters.dropFirst()))
    let base = try folder.bytes("result.jpg")
    let first = try #require(base.firstIndex(of: name))
    #expect(base.u16(at: first - 2) == UInt16(2 + name.count + 4))
  }

  @Test func aMapFollowsItsPictureThroughTurnsCropsAndSizes() async throws {
    try await makePictures()
    try await MadeGainMap.writeHEIC(
      "a.heic", base: "base.png", map: "map.png",
      .toneMap(MadeGainMap.parameters(alternate: 2_000_000, maximum: 2_000_000)),
      quarterTurns: 1, in: folder)
    // The upright picture has 128 × 192 pixels, its map half as many across and down.
    let crop = CropRect(x: 20, y: 30, width: 100, height: 150)
    let cases: [(PictureRendering, String, [String])] = [
      (PictureRendering(), "64x96", []),
      (PictureRendering(crop: crop), "50x75", ["-crop", "50x75+10+15"]),
      (PictureRendering(maxPixels: 48), "32x48", ["-filter", "box", "-resize", "32x48!"]),
    ]
    for (rendering, size, change) in cases {
      try render("a.heic", .heic, rendering)
      let exported = try await exportedGain("result.jpg")
      #expect(exported.size == size)
      let expected = try await samples("map.png", ["-rotate", "-90"] + change).map { 2 * $0 }
      #expect(agreement(exported.gain, expected) >= 0.97, "\(size)")
    }
  }

  /// The map of an Ultra HDR JPEG is stored as the picture is, and turned by the same EXIF orientation.
  @Test func aJPEGsMapIsTurnedByTheExifOrientation() async throws {
    try await makePictures()
    try await folder.convert("base.png", ["-quality", "95"], to: "base.jpg")
    try await folder.convert("map.png", ["-quality", "100"], to: "gain.jpg")
    try MadeGainMap.writeJPEG(
      "a.jpg", base: "base.jpg", map: "gain.jpg",
      #"hdrgm:GainMapMax="2.5" hdrgm:HDRCapacityMax="2.5""#, in: folder)
    try await Tool.exiftool.run([
      "-q", "-n", "-overwrite_original", "-Orientation=6", folder.path("a.jpg"),
    ])
    try render("a.jpg", .jpeg, PictureRendering(maxPixels: 128))
    let exported = try await exportedGain("result.jpg")
    #expect(exported.size == "64x96")
    let expected = try await samples("map.png", ["-rotate", "90"]).map { 2.5 * $0 }
    #expect(agreement(exported.gain, expected) >= 0.98)
  }

  /// A grey ramp in PQ (SMPTE ST 2084): the map restores its light, of which paper white is 203 cd/m² (ITU-R BT.2408).
  @Test func aPictureInPQGetsTheMapThatItsConversionTakes() async throws {
    try await Tool.imageMagick.run([
      "-size", "64x1024", "gradient:gray80-black", "-depth", "16", "-rotate", "90",
      folder.path("ramp.png"),
    ])
    try await Tool.heifEncoder.run([
      "-A", "-b", "10", "-q", "100", "--matrix_coefficients", "0", "--colour_primaries", "9",
      "--transfer_characteristic", "16", folder.path("ramp.png"), "-o", folder.path("a.avif"),
    ])
    try render("a.avif", .avif, PictureRendering(quality: 100))
    let gain = try await exportedGain("result.jpg").gain
    let half = ["-filter", "box", "-resize", "50%"]
    let base = try await samples("result.jpg", half)
    // PQ's steps of 8 bits are larger than what is measured here.
    try await Tool.imageMagick.run(
      [folder.path("ramp.png")] + half
        + ["-set", "colorspace", "gray", "-depth", "16", "-endian", "LSB"]
        + ["gray:" + folder.path("ramp.gray")])
    let bytes = try folder.bytes("ramp.gray")
    let coded = stride(from: 0, to: bytes.count - 1, by: 2).map {
      Double(Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8) / 65_535
    }
    try #require(gain.count == base.count && base.count == coded.count)
    var good = 0
    var count = 0
    for index in coded.indices {
      let root = pow(coded[index], 1 / 78.84375)
      let light =
        10_000 * pow(max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root), 1 / 0.1593017578125)
        / 203
      // Below a tenth of paper white a step of 8 bits is more than that.
      guard light > 0.1 else { continue }
      count += 1
      if abs(linear(base[index]) * exp2(gain[index]) / light - 1) <= 0.03 { good += 1 }
    }
    #expect(count > coded.count / 5)
    #expect(Double(good) >= 0.98 * Double(count))
    try render("a.avif", .avif, PictureRendering(keepsDynamicRange: false))
    let parts = try await Tool.exiftool.run(["-s3", "-MPF:all", folder.path("result.jpg")])
    #expect(parts == "")
  }

  @Test(arguments: [
    (
      MadeGainMap.parameters(alternate: 2_000_000, maximum: 2_000_000, gamma: 0),
      "has impossible parameters"
    ),
    (
      MadeGainMap.parameters(alternate: 2_000_000, maximum: 2_000_000, minimumVersion: 9),
      "is of a later version of ISO 21496-1"
    ),
    ([0, 0, 0, 0, 0], "has no parameters"),
    ([0, 0, 0, 0, 0, 0x40, 0, 0, 0, 1, 0, 0, 0, 0], "has incomplete parameters"),
  ])
  func aMapThatCannotBeUsedIsNamed(parameters: [UInt8], reason: String) async throws {
    try await makePictures()
    try await MadeGainMap.writeHEIC(
      "a.heic", base: "base.png", map: "map.png", .toneMap(parameters), in: folder)
    let notes = try render("a.heic", .heic).notes
    #expect(notes == ["Its gain map \(reason) and is left out: the result is SDR."])
    let parts = try await Tool.exiftool.run([
      "-s3", "-MPF:NumberOfImages", "-XMP-hdrgm:all", folder.path("result.jpg"),
    ])
    #expect(parts == "")
  }

  /// PNG has no gain maps, so the note names what is lost, unless it is to be lost.
  @Test func aMapIsLostInAPNG() async throws {
    try await makePictures()
    try await MadeGainMap.writeHEIC(
      "a.heic", base: "base.png", map: "map.png", .apple(headroom: 6.9), in: folder)
    #expect(
      try render("a.heic", .heic, PictureRendering(format: .png)).notes
        == ["Its gain map has no place in a PNG and is left out: the result is SDR."])
    let wanted = PictureRendering(format: .png, keepsDynamicRange: false)
    #expect(try render("a.heic", .heic, wanted).notes == [])
  }
}
