import FFmpeg
import FactReading
import MediaEdits
import MediaModel
import MediaTools
import Testing

@testable import ByteReading
@testable import MediaFormats

/// The memory of a picture is that of an earlier one where no tile was copied to.
@Suite(.enabled(if: Tool.areInstalled(.heifEncoder, .imageMagick)))
struct MissingTilesTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  @Test(arguments: [128, 256]) func `a picture is complete with all of its tiles`(
    width: Int
  ) async throws {
    try await folder.makeSoftPicture("a.png", size: "128x128")
    try await Tool.heifEncoder.run([folder.path("a.png"), "-o", folder.path("a.heic")])
    let source = WindowedSource(try MediaFile(at: BytePath(folder.path("a.heic"))))
    let file = try HEIFContainer(source)
    let tiling = try #require(try HEIFTiling(of: file.primaryItem, in: file, from: source))
    let tile = try #require(try file.content(of: tiling.tiles[0], from: source, limit: 1 << 20))
    var decoder = try TileDecoder(
      configuration: tiling.configuration, size: PixelSize(width: width, height: 128),
      isMonochrome: false, orientation: .up, isLimited: false)
    try decoder.decode(tile, at: (0, 0), size: tiling.tileSize)
    var picture: Bool
    do throws(AudioVideoError) {
      picture = try decoder.finish().size.width == width
    } catch {
      picture = false
      #expect(error.reason == .damaged)
    }
    #expect(picture == (width == 128))
  }
}
