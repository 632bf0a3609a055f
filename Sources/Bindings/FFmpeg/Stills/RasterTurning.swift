import CFFmpeg
package import MediaEdits
package import MediaModel

extension Raster {
  /// The picture turned by an EXIF orientation. Subsampled chroma cannot be turned exactly if the number of
  /// columns or rows is odd; check ``canTurn(_:)`` first.
  package consuming func turned(_ orientation: Orientation) throws(AudioVideoError) -> Raster {
    guard orientation != .up else { return self }
    guard var target = Raster(size: orientation.upright(size), layout: layout) else {
      throw AudioVideoError(reason: .unsupported, detail: "\(size.width) × \(size.height) pixels")
    }
    for index in planes.indices {
      let source = planes[index]
      let placement = Placement(of: source.size, turned: orientation)
      switch source.bytesPerPixel {
      case 1: placement.place(source, as: UInt8.self, into: &target.planes[index])
      case 2: placement.place(source, as: UInt16.self, into: &target.planes[index])
      case 3: placement.place(source, as: Triple<UInt8>.self, into: &target.planes[index])
      case 4: placement.place(source, as: UInt32.self, into: &target.planes[index])
      case 6: placement.place(source, as: Triple<UInt16>.self, into: &target.planes[index])
      default: placement.place(source, as: UInt64.self, into: &target.planes[index])
      }
    }
    return target
  }

  /// Whether the picture can be turned exactly.
  package func canTurn(_ orientation: Orientation) -> Bool {
    let step = layout.chromaSubsampling
    guard orientation != .up, step.x > 1 else { return true }
    return step.x == step.y && size.width % step.x == 0 && size.height % step.y == 0
  }
}

/// Three samples of one pixel.
private struct Triple<Sample: BitwiseCopyable>: BitwiseCopyable {
  var first: Sample
  var second: Sample
  var third: Sample
}

/// Maps the pixels of a stored plane to their places in the upright one.
struct Placement {
  /// The place of the stored plane's upper left pixel.
  let start: Int
  /// The distance between the places of adjacent stored columns, and of adjacent stored rows.
  let stepX: Int
  let stepY: Int

  /// - Parameter stored: the size of the whole plane.
  init(of stored: PixelSize, turned orientation: Orientation) {
    let turning = orientation.turning
    let upright = orientation.upright(stored)
    let across = turning.mirrorsX ? -1 : 1
    let down = turning.mirrorsY ? -upright.width : upright.width
    (stepX, stepY) = turning.swapsAxes ? (down, across) : (across, down)
    start =
      (turning.mirrorsX ? upright.width - 1 : 0)
      + (turning.mirrorsY ? (upright.height - 1) * upright.width : 0)
  }

  /// Copies a whole plane; both planes must have the size that this placement was made for.
  fileprivate func place<Pixel: BitwiseCopyable>(
    _ source: Raster.Plane, as type: Pixel.Type, into target: inout Raster.Plane
  ) {
    unsafe source.bytes.withUnsafeBytes { from in
      unsafe target.bytes.withUnsafeMutableBytes { to in
        let from = unsafe from.assumingMemoryBound(to: Pixel.self)
        let to = unsafe to.assumingMemoryBound(to: Pixel.self)
        guard let from = from.baseAddress, let to = to.baseAddress else { return }
        unsafe place(
          from, stride: source.size.width, size: source.size, at: (0, 0), into: to)
      }
    }
  }

  /// Copies a rectangle of a stored plane.
  ///
  /// - Parameters:
  ///   - source: the rectangle's first pixel.
  ///   - stride: pixels from one of its rows to the next.
  ///   - position: its upper left corner in the stored plane; the rectangle must be inside.
  ///   - target: the first pixel of the whole upright plane.
  func place<Pixel: BitwiseCopyable>(
    _ source: UnsafePointer<Pixel>, stride: Int, size: PixelSize, at position: (x: Int, y: Int),
    into target: UnsafeMutablePointer<Pixel>
  ) {
    let origin = unsafe target + (start + position.x * stepX + position.y * stepY)
    if stepX == 1 {
      for row in 0..<size.height {
        unsafe (origin + row * stepY).update(from: source + row * stride, count: size.width)
      }
      return
    }
    guard Pixel.self == UInt8.self, stepY.magnitude == 1 else {
      unsafe place(source, stride, (0..<size.height, 0..<size.width), origin)
      return
    }
    let side = ByteSquare.side
    let (rows, columns) = (size.height / side * side, size.width / side * side)
    unsafe placeSquares(
      UnsafeRawPointer(source), stride, PixelSize(width: columns, height: rows),
      UnsafeMutableRawPointer(origin))
    unsafe place(source, stride, (rows..<size.height, 0..<columns), origin)
    unsafe place(source, stride, (0..<size.height, columns..<size.width), origin)
  }

  /// Copies a part of a rectangle pixel by pixel.
  ///
  /// - Parameters:
  ///   - source: the rectangle's first pixel.
  ///   - origin: the place of this pixel.
  private func place<Pixel: BitwiseCopyable>(
    _ source: UnsafePointer<Pixel>, _ stride: Int, _ part: (rows: Range<Int>, columns: Range<Int>),
    _ origin: UnsafeMutablePointer<Pixel>
  ) {
    // In blocks, so that both sides stay within a few cache lines.
    let block = 16
    for top in Swift.stride(from: part.rows.lowerBound, to: part.rows.upperBound, by: block) {
      let bottom = min(top + block, part.rows.upperBound)
      let columns = part.columns
      for left in Swift.stride(from: columns.lowerBound, to: columns.upperBound, by: block) {
        for column in left..<min(left + block, columns.upperBound) {
          var from = unsafe source + (top * stride + column)
          var to = unsafe origin + (top * stepY + column * stepX)
          for _ in top..<bottom {
            unsafe to.pointee = from.pointee
            unsafe from += stride
            unsafe to += stepY
          }
        }
      }
    }
  }

  /// Copies a rectangle of bytes, whose sides are multiples of a square's, where columns become rows.
  private func placeSquares(
    _ source: UnsafeRawPointer, _ stride: Int, _ size: PixelSize,
    _ origin: UnsafeMutableRawPointer
  ) {
    let side = ByteSquare.side
    // Squares that shall be mirrored are read from their last row upwards.
    let (first, down) = stepY < 0 ? (side - 1, -stride) : (0, stride)
    // Each column of squares writes to eight rows of the target, which are in eight pages of memory. The higher it is, the
    // less often the processor changes between them; the lines of this many rows of the source are still in its cache
    // when the next column comes.
    let height = 512
    for top in Swift.stride(from: 0, to: size.height, by: height) {
      let bottom = min(top + height, size.height)
      for left in Swift.stride(from: 0, to: size.width, by: side) {
        for row in Swift.stride(from: top, to: bottom, by: side) {
          var square = unsafe ByteSquare(
            at: source + ((row + first) * stride + left), stride: down)
          square.transpose()
          unsafe square.write(
            to: origin + (left * stepX + (row + first) * stepY), stride: stepX)
        }
      }
    }
  }
}
