import MediaEdits
import MediaModel
import MediaTools
import Testing

@testable import TurboJPEG

/// ImageMagick makes the pictures and decodes the results.
@Suite(.enabled(if: Tool.areInstalled(.imageMagick, .exiftool)))
struct JPEGTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func raster(_ name: String, _ size: PixelSize) async throws -> Raster {
    var raster = try #require(Raster(size: size, layout: .rgb8))
    raster.planes[0].bytes = try await folder.pixels(name)
    return raster
  }

  /// The names of the samplings are exiftool's.
  @Test(arguments: [
    (JPEGSampling.yuv420, "YCbCr4:2:0 (2 2)"), (.yuv422, "YCbCr4:2:2 (2 1)"),
    (.yuv444, "YCbCr4:4:4 (1 1)"),
  ])
  func encodesPixels(sampling: JPEGSampling, name: String) async throws {
    try await folder.makeSoftPicture("a.png", size: "97x65")
    let raster = try await raster("a.png", PixelSize(width: 97, height: 65))
    try folder.write(
      try JPEGEncoder.encode(raster, quality: 90, sampling: sampling), to: "a.jpg")
    let found = try await folder.pixels("a.jpg")
    #expect(peakSignalToNoise(found, raster.planes[0].bytes) > 38)
    let printed = try await Tool.exiftool.run(["-s3", "-YCbCrSubSampling", folder.path("a.jpg")])
    #expect(printed == name)
  }

  @Test func decodesWhatOthersEncode() async throws {
    try await folder.makeSoftPicture("a.jpg", size: "97x65", ["-quality", "95"])
    let decoder = try JPEGDecoder(folder.bytes("a.jpg"))
    #expect(decoder.size == PixelSize(width: 97, height: 65))
    let (raster, complaint) = try decoder.decode()
    #expect(complaint == nil)
    let expected = try await folder.pixels("a.jpg")
    #expect(peakSignalToNoise(raster.planes[0].bytes, expected) > 45)
  }

  @Test func keepsGreyGrey() async throws {
    try await folder.makeSoftPicture("a.jpg", ["-colorspace", "Gray"])
    let (raster, _) = try JPEGDecoder(folder.bytes("a.jpg")).decode()
    #expect(raster.layout == .gray8)
    try folder.write(
      try JPEGEncoder.encode(raster, quality: 95, sampling: .yuv420), to: "b.jpg")
    let (expected, found) = try await (folder.pixels("a.jpg"), folder.pixels("b.jpg"))
    #expect(peakSignalToNoise(expected, found) > 38)
  }

  /// A transform of half the coefficients, if the result is large enough.
  @Test func decodesAtASmallerSize() async throws {
    try await folder.makeSoftPicture("a.jpg", size: "801x601")
    let decoder = try JPEGDecoder(folder.bytes("a.jpg"))
    #expect(decoder.size(atLeast: 801) == PixelSize(width: 801, height: 601))
    #expect(decoder.size(atLeast: 402) == PixelSize(width: 801, height: 601))
    #expect(decoder.size(atLeast: 401) == PixelSize(width: 401, height: 301))
    #expect(decoder.size(atLeast: 1) == PixelSize(width: 101, height: 76))
    let (raster, _) = try decoder.decode(atLeast: 400)
    #expect(raster.size == PixelSize(width: 401, height: 301))
    let expected = try await folder.pixels("a.jpg", ["-resize", "401x301!"])
    #expect(peakSignalToNoise(raster.planes[0].bytes, expected) > 38)
  }

  /// The width of one pixel is the same at every smaller size. TurboJPEG refuses this subsampling; libjpeg decodes it.
  @Test func decodesANarrowPictureWhole() async throws {
    try await Tool.imageMagick.run([
      "-size", "1x800", "gradient:black-white", "-colorspace", "sRGB", "-type", "TrueColor",
      "-sampling-factor", "2x2,2x1,1x1", folder.path("a.jpg"),
    ])
    let decoder = try JPEGDecoder(folder.bytes("a.jpg"))
    let (raster, _) = try decoder.decode(atLeast: 100)
    #expect(raster.size == PixelSize(width: 1, height: 100))
    let expected = try await folder.pixels("a.jpg", ["-resize", "1x100!"])
    #expect(peakSignalToNoise(raster.planes[0].bytes, expected) > 30)
  }

  /// If whole blocks fill the picture, turning is exact, and no metadata is left.
  @Test(arguments: 1...8)
  func turnsWithoutDecoding(orientation: UInt8) async throws {
    try await folder.makeSoftPicture("a.jpg", size: "96x64", ["-sampling-factor", "2x2"])
    try await Tool.exiftool.run([
      "-q", "-n", "-overwrite_original", "-Orientation=\(orientation)", folder.path("a.jpg"),
    ])
    let asked = try #require(Orientation(rawValue: orientation))
    let turned = try #require(JPEGDecoder.turned(folder.bytes("a.jpg"), asked))
    try folder.write(turned, to: "b.jpg")
    // ImageMagick upsamples chroma before it turns one picture and after it turns the other.
    let (expected, found) = try await (folder.pixels("a.jpg"), folder.pixels("b.jpg"))
    #expect(peakSignalToNoise(expected, found) > 48)
    let printed = try await Tool.exiftool.run(["-s3", "-Orientation", folder.path("b.jpg")])
    #expect(printed.isEmpty)
  }

  @Test func refusesInexactTurns() async throws {
    try await folder.makeSoftPicture("a.jpg", size: "97x65", ["-sampling-factor", "2x2"])
    let bytes = try folder.bytes("a.jpg")
    #expect(JPEGDecoder.turned(bytes, .down) == nil)
    #expect(JPEGDecoder.turned(bytes, .up) != nil)
  }

  @Test func distinguishesWarningsFromErrors() async throws {
    try await folder.makeSoftPicture("a.jpg", size: "96x64")
    let bytes = try folder.bytes("a.jpg")
    let cut = try JPEGDecoder(Array(bytes.prefix(bytes.count * 2 / 3)))
    #expect(try cut.decode().complaint?.isEmpty == false)
    #expect(throws: JPEGError.self) { _ = try JPEGDecoder(Array(bytes.prefix(40))) }
    #expect(throws: JPEGError.self) { _ = try JPEGDecoder([]) }
    #expect(throws: JPEGError.self) { _ = try JPEGDecoder([UInt8](repeating: 0x41, count: 999)) }
  }

  /// ITU-T T.81 §B.2.2: the frame header's size is five bytes after its marker.
  @Test func refusesWhatIsTooLarge() async throws {
    try await folder.makeSoftPicture("a.jpg", size: "96x64")
    var bytes = try folder.bytes("a.jpg")
    let frame = try #require(
      bytes.indices.dropLast(9).first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
    for offset in 5...8 { bytes[frame + offset] = 0x8F }
    let decoder = try JPEGDecoder(bytes)
    let error = #expect(throws: JPEGError.self) { _ = try decoder.decode() }
    #expect(error?.reason == .tooLarge)
    // A reduced size may be small enough.
    #expect(decoder.size(atLeast: 4000) == PixelSize(width: 4594, height: 4594))
  }
}
