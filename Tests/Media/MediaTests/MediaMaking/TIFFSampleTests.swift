import MediaEdits
import MediaModel
import MediaTools
import Testing

@testable import ByteReading
@testable import Color
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// Kinds of samples that few programs write. The files are made byte by byte, and the expected pixels follow from the
/// specification.
struct TIFFSampleTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func decode(_ made: MadeTIFF) throws -> Raster {
    try folder.write(made.bytes, to: "a.tiff")
    let picture = try MediaFile(at: BytePath(folder.path("a.tiff"))).decodeTIFF()
    #expect(picture.notes.filter { $0 != DecodedPicture.cmykNote } == [])
    return picture.raster
  }

  /// The samples of a deep raster.
  private func deep(_ raster: Raster) -> [Int] {
    stride(from: 0, to: raster.planes[0].bytes.count, by: 2).map {
      Int(raster.planes[0].bytes[$0]) | Int(raster.planes[0].bytes[$0 + 1]) << 8
    }
  }

  private func little<Number: FixedWidthInteger>(_ numbers: [Number]) -> [UInt8] {
    numbers.flatMap { number in
      (0..<(Number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
  }

  @Test(arguments: [
    (1, [0b0110_0000], [0, 255, 255]), (2, [0b0001_1000], [0, 85, 170]),
    (4, [0x08, 0xF0], [0, 136, 255]), (8, [0, 100, 255], [0, 100, 255]),
  ])
  func narrowGrey(bits: Int, row: [UInt8], expected: [UInt8]) throws {
    let raster = try decode(MadeTIFF(width: 3, height: 1, bits: [bits], pixels: row))
    #expect(raster.layout == .gray8)
    #expect(raster.planes[0].bytes == expected)
    let inverted = try decode(MadeTIFF(width: 3, height: 1, bits: [bits], space: 0, pixels: row))
    #expect(inverted.planes[0].bytes == expected.map { 255 - $0 })
  }

  @Test func wideGrey() throws {
    let twelve = try decode(
      MadeTIFF(width: 2, height: 1, bits: [12], pixels: [0x80, 0x0F, 0xFF]))
    #expect(twelve.layout == .gray16)
    #expect(deep(twelve) == [32_776, 65_535])
    let sixteen = try decode(
      MadeTIFF(width: 2, height: 1, bits: [16], pixels: little([258, 65_535] as [UInt16])))
    #expect(deep(sixteen) == [258, 65_535])
    let long = try decode(
      MadeTIFF(width: 2, height: 1, bits: [32], pixels: little([0x0102_0304, .max] as [UInt32])))
    #expect(deep(long) == [0x0102, 65_535])
  }

  @Test func signedNumbersStartAtBlack() throws {
    var made = MadeTIFF(width: 3, height: 1, bits: [8], pixels: [0x80, 0, 0x7F])
    made.set(339, [2])
    #expect(try decode(made).planes[0].bytes == [0, 128, 255])
    made = MadeTIFF(
      width: 3, height: 1, bits: [16], pixels: little([.min, 0, .max] as [Int16]))
    made.set(339, [2])
    #expect(try deep(decode(made)) == [0, 32_768, 65_535])
  }

  @Test func floatsFromZeroToOneAreTheWholeRange() throws {
    let numbers: [Float] = [0, 0.25, 1, -3, 7, .nan]
    var made = MadeTIFF(
      width: 2, height: 1, bits: [32, 32, 32], space: 2, pixels: little(numbers.map(\.bitPattern)))
    made.set(339, [3, 3, 3])
    let raster = try decode(made)
    #expect(raster.layout == .rgb16)
    #expect(deep(raster) == [0, 16_384, 65_535, 0, 65_535, 0])
    made = MadeTIFF(width: 2, height: 1, bits: [16], pixels: little([0x3800, 0x3C00] as [UInt16]))
    made.set(339, [3])
    #expect(try deep(decode(made)) == [32_768, 65_535])
  }

  @Test func planesAreCombined() throws {
    var made = MadeTIFF(
      width: 2, height: 1, bits: [8, 8, 8, 8], space: 2, pixels: [1, 2, 3, 4, 5, 6, 7, 8])
    made.set(284, [2])
    made.set(338, [2])
    let raster = try decode(made)
    #expect(raster.layout == .rgba8)
    #expect(raster.planes[0].bytes == [1, 3, 5, 7, 2, 4, 6, 8])
  }

  /// TIFF 6.0 §18: 0 is no transparency, 1 is premultiplied, 2 is not premultiplied.
  @Test(arguments: [
    (0, [100, 50, 20]), (1, [199, 100, 40, 128]), (2, [100, 50, 20, 128]),
  ])
  func theKindOfAlphaCounts(kind: Int, expected: [UInt8]) throws {
    var made = MadeTIFF(
      width: 1, height: 1, bits: [8, 8, 8, 8], space: 2, pixels: [100, 50, 20, 128])
    made.set(338, [kind])
    #expect(try decode(made).planes[0].bytes == expected)
  }

  @Test func greyWithAlpha() throws {
    var made = MadeTIFF(
      width: 1, height: 1, bits: [16, 16], pixels: little([300, 700] as [UInt16]))
    made.set(338, [2])
    #expect(try deep(decode(made)) == [300, 300, 300, 700])
  }

  @Test(arguments: [257, 1])
  func palettes(scale: Int) throws {
    var made = MadeTIFF(width: 3, height: 1, bits: [2], space: 3, pixels: [0b0111_0000])
    made.set(320, [9, 10, 11, 12, 20, 21, 22, 23, 30, 31, 32, 33].map { $0 * scale })
    #expect(try decode(made).planes[0].bytes == [10, 21, 31, 12, 23, 33, 9, 20, 30])
    made = MadeTIFF(width: 1, height: 1, bits: [8, 8], space: 3, pixels: [2, 77])
    made.set(320, (0..<768).map { $0 % 256 * scale })
    made.set(338, [2])
    #expect(try decode(made).planes[0].bytes == [2, 2, 2, 77])
  }

  /// sRGB of colours in CIE L*a*b* (D50) by the formulas of CIE 15 and Bradford's adaptation: white, middle grey,
  /// sRGB's red and blue.
  @Test func labIsConverted() throws {
    let colors: [(l: Double, a: Double, b: Double)] = [
      (100, 0, 0), (53.585, 0, 0), (54.29, 80.81, 69.89), (29.57, 68.30, -112.03),
    ]
    let expected = [255, 255, 255, 128, 128, 128, 255, 0, 0, 0, 0, 255]
    func near(_ raster: Raster, _ tolerance: Int) -> Bool {
      let found =
        raster.layout.isDeep
        ? deep(raster).map { ($0 + 128) / 257 } : raster.planes[0].bytes.map(Int.init)
      return found.count == expected.count
        && zip(found, expected).allSatisfy { abs($0 - $1) <= tolerance }
    }
    let narrow = colors.flatMap {
      [
        UInt8($0.l * 2.55 + 0.5), UInt8(bitPattern: Int8($0.a.rounded())),
        UInt8(bitPattern: Int8($0.b.rounded())),
      ]
    }
    #expect(
      try near(decode(MadeTIFF(width: 4, height: 1, bits: [8, 8, 8], space: 8, pixels: narrow)), 6))
    let wide = colors.flatMap {
      [
        UInt16($0.l * 655.35), UInt16(bitPattern: Int16($0.a * 256)),
        UInt16(bitPattern: Int16($0.b * 256)),
      ]
    }
    #expect(
      try near(
        decode(MadeTIFF(width: 4, height: 1, bits: [16, 16, 16], space: 8, pixels: little(wide))), 1
      ))
    let icc = colors.flatMap {
      [
        UInt16($0.l * 652.8), UInt16(Int($0.a * 256) + 32_768), UInt16(Int($0.b * 256) + 32_768),
      ]
    }
    #expect(
      try near(
        decode(MadeTIFF(width: 4, height: 1, bits: [16, 16, 16], space: 9, pixels: little(icc))), 1)
    )
  }

  /// libvips stores CIELab in floating point: lightness up to 100, a and b as they are.
  @Test func labInFloatingPointIsConverted() throws {
    let colors: [Float] = [100, 0, 0, 53.585, 0, 0, 54.29, 80.81, 69.89, 29.57, 68.30, -112.03]
    var made = MadeTIFF(
      width: 4, height: 1, bits: [32, 32, 32], space: 8, pixels: little(colors.map(\.bitPattern)))
    made.set(339, [3, 3, 3])
    let found = try deep(decode(made)).map { ($0 + 128) / 257 }
    let expected = [255, 255, 255, 128, 128, 128, 255, 0, 0, 0, 0, 255]
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 1 }, "\(found)")
  }

  /// ImageMagick stores CIELab relative to D65, and says so.
  @Test(.enabled(if: Tool.areInstalled(.imageMagick)), arguments: [8, 16])
  func theWhitePointOfLabCounts(depth: Int) async throws {
    try await Tool.imageMagick.run([
      "-size", "1x1", "xc:white", "xc:rgb(128,128,128)", "xc:rgb(255,0,0)", "xc:rgb(90,120,180)",
      "+append", "-colorspace", "Lab", "-depth", "\(depth)", folder.path("a.tiff"),
    ])
    let raster = try MediaFile(at: BytePath(folder.path("a.tiff"))).decodeTIFF().raster
    let found =
      raster.layout.isDeep
      ? deep(raster).map { ($0 + 128) / 257 } : raster.planes[0].bytes.map(Int.init)
    let expected = [255, 255, 255, 128, 128, 128, 255, 0, 0, 90, 120, 180]
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= (depth == 8 ? 10 : 1) }, "\(found)")
  }
}
