import ByteReading
import Color
import FFmpeg
import FactReading
import LibHeif
import MediaEdits
import MediaFormats
import MediaModel
import TurboJPEG
import WorkerProtocol

extension MediaFile {
  /// Decodes a HEIF or AVIF picture, upright: directly from its tiles if it consists only of them, otherwise
  /// with libheif. For an image sequence without a still picture this is the first frame, which may have to be
  /// turned.
  func decodeHeif() throws -> DecodedPicture {
    let boxes = try? HEIFContainer(WindowedSource(self))
    if boxes?.isSequenceOnly == true { return try decodeSequence() }
    if let picture = try? decodeTiles() { return picture }
    let file = try openHeif(self, boxes)
    do throws(HeifError) {
      let decoded = try file.decode()
      let raster =
        decoded.isPremultiplied
        ? Transparency.divided(decoded.raster, to: decoded.raster.layout) : decoded.raster
      return DecodedPicture(
        raster: raster, sampling: raster.layout.sampling,
        primaries: decoded.primaries, transfer: decoded.transfer)
    } catch {
      throw ProbeFailure(error)
    }
  }

  /// The limit on one tile in bytes.
  private static let maximumTile = 64 << 20

  /// Decodes HEVC tiles directly to planes; nil if the file needs more than that.
  private func decodeTiles() throws -> DecodedPicture? {
    let source = WindowedSource(self)
    let file = try HEIFContainer(source)
    guard let tiling = try HEIFTiling(file, from: source), tiling.colorCoding != .other
    else { return nil }
    var decoder = try TileDecoder(
      configuration: tiling.configuration, size: tiling.size, orientation: tiling.orientation,
      isLimited: tiling.colorCoding.map { $0 == .limitedRange })
    for (index, tile) in tiling.tiles.enumerated() {
      guard let bytes = try file.content(of: tile, from: source, limit: Self.maximumTile)
      else { return nil }
      try decoder.decode(bytes, at: tiling.position(of: index), size: tiling.tileSize)
    }
    return DecodedPicture(
      raster: decoder.finish(), sampling: .yuv420, primaries: tiling.color?.primaries,
      transfer: tiling.color?.transfer)
  }
}
