import Foundation
import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

/// Pictures with profiles of all kinds, converted to sRGB. The expected colours are computed from the formulas that
/// the profiles are made of; ImageMagick is the second opinion.
@Suite(.enabled(if: Tool.areInstalled(.exiftool, .imageMagick)))
struct ProfileConversionTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// A kind of profile and a format of files, by name.
  struct Case: Sendable, CustomTestStringConvertible {
    var profile: String
    var format: String
    var testDescription: String { "\(profile) in \(format)" }
  }

  static let cases: [Case] = {
    func pairs(_ profiles: [String], _ formats: [String]) -> [Case] {
      profiles.flatMap { profile in formats.map { Case(profile: profile, format: $0) } }
    }
    return pairs(
      ["Display P3", "ProPhoto", "Adobe RGB", "P3 by a list"],
      ["jpg", "png", "png16", "tiff", "tiff16", "webp"])
      + pairs(["RGB mft1", "RGB mft2", "RGB mAB"], ["jpg", "png", "png16", "tiff16"])
      + pairs(["grey 1.8", "grey 2.2", "grey sRGB", "grey by a list"], ["jpg", "png", "tiff16"])
      // Large pictures are converted by a table.
      + pairs(["Display P3", "RGB mft2", "CMYK mft2", "grey 2.2"], ["large tiff"])
      + pairs(["CMYK mft1", "CMYK mft2", "CMYK mAB"], ["jpg", "tiff", "tiff16"])
  }()

  @Test(arguments: cases)
  func profilesAreConverted(_ picture: Case) async throws {
    let source = try #require(ProfileSource(picture.profile))
    try folder.write(source.profile.bytes, to: "source.icc")
    try folder.write(MadeProfile.matrix(MadeProfile.sRGB, .sRGB).bytes, to: "sRGB.icc")
    let patches = source.patches
    let name = try await make(patches, source.channels, picture.format)
    let result = try folder.mustRender(
      name,
      .picture(
        UniformType(fileExtension: name),
        PictureRendering(format: .png, colorSpace: .sRGB)), to: "result.png")
    #expect(result.notes == [])
    // Other programs find no profile in the result: it is sRGB.
    #expect(try await !hasProfile("result.png"))
    try await folder.convert(
      name,
      ["-intent", "relative", "-black-point-compensation", "-profile", folder.path("sRGB.icc")],
      to: "other.png")
    let rows = Self.rows(picture.format)
    let (found, other) = try await (
      colors("result.png", rows: rows), colors("other.png", rows: rows)
    )
    let computed = patches.map { sRGB(xyz: source.xyz($0)) }
    for (kind, expected) in [("formula", computed), ("ImageMagick", other)] {
      let differences = zip(found, expected).map { colorDifference($0, $1) }
      #expect(differences.count == patches.count)
      #expect(differences.reduce(0, +) / Double(differences.count) <= 1, "\(kind)")
      #expect(differences.max() ?? 100 <= 2, "\(kind): \(differences)")
    }
  }

  /// A grey profile also describes grey with transparency, which decoders return as RGB. The transparency is unchanged.
  @Test(arguments: ["8", "16"])
  func grayWithTransparencyIsConverted(depth: String) async throws {
    try folder.write(MadeProfile.gray(.gamma(1.0)).bytes, to: "source.icc")
    try await Tool.imageMagick.run([
      "-size", "8x8", "xc:gray50", "-alpha", "set", "-channel", "A", "-evaluate", "set", "40%",
      "+channel", "-depth", depth, "-profile", folder.path("source.icc"),
      "-define", "png:color-type=4", folder.path("a.png"),
    ])
    let rendering = PictureRendering(format: .png, colorSpace: .sRGB)
    let result = try folder.mustRender("a.png", .picture(.png, rendering), to: "result.png")
    #expect(result.notes == [])
    let format = "%[fx:round(255*p{4,4}.r)] %[fx:round(255*p{4,4}.a)]"
    let found = try await Tool.imageMagick.run([
      folder.path("result.png"), "-format", format, "info:",
    ])
    // 127 of 255 of white's light in sRGB.
    #expect(found == "187 102")
  }

  /// ImageMagick 7 repeats a PNG's profile in a text, which other programs read.
  @Test func aProfileInATextIsNotCarried() async throws {
    try await folder.makeSoftPicture("a.png")
    let profile = MadeProfile.matrix(MadeProfile.displayP3, .sRGB).bytes
    let plain = try await embed(profile, in: "a.png")
    let digits = profile.map { byte in String(0x100 + Int(byte), radix: 16).dropFirst() }
    let text = "Raw profile type icc\0\nicc\n\(profile.count)\n\(digits.joined())\n"
    try folder.write(plain[..<33] + pngChunk("tEXt", Array(text.utf8)) + plain[33...], to: "b.png")
    let rendering = PictureRendering(format: .png, colorSpace: .sRGB)
    try folder.mustRender("b.png", .picture(.png, rendering), to: "c.png")
    #expect(try await !hasProfile("c.png"))
    // The text alone is a profile for exiftool.
    let png = try folder.bytes("a.png")
    try folder.write(png[..<33] + pngChunk("tEXt", Array(text.utf8)) + png[33...], to: "d.png")
    #expect(try await hasProfile("d.png"))
  }

  /// A profile for other pixels is ignored, and one that cannot be read stays where the format has a place for it.
  @Test func otherProfilesAreNoted() async throws {
    let ink = try #require(ProfileSource("CMYK mft1"))
    try folder.write(ink.profile.bytes, to: "ink.icc")
    try await folder.makeSoftPicture("a.png")
    let plain = try await embed(ink.profile.bytes, in: "a.png")
    try folder.write(plain, to: "b.png")
    let rendering = PictureRendering(format: .png, colorSpace: .sRGB)
    let ignored = try folder.mustRender("b.png", .picture(.png, rendering), to: "c.png")
    #expect(
      ignored.notes == [
        "The picture's colour profile was ignored: it is for CMYK, the picture is not."
      ])
    #expect(try await folder.pixels("a.png") == folder.pixels("c.png"))
    var broken = MadeProfile.matrix(MadeProfile.displayP3, .sRGB).bytes
    // The number of tags.
    broken[131] = 1
    try folder.write(try await embed(broken, in: "a.png"), to: "b.png")
    let kept = try folder.mustRender("b.png", .picture(.png, rendering), to: "c.png")
    #expect(kept.notes.count == 1)
    #expect(kept.notes.first?.hasPrefix("The picture keeps its colour profile") == true)
    #expect(try await hasProfile("c.png"))
  }

  /// Any changed byte gives a picture, with or without a note.
  @Test func damagedProfilesAreSurvived() async throws {
    try await folder.makeSoftPicture("a.png", size: "8x8")
    for name in ["Display P3", "RGB mft1", "RGB mAB", "grey by a list"] {
      let whole = try #require(ProfileSource(name)).profile.bytes
      for index in stride(from: 0, to: min(whole.count, 700), by: 19) {
        var bytes = whole
        bytes[index] ^= 0xFF
        try folder.write(try await embed(bytes, in: "a.png"), to: "b.png")
        let rendering = PictureRendering(format: .png, colorSpace: .sRGB)
        try folder.mustRender("b.png", .picture(.png, rendering), to: "c.png")
      }
    }
  }

  /// A PNG with a profile, whatever is in it: ImageMagick refuses damaged ones.
  private func embed(_ profile: [UInt8], in name: String) async throws -> [UInt8] {
    let png = try folder.bytes(name)
    // Signature and header have 33 bytes. The profile is in stored blocks of zlib (RFC 1950, RFC 1951).
    var content = Array("profile".utf8) + [0, 0, 0x78, 0x01]
    for start in stride(from: 0, to: profile.count, by: 65_535) {
      let block = profile[start..<min(start + 65_535, profile.count)]
      let length = UInt16(block.count)
      let isLast: UInt8 = start + block.count == profile.count ? 1 : 0
      content += [isLast, UInt8(length & 0xFF), UInt8(length >> 8)]
      content += [UInt8(~length & 0xFF), UInt8(~length >> 8)] + block
    }
    content += word(adler(profile))
    let chunk = Array("iCCP".utf8) + content
    return Array(png[..<33]) + word(UInt32(content.count)) + chunk + word(crc(chunk)) + png[33...]
  }

  private func word(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private func adler(_ bytes: [UInt8]) -> UInt32 {
    let (a, b) = bytes.reduce((UInt32(1), UInt32(0))) { sums, byte in
      let first = (sums.0 + UInt32(byte)) % 65_521
      return (first, (sums.1 + first) % 65_521)
    }
    return b << 16 | a
  }

  private func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in
        value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
      }
    }
  }

  /// Makes a picture of 16 × 16 pixels for each patch, and returns its name. ImageMagick stores CMYK in JPEGs as YCCK.
  private func make(_ patches: [[Double]], _ channels: Int, _ format: String) async throws -> String
  {
    let isDeep = format.hasSuffix("16")
    let rows = Self.rows(format)
    let name = "source." + format.replacing("16", with: "").replacing("large ", with: "")
    let row = patches.flatMap { patch in
      (0..<16).flatMap { _ in
        patch.flatMap { value -> [UInt8] in
          let level = Int((value * (isDeep ? 65_535 : 255)).rounded())
          return isDeep ? [UInt8(level >> 8), UInt8(level & 0xFF)] : [UInt8(level)]
        }
      }
    }
    try folder.write((0..<rows).flatMap { _ in row }, to: "raw")
    let kind = [1: "gray", 3: "rgb", 4: "cmyk"][channels] ?? ""
    try await Tool.imageMagick.run(
      ["-size", "\(16 * patches.count)x\(rows)", "-depth", isDeep ? "16" : "8"]
        + ["-endian", "MSB", "\(kind):\(folder.path("raw"))"]
        + ["-profile", folder.path("source.icc"), "-quality", "100"]
        + ["-sampling-factor", "1x1", "-define", "webp:lossless=true", folder.path(name)])
    return name
  }

  private static func rows(_ format: String) -> Int { format.hasPrefix("large") ? 2400 : 16 }

  /// The colours at the patches' centres.
  private func colors(_ name: String, rows: Int) async throws -> [[Double]] {
    let pixels = try await folder.pixels(name)
    let width = pixels.count / 3 / rows
    return stride(from: 8, to: width, by: 16).map { x in
      (0..<3).map { Double(pixels[(8 * width + x) * 3 + $0]) }
    }
  }

  private func hasProfile(_ name: String) async throws -> Bool {
    let text = try await Tool.exiftool.run(["-s3", "-ICC_Profile:all", folder.path(name)])
    return !text.isEmpty
  }
}

