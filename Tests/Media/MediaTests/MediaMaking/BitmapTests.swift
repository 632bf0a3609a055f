import MediaEdits
import MediaModel
import MediaTools
import Testing

@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// Bitmaps that libavcodec does not support. ImageMagick makes their colours; it does not scale samples of fewer than
/// five bits to the full range, and does not read all headers, so that the colours themselves are what is expected.
@Suite(.enabled(if: Tool.areInstalled(.imageMagick)))
struct BitmapTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func little(_ number: Int, _ width: Int) -> [UInt8] {
    bigEndian(number, width).reversed()
  }

  /// A bitmap of 96 × 64 pixels with masks.
  ///
  /// - Parameters:
  ///   - masks: of red, green, blue and, if there are four, transparency.
  ///   - pixels: red, green, blue and opacity of each, the lowest row first.
  private func bitmap(
    _ masks: [UInt32], bits: Int, header: Int, compression: Int = 3, pixels: [[UInt8]],
    height: Int = 64
  ) -> [UInt8] {
    let described = masks.flatMap { little(Int($0), 4) }
    let fields =
      little(header, 4) + little(96, 4) + Array(little(height, 8).prefix(4)) + little(1, 2)
      + little(bits, 2) + little(compression, 4) + [UInt8](repeating: 0, count: 20) + described
    let padding = [UInt8](repeating: 0, count: max(0, header - fields.count))
    let start = 14 + fields.count + padding.count
    let size = start + pixels.count * bits / 8
    var bytes = Array("BM".utf8) + little(size, 4) + little(0, 4) + little(start, 4)
    bytes += fields + padding
    for pixel in pixels {
      var value: UInt32 = 0
      for (mask, sample) in zip(masks, pixel) where mask != 0 {
        let largest = mask >> UInt32(mask.trailingZeroBitCount)
        let level = (UInt64(sample) * UInt64(largest) + 127) / 255
        value |= UInt32(level) << UInt32(mask.trailingZeroBitCount)
      }
      bytes += little(Int(value), bits / 8)
    }
    return bytes
  }

  /// The samples of a picture by rows, the lowest one first.
  private func samples(_ name: String) async throws -> [[UInt8]] {
    try await Tool.imageMagick.run([
      folder.path(name), "-flip", "-depth", "8", "rgba:" + folder.path("samples"),
    ])
    let bytes = try folder.bytes("samples")
    return stride(from: 0, to: bytes.count, by: 4).map { Array(bytes[$0..<$0 + 4]) }
  }

  private func makeResult() throws {
    try folder.mustRender("a.bmp", .picture(.bmp, PictureRendering(format: .png)), to: "out.png")
  }

  private func result() async throws -> [UInt8] {
    try makeResult()
    return try await folder.pixels("out.png")
  }

  @Test(
    "Masks of any order and width are read",
    arguments: [
      ([0x0300_0000, 0x0007_0000, 0x8000_0000], 32),
      ([0xFFE0_0000, 0x001F_FC00, 0x0000_03FF], 32),
      ([0x0000_00FF, 0x00FF_0000, 0x0000_FF00], 32),
      ([0x0000_00C0, 0x0000_0038, 0x0000_0004], 16),
      ([0x0000_000F, 0x0000_00F0, 0x0000_0F00], 16),
    ] as [([UInt32], Int)], [40, 52, 108])
  func masks(of pixels: (masks: [UInt32], bits: Int), header: Int) async throws {
    try await folder.makeSoftPicture("a.png", ["-type", "TrueColor"])
    let colors = try await samples("a.png")
    try folder.write(
      bitmap(pixels.masks, bits: pixels.bits, header: header, pixels: colors), to: "a.bmp")
    try makeResult()
    let found = try await samples("out.png")
    #expect(found.count == colors.count)
    // Half of the step between two samples.
    let tolerances = pixels.masks.map { mask in
      Int((255 / Double(mask >> UInt32(mask.trailingZeroBitCount)) / 2).rounded(.up))
    }
    for (pixel, expected) in zip(found, colors) {
      let isNear = zip(tolerances, zip(pixel, expected)).allSatisfy {
        abs(Int($1.0) - Int($1.1)) <= $0
      }
      #expect(isNear && pixel[3] == 255, "\(pixel) for \(expected)")
    }
  }

  /// Windows CE's `BI_ALPHABITFIELDS` has four masks after a header of 40 bytes. ImageMagick does not read it, and
  /// libavcodec no transparency in 16 bits.
  @Test(
    arguments: [
      (40, 6, [0x00FF_0000, 0x0000_FF00, 0x0000_00FF, 0xFF00_0000], 32),
      (56, 3, [0xFF00_0000, 0x00FF_0000, 0x0000_00FF, 0x0000_FF00], 32),
      (108, 3, [0x0F00, 0x00F0, 0x000F, 0xF000], 16),
    ] as [(Int, Int, [UInt32], Int)])
  func transparency(header: Int, compression: Int, masks: [UInt32], bits: Int) async throws {
    try await Tool.imageMagick.run([
      "-size", "96x64", "gradient:#ff0000ff-#00ff0000", "PNG32:" + folder.path("a.png"),
    ])
    let colors = try await samples("a.png")
    try folder.write(
      bitmap(masks, bits: bits, header: header, compression: compression, pixels: colors),
      to: "a.bmp")
    try makeResult()
    let found = try await samples("out.png")
    #expect(found.count == colors.count)
    let tolerance = bits == 16 ? 9 : 1
    for (pixel, expected) in zip(found, colors) {
      #expect(abs(Int(pixel[3]) - Int(expected[3])) <= tolerance)
      guard pixel[3] > 0, expected[3] > 0 else { continue }
      #expect(
        zip(pixel, expected).allSatisfy { abs(Int($0) - Int($1)) <= tolerance },
        "\(pixel) for \(expected)")
    }
  }

  /// The first row is at the top if the height is negative.
  @Test func rowsFromTheTop() async throws {
    try await folder.makeSoftPicture("a.png", ["-type", "TrueColor"])
    let colors = try await samples("a.png")
    let rows = stride(from: 0, to: colors.count, by: 96).map { colors[$0..<$0 + 96] }
    try folder.write(
      bitmap(
        [0xFFE0_0000, 0x001F_FC00, 0x0000_03FF], bits: 32, header: 40,
        pixels: rows.reversed().flatMap { $0 }, height: -64), to: "a.bmp")
    try await folder.convert("a.png", ["-type", "TrueColor", "-alpha", "off"], to: "want.png")
    #expect(try await result() == folder.pixels("want.png"))
  }

  /// Some programs name the palette's place where the pixels' belongs.
  @Test func paletteWherePixelsShouldBegin() async throws {
    try await folder.makeSoftPicture("a.png", ["-colors", "200"])
    try await folder.convert(
      "a.png", ["-type", "Palette", "-define", "bmp:format=bmp3"], to: "a.bmp")
    try await folder.convert("a.bmp", ["-type", "TrueColor"], to: "want.png")
    var bytes = try folder.bytes("a.bmp")
    try #require(bytes[14] == 40 && bytes[28] == 8 && bytes[10...13] != [54, 0, 0, 0])
    bytes.replaceSubrange(10..<14, with: [54, 0, 0, 0])
    try folder.write(bytes, to: "a.bmp")
    #expect(try await result() == folder.pixels("want.png"))
  }

  /// Masks and sizes are a stranger's: no bitmap may cost more than its own bytes.
  @Test func bitmapsThatEndEarly() throws {
    let pixels = [[UInt8]](repeating: [1, 2, 3, 4], count: 96 * 64)
    let whole = bitmap(
      [0xFFE0_0000, 0x001F_FC00, 0x0000_03FF], bits: 32, header: 40, pixels: pixels)
    for count in Array(0..<120) + [whole.count - 1] {
      let cut = Array(whole.prefix(count))
      #expect(BMPFile.decodable(cut) == cut)
    }
    // A header of 4 GiB, after which 32 bits would name the pixels at 13.
    var long = Array(whole.prefix(120))
    long.replaceSubrange(10..<18, with: [13, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF])
    long[28] = 8
    #expect(BMPFile.decodable(long) == long)
    var wide = whole
    wide.replaceSubrange(18..<26, with: [0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0x80])
    #expect(BMPFile.decodable(wide) == wide)
  }
}
