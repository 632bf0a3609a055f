import MediaEdits
import MediaModel
import Testing

@testable import Color

struct TransparencyTests {
  private func raster(_ bytes: [UInt8], _ layout: Raster.Layout) throws -> Raster {
    let size = PixelSize(width: bytes.count / layout.bytesPerPixel, height: 1)
    var raster = try #require(Raster(size: size, layout: layout))
    raster.planes[0].bytes = bytes
    return raster
  }

  /// Red with alpha one half: half as much red (W3C Compositing and Blending §5.1).
  @Test func multipliesEachColourByItsOpacity() throws {
    let found = Transparency.multiplied(try raster([255, 0, 51, 128], .rgba8))
    #expect(found.layout == .rgba16)
    // 65535 · 128/255, and a fifth of it, little-endian.
    #expect(found.planes[0].bytes == [0x80, 0x80, 0, 0, 0xB3, 0x19, 0x80, 0x80])
  }

  /// Pixels that are not fully transparent are unchanged.
  @Test func dividesBack() throws {
    for alpha in UInt8(1)...255 {
      let pixels = (UInt8(0)...255).flatMap { [$0, 255 - $0, $0 ^ 0x5A, alpha] }
      let multiplied = Transparency.multiplied(try raster(pixels, .rgba8))
      #expect(Transparency.divided(multiplied, to: .rgba8).planes[0].bytes == pixels)
    }
    let hidden = Transparency.divided(try raster([9, 9, 9, 0], .rgba8), to: .rgba8)
    #expect(hidden.planes[0].bytes == [0, 0, 0, 0])
  }

  /// Files and Lanczos produce colours larger than their alpha: they are clipped.
  @Test func clipsWhatIsBrighterThanItsOpacity() throws {
    let found = Transparency.divided(try raster([200, 100, 0, 100], .rgba8), to: .rgba8)
    #expect(found.planes[0].bytes == [255, 255, 0, 100])
  }

  /// Tone mapping leaves transparency unchanged.
  @Test func survivesToneMapping() throws {
    let mapping = try #require(ToneMapping(.hlg, primaries: 9))
    let colors: [[UInt8]] = [[0, 0x80, 0, 0x80, 0, 0x80], [0xFF, 0xFF, 0, 0x40, 0, 0x20]]
    let plain = try #require(mapping.apply(try raster(colors.flatMap { $0 }, .rgb16)))
    let found = try #require(
      mapping.apply(try raster(colors[0] + [0xFF, 0x7F] + colors[1] + [0, 0], .rgba16)))
    let expected = plain.planes[0].bytes
    #expect(found.layout == .rgba8)
    #expect(found.planes[0].bytes == expected[..<3] + [0x7F] + expected[3...] + [0])
  }
}
