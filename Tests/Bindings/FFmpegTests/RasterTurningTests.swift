import MediaEdits
import MediaModel
import MediaTools
import Testing

@testable import FFmpeg

/// Rasters of noise, turned, against ImageMagick's turns of the same samples.
@Suite(.enabled(if: Tool.areInstalled(.imageMagick)))
struct RasterTurningTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private static let turns: [(Orientation, [String])] = [
    (.upMirrored, ["-flop"]), (.down, ["-rotate", "180"]), (.downMirrored, ["-flip"]),
    (.leftMirrored, ["-transpose"]), (.right, ["-rotate", "90"]), (.rightMirrored, ["-transverse"]),
    (.left, ["-rotate", "270"]),
  ]
  /// Sides below, at and above the sizes of squares and blocks, odd ones too.
  private static let sizes = [(1, 1), (7, 9), (8, 8), (16, 24), (150, 131), (131, 300), (40, 523)]

  @Test(arguments: [(Raster.Layout.gray8, "gray", 8), (.gray16, "gray", 16), (.rgb8, "rgb", 8)])
  func everyTurnMovesEverySample(layout: Raster.Layout, format: String, depth: Int) async throws {
    for (width, height) in Self.sizes {
      let size = PixelSize(width: width, height: height)
      var raster = try #require(Raster(size: size, layout: layout))
      var state: UInt32 = 1
      for index in raster.planes[0].bytes.indices {
        state = state &* 1_664_525 &+ 1_013_904_223
        raster.planes[0].bytes[index] = UInt8(state >> 24)
      }
      try folder.write(raster.planes[0].bytes, to: "a.raw")
      for (orientation, options) in Self.turns {
        try await Tool.imageMagick.run(
          ["-size", "\(width)x\(height)", "-depth", "\(depth)", "-endian", "LSB"]
            + [format + ":" + folder.path("a.raw")] + options
            + ["-depth", "\(depth)", "-endian", "LSB", format + ":" + folder.path("b.raw")])
        let (turned, expected) = (try raster.turned(orientation), try folder.bytes("b.raw"))
        #expect(turned.planes[0].bytes == expected, "\(orientation), \(width) × \(height)")
      }
    }
  }
}
