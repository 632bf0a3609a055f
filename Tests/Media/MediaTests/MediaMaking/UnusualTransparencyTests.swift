import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// Transparency that a picture's header does not declare, or declares in a rare place. ImageMagick and heif-dec are the
/// second readers.
@Suite(.enabled(if: Tool.areInstalled(.imageMagick, .heifEncoder)))
struct UnusualTransparencyTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func describe(_ name: String, _ type: UniformType) throws -> PictureDescription {
    switch examine(ExamineItem(path: BytePath(folder.path(name)), uniformType: type)) {
    case .picture(let found): return found
    case .failed(let failure): throw failure
    case .movie: throw ToolFailure(description: "\(name) is taken for a movie")
    }
  }

  /// Red, green, blue and alpha of all pixels, as ImageMagick reads them. Fully transparent ones are black.
  private func pixels(_ name: String, _ options: [String] = []) async throws -> [UInt8] {
    try await folder.convert(
      name, options + ["-background", "#00000000", "-alpha", "background", "-depth", "8"],
      to: "pixels.rgba")
    return try folder.bytes("pixels.rgba")
  }

  /// The pixels of the PNG made from a picture.
  private func exported(_ name: String, _ type: UniformType) async throws -> [UInt8] {
    try folder.mustRender(
      name, .picture(type, PictureRendering(format: .png)), to: "result.png")
    return try await pixels("result.png", ["-alpha", "set"])
  }

  @Test(arguments: ["40x30+10+8", "20x30+0+0", "20x16+0+0"])
  func aGIFMayLeaveAPartOfItsScreenEmpty(page: String) async throws {
    try await Tool.imageMagick.run([
      "-page", page, "-size", "20x16", "xc:tomato", folder.path("a.gif"),
    ])
    try await folder.convert(
      "a.gif", ["-background", "none", "-flatten"], to: "whole.png")
    #expect(try describe("a.gif", .gif).isTransparent == (page != "20x16+0+0"))
    let (found, expected) = try await (
      exported("a.gif", .gif), pixels("whole.png", ["-alpha", "set"])
    )
    #expect(found == expected)
  }

  /// The screen is enlarged, so that it contains the picture.
  @Test(arguments: [
    [16, 12, 10, 8], [16, 12, 40, 2], [16, 12, 2, 40], [10, 8, 0, 0], [0, 0, 0, 0], [0, 12, 4, 4],
  ])
  func aGIFMayHaveItsPictureOutsideOfItsScreen(numbers: [Int]) async throws {
    for interlace in ["None", "GIF"] {
      try await folder.makeSoftPicture(
        "a.gif", size: "20x16", ["-interlace", interlace, "-colors", "32"])
      try await folder.convert(
        "a.gif",
        ["-background", "none", "-extent", "\(numbers[2] + 20)x\(numbers[3] + 16)"]
          + ["-roll", "+\(numbers[2])+\(numbers[3])", "-alpha", "set"], to: "whole.png")
      var bytes = try folder.bytes("a.gif")
      func little(_ value: Int) -> [UInt8] { bigEndian(value, 2).reversed() }
      bytes.replaceSubrange(6..<10, with: little(numbers[0]) + little(numbers[1]))
      let picture = try #require(bytes.firstRange(of: [0x2C, 0, 0, 0, 0, 20, 0, 16, 0])).lowerBound
      bytes.replaceSubrange(
        (picture + 1)..<(picture + 5), with: little(numbers[2]) + little(numbers[3]))
      try folder.write(bytes, to: "b.gif")
      let (found, expected) = try await (exported("b.gif", .gif), pixels("whole.png"))
      #expect(found == expected, "\(interlace)")
    }
  }

  /// An animation whose first frame of 20 × 16 pixels is at (10, 8) on a canvas of 40 × 30 (RFC 9649 §2.7).
  @Test func aWebPMayLeaveAPartOfItsCanvasEmpty() async throws {
    try await Tool.imageMagick.run([
      "-size", "20x16", "xc:tomato", "-define", "webp:lossless=true", folder.path("frame.webp"),
    ])
    func little(_ number: Int, _ width: Int) -> [UInt8] { bigEndian(number, width).reversed() }
    func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
      Array(type.utf8) + little(content.count, 4) + content
        + [UInt8](repeating: 0, count: content.count % 2)
    }
    let still = try folder.bytes("frame.webp")
    let frame =
      little(5, 3) + little(4, 3) + little(19, 3) + little(15, 3) + little(100, 3) + [0]
      + still[12...]
    let content =
      Array("WEBP".utf8) + chunk("VP8X", [2, 0, 0, 0] + little(39, 3) + little(29, 3))
      + chunk("ANIM", [0, 0, 0, 0, 0, 0]) + chunk("ANMF", frame) + chunk("ANMF", frame)
    try folder.write(Array("RIFF".utf8) + little(content.count, 4) + content, to: "a.webp")
    try await Tool.imageMagick.run([
      "-size", "40x30", "xc:none", folder.path("frame.webp"), "-geometry", "+10+8", "-composite",
      folder.path("whole.png"),
    ])
    #expect(try describe("a.webp", .webP).isTransparent)
    let (found, expected) = try await (exported("a.webp", .webP), pixels("whole.png"))
    #expect(found == expected)
  }

  /// `BI_RGB`: the fourth byte of a pixel is not used (Windows' `BITMAPINFOHEADER`).
  @Test func theFourthByteOfABitmapIsNotTransparency() async throws {
    func little(_ number: Int, _ width: Int) -> [UInt8] { bigEndian(number, width).reversed() }
    var bytes = Array("BM".utf8) + little(62, 4) + little(0, 4) + little(54, 4)
    bytes += little(40, 4) + little(2, 4) + little(1, 4) + little(1, 2) + little(32, 2)
    bytes += [UInt8](repeating: 0, count: 24) + [1, 2, 3, 0, 4, 5, 6, 128]
    try folder.write(bytes, to: "a.bmp")
    #expect(try !describe("a.bmp", .bmp).isTransparent)
    #expect(try await exported("a.bmp", .bmp) == [3, 2, 1, 255, 6, 5, 4, 255])
  }

  @Test func anAlphaMaskOfABitmapCounts() async throws {
    try await Tool.imageMagick.run(["-size", "2x1", "xc:#ff000080", folder.path("a.bmp")])
    #expect(try describe("a.bmp", .bmp).isTransparent)
    #expect(try await exported("a.bmp", .bmp) == [255, 0, 0, 128, 255, 0, 0, 128])
  }

  /// Pixels without compression have their alpha in a channel, not in an auxiliary picture (ISO/IEC 23001-17).
  @Test func anUncompressedHEIFMayHaveAnAlphaChannel() async throws {
    try await Tool.imageMagick.run([
      "-size", "64x64", "xc:#ff000080", "PNG32:" + folder.path("a.png"),
    ])
    try await Tool.heifEncoder.run([
      "-U", "--unci-compression", "none", folder.path("a.png"), "-o", folder.path("a.heic"),
    ])
    #expect(try describe("a.heic", .heic).isTransparent)
    let (found, expected) = try await (exported("a.heic", .heic), pixels("a.png"))
    #expect(found == expected)
  }

  @Test func anExportAsJPEGNotesWhatBecameWhite() async throws {
    try await Tool.imageMagick.run(["-size", "8x8", "xc:#ff000080", folder.path("a.png")])
    let result = try folder.mustRender(
      "a.png", .picture(.png, PictureRendering(format: .jpeg)), to: "result.jpg")
    #expect(result.notes == ["Transparent parts are white."])
  }

  /// The key of narrow grey is a level of the stored bits (PNG specification, third edition, §11.3.1.1).
  @Test(arguments: [1, 2, 4], [0, 1])
  func aLevelOfGreyMayBeTransparent(bits: Int, key: Int) async throws {
    try await Tool.imageMagick.run([
      "-size", "16x16", "gradient:", "-colorspace", "Gray", "-depth", "\(bits)",
      "-define", "png:color-type=0", "-define", "png:bit-depth=\(bits)", folder.path("plain.png"),
    ])
    var bytes = try folder.bytes("plain.png")
    #expect(Array(bytes[24..<26]) == [UInt8(bits), 0])
    bytes.insert(contentsOf: pngChunk("tRNS", bigEndian(key, 2)), at: 33)
    try folder.write(bytes, to: "a.png")
    #expect(try describe("a.png", .png).isTransparent)
    let (found, expected) = try await (exported("a.png", .png), pixels("a.png"))
    #expect(found == expected)
    #expect(stride(from: 3, to: found.count, by: 4).contains { found[$0] == 0 })
  }

  /// The alpha channel of a TIFF in CMYK, not multiplied (2) and multiplied (1).
  @Test(arguments: [2, 1], [8, 16])
  func inksMayBeTransparent(kind: Int, bits: Int) async throws {
    let samples = kind == 2 ? [255, 100, 0, 0, 128] : [128, 50, 0, 0, 128]
    var made = MadeTIFF(
      width: 1, height: 1, bits: [Int](repeating: bits, count: 5), space: 5,
      pixels: samples.flatMap { [UInt8](repeating: UInt8($0), count: bits / 8) })
    made.set(338, [kind])
    try folder.write(made.bytes, to: "a.tiff")
    #expect(try describe("a.tiff", .tiff).isTransparent)
    let found = try await exported("a.tiff", .tiff)
    // Perfect inks: the rest of the light.
    #expect(zip(found, [0, 155, 255, 128]).allSatisfy { abs(Int($0) - $1) <= 1 }, "\(found)")
  }

  @Test func opaqueInksAreOpaque() throws {
    var made = MadeTIFF(
      width: 1, height: 1, bits: [8, 8, 8, 8, 8], space: 5, pixels: [255, 100, 0, 0, 255])
    made.set(338, [2])
    try folder.write(made.bytes, to: "a.tiff")
    #expect(try !describe("a.tiff", .tiff).isTransparent)
  }
}
