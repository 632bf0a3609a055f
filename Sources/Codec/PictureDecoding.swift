import AudioVideo
import CodecMessages
import Containers
import Heif
import JPEG
import MediaModel

/// A picture's pixels on their way from a decoder to an encoder.
struct DecodedPicture {
  var raster: Raster
  /// How it still has to be turned to be upright.
  var orientation: Orientation = .up
  /// How finely the source keeps its colour; nil where it knows no such thing.
  var sampling: JPEGSampling?
  /// ITU-T H.273 numbers, where the source tells.
  var primaries: Int?
  var transfer: Int?
  /// What a person should know, a sentence each.
  var notes: [String] = []
}

extension MediaFile {
  /// A HEIF or AVIF picture, upright.
  func decodeHeif() throws -> DecodedPicture {
    if let raster = try? decodeTiles() {
      return DecodedPicture(raster: raster, sampling: .yuv420)
    }
    do throws(HeifError) {
      let file = try HeifFile(size: count, read: reading(self))
      let decoded = try file.decode()
      return DecodedPicture(
        raster: decoded.raster, primaries: decoded.primaries, transfer: decoded.transfer)
    } catch {
      throw ProbeFailure(error)
    }
  }

  /// The picture by the straight way from HEVC tiles to planes; nil where the file asks for more than
  /// that, or where the tiles are not what it says.
  private func decodeTiles() throws -> Raster? {
    let source = WindowedSource(self)
    let file = try HEIFFile(source)
    guard let tiling = try HEIFTiling(file, from: source), tiling.isJFIF != false
    else { return nil }
    var decoder = try TileDecoder(
      configuration: tiling.configuration, size: tiling.size, orientation: tiling.orientation,
      isKnownToBeJFIF: tiling.isJFIF == true)
    for (index, tile) in tiling.tiles.enumerated() {
      guard let bytes = try file.content(of: tile, from: source, limit: 64 << 20)
      else { return nil }
      try decoder.decode(bytes, at: tiling.position(of: index), size: tiling.tileSize)
    }
    return decoder.finish()
  }
}
