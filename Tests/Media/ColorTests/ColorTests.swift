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

  @Test func refusesInvalidProfiles() {
    #expect(ICCProfile([]) == nil)
    #expect(ICCProfile([UInt8](repeating: 0, count: 400)) == nil)
  }

  /// A negative power has no value at 0, and one that grows without bound ends at white.
  @Test func refusesCurvesWithoutValues() throws {
    #expect(ICCProfile(profile(curve: [0, -65_536])) == nil)
    let white = try #require(ICCProfile(profile(curve: [2, 65_536, 65_536, 0, 0x7FFF_0000])))
    #expect(white.convert(try raster([[0, 7, 255]])).planes[0].bytes == [255, 255, 255])
    let plain = try #require(ICCProfile(profile(curve: [0, 65_536])))
    #expect(plain.convert(try raster([[0, 0, 0], [255, 255, 255]])).planes[0].bytes.first == 0)
  }

  /// 16 bits give the same result as 8, within the precision of 8.
  @Test func convertsDeepPicturesAlike() throws {
    let bytes = profile(curve: [0, 144_179])
    let (plain, deep) = try (#require(ICCProfile(bytes)), #require(ICCProfile(bytes, isDeep: true)))
    for value in stride(from: UInt8(0), through: 255, by: 15) {
      let wanted = plain.convert(try raster([[value, 255 - value, 77]])).planes[0].bytes
      let stored: [UInt8] = [value, value, 255 - value, 255 - value, 77, 77]
      let found = deep.convert(try raster([stored], .rgb16)).planes[0].bytes
      for channel in 0..<3 {
        #expect(abs(Int(found[channel * 2 + 1]) - Int(wanted[channel])) <= 1)
      }
    }
    // A profile for the other depth changes nothing.
    #expect(deep.convert(try raster([[1, 2, 3]])).planes[0].bytes == [1, 2, 3])
  }

  /// The smallest profile of a display (ICC.1:2022 §8.3.3): the columns of sRGB under D50 and one
  /// parametric curve (§10.18), its kind first, then its numbers in s15Fixed16.
  private func profile(curve: [Int32]) -> [UInt8] {
    func number(_ value: Int32) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    let columns: [[Int32]] = [
      [28_578, 14_581, 912], [25_240, 46_981, 6362], [9376, 3974, 46_799],
    ]
    var tags: [(name: String, content: [UInt8])] = zip(["rXYZ", "gXYZ", "bXYZ"], columns).map {
      ($0, Array("XYZ \0\0\0\0".utf8) + $1.flatMap(number))
    }
    let written =
      Array("para\0\0\0\0".utf8) + [0, UInt8(curve[0]), 0, 0] + curve.dropFirst().flatMap(number)
    tags += ["rTRC", "gTRC", "bTRC"].map { ($0, written) }
    var table = number(Int32(tags.count))
    var contents: [UInt8] = []
    for (name, content) in tags {
      let offset = 132 + tags.count * 12 + contents.count
      table += Array(name.utf8) + number(Int32(offset)) + number(Int32(content.count))
      contents += content
    }
    var header = [UInt8](repeating: 0, count: 128)
    header.replaceSubrange(16..<24, with: Array("RGB XYZ ".utf8))
    header.replaceSubrange(36..<40, with: Array("acsp".utf8))
    return header + table + contents
  }
}
