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
    let color = try #require(WideColor(primaries: 12))
    let found = color.convert(try raster([[128, 128, 128], [255, 255, 255], [234, 51, 35]]))
    #expect(isNear(found, [128, 128, 128, 255, 255, 255, 255, 0, 0], by: 4))
    #expect(WideColor(primaries: 1) == nil)
    #expect(WideColor(primaries: 2) == nil)
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

  /// SMPTE ST 2084: 203 cd/m² are 58 % of the signal, 10 000 are all of it.
  @Test func compressesHighlightsOnly() throws {
    let mapping = try #require(ToneMapping(.pq, primaries: 9))
    let signals = [0, 0.3, 0.45, 0.58, 0.7, 0.75]
    let pixels = signals.map { signal -> [UInt8] in
      let value = UInt16(signal * 65_535)
      return (0..<3).flatMap { _ in [UInt8(value & 0xFF), UInt8(value >> 8)] }
    }
    let found = try #require(mapping.apply(try raster(pixels, .rgb16)))
    let levels = stride(from: 0, to: 18, by: 3).map { Int(found.planes[0].bytes[$0]) }
    #expect(levels[0] == 0)
    // 10 cd/m² are 5 % of paper white, which sRGB stores as 63; 30 % is 9.9 cd/m².
    #expect(abs(levels[1] - 62) <= 2)
    #expect((190...250).contains(levels[3]))
    #expect(levels == levels.sorted())
    #expect(levels[5] > levels[3])
    #expect(levels[5] >= 253)
  }

  /// FFmpeg computed the expected levels: linear light in shares of 203 cd/m² through
  /// `tonemap=mobius:param=0.8:desat=0` with this peak, then sRGB's curve.
  @Test(
    arguments: [
      (1000.0, [5.0: 43.5, 100: 186.3, 162: 230.9, 203: 243.7, 400: 252.5, 1000: 255]),
      (
        10_000.0,
        [5.0: 43.5, 100: 186.3, 162: 230.9, 203: 243.5, 400: 251.8, 1000: 254, 10_000: 255]
      ),
    ])
  func keepsPaperBright(peak: Double, expected: [Double: Double]) throws {
    let mapping = try #require(ToneMapping(.pq, primaries: 1))
    let lights = expected.keys.sorted()
    // The peak, in enough pixels to count.
    let pixels = (lights + [Double](repeating: peak, count: 10)).map { light -> [UInt8] in
      // SMPTE ST 2084.
      let power = pow(light / 10_000, 0.1593017578125)
      let signal = pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
      let value = UInt16(signal * 65_535 + 0.5)
      return (0..<3).flatMap { _ in [UInt8(value & 0xFF), UInt8(value >> 8)] }
    }
    let found = try #require(mapping.apply(try raster(pixels, .rgb16)))
    for (index, light) in lights.enumerated() {
      let level = Double(found.planes[0].bytes[index * 3])
      #expect(abs(level - expected[light, default: 0]) <= 1.2, "\(light) cd/m²")
    }
  }
}
