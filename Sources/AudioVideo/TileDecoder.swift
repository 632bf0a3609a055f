import CFFmpeg
package import MediaModel

/// Decodes the HEVC tiles of one HEIF picture into one upright picture.
///
/// One decoder stays open for all tiles, and each tile's planes go straight to where they are seen,
/// turned on the way. What this cannot do exactly it refuses before or with the first tile: anything but
/// 8-bit YCbCr 4:2:0 in full range with the matrix that JFIF uses.
@safe package struct TileDecoder: ~Copyable {
  private let codec: StillCodec
  private let stored: PixelSize
  private let orientation: Orientation
  private let isKnownToBeJFIF: Bool
  private var raster: Raster

  /// - Parameters:
  ///   - configuration: what the `hvcC` property holds.
  ///   - size: of the whole picture as stored.
  ///   - isKnownToBeJFIF: whether the container says that the colours are stored as in a JPEG; else the
  ///     tiles themselves have to.
  package init(
    configuration: [UInt8], size: PixelSize, orientation: Orientation, isKnownToBeJFIF: Bool
  ) throws(AudioVideoError) {
    guard let raster = Raster(size: orientation.upright(size), layout: .yuv420),
      raster.canTurn(orientation)
    else {
      throw AudioVideoError(reason: .unsupported, detail: "\(size.width) × \(size.height) pixels")
    }
    codec = try StillCodec(AV_CODEC_ID_HEVC, configuration: configuration)
    stored = size
    self.orientation = orientation
    self.isKnownToBeJFIF = isKnownToBeJFIF
    self.raster = raster
  }

  /// Decodes one tile, and puts it to its place.
  ///
  /// - Parameters:
  ///   - tile: the item's bytes.
  ///   - position: of its upper left corner in the stored picture, even numbers; what lies beyond the
  ///     picture's right and lower edge is left out.
  ///   - size: what the container says that the tile has.
  package mutating func decode(
    _ tile: [UInt8], at position: (x: Int, y: Int), size: PixelSize
  ) throws(AudioVideoError) {
    try codec.decode(tile)
    let frame = unsafe codec.frame
    guard unsafe frame.pointee.width >= size.width, unsafe frame.pointee.height >= size.height,
      unsafe hasJFIFMeaning(frame), position.x % 2 == 0, position.y % 2 == 0
    else { throw AudioVideoError(reason: .unsupported, detail: "Tiles of this format") }
    let planes = unsafe [frame.pointee.data.0, frame.pointee.data.1, frame.pointee.data.2]
    let strides = unsafe [
      frame.pointee.linesize.0, frame.pointee.linesize.1, frame.pointee.linesize.2,
    ]
    let whole = Raster.Layout.yuv420.planeSizes(stored)
    let available = unsafe Raster.Layout.yuv420.planeSizes(
      PixelSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height)))
    let part = Raster.Layout.yuv420.planeSizes(size)
    for index in 0..<3 {
      let step = index == 0 ? 1 : 2
      let (x, y) = (position.x / step, position.y / step)
      let visible = PixelSize(
        width: min(part[index].width, available[index].width, whole[index].width - x),
        height: min(part[index].height, available[index].height, whole[index].height - y))
      guard let plane = unsafe planes[index], strides[index] > 0, visible.width > 0,
        visible.height > 0
      else { continue }
      let placement = Placement(of: whole[index], turned: orientation)
      unsafe raster.planes[index].bytes.withUnsafeMutableBufferPointer { target in
        guard let target = target.baseAddress else { return }
        unsafe placement.place(
          UnsafePointer(plane), stride: Int(strides[index]), size: visible, at: (x, y),
          into: target)
      }
    }
  }

  private func hasJFIFMeaning(_ frame: UnsafePointer<AVFrame>) -> Bool {
    let format = unsafe AVPixelFormat(rawValue: frame.pointee.format)
    guard format == AV_PIX_FMT_YUVJ420P || format == AV_PIX_FMT_YUV420P else { return false }
    if isKnownToBeJFIF { return true }
    // What neither the container nor the stream tells is full range and BT.601 (MIAF §7.3.6.4).
    let ranges = [AVCOL_RANGE_JPEG, AVCOL_RANGE_UNSPECIFIED]
    let spaces = [AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M, AVCOL_SPC_UNSPECIFIED]
    return unsafe ranges.contains(frame.pointee.color_range)
      && spaces.contains(frame.pointee.colorspace)
  }

  /// The upright picture.
  package consuming func finish() -> Raster { raster }
}