extension UniformType {
  fileprivate init(fileExtension name: String) {
    self =
      name.hasSuffix("jpg")
      ? .jpeg : name.hasSuffix("png") ? .png : name.hasSuffix("webp") ? .webP : .tiff
  }
}

/// A profile, and the formula that it is made of.
private struct ProfileSource {
  var profile: MadeProfile
  var channels: Int
  /// CIE XYZ relative to D50 of a device colour, 0–1.
  var xyz: MadeProfile.Color

  private init(profile: MadeProfile, channels: Int, xyz: @escaping MadeProfile.Color) {
    (self.profile, self.channels, self.xyz) = (profile, channels, xyz)
  }

  init?(_ name: String) {
    let words = name.split(separator: " ").map(String.init)
    // A curve that no exponent gives.
    let list = MadeProfile.Curve.table(
      (0...64).map { pow(Double($0) / 64, 1.6) * 0.7 + Double($0) / 64 * 0.3 })
    switch name {
    case "Display P3": self.init(MadeProfile.displayP3, .sRGB, version: 4)
    case "ProPhoto": self.init(MadeProfile.proPhoto, .gamma(1.8), version: 2)
    case "Adobe RGB": self.init(MadeProfile.adobeRGB, .gamma(2.2), version: 2)
    case "P3 by a list": self.init(MadeProfile.displayP3, list, version: 2)
    case "grey 1.8": self.init(gray: .gamma(1.8), version: 4)
    case "grey 2.2": self.init(gray: .gamma(2.2), version: 2)
    case "grey sRGB": self.init(gray: .sRGB, version: 4)
    case "grey by a list": self.init(gray: list, version: 2)
    default:
      guard words.count == 2, let kind = MadeProfile.Table(rawValue: words[1]) else { return nil }
      let isCMYK = words[0] == "CMYK"
      let lab = isCMYK ? Self.inks : Self.colors
      self.init(
        profile: .table(
          isCMYK ? "CMYK" : "RGB ", kind, grid: 6, version: kind == .mAB ? 4 : 2, lab: lab),
        channels: isCMYK ? 4 : 3, xyz: { MediaTools.xyz(lab: lab($0)) })
    }
  }

