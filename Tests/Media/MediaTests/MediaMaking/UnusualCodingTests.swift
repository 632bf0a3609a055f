import LibHeif
import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// Codings that few programs use. ImageMagick is the second reader.
@Suite(.enabled(if: Tool.areInstalled(.imageMagick)))
struct UnusualCodingTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// The similarity of the exported picture to the source, as ImageMagick decodes both.
  private func similarity(
    _ name: String, _ type: UniformType, maxPixels: Int? = nil
  ) async throws -> Double {
    let rendering = PictureRendering(format: .png, maxPixels: maxPixels)
    let result = try folder.mustRender(name, .picture(type, rendering), to: "result.png")
    #expect(result.notes == [])
    let size = maxPixels.map { ["-filter", "Lanczos", "-resize", "\($0)x\($0)"] } ?? []
    let (expected, found) = try await (folder.pixels(name, size), folder.pixels("result.png"))
    return peakSignalToNoise(expected, found)
  }

  /// Why a picture cannot be decoded; nil if it can.
  private func failure(_ type: UniformType, _ name: String) throws -> ProbeFailure? {
    let reply = try folder.render(
      name, .picture(type, PictureRendering(format: .png)), to: "result.png")
    guard case .failed(let failure) = reply else { return nil }
    return failure
  }

  /// Subsamplings without a name. TurboJPEG refuses them.
  @Test(arguments: [
    "1x4", "4x2", "1x1,1x1,2x1", "2x1,1x1,2x1", "2x2,2x1,1x1", "4x1,2x1,1x1", "1x1,2x2,2x2",
  ])
  func unnamedSubsamplings(factors: String) async throws {
    for interlace in ["None", "JPEG"] {
      try await folder.makeSoftPicture(
        "a.jpg", size: "97x65", ["-sampling-factor", factors, "-interlace", interlace])
      #expect(try await similarity("a.jpg", .jpeg) > 45, "\(factors) \(interlace)")
      #expect(try await similarity("a.jpg", .jpeg, maxPixels: 40) > 30, "\(factors) \(interlace)")
    }
  }

  @Test func aCutJPEGWithAnUnnamedSubsamplingIsNoted() async throws {
    try await folder.makeSoftPicture("a.jpg", size: "97x65", ["-sampling-factor", "2x2,2x1,1x1"])
    let bytes = try folder.bytes("a.jpg")
    try folder.write(Array(bytes.prefix(bytes.count * 3 / 4)), to: "b.jpg")
    let result = try folder.mustRender(
      "b.jpg", .picture(.jpeg, PictureRendering(format: .png)), to: "result.png")
    #expect(result.notes.count == 1 && result.notes[0].hasPrefix("The JPEG is damaged"))
  }

  /// Codes of 13 bits are impossible (GIF89a, appendix F). FFmpeg's decoder returns a number that means something else
  /// to the system.
  @Test func aGIFWithImpossibleCodesIsDamaged() async throws {
    try await Tool.imageMagick.run([
      "-size", "8x8", "xc:red", "xc:blue", "+append", folder.path("a.gif"),
    ])
    var bytes = try folder.bytes("a.gif")
    // The separator, the position and the size of the frame; its flags follow, then the size of the codes.
    let frame = try #require(bytes.firstRange(of: [0x2C, 0, 0, 0, 0, 16, 0, 8, 0])).lowerBound
    try #require(bytes[frame + 9] & 0x80 == 0, "no colour table of its own")
    bytes[frame + 10] = 13
    try folder.write(bytes, to: "b.gif")
    let failure = try #require(try failure(.gif, "b.gif"))
    #expect(failure.reason == .damaged)
    #expect(failure.message.contains("invalid data"), "\(failure)")
  }

  /// A frame of lossless pixels (ITU-T T.81 table B.1) is unsupported, not damaged.
  @Test func losslessJPEGsAreUnsupported() async throws {
    try await folder.makeSoftPicture("a.jpg")
    var bytes = try folder.bytes("a.jpg")
    let frame = try #require(
      bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
    bytes[frame + 1] = 0xC3
    try folder.write(bytes, to: "b.jpg")
    let failure = try #require(try failure(.jpeg, "b.jpg"))
    #expect(failure.reason == .unsupported, "\(failure)")
    #expect(failure.message == "Lossless JPEGs cannot be decoded here.")
    guard
      case .picture(let found) = examine(
        ExamineItem(path: BytePath(folder.path("b.jpg")), uniformType: .jpeg))
    else {
      Issue.record("b.jpg is not described")
      return
    }
    #expect(found.obstacle == "Lossless JPEGs cannot be decoded here.")
  }

  /// A run of PackBits that continues in the next row: 9 × 7 and then 3 different bytes, in rows of 4 pixels.
  @Test func packBitsRunsMayCrossRows() async throws {
    var made = MadeTIFF(width: 4, height: 3, bits: [8], pixels: [0xF8, 7, 2, 9, 10, 11])
    made.set(259, [32_773])
    try folder.write(made.bytes, to: "a.tiff")
    let picture = try MediaFile(at: BytePath(folder.path("a.tiff"))).decodeTIFF()
    #expect(picture.notes == [])
    #expect(picture.raster.planes[0].bytes == [7, 7, 7, 7, 7, 7, 7, 7, 7, 9, 10, 11])
  }

  /// The rows before the damage are kept, the others stay black.
  @Test func cutPackBitsAreNoted() async throws {
    var made = MadeTIFF(width: 4, height: 3, bits: [8], pixels: [0xF8, 7, 2, 9])
    made.set(259, [32_773])
    try folder.write(made.bytes, to: "a.tiff")
    let picture = try MediaFile(at: BytePath(folder.path("a.tiff"))).decodeTIFF()
    #expect(picture.notes.count == 1)
    #expect(picture.raster.planes[0].bytes == [7, 7, 7, 7, 7, 7, 7, 7, 0, 0, 0, 0])
  }

  @Test(arguments: [2, 4])
  func narrowJPEG2000IsNotDark(bits: Int) async throws {
    try await Tool.imageMagick.run([
      "-size", "32x32", "gradient:", "-depth", "\(bits)", "-quality", "100", folder.path("a.jp2"),
    ])
    let expected = try await folder.pixels("a.jp2")
    #expect(expected.max() == 255)
    try folder.mustRender(
      "a.jp2", .picture(.jpeg2000, PictureRendering(format: .png)), to: "result.png")
    #expect(try await folder.pixels("result.png") == expected)
  }

  /// Adobe's programs write a dozen boxes before the codestream, whose box has no length.
  @Test func aJPEG2000OfManyBoxesIsDecoded() async throws {
    try await folder.makeSoftPicture("a.jp2", ["-quality", "100"])
    var bytes = try folder.bytes("a.jp2")
    let codestream = try #require(bytes.firstRange(of: Array("jp2c".utf8))).lowerBound - 4
    bytes.replaceSubrange(codestream..<codestream + 4, with: bigEndian(0, 4))
    for number in 0..<12 {
      bytes.insert(
        contentsOf: bigEndian(9, 4) + Array("free".utf8) + [UInt8(number)], at: codestream)
    }
    try folder.write(bytes, to: "b.jp2")
    let expected = try await folder.pixels("a.jp2")
    try folder.mustRender(
      "b.jp2", .picture(.jpeg2000, PictureRendering(format: .png)), to: "result.png")
    #expect(try await folder.pixels("result.png") == expected)
  }

  /// Number 12 of `colr` is CMYK (ISO/IEC 15444-2 table M.25): ink, where the largest value is full ink.
  @Test func aJPEG2000OfInksIsNotTransparent() async throws {
    try await Tool.imageMagick.run([
      "-size", "16x16", "xc:rgba(102,25,204,0.2)", "-depth", "8", "-quality", "100",
      folder.path("a.jp2"),
    ])
    var bytes = try folder.bytes("a.jp2")
    let color = try #require(bytes.firstRange(of: Array("colr".utf8) + [1, 0, 0, 0, 0, 0, 16]))
    bytes[color.upperBound - 1] = 12
    try folder.write(bytes, to: "b.jp2")
    guard
      case .picture(let found) = examine(
        ExamineItem(path: BytePath(folder.path("b.jp2")), uniformType: .jpeg2000))
    else {
      Issue.record("b.jp2 is not described")
      return
    }
    #expect(!found.isTransparent)
    let result = try folder.mustRender(
      "b.jp2", .picture(.jpeg2000, PictureRendering(format: .png)), to: "result.png")
    #expect(
      result.notes == ["The picture is in CMYK; its colours were converted without a profile."])
    // Red is (255 − 102) · (255 − 51) / 255.
    let pixels = try await folder.pixels("result.png")
    #expect(pixels.count == 16 * 16 * 3)
    for (found, wanted) in zip(pixels, [122, 184, 41]) { #expect(abs(Int(found) - wanted) <= 1) }
  }

  /// Two bits a pixel, of Windows CE. The number of colours may be missing.
  @Test(arguments: [0, 4])
  func aBitmapOfTwoBitsIsDecoded(colors: Int) async throws {
    func little(_ value: Int, _ width: Int) -> [UInt8] { bigEndian(value, width).reversed() }
    var bytes = Array("BM".utf8) + little(54 + 16 + 8, 4) + little(0, 4) + little(70, 4)
    bytes += little(40, 4) + little(5, 4) + little(2, 4) + little(1, 2) + little(2, 2)
    bytes += little(0, 4) + little(8, 4) + little(0, 8) + little(colors, 4) + little(0, 4)
    for grey: UInt8 in [0, 85, 170, 255] { bytes += [grey, grey, grey, 0] }
    // The lower row comes first.
    bytes += [0b0001_1011, 0b1100_0000, 0, 0] + [0b1110_0100, 0b0100_0000, 0, 0]
    try folder.write(bytes, to: "a.bmp")
    try folder.mustRender("a.bmp", .picture(.bmp, PictureRendering(format: .png)), to: "result.png")
    let pixels = try await folder.pixels("result.png")
    try #require(pixels.count == 5 * 2 * 3)
    let reds = stride(from: 0, to: 30, by: 3).map { pixels[$0] }
    #expect(reds == [255, 170, 85, 0, 85, 0, 85, 170, 255, 255])
  }

  /// A JPEG or PNG in the header of a bitmap, which Windows defines for printers.
  @Test(arguments: [("a.jpg", 4), ("a.png", 5)])
  func thePictureInABitmapIsDecoded(name: String, compression: Int) async throws {
    try await folder.makeSoftPicture(name)
    let inner = try folder.bytes(name)
    func little(_ value: Int, _ width: Int) -> [UInt8] { bigEndian(value, width).reversed() }
    var bytes = Array("BM".utf8) + little(54 + inner.count, 4) + little(0, 4) + little(54, 4)
    bytes += little(40, 4) + little(96, 4) + little(64, 4) + little(1, 2) + little(0, 2)
    bytes += little(compression, 4) + little(inner.count, 4) + little(0, 8) + little(0, 8)
    try folder.write(bytes + inner, to: "b.bmp")
    let result = try folder.mustRender(
      "b.bmp", .picture(.bmp, PictureRendering(format: .png)), to: "result.png")
    #expect(result.notes == [])
    let expected = try await folder.pixels(name)
    #expect(try await peakSignalToNoise(expected, folder.pixels("result.png")) > 45)
  }

  /// The markers of ISO/IEC 15444-15 annex A in a plain codestream: bit 14 of `Rsiz`, and CAP with bit 15 of `Pcap`.
  @Test func highThroughputJPEG2000IsRefused() async throws {
    try await Tool.imageMagick.run(["-size", "32x32", "gradient:", folder.path("a.jp2")])
    try await Tool.imageMagick.run(["-size", "32x32", "gradient:", folder.path("a.j2k")])
    var bytes = try folder.bytes("a.j2k")
    bytes[6] |= 0x40
    let end = 4 + Int(bytes[4]) << 8 + Int(bytes[5])
    bytes.insert(contentsOf: [0xFF, 0x50, 0, 8, 0, 2, 0, 0, 0, 0], at: end)
    try folder.write(bytes, to: "b.j2k")
    func isHighThroughput(_ name: String) throws -> Bool {
      try JPEG2000File.isHighThroughput(ArraySource(folder.bytes(name)))
    }
    #expect(try !isHighThroughput("a.jp2"))
    #expect(try !isHighThroughput("a.j2k"))
    #expect(try isHighThroughput("b.j2k"))
  }

  /// Why a picture cannot be decoded, by its description.
  private func obstacle(_ name: String, _ type: UniformType) throws -> String? {
    switch examine(ExamineItem(path: BytePath(folder.path(name)), uniformType: type)) {
    case .picture(let found): return found.obstacle
    case .failed(let failure): throw failure
    case .movie: throw ToolFailure(description: "\(name) is taken for a movie")
    }
  }

  /// Matrices of ITU-T H.273 table 4 that libheif takes for another one.
  @Test(
    .enabled(if: Tool.areInstalled(.heifEncoder)),
    arguments: [(14, "ICtCp"), (16, "YCgCo-Re"), (17, "YCgCo-Ro")])
  func coloursOfUnknownMatricesAreRefused(matrix: UInt8, name: String) async throws {
    try await folder.makeSoftPicture("a.png")
    try await Tool.heifEncoder.run([
      "-A", "-p", "chroma=444", folder.path("a.png"), "-o", folder.path("a.avif"),
    ])
    #expect(try obstacle("a.avif", .avif) == nil)
    var bytes = try folder.bytes("a.avif")
    let color = try #require(bytes.firstRange(of: Array("colrnclx".utf8)))
    bytes[color.upperBound + 5] = matrix
    try folder.write(bytes, to: "b.avif")
    let message = "HEIF pictures with colours in \(name) cannot be decoded here."
    #expect(try obstacle("b.avif", .avif) == message)
    let failure = try #require(try failure(.avif, "b.avif"))
    #expect((failure.reason, failure.message) == (.unsupported, message))
  }

  /// A coded picture of a kind for which Debian's libheif has no decoder.
  @Test(.enabled(if: Tool.areInstalled(.heifEncoder)))
  func aHEIFOfAnotherCodecNamesIt() async throws {
    try await folder.makeSoftPicture("a.png")
    try await Tool.heifEncoder.run([folder.path("a.png"), "-o", folder.path("a.heic")])
    var bytes = try folder.bytes("a.heic")
    let kind = try #require(bytes.firstRange(of: Array("hvc1".utf8)))
    bytes.replaceSubrange(kind, with: Array("vvc1".utf8))
    try folder.write(bytes, to: "b.heic")
    let isKnown = HeifLibrary.decoders.contains("vvc")
    #expect(
      try obstacle("b.heic", .heic)
        == (isKnown ? nil : "This libheif has no decoder for VVC pictures."))
  }
}
