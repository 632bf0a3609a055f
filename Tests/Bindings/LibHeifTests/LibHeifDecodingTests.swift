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

  /// Planes of another range or matrix would be shown in wrong colours. Version 1.23 of libheif converts them itself.
  @Test(arguments: [["--full_range_flag=0"], ["--matrix_coefficients=1"], ["-L"]])
  func convertsOtherCodings(options: [String]) async throws {
    try await folder.makeSoftPicture("a.png")
    try await Tool.heifEncoder.run(
      ["-q", "90"] + options + [folder.path("a.png"), "-o", folder.path("a.heic")])
    let raster = try decode("a.heic").raster
    let expected = try await folder.heifPixels("a.heic")
    if raster.layout == .yuv420 {
      #expect(peakSignalToNoise(halfSize(raster), halfSize(expected)) > 45)
    } else {
      #expect(raster.layout == .rgb8)
      #expect(peakSignalToNoise(raster.planes[0].bytes, expected) > 45)
    }
  }

  /// The RGB pixels of planes in half of their resolution, which is that of the chroma, by JFIF's formula (ITU-T T.871 §7).
  private func halfSize(_ raster: Raster) -> [UInt8] {
    let width = raster.planes[1].size.width
    var pixels: [UInt8] = []
    for index in raster.planes[1].bytes.indices {
      let corner = index / width * 4 * width + index % width * 2
      var luma = 0.0
      for offset in [0, 1, 2 * width, 2 * width + 1] {
        luma += Double(raster.planes[0].bytes[corner + offset]) / 4
      }
      let blue = Double(raster.planes[1].bytes[index]) - 128
      let red = Double(raster.planes[2].bytes[index]) - 128
      let green = -0.344136 * blue - 0.714136 * red
      for value in [luma + 1.402 * red, luma + green, luma + 1.772 * blue] {
        pixels.append(UInt8(max(0, min(255, value.rounded()))))
      }
    }
    return pixels
  }

  /// RGB pixels of a picture of 96 × 64, in half of its resolution.
  private func halfSize(_ pixels: [UInt8]) -> [UInt8] {
    (0..<32 * 48 * 3).map { index in
      let (row, column, channel) = (index / 144, index / 3 % 48, index % 3)
      let corner = (row * 2 * 96 + column * 2) * 3 + channel
      let sum = [0, 3, 288, 291].reduce(0) { $0 + Int(pixels[corner + $1]) }
      return UInt8((sum + 2) / 4)
    }
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

  /// ITU-T H.273 §8.3. libheif returns grey as it is stored.
  @Test(arguments: [8, 16])
  func stretchesGreyOfLimitedRange(depth: Int) async throws {
    try await Tool.imageMagick.run([
      "-size", "64x64", "gradient:", "-colorspace", "Gray", "-depth", "\(depth)",
      folder.path("a.png"),
    ])
    try await Tool.heifEncoder.run([
      "-b", depth == 8 ? "8" : "10", "-q", "90", folder.path("a.png"), "-o", folder.path("a.heic"),
    ])
    var bytes = try folder.bytes("a.heic")
    let flag = try #require(bytes.firstRange(of: Array("colrnclx".utf8))).upperBound + 6
    try #require(bytes[flag] == 0x80)
    bytes[flag] = 0
    try folder.write(bytes, to: "b.heic")
    func samples(_ name: String) throws -> [Double] {
      let raster = try decode(name).raster
      try #require(raster.layout == (depth == 8 ? .gray8 : .gray16))
      let plane = raster.planes[0].bytes
      if depth == 8 { return plane.map { Double($0) } }
      return stride(from: 0, to: plane.count, by: 2).map {
        Double(Int(plane[$0]) | Int(plane[$0 + 1]) << 8) / 257
      }
    }
    // Of 10 bits, black is 64 and white 940.
    let (black, white) = depth == 8 ? (16.0, 235.0) : (64 * 255 / 1023.0, 940 * 255 / 1023.0)
    let (stored, found) = try (samples("a.heic"), samples("b.heic"))
    for (stored, found) in zip(stored, found) {
      let wanted = min(max((stored - black) * 255 / (white - black), 0), 255)
      #expect(abs(found - wanted) <= 1)
    }
  }

  @Test func refusesTruncatedPictures() async throws {
    try await folder.makeSoftPicture("a.png")
    try await Tool.heifEncoder.run([folder.path("a.png"), "-o", folder.path("a.heic")])
    try folder.write(Array(folder.bytes("a.heic").dropLast(200)), to: "b.heic")
    #expect(throws: HeifError.self) { try decode("b.heic") }
  }
}
