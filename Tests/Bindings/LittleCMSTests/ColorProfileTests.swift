import LittleCMS
import MediaEdits
import MediaModel
import MediaTools
import SeededRandom
import Testing

struct ColorProfileTests {
  @Test func refusesBytesThatAreNoProfile() {
    for bytes in [[], [UInt8](repeating: 0, count: 400), Array(repeating: 0xFF, count: 4000)] {
      #expect(throws: ColorProfileError.self) { _ = try ColorProfile(bytes) }
    }
  }

  @Test func recognizesSRGB() throws {
    #expect(try ColorProfile(MadeProfile.matrix(MadeProfile.sRGB, .sRGB).bytes).isSRGB())
    #expect(try ColorProfile(MadeProfile.gray(.sRGB).bytes).isSRGB())
    #expect(try !ColorProfile(MadeProfile.matrix(MadeProfile.displayP3, .sRGB).bytes).isSRGB())
    #expect(try !ColorProfile(MadeProfile.gray(.gamma(1.8)).bytes).isSRGB())
  }

  /// The formula of black point compensation (ISO 18619): XYZ is scaled so that white stays and the darkest colour becomes
  /// black.
  @Test func compensatesBlack() throws {
    let lightness: @Sendable ([Double]) -> [Double] = { [10 + 90 * $0[1], 0, 0] }
    let profile = try ColorProfile(
      MadeProfile.table("RGB ", .mft2, grid: 2, version: 2, lab: lightness).bytes)
    let black = xyz(lab: [10, 0, 0])[1]
    var raster = try #require(Raster(size: PixelSize(width: 2, height: 1), layout: .rgb16))
    // Points of the table.
    raster.planes[0].bytes = [UInt8](repeating: 0, count: 6) + [UInt8](repeating: 0xFF, count: 6)
    let found = try profile.convert(raster).planes[0].bytes
    #expect(found[1] == 0, "\(found)")
    #expect(found[6...].allSatisfy { $0 >= 0xFE })
    // Between them the table is straight in lightness.
    raster.planes[0].bytes = [UInt8](repeating: 0x80, count: 12)
    let middle = xyz(lab: [10 + 90 * Double(0x8080) / 65_535, 0, 0])[1]
    let light = (middle - black) / (1 - black)
    let expected = sRGB(xyz: [0.9642, 1, 0.8249].map { $0 * light })[1]
    let level = Double(try profile.convert(raster).planes[0].bytes[1])
    #expect(abs(level - expected) <= 1.5, "\(level), not \(expected)")
  }

  @Test func leavesTransparencyUnchanged() throws {
    let profile = try ColorProfile(MadeProfile.matrix(MadeProfile.proPhoto, .gamma(1.8)).bytes)
    for layout in [Raster.Layout.rgba8, .rgba16] {
      var raster = try #require(Raster(size: PixelSize(width: 64, height: 4), layout: layout))
      let step = layout.bytesPerPixel
      for index in raster.planes[0].bytes.indices {
        raster.planes[0].bytes[index] = UInt8(truncatingIfNeeded: index * 29)
      }
      let found = try profile.convert(raster).planes[0].bytes
      for (index, byte) in raster.planes[0].bytes.enumerated() where index % step >= step * 3 / 4 {
        #expect(found[index] == byte)
      }
      #expect(found != raster.planes[0].bytes)
    }
  }

  /// Damaged profiles are refused or convert to anything; they never end the process.
  @Test(arguments: ["matrix", "grey", "mft1", "mft2", "mAB"])
  func survivesDamage(kind: String) throws {
    let lab: @Sendable ([Double]) -> [Double] = { [100 * $0[0], 50 * $0[1], 50 * $0[2]] }
    let profile =
      switch kind {
      case "matrix": MadeProfile.matrix(MadeProfile.displayP3, .table([0, 0.2, 1]))
      case "grey": MadeProfile.gray(.sRGB)
      default:
        MadeProfile.table(
          "RGB ", MadeProfile.Table(rawValue: kind) ?? .mft1, grid: 3, lab: lab)
      }
    var random = SeededGenerator(seed: 20)
    // 16 bits: without a large table for each profile.
    var picture = try #require(Raster(size: PixelSize(width: 8, height: 1), layout: .rgb16))
    picture.planes[0].bytes = (0..<48).map { UInt8($0 * 5) }
    for _ in 0..<2000 {
      var bytes = profile.bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: bytes.indices, using: &random)
        bytes[index] = UInt8.random(in: .min ... .max, using: &random)
      }
      if Bool.random(using: &random) {
        bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      }
      do throws(ColorProfileError) {
        let found = try ColorProfile(bytes).convert(picture)
        #expect(found.size == picture.size)
      } catch {
        #expect(!error.detail.isEmpty)
      }
    }
  }
}
