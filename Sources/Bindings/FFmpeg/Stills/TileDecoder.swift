import CFFmpeg
package import MediaEdits
package import MediaModel

/// Decodes the HEVC tiles of one HEIF picture into one upright picture.
///
/// One decoder stays open for all tiles. Each tile's planes are turned while they are copied to their final
/// place. Input that cannot be converted exactly is refused before or with the first tile: anything but
/// 8-bit YCbCr 4:2:0 with the matrix that JFIF uses, or grey, in full or in limited range.
@safe package struct TileDecoder: ~Copyable {
  private let codec: StillCodec
  private let stored: PixelSize
  private let orientation: Orientation
  /// Whether the container specifies limited range; nil if it specifies none.
  private let promisedLimit: Bool?
  /// Whether the tiles so far have limited range; nil before the first one.
  private var isLimited: Bool?
  /// Has memory that is not initialized where no tile was copied to.
  private var raster: Raster
  /// The number of pixels that tiles were copied to.
  private var filled = 0

  /// - Parameters:
  ///   - configuration: the contents of the `hvcC` property.
  ///   - size: of the whole picture as stored.
  ///   - isMonochrome: whether the tiles are grey.
  ///   - isLimited: whether the container specifies limited range (16–235) rather than full range (0–255),
  ///     with JFIF's matrix; nil if the tiles have to specify it.
  package init(
    configuration: [UInt8], size: PixelSize, isMonochrome: Bool, orientation: Orientation,
    isLimited: Bool?
  ) throws(AudioVideoError) {
    let layout: Raster.Layout = isMonochrome ? .gray8 : .yuv420
    let unfilled = Raster(size: orientation.upright(size), layout: layout) { count in
      unsafe [UInt8](unsafeUninitializedCapacity: count) { $1 = count }
    }
    guard let raster = unfilled, raster.canTurn(orientation) else {
      throw AudioVideoError(reason: .unsupported, detail: "\(size.width) × \(size.height) pixels")
    }
    codec = try StillCodec(AV_CODEC_ID_HEVC, configuration: configuration)
    stored = size
    self.orientation = orientation
    promisedLimit = isLimited
    self.raster = raster
  }

  /// Decodes one tile and copies it to its place.
  ///
  /// - Parameters:
  ///   - tile: the item's bytes.
  ///   - position: the tile's upper left corner in the stored picture, even numbers, another one for each tile of a grid;
  ///     pixels beyond the picture's right and lower edge are left out.
  ///   - size: the tile's size according to the container.
  package mutating func decode(
    _ tile: [UInt8], at position: (x: Int, y: Int), size: PixelSize
  ) throws(AudioVideoError) {
    try codec.decode(tile)
    let frame = unsafe codec.frame
    guard unsafe frame.pointee.width >= size.width, unsafe frame.pointee.height >= size.height,
      let isLimited = unsafe isLimited(frame), isLimited == self.isLimited ?? isLimited,
      position.x % 2 == 0, position.y % 2 == 0
    else { throw AudioVideoError(reason: .unsupported, detail: "Tiles of this format") }
    self.isLimited = isLimited
    let planes = unsafe [frame.pointee.data.0, frame.pointee.data.1, frame.pointee.data.2]
    let strides = unsafe [
      frame.pointee.linesize.0, frame.pointee.linesize.1, frame.pointee.linesize.2,
    ]
    let whole = raster.layout.planeSizes(stored)
    let available = unsafe raster.layout.planeSizes(
      PixelSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height)))
    let part = raster.layout.planeSizes(size)
    for index in whole.indices {
      let step = index == 0 ? 1 : 2
      let (x, y) = (position.x / step, position.y / step)
      let visible = PixelSize(
        width: min(part[index].width, available[index].width, whole[index].width - x),
        height: min(part[index].height, available[index].height, whole[index].height - y))
      guard let plane = unsafe planes[index], strides[index] > 0, visible.width > 0,
        visible.height > 0
      else { continue }
      if index == 0 { filled += visible.width * visible.height }
      let placement = Placement(of: whole[index], turned: orientation)
      unsafe raster.planes[index].bytes.withUnsafeMutableBufferPointer { target in
        guard let target = target.baseAddress else { return }
        unsafe placement.place(
          UnsafePointer(plane), stride: Int(strides[index]), size: visible, at: (x, y),
          into: target)
      }
    }
  }

  /// Whether a tile has limited range; nil for other formats and matrices.
  private func isLimited(_ frame: UnsafePointer<AVFrame>) -> Bool? {
    let format = unsafe AVPixelFormat(rawValue: frame.pointee.format)
    let isGray = raster.layout.isGray
    guard
      isGray
        ? format == AV_PIX_FMT_GRAY8 : [AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUV420P].contains(format)
    else { return nil }
    if let promisedLimit { return promisedLimit }
    // Grey has no matrix.
    guard unsafe isGray || MatrixCoefficients.isJFIF(Int(frame.pointee.colorspace.rawValue)) else {
      return nil
    }
    // Full range is the default (MIAF §7.3.6.4).
    return unsafe frame.pointee.color_range == AVCOL_RANGE_MPEG
  }

  /// The upright picture, in full range.
  ///
  /// - Throws: if tiles are missing.
  package consuming func finish() throws(AudioVideoError) -> Raster {
    let luma = raster.planes[0].size
    guard filled == luma.width * luma.height else {
      throw AudioVideoError(reason: .damaged, detail: "Tiles are missing")
    }
    var whole = raster
    if isLimited == true { whole.stretchRange() }
    return whole
  }
}

extension Raster {
  /// Stretches 8-bit YCbCr of limited range to full range (ITU-T H.273 §8.3: luma 16–235, chroma 16–240).
  fileprivate mutating func stretchRange() {
    func table(from first: Int, span: Int, to middle: Int) -> [UInt8] {
      (0...255).map { value in
        let scaled = (value - first) * 255 * 2 + ((value >= first) ? span : -span)
        return UInt8(clamping: scaled / (2 * span) + middle)
      }
    }
    let luma = table(from: 16, span: 219, to: 0)
    let chroma = table(from: 128, span: 224, to: 128)
    for index in planes.indices {
      let table = index == 0 ? luma : chroma
      unsafe planes[index].bytes.withUnsafeMutableBufferPointer { bytes in
        for position in bytes.indices { unsafe bytes[position] = table[Int(bytes[position])] }
      }
    }
  }
}
