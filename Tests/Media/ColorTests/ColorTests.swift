import Foundation
import MediaEdits
import MediaModel
import Testing

@testable import Color

struct ColorTests {
  private func raster(_ pixels: [[UInt8]], _ layout: Raster.Layout = .rgb8) throws -> Raster {
    var raster = try #require(
      Raster(size: PixelSize(width: pixels.count, height: 1), layout: layout))
    raster.planes[0].bytes = pixels.flatMap { $0 }
    return raster
  }

  private func isNear(_ found: Raster, _ wanted: [UInt8], by tolerance: Int = 1) -> Bool {
    zip(found.planes[0].bytes, wanted).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
  }

  /// IEC 61966-2-1 annex F, and EG 432-1 for P3: the published matrices.
  @Test func derivesTheKnownMatrices() throws {
    let sRGB = try #require(Primaries.bt709.toXYZ)
    let wanted: [SIMD3<Float>] = [
      SIMD3(0.4124, 0.3576, 0.1805), SIMD3(0.2126, 0.7152, 0.0722), SIMD3(0.0193, 0.1192, 0.9505),
    ]
    for (row, expected) in zip(sRGB.rows, wanted) {
      for column in 0..<3 { #expect(abs(row[column] - expected[column]) < 0.0006) }
    }
  }

  /// The examples of CSS Color 4 §10.4: `color(display-p3 …)` in sRGB, and grey, which is equal in both.
  @Test func convertsDisplayP3() throws {
    let color = try #require(WideColor(primaries: 12, transfer: 13))
    let found = color.convert(try raster([[128, 128, 128], [255, 255, 255], [234, 51, 35]]))
    #expect(isNear(found, [128, 128, 128, 255, 255, 255, 255, 0, 0], by: 4))
    #expect(WideColor(primaries: 1, transfer: 13) == nil)
    #expect(WideColor(primaries: 2, transfer: 2) == nil)
  }

  @Test func compositesOverWhite() throws {
    let source = try raster([[255, 0, 0, 255], [255, 0, 0, 0], [0, 0, 0, 128]], .rgba8)
    #expect(isNear(FourthChannel.overWhite(source), [255, 0, 0, 255, 255, 255, 127, 127, 127]))
  }

  @Test func convertsCMYK() throws {
    let inks = try raster([[0, 0, 0, 0], [255, 0, 0, 0], [0, 0, 0, 255]], .rgba8)
    #expect(
      FourthChannel.cmyk(inks, isInverted: false).planes[0].bytes
        == [255, 255, 255, 0, 255, 255, 0, 0, 0])
    #expect(
      FourthChannel.cmyk(inks, isInverted: true).planes[0].bytes == [0, 0, 0, 0, 0, 0, 0, 0, 0])
  }

  /// 16 bits give the same result as 8.
  @Test func convertsDeepCMYK() throws {
    let inks: [UInt8] = [0x22, 0x22, 0x99, 0x99, 0, 0, 0x44, 0x44]
    let found = FourthChannel.cmyk(try raster([inks], .rgba16), isInverted: false)
    let plain = FourthChannel.cmyk(try raster([[0x22, 0x99, 0, 0x44]], .rgba8), isInverted: false)
    #expect(found.layout == .rgb16)
    for channel in 0..<3 {
      let (high, wanted) = (found.planes[0].bytes[channel * 2 + 1], plain.planes[0].bytes[channel])
      #expect(abs(Int(high) - Int(wanted)) <= 1)
    }
  }

  private func deepGrey(_ signal: Double) -> [UInt8] {
    let value = UInt16(signal * 65_535 + 0.5)
    return (0..<3).flatMap { _ in [UInt8(value & 0xFF), UInt8(value >> 8)] }
  }

  /// The stored values of SMPTE ST 2084 and ITU-R BT.2100 for light in cd/m².
  private func signal(_ light: Double, _ transfer: ToneMapping.Transfer) -> Double {
    if transfer == .hlg {
      let scene = pow(light / 1000, 1 / 1.2)
      return scene <= 1.0 / 12
        ? (3 * scene).squareRoot() : 0.17883277 * log(12 * scene - 0.28466892) + 0.55991073
    }
    let power = pow(light / 10_000, 2610.0 / 16_384)
    return pow((3424.0 / 4096 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523.0 / 32)
  }

  /// Light up to half of paper white is unchanged, and paper white has the same level in both: 0.75 of white. The levels
  /// of brighter light were computed with numpy from the same splines.
  @Test(
    arguments: [
      (
        .pq,
        [
          5.0: 43.5, 50: 136, 100: 186.3, 140: 210.7, 203: 224.6, 400: 234.7, 1000: 246.7,
          4000: 255,
          10_000: 255,
        ]
      ),
      (
        .hlg,
        [5.0: 43.5, 50: 136, 100: 186.3, 140: 210.7, 203: 224.6, 400: 239.5, 600: 249.1, 1000: 255]
      ),
    ] as [(ToneMapping.Transfer, [Double: Double])])
  func keepsPaperBright(transfer: ToneMapping.Transfer, expected: [Double: Double]) throws {
    let mapping = try #require(ToneMapping(transfer, primaries: 1))
    let lights = expected.keys.sorted()
    let pixels = lights.map { deepGrey(signal($0, transfer)) }
    let found = try #require(mapping.apply(try raster(pixels, .rgb16)))
    for (index, light) in lights.enumerated() {
      let level = Double(found.planes[0].bytes[index * 3])
      #expect(abs(level - expected[light, default: 0]) <= 1.2, "\(light) cd/m²")
      // Other pixels have no influence.
      let alone = try #require(mapping.apply(try raster([pixels[index]], .rgb16)))
      #expect(Double(alone.planes[0].bytes[0]) == level)
    }
  }

  /// More light is never darker, and grey stays grey.
  @Test(arguments: [ToneMapping.Transfer.pq, .hlg])
  func growsWithLight(transfer: ToneMapping.Transfer) throws {
    let mapping = try #require(ToneMapping(transfer, primaries: 9))
    let pixels = (0...1000).map { deepGrey(Double($0) / 1000) }
    let found = try #require(mapping.apply(try raster(pixels, .rgb16))).planes[0].bytes
    let levels = stride(from: 0, to: found.count, by: 3).map { found[$0] }
    #expect(levels == levels.sorted())
    #expect(levels.first == 0 && levels.last == 255)
    for pixel in stride(from: 0, to: found.count, by: 3) {
      #expect(abs(Int(found[pixel]) - Int(found[pixel + 1])) <= 1)
      #expect(abs(Int(found[pixel]) - Int(found[pixel + 2])) <= 1)
    }
  }

  /// The table for videos has the colours of stills.
  @Test(arguments: [ToneMapping.Transfer.pq, .hlg])
  func theTableIsTheSame(transfer: ToneMapping.Transfer) throws {
    let mapping = try #require(ToneMapping(transfer, primaries: 9))
    let table = try #require(mapping.table)
    #expect(table.planes[0].bytes.count == 64 * 64 * 64 * 6)
    for (red, green, blue) in [(0, 0, 0), (63, 63, 63), (40, 20, 30), (10, 50, 33)] {
      let stored = [red, green, blue].flatMap { step -> [UInt8] in
        let value = UInt16(step * 65_535 / 63)
        return [UInt8(value & 0xFF), UInt8(value >> 8)]
      }
      let wanted = try #require(mapping.apply(try raster([stored], .rgb16))).planes[0].bytes
      let entry = (red + 64 * green + 4096 * blue) * 6
      for channel in 0..<3 {
        let found = table.planes[0].bytes[entry + channel * 2 + 1]
        #expect(abs(Int(found) - Int(wanted[channel])) <= 1)
      }
    }
  }
}
