import CFFmpeg
package import MediaEdits
package import MediaModel

extension Raster {
  /// The picture in another layout, of another size, or both.
  ///
  /// To reduce the size, each pixel becomes a weighted mean of the pixels it covers (Lanczos).
  package consuming func converted(
    to layout: Layout, size: PixelSize? = nil
  ) throws(AudioVideoError) -> Raster {
    let size = size ?? self.size
    guard layout != self.layout || size != self.size else { return self }
    // The planes of a raster have whole chroma already, so that they need not be copied.
    if size == self.size, planes[0].size != size, layout.chromaSubsampling == (1, 1) {
      return try convertedWithWholeChroma(to: layout)
    }
    guard var target = Raster(size: size, layout: layout) else {
      throw AudioVideoError(reason: .unsupported, detail: "\(size.width) × \(size.height) pixels")
    }
    let filter = size == self.size ? shoebox_bicubic() : shoebox_lanczos()
    let source = self
    var failure: AudioVideoError?
    unsafe source.withPlanes { planes in
      do throws(AudioVideoError) {
        try unsafe target.fill(from: PixelSource(source, planes: planes), filter: filter)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return target
  }

  /// A picture with an odd side in another layout. Its chroma extends beyond the edge, where libswscale would stretch less of
  /// it over the picture.
  private consuming func convertedWithWholeChroma(
    to layout: Layout
  ) throws(AudioVideoError) -> Raster {
    let part = CropRect(x: 0, y: 0, width: size.width, height: size.height)
    guard var whole = Raster(size: planes[0].size, layout: self.layout) else {
      throw AudioVideoError(reason: .unsupported, detail: "\(part.width) × \(part.height) pixels")
    }
    whole.planes = planes
    guard let found = try whole.converted(to: layout).cropped(part) else {
      throw AudioVideoError(reason: .unsupported, detail: "Pixels of this format")
    }
    return found
  }

  /// A part of the picture; nil if it is not wholly inside or would begin between two chroma samples.
  package func cropped(_ part: CropRect) -> Raster? {
    let step = layout.chromaSubsampling
    guard part.x >= 0, part.y >= 0, part.width > 0, part.height > 0,
      part.width <= size.width - part.x, part.height <= size.height - part.y,
      part.x % step.x == 0, part.y % step.y == 0,
      var target = Raster(
        size: PixelSize(width: part.width, height: part.height), layout: layout)
    else { return nil }
    for index in planes.indices {
      let source = planes[index]
      let (x, y) = index == 0 ? (part.x, part.y) : (part.x / step.x, part.y / step.y)
      let (rows, row) = (target.planes[index].size.height, target.planes[index].bytesPerRow)
      var bytes: [UInt8] = []
      bytes.reserveCapacity(rows * row + Raster.scalingMargin)
      for line in y..<(y + rows) {
        let start = line * source.bytesPerRow + x * source.bytesPerPixel
        bytes += source.bytes[start..<(start + row)]
      }
      target.planes[index].bytes = bytes
    }
    return target
  }

  /// The picture on a larger transparent canvas; nil if it does not fit.
  package consuming func placed(
    on canvas: PixelSize, x: Int, y: Int
  ) throws(AudioVideoError) -> Raster? {
    let picture = try converted(to: .rgba8)
    guard x >= 0, y >= 0, picture.size.width <= canvas.width - x,
      picture.size.height <= canvas.height - y, var target = Raster(size: canvas, layout: .rgba8)
    else { return nil }
    target.place(picture, x: x, y: y)
    return target
  }

  /// Copies a picture of the same layout into this one; pixels beyond the edges are left out.
  ///
  /// - Parameters:
  ///   - x: from the left edge, a multiple of the chroma subsampling.
  ///   - y: from the top edge, likewise.
  package mutating func place(_ part: Raster, x: Int, y: Int) {
    guard part.layout == layout, x >= 0, y >= 0 else { return }
    for index in planes.indices {
      let source = part.planes[index]
      let step = index == 0 ? (x: 1, y: 1) : layout.chromaSubsampling
      let (left, top) = (x / step.x, y / step.y)
      let (row, whole) = (source.bytesPerRow, planes[index].bytesPerRow)
      let count = min(row, whole - left * source.bytesPerPixel)
      let lines = min(source.size.height, planes[index].size.height - top)
      guard count > 0, lines > 0 else { continue }
      for line in 0..<lines {
        let start = (top + line) * whole + left * source.bytesPerPixel
        planes[index].bytes.replaceSubrange(
          start..<(start + count), with: source.bytes[(line * row)..<(line * row + count)])
      }
    }
  }
}
