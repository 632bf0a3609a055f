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

/// Colours that are described by chunks, tags and grey profiles. ImageMagick, with Little CMS, gives the
/// expected results.
@Suite(.enabled(if: Tool.areInstalled(.imageMagick, .exiftool, .ffmpeg)))
struct StoredColorTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  @discardableResult
  private func render(
    _ name: String, _ type: UniformType, to target: String, _ rendering: PictureRendering
  ) throws -> RenderResult {
    try folder.mustRender(name, .picture(type, rendering), to: target)
  }

  /// The name of a picture's profile by exiftool; empty if it has none.
  private func profileName(of name: String) async throws -> String {
    try await Tool.exiftool.run(["-s3", "-ICC_Profile:ProfileDescription", folder.path(name)])
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static let withoutColors = [
    "-strip", "-define", "png:exclude-chunks=gAMA,cHRM,sRGB,iCCP",
  ]

  /// The picture without its colour chunks, then with one chunk.
  private func makePNG(_ name: String, _ options: [String], chunk: [UInt8]) async throws {
    try await folder.makeSoftPicture(name, options + Self.withoutColors)
    try insert(chunk, into: name)
  }

  /// A picture of one colour, with one chunk.
  private func makePlainPNG(_ name: String, _ color: [Int], chunk: [UInt8]) async throws {
    let text = color.map(String.init).joined(separator: ",")
    try await Tool.imageMagick.run(
      ["-size", "16x16", "xc:rgb(\(text))", "-type", "TrueColor"] + Self.withoutColors
        + [folder.path(name)])
    try insert(chunk, into: name)
  }

  /// Adds a chunk after a PNG's header.
  private func insert(_ chunk: [UInt8], into name: String) throws {
    let bytes = try folder.bytes(name)
    try folder.write(bytes[..<33] + chunk + bytes[33...], to: name)
  }

  /// The primaries of ITU-T H.273 §8.1. libavfilter, with zimg, gives the expected results.
  @Test(
    .enabled(if: Tool.areInstalled(.heifEncoder)),
    arguments: [(4, "bt470m"), (5, "bt470bg"), (6, "smpte170m"), (9, "bt2020"), (11, "smpte431")])
  func primariesAreConverted(code: Int, name: String) async throws {
    try await folder.makeSoftPicture("a.png", size: "64x64")
    try await Tool.heifEncoder.run([
      "-A", "-q", "100", "-p", "chroma=444", "--colour_primaries", "\(code)",
      "--transfer_characteristic", "13",
      folder.path("a.png"), "-o", folder.path("a.avif"),
    ])
    try await Tool.ffmpeg.run([
      "-v", "error", "-i", folder.path("a.png"), "-vf",
      "zscale=pin=\(name):p=bt709:tin=iec61966-2-1:t=iec61966-2-1:min=gbr:m=gbr,format=gbrp",
      folder.path("wanted.png"),
    ])
    try render("a.avif", .avif, to: "b.png", PictureRendering(format: .png, colorSpace: .sRGB))
    let (found, expected) = try await (folder.pixels("b.png"), folder.pixels("wanted.png"))
    let similarity = peakSignalToNoise(found, expected)
    #expect(similarity > 40, "\(similarity)")
    // The colours of the source: a profile has the numbers of wide ones.
    try folder.write(MadeProfile.matrix(MadeProfile.sRGB, .sRGB).bytes, to: "srgb.icc")
    try render("a.avif", .avif, to: "c.png", PictureRendering(format: .png))
    let hasProfile = try await profileName(of: "c.png") != ""
    #expect(hasProfile == [9, 11].contains(code))
    let converted = try await folder.pixels(
      "c.png", hasProfile ? ["-profile", folder.path("srgb.icc")] : [])
    #expect(peakSignalToNoise(converted, expected) > 38)
  }

  /// Red of Display P3 is outside sRGB. The profile is the same each time.
  @Test func wideColorsByNumbersAreKept() async throws {
    try await makePlainPNG("a.png", [250, 20, 20], chunk: pngChunk("cICP", [12, 13, 0, 1]))
    for (target, format) in [("b.png", PictureRendering.Format.png), ("b.jpg", .jpeg)] {
      try render("a.png", .png, to: target, PictureRendering(format: format, quality: 98))
      #expect(try await profileName(of: target) == "Display P3")
      let found = try await folder.pixels(target, ["-strip"])
      for (channel, wanted) in [250, 20, 20].enumerated() {
        #expect(abs(Int(found[channel]) - wanted) <= 3, "\(found.prefix(3))")
      }
    }
    let first = try folder.bytes("b.jpg")
    try render("a.png", .png, to: "b.jpg", PictureRendering(quality: 98))
    #expect(try folder.bytes("b.jpg") == first)
  }

  /// Linear light would need more than eight bits: it becomes sRGB, whose red is the nearest.
  @Test func wideLinearLightIsConverted() async throws {
    try await makePlainPNG("a.png", [250, 0, 0], chunk: pngChunk("cICP", [12, 8, 0, 1]))
    try render("a.png", .png, to: "b.jpg", PictureRendering(quality: 98))
    #expect(try await profileName(of: "b.jpg") == "")
    let found = try await folder.pixels("b.jpg", ["-strip"])
    #expect(found[0] > 250 && found[1] < 6 && found[2] < 6, "\(found.prefix(3))")
  }

  /// libvips keeps the profile of a grey picture in WebP, which has no grey.
  @Test func aGreyProfileFitsAWebPWithoutColours() async throws {
    let profile = MadeProfile.gray(.gamma(1.8))
    try folder.write(profile.bytes, to: "a.icc")
    try await folder.makeSoftPicture("a.webp", ["-colorspace", "Gray"])
    try await Tool.exiftool.run([
      "-q", "-icc_profile<=" + folder.path("a.icc"), "-overwrite_original", folder.path("a.webp"),
    ])
    try #require(try PictureMetadata.read(.webP, ArraySource(folder.bytes("a.webp"))).icc != nil)
    for target in ["b.png", "b.jpg"] {
      let result = try render(
        "a.webp", .webP, to: target, PictureRendering(format: target == "b.png" ? .png : .jpeg))
      #expect(result.notes == [])
    }
  }

  /// `gAMA` 1.0: the values are linear light, which ImageMagick is instructed to assume.
  @Test(arguments: [[], ["-colorspace", "Gray"]])
  func gammaIsApplied(options: [String]) async throws {
    try await makePNG("a.png", options, chunk: pngChunk("gAMA", bigEndian(100_000)))
    try await folder.convert(
      "a.png",
      ["-set", "colorspace", options.isEmpty ? "RGB" : "LinearGray", "-colorspace", "sRGB"],
      to: "wanted.png")
    for target in ["b.png", "b.jpg"] {
      try render(
        "a.png", .png, to: target,
        PictureRendering(format: target == "b.png" ? .png : .jpeg, quality: 98))
      let found = try await folder.pixels(target, ["-strip"])
      let wanted = try await folder.pixels("wanted.png", ["-strip"])
      #expect(peakSignalToNoise(found, wanted) > 38)
    }
  }

  /// Gamma 1/2.2 and sRGB's chromaticities, as most programs write them, change nothing.
  @Test func commonChunksChangeNothing() async throws {
    let primaries = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6000]
    try await makePNG(
      "a.png", [],
      chunk: pngChunk("gAMA", bigEndian(45_455))
        + pngChunk("cHRM", primaries.flatMap { bigEndian($0) }))
    try render("a.png", .png, to: "b.png", PictureRendering(format: .png))
    let found = try await folder.pixels("b.png", ["-strip"])
    #expect(try await peakSignalToNoise(found, folder.pixels("a.png", ["-strip"])) > 60)
  }

  /// Adobe RGB (1998) by its chunks, gamma 563/256 and its green at 0.21, 0.71; the expected values are by
  /// the matrices in its specification and in IEC 61966-2-1.
  @Test func chromaticitiesAreApplied() async throws {
    let primaries = [31_270, 32_900, 64_000, 33_000, 21_000, 71_000, 15_000, 6000]
    let adobe =
      pngChunk("gAMA", bigEndian(45_470)) + pngChunk("cHRM", primaries.flatMap { bigEndian($0) })
    for (stored, wanted) in [
      ([150, 100, 80], [167, 100, 78]), ([128, 128, 128], [129, 129, 129]),
    ] {
      try await makePlainPNG("a.png", stored, chunk: adobe)
      try render("a.png", .png, to: "b.png", PictureRendering(format: .png))
      let found = try await folder.pixels("b.png", ["-strip"])
      for channel in 0..<3 { #expect(abs(Int(found[channel]) - wanted[channel]) <= 2) }
    }
  }

  /// Display P3 by its numbers in `cICP` (ITU-T H.273): in CSS Color 4 these values are pure sRGB red.
  @Test func codedColorIsApplied() async throws {
    try await makePlainPNG("a.png", [234, 51, 35], chunk: pngChunk("cICP", [12, 13, 0, 1]))
    try render("a.png", .png, to: "b.png", PictureRendering(format: .png, colorSpace: .sRGB))
    let found = try await folder.pixels("b.png", ["-strip"])
    #expect(found[0] > 250 && found[1] < 6 && found[2] < 6)
  }

  /// JPEG XL stores its profile within the codestream, and curves such as linear light by a number.
  @Test func colorsOfJPEGXLAreApplied() async throws {
    try folder.write(MadeProfile.matrix(MadeProfile.displayP3, .sRGB).bytes, to: "p3.icc")
    try folder.write(MadeProfile.matrix(MadeProfile.sRGB, .sRGB).bytes, to: "srgb.icc")
    try await folder.makeSoftPicture("plain.png", ["-strip"])
    try await folder.convert("plain.png", ["-profile", folder.path("p3.icc")], to: "p3.png")
    try await folder.convert("p3.png", ["-profile", folder.path("srgb.icc")], to: "p3-wanted.png")
    try await folder.convert(
      "plain.png", ["-set", "colorspace", "RGB", "-colorspace", "sRGB"], to: "linear-wanted.png")
    for (source, options) in [
      ("p3", []), ("plain", ["-vf", "setparams=color_trc=linear:color_primaries=bt709"]),
    ] {
      try await Tool.ffmpeg.run(
        ["-v", "error", "-i", folder.path(source + ".png")] + options
          + ["-c:v", "libjxl", "-distance", "0", "-y", folder.path("a.jxl")])
      try render(
        "a.jxl", .jpegXL, to: "b.png", PictureRendering(format: .png, colorSpace: .sRGB))
      let found = try await folder.pixels("b.png", ["-strip"])
      let name = source == "p3" ? "p3-wanted.png" : "linear-wanted.png"
      #expect(
        try await peakSignalToNoise(found, folder.pixels(name, ["-strip"])) > 38, "\(source)")
    }
  }

  /// Chroma with half of the resolution lies between the samples of luma, also at the edge of odd sizes. libwebp, in
  /// ImageMagick, is the second decoder.
  @Test(arguments: ["96x64", "97x65", "97x64", "96x65"])
  func sharedChromaIsCentred(size: String) async throws {
    try await Tool.imageMagick.run([
      "-size", size, "gradient:red-blue", "(", "-size", size, "radial-gradient:lime-black", ")",
      "-compose", "exclusion", "-composite", "-quality", "95", folder.path("a.webp"),
    ])
    try render("a.webp", .webP, to: "b.png", PictureRendering(format: .png))
    let found = try await folder.pixels("b.png", ["-strip"])
    #expect(try await peakSignalToNoise(found, folder.pixels("a.webp", ["-strip"])) > 48)
  }

  @Test func associatedAlphaIsDivided() async throws {
    try await folder.makeSoftPicture(
      "a.png", ["-alpha", "set", "-channel", "A", "-fx", "0.2+0.8*i/w", "+channel"])
    // ImageMagick 7 multiplies the opacity, too, so the file is made here.
    try await Tool.imageMagick.run([folder.path("a.png"), "-depth", "8", folder.path("a.rgba")])
    let pixels = try folder.bytes("a.rgba")
    var made = MadeTIFF(
      width: 96, height: 64, bits: [8, 8, 8, 8], space: 2,
      pixels: pixels.indices.map { index in
        let alpha = Int(pixels[index | 3])
        return index % 4 == 3 ? pixels[index] : UInt8((Int(pixels[index]) * alpha + 127) / 255)
      })
    made.set(338, [1])
    try folder.write(made.bytes, to: "a.tiff")
    let printed = try await Tool.exiftool.run(["-s3", "-n", "-ExtraSamples", folder.path("a.tiff")])
    try #require(printed == "1")
    try render("a.tiff", .tiff, to: "b.png", PictureRendering(format: .png))
    let found = try await folder.pixels("b.png")
    #expect(try await peakSignalToNoise(found, folder.pixels("a.png")) > 45)
  }

  // MARK: Profiles

  /// A grey profile of gamma 1 (ICC.1:2022 §8.3.4, §10.6).
  private var linearGray: [UInt8] {
    let curve = Array("curv\0\0\0\0".utf8) + bigEndian(1) + [1, 0, 0, 0]
    let white = Array("XYZ \0\0\0\0".utf8) + [63_190, 65_536, 54_061].flatMap { bigEndian($0) }
    let table =
      bigEndian(2) + Array("kTRC".utf8) + bigEndian(156) + bigEndian(14) + Array("wtpt".utf8)
      + bigEndian(172) + bigEndian(20)
    var header = [UInt8](repeating: 0, count: 128)
    header.replaceSubrange(0..<4, with: bigEndian(192))
    header.replaceSubrange(8..<12, with: [4, 0x20, 0, 0])
    header.replaceSubrange(12..<24, with: Array("mntrGRAYXYZ ".utf8))
    header.replaceSubrange(36..<40, with: Array("acsp".utf8))
    header.replaceSubrange(68..<80, with: [63_190, 65_536, 54_061].flatMap { bigEndian($0) })
    return header + table + curve + white
  }

  @Test func grayProfilesAreConverted() async throws {
    try folder.write(linearGray, to: "gray.icc")
    try await folder.makeSoftPicture("plain.tiff", ["-colorspace", "Gray", "-strip"])
    try await folder.convert("plain.tiff", ["-profile", folder.path("gray.icc")], to: "a.tiff")
    let result = try render(
      "a.tiff", .tiff, to: "b.jpg", PictureRendering(quality: 98, colorSpace: .sRGB))
    #expect(result.notes == [])
    try await folder.convert(
      "plain.tiff", ["-set", "colorspace", "LinearGray", "-colorspace", "sRGB"], to: "wanted.png")
    let found = try await folder.pixels("b.jpg", ["-strip"])
    #expect(try await peakSignalToNoise(found, folder.pixels("wanted.png", ["-strip"])) > 38)
  }

  /// 16 bits stay 16 bits, and EXIF has the new colour space.
  @Test func deepPicturesStayDeep() async throws {
    try folder.write(linearGray, to: "gray.icc")
    try await folder.makeSoftPicture(
      "plain.tiff", ["-colorspace", "Gray", "-depth", "16", "-strip"])
    try await folder.convert(
      "plain.tiff", ["-depth", "16", "-profile", folder.path("gray.icc")], to: "a.tiff")
    try await Tool.exiftool.run([
      "-q", "-n", "-overwrite_original", "-ColorSpace=65535", folder.path("a.tiff"),
    ])
    try render("a.tiff", .tiff, to: "b.png", PictureRendering(format: .png, colorSpace: .sRGB))
    let printed = try await Tool.exiftool.run([
      "-s3", "-n", "-PNG:BitDepth", "-EXIF:ColorSpace", folder.path("b.png"),
    ])
    #expect(printed.split(separator: "\n") == ["16", "1"])
  }

  /// libavcodec decodes a palette to RGBA, even if it is opaque.
  @Test(arguments: [("a.gif", UniformType.gif), ("a.png", .png)])
  func anOpaquePaletteNeedsNoTransparency(name: String, type: UniformType) async throws {
    try await folder.makeSoftPicture(name, ["-type", "Palette", "-alpha", "off"])
    try render(name, type, to: "b.png", PictureRendering(format: .png))
    // Colour type 2 is RGB (PNG specification, third edition, table 9).
    #expect(try await Tool.exiftool.run(["-s3", "-n", "-ColorType", folder.path("b.png")]) == "2")
    let found = try await folder.pixels("b.png")
    #expect(try await peakSignalToNoise(found, folder.pixels(name)) > 60)
  }

  @Test(arguments: ["10", "12", "14"])
  func uncommonDepthsAreDecoded(depth: String) async throws {
    try await folder.makeSoftPicture("plain.png")
    try await folder.convert("plain.png", ["-depth", depth], to: "a.tiff")
    let bits = try await Tool.exiftool.run(["-s3", "-BitsPerSample", folder.path("a.tiff")])
    try #require(bits == "\(depth) \(depth) \(depth)")
    try render("a.tiff", .tiff, to: "b.png", PictureRendering(format: .png))
    let found = try await folder.pixels("b.png")
    #expect(try await peakSignalToNoise(found, folder.pixels("plain.png")) > 48)
  }
}