  private init(_ columns: [[Double]], _ curve: MadeProfile.Curve, version: Int) {
    profile = .matrix(columns, curve, version: version)
    channels = 3
    xyz = { color in
      (0..<3).map { row in
        (0..<3).reduce(0) { $0 + columns[$1][row] * curve.light(color[$1]) }
      }
    }
  }

  private init(gray curve: MadeProfile.Curve, version: Int) {
    profile = .gray(curve, version: version)
    channels = 1
    xyz = { color in [0.9642, 1, 0.8249].map { $0 * curve.light(color[0]) } }
  }

  /// A display with unusual colours.
  private static let colors: @Sendable ([Double]) -> [Double] = { color in
    let (red, green, blue) = (color[0], color[1], color[2])
    let lightness = 100 * (0.3 * red + 0.55 * green + 0.15 * blue)
    return [lightness, 45 * (red - green), 40 * ((red + green) / 2 - blue)]
  }

  /// A printer whose black is not quite black.
  private static let inks: @Sendable ([Double]) -> [Double] = { inks in
    let paper = 1 - 0.9 * inks[3]
    let lightness =
      100 * (1 - 0.4 * inks[0]) * (1 - 0.45 * inks[1]) * (1 - 0.08 * inks[2]) * paper
    return [
      lightness, paper * (45 * inks[1] - 25 * inks[0]),
      paper * (55 * inks[2] - 30 * inks[0] - 5 * inks[1]),
    ]
  }

  /// Colours of which tables have points: multiples of a fifth, which 8 and 16 bits store exactly.
  var patches: [[Double]] {
    switch channels {
    case 1: return (0...5).map { [Double($0) / 5] }
    case 3:
      return [
        [0, 0, 0], [1, 1, 1], [2, 2, 2], [4, 4, 4], [3, 2, 1], [2, 3, 2], [1, 2, 4], [4, 3, 2],
        [3, 4, 4],
        [5, 4, 3],
      ].map { $0.map { $0 / 5 } } + [[1, 1, 1]]
    default:
      return [
        [0, 0, 0, 0], [1, 0, 0, 0], [0, 2, 0, 0], [0, 0, 3, 0], [0, 0, 0, 4], [1, 1, 1, 1],
        [2, 1, 0, 2],
        [1, 3, 2, 0], [3, 2, 2, 1], [2, 1, 1, 3],
      ].map { $0.map { $0 / 5 } }
    }
  }
}
