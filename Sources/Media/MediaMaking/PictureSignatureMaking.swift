import MediaEdits
import MediaModel

extension PictureSignature {
  /// The signature of an upright picture in sRGB, with 8 bits a sample and no transparency; nil for others.
  init?(_ raster: Raster) {
    let colorCount = 2 * Self.colorSide * Self.colorSide
    switch raster.layout {
    case .yuv420, .yuv422, .yuv444:
      let planes = raster.planes
      guard planes.count == 3 else { return nil }
      // The luma plane may be wider than the picture.
      self.init(
        size: raster.size,
        grey: planes[0].averages(side: Self.side, of: raster.size).map(\.asByte),
        colors: planes[1...].flatMap { $0.averages(side: Self.colorSide, of: $0.size) }
          .map(\.asByte))
    case .gray8:
      self.init(
        size: raster.size,
        grey: raster.planes[0].averages(side: Self.side, of: raster.size).map(\.asByte),
        colors: [UInt8](repeating: 128, count: colorCount))
    case .rgb8:
      let plane = raster.planes[0]
      func channels(_ side: Int) -> [[Float]] {
        (0..<3).map { plane.averages(side: side, of: raster.size, channel: $0) }
      }
      let (grey, few) = (channels(Self.side), channels(Self.colorSide))
      // JFIF's matrix, that of ITU-R BT.601.
      func luma(_ red: Float, _ green: Float, _ blue: Float) -> Float {
        0.299 * red + 0.587 * green + 0.114 * blue
      }
      let fewLuma = few[0].indices.map { luma(few[0][$0], few[1][$0], few[2][$0]) }
      self.init(
        size: raster.size,
        grey: grey[0].indices.map { luma(grey[0][$0], grey[1][$0], grey[2][$0]).asByte },
        colors: fewLuma.indices.map { (128 + (few[2][$0] - fewLuma[$0]) / 1.772).asByte }
          + fewLuma.indices.map { (128 + (few[0][$0] - fewLuma[$0]) / 1.402).asByte })
    case .gray16, .rgba8, .rgb16, .rgba16: return nil
    }
  }
}

extension Float {
  /// Rounded, within 0 to 255.
  fileprivate var asByte: UInt8 { UInt8(Swift.min(Swift.max(rounded(), 0), 255)) }
}

extension Raster.Plane {
  /// The means of the cells of a grid, in rows. Samples at the edges of cells count by their shares.
  ///
  /// - Parameters:
  ///   - side: rows and columns of the grid.
  ///   - area: the part of the plane to cover, from its upper left corner.
  ///   - channel: which of the samples of a pixel.
  fileprivate func averages(side: Int, of area: PixelSize, channel: Int = 0) -> [Float] {
    let (width, height) = (min(area.width, size.width), min(area.height, size.height))
    guard width > 0, height > 0 else { return [] }
    var line = [Float](repeating: 0, count: width)
    var rows: [[Float]] = []
    for row in 0..<height {
      let start = row * bytesPerRow + channel
      for column in 0..<width { line[column] = Float(bytes[start + column * bytesPerPixel]) }
      rows.append(Self.means(of: line, cells: side))
    }
    // The same over the rows, for each column of cells.
    var result = [Float](repeating: 0, count: side * side)
    for cell in 0..<side {
      let means = Self.means(of: rows.map { $0[cell] }, cells: side)
      for (index, mean) in means.enumerated() { result[index * side + cell] = mean }
    }
    return result
  }

  /// The means of equal parts of a line.
  private static func means(of line: [Float], cells: Int) -> [Float] {
    var sums: [Float] = [0]
    sums.reserveCapacity(line.count + 1)
    var total: Float = 0
    for value in line {
      total += value
      sums.append(total)
    }
    let step = Float(line.count) / Float(cells)
    /// The sum of the samples up to a place between them.
    func sum(to place: Float) -> Float {
      let whole = min(Int(place), line.count - 1)
      return sums[whole] + (place - Float(whole)) * line[whole]
    }
    return (0..<cells).map { cell in
      (sum(to: Float(cell + 1) * step) - sum(to: Float(cell) * step)) / step
    }
  }
}
