import MediaEdits
import MediaModel
import MediaTools
import Testing

@testable import LibHeif

/// heif-enc makes the pictures; heif-dec and ImageMagick decode them for comparison.
@Suite(.enabled(if: Tool.areInstalled(.imageMagick, .heifEncoder, .heifDecoder)))
struct HeifDecodingTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func decode(_ name: String) throws -> DecodedHeif {
    let bytes = try folder.bytes(name)
    return try LibHeifImage(size: UInt64(bytes.count)) { offset, count in
      Array(bytes.dropFirst(Int(offset)).prefix(count))
    }.decode()
  }

  @Test func returnsPlanesIfAJPEGHasTheSameCoding() async throws {
    try await folder.makeSoftPicture("a.png")
    try await Tool.heifEncoder.run(["-q", "90", folder.path("a.png"), "-o", folder.path("a.heic")])
    let decoded = try decode("a.heic")
    #expect(decoded.raster.layout == .yuv420)
    #expect(decoded.raster.size == PixelSize(width: 96, height: 64))
    #expect(decoded.raster.planes.map(\.size.width) == [96, 48, 48])
  }

  /// Planes of another range or matrix would be shown in wrong colours.
  @Test(arguments: [["--full_range_flag=0"], ["--matrix_coefficients=1"], ["-L"]])
  func convertsOtherCodings(options: [String]) async throws {
    try await folder.makeSoftPicture("a.png")
    try await Tool.heifEncoder.run(
      ["-q", "90"] + options + [folder.path("a.png"), "-o", folder.path("a.heic")])
    let raster = try decode("a.heic").raster
    #expect(raster.layout == .rgb8)
    let expected = try await folder.heifPixels("a.heic")
    #expect(peakSignalToNoise(raster.planes[0].bytes, expected) > 45)
  }

  /// Ten bits are spread over sixteen: white is 65535.
  @Test func widensTenBits() async throws {
    try await Tool.imageMagick.run([
      "-size", "64x64", "xc:white", "-depth", "16", "PNG48:" + folder.path("a.png"),
    ])
    try await Tool.heifEncoder.run([
      "-b", "10", "--colour_primaries=9", "--transfer_characteristic=18",
      "--matrix_coefficients=9", folder.path("a.png"), "-o", folder.path("a.heic"),
    ])
    let decoded = try decode("a.heic")
    #expect(decoded.raster.layout == .rgb16)
    #expect((decoded.primaries, decoded.transfer) == (9, 18))
    #expect(decoded.raster.planes[0].bytes.allSatisfy { $0 >= 0xFE })
  }

  @Test func keepsTransparencyAndGrey() async throws {
    try await folder.makeSoftPicture("a.png", ["-alpha", "set", "-channel", "A", "-fx", "i/w"])
    try await Tool.heifEncoder.run(["-L", folder.path("a.png"), "-o", folder.path("a.heic")])
    let raster = try decode("a.heic").raster
    #expect(raster.layout == .rgba8)
    #expect(raster.planes[0].bytes[3] < 8)
    #expect(raster.planes[0].bytes[95 * 4 + 3] > 247)
    try await folder.makeSoftPicture("g.png", ["-colorspace", "Gray"])
    try await Tool.heifEncoder.run([folder.path("g.png"), "-o", folder.path("g.heic")])
    #expect(try decode("g.heic").raster.layout == .gray8)
  }

  @Test func refusesTruncatedPictures() async throws {
    try await folder.makeSoftPicture("a.png")
    try await Tool.heifEncoder.run([folder.path("a.png"), "-o", folder.path("a.heic")])
    try folder.write(Array(folder.bytes("a.heic").dropLast(200)), to: "b.heic")
    #expect(throws: HeifError.self) { try decode("b.heic") }
  }
}
