package import ByteReading
package import MediaModel

/// The composition of a HEIF's picture from HEVC pictures: one coded picture, or a grid of equal ones (ISO/IEC
/// 23008-12 §6.6.2.3), and an orientation. Other compositions are not supported.
package struct HEIFTiling {
  /// The size in pixels, before the orientation is applied.
  package private(set) var size: PixelSize
  package private(set) var tileSize: PixelSize
  package private(set) var columns: Int
  /// The tiles, row by row.
  package private(set) var tiles: [HEIFItem]
  /// The decoder configuration of all tiles: the content of `hvcC`.
  package private(set) var configuration: [UInt8]
  /// Whether the tiles have luma only.
  package private(set) var isMonochrome: Bool
  /// The orientation of the stored picture.
  package private(set) var orientation: Orientation
  /// The coding of the tiles' colours; nil if the container does not record it.
  package private(set) var colorCoding: HEIFColorCoding?
  /// ITU-T H.273 numbers of the colour primaries and the transfer function; nil if the container does not record them.
  package private(set) var color: (primaries: Int, transfer: Int)?

  private static let maximumTiles = 4096

  /// Nil for all other pictures, such as cropped, overlaid or layered ones, and those with transparency, with more
  /// than 8 bits, or with tiles of several kinds.
  ///
  /// - Parameter id: of the picture; nil is for none.
  package init?(of id: UInt32?, in file: HEIFContainer, from source: any ByteSource) throws {
    guard let picture = id.flatMap(file.item), !file.hasAlpha(of: picture.id) else { return nil }
    let properties = file.properties(of: picture.id)
    guard properties.allSatisfy({ Self.harmless.contains($0.type) }),
      properties.lazy.compactMap(\.bitsPerChannel).allSatisfy({ $0.allSatisfy { $0 == 8 } })
    else { return nil }
    var turn = Orientation.up
    for property in properties { turn = turn.followed(by: property.orientation ?? .up) }
    orientation = turn
    switch picture.type {
    case "hvc1":
      guard let size = properties.lazy.compactMap(\.spatialExtents).first else { return nil }
      (self.size, tileSize, columns, tiles) = (size, size, 1, [picture])
    case "grid":
      guard let grid = try HEIFGrid(of: picture, in: file, from: source),
        grid.columns * grid.rows <= Self.maximumTiles,
        let tiles = file.tiles(of: picture, count: grid.columns * grid.rows),
        let tileSize = file.properties(of: tiles.first?.id).lazy.compactMap(\.spatialExtents).first,
        tileSize.width * grid.columns >= grid.size.width,
        tileSize.height * grid.rows >= grid.size.height
      else { return nil }
      (size, self.tileSize, columns, self.tiles) = (grid.size, tileSize, grid.columns, tiles)
    default: return nil
    }
    let tileProperties = file.properties(of: tiles[0].id)
    guard size.isDecodable, tileSize.isDecodable,
      let configuration = tileProperties.first(where: { $0.type == "hvcC" })?.content
    else { return nil }
    self.configuration = configuration
    // `chroma_format_idc` (ISO/IEC 14496-15 §8.3.3.1.2).
    let isMonochrome = configuration.u8(at: 16).map { $0 & 3 } == 0
    self.isMonochrome = isMonochrome
    let all = properties + tileProperties
    colorCoding = all.lazy.compactMap { $0.colorCoding(isMonochrome: isMonochrome) }.first
    color = all.lazy.compactMap(\.codedColor).first.map { ($0.primaries, $0.transfer) }
  }

  /// The position of a tile's upper left corner in the stored picture, in pixels.
  package func position(of index: Int) -> (x: Int, y: Int) {
    (index % columns * tileSize.width, index / columns * tileSize.height)
  }

  /// Properties that describe, place or rotate a picture and do not change it otherwise.
  private static let harmless: Set<FourCC> = [
    "hvcC", "ispe", "colr", "pixi", "irot", "imir", "pasp", "clli", "mdcv", "udes", "auxC",
    "altt", "cmex", "cmin",
  ]
}

/// The matrix and the range of a picture in YCbCr (ITU-T H.273).
package enum HEIFColorCoding: Sendable, Hashable {
  /// The coding of JPEG: the matrix of ITU-R BT.601, black 0 and white 255.
  case fullRange
  /// The same matrix, black 16 and white 235.
  case limitedRange
  /// Another matrix.
  case other
}

/// The content of a `grid` item.
private struct HEIFGrid {
  var rows: Int
  var columns: Int
  var size: PixelSize

  init?(of item: HEIFItem, in file: HEIFContainer, from source: any ByteSource) throws {
    guard let content = try file.content(of: item, from: source, limit: 64),
      content.u8(at: 0) == 0, let flags = content.u8(at: 1), let rows = content.u8(at: 2),
      let columns = content.u8(at: 3)
    else { return nil }
    let width = flags & 1 == 1 ? 4 : 2
    guard let across = content.unsigned(at: 4, width: width),
      let down = content.unsigned(at: 4 + width, width: width), across < 1 << 24, down < 1 << 24
    else { return nil }
    self.rows = Int(rows) + 1
    self.columns = Int(columns) + 1
    size = PixelSize(width: Int(across), height: Int(down))
  }
}

extension HEIFContainer {
  /// The tiles of a grid; nil unless their number is `count`, all are HEVC with the same properties, and none is
  /// transformed individually.
  fileprivate func tiles(of grid: HEIFItem, count: Int) -> [HEIFItem]? {
    guard let links = references.first(where: { $0.type == "dimg" && $0.from == grid.id }),
      links.to.count == count
    else { return nil }
    let byID = Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
    let tiles = links.to.compactMap { byID[$0] }
    guard tiles.count == count, let first = tiles.first,
      tiles.allSatisfy({ $0.type == "hvc1" && $0.properties == first.properties }),
      !properties(of: first.id).contains(where: { ["irot", "imir", "clap"].contains($0.type) })
    else { return nil }
    return tiles
  }

  /// Whether an item has transparency, as a channel of its own or as an auxiliary picture.
  package func hasAlpha(of item: UInt32) -> Bool {
    let first = references.first { $0.type == "dimg" && $0.from == item }?.to.first
    if [item, first].contains(where: { properties(of: $0).contains(where: \.hasAlphaChannel) }) {
      return true
    }
    return !alphaItems(of: item).isEmpty
  }

  /// The auxiliary pictures with the transparency of an item.
  func alphaItems(of item: UInt32) -> [UInt32] {
    references.lazy.filter { $0.type == "auxl" && $0.to.contains(item) }.map(\.from).filter {
      properties(of: $0).lazy.compactMap(\.auxiliaryType).contains {
        $0.hasPrefix("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha")
          || $0.hasPrefix("urn:mpeg:hevc:2015:auxid:1")
      }
    }
  }
}

extension HEIFProperty {
  /// The orientation for `irot` or `imir`; nil for other properties.
  var orientation: Orientation? {
    if let rotation { return [.up, .left, .down, .right][rotation] }
    // ISO/IEC 23008-12:2022 §6.5.12: 0 exchanges top and bottom, 1 left and right.
    return mirrorAxis.map { $0 == 0 ? .downMirrored : .upMirrored }
  }

  /// The colour coding in `nclx`; nil for other properties. Luma alone needs no matrix.
  func colorCoding(isMonochrome: Bool) -> HEIFColorCoding? {
    guard let color = codedColor, let range = content.u8(at: 10) else { return nil }
    guard isMonochrome || MatrixCoefficients.isJFIF(color.matrix) else { return .other }
    return range & 0x80 != 0 ? .fullRange : .limitedRange
  }
}
