import CFFmpeg
package import MediaEdits
import MediaModel

/// Makes a table of colours from high dynamic range to sRGB, in the order of FFmpeg's filter `haldclut`, for ITU-T H.273
/// numbers of a transfer function and of primaries, which may be unknown. Nil for other transfer functions.
package typealias ToneTable = @Sendable (_ transfer: Int, _ primaries: Int?) -> Raster?

/// The meaning of a video's sample values (ITU-T H.273), in FFmpeg's numbers.
struct VideoColor: Hashable {
  var primaries: AVColorPrimaries
  var transfer: AVColorTransferCharacteristic
  var matrix: AVColorSpace
  var isFullRange: Bool

  static let bt709 = VideoColor(
    primaries: AVCOL_PRI_BT709, transfer: AVCOL_TRC_BT709, matrix: AVCOL_SPC_BT709,
    isFullRange: false)

  static func == (a: VideoColor, b: VideoColor) -> Bool {
    a.primaries == b.primaries && a.transfer == b.transfer && a.matrix == b.matrix
      && a.isFullRange == b.isFullRange
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(primaries.rawValue)
    hasher.combine(transfer.rawValue)
    hasher.combine(matrix.rawValue)
    hasher.combine(isFullRange)
  }

  /// Whether the transfer function is one of high dynamic range.
  var isHighDynamicRange: Bool {
    [AVCOL_TRC_SMPTE2084, AVCOL_TRC_ARIB_STD_B67].contains(transfer)
  }

  /// Whether the colours exceed BT.709's, so that they would look dull if taken for BT.709.
  var isWideGamut: Bool {
    [AVCOL_PRI_BT2020, AVCOL_PRI_SMPTE431, AVCOL_PRI_SMPTE432].contains(primaries)
  }

  /// The table that converts these colours to sRGB.
  func table(_ make: ToneTable) -> Raster? {
    make(
      Int(transfer.rawValue),
      primaries == AVCOL_PRI_UNSPECIFIED ? nil : Int(primaries.rawValue))
  }

  private var saysNothing: Bool {
    primaries == AVCOL_PRI_UNSPECIFIED && transfer == AVCOL_TRC_UNSPECIFIED
      && matrix == AVCOL_SPC_UNSPECIFIED
  }

  /// The meaning of a result's sample values if it has the same values at another size.
  ///
  /// Players take untagged video for BT.601 or BT.709 by its height. If a reduction would change that, the
  /// result is tagged with the source's meaning.
  func kept(from source: PixelSize, to target: PixelSize) -> VideoColor {
    var color = self
    color.isFullRange = false
    if matrix == AVCOL_SPC_RGB { return .bt709 }
    if saysNothing, source.isHighDefinition, !target.isHighDefinition { return .bt709 }
    return color
  }
}

extension PixelSize {
  /// By the shorter side, which is the height in either orientation.
  fileprivate var isHighDefinition: Bool { min(width, height) >= 720 }
}

extension VideoColor {
  init(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
    unsafe primaries = parameters.pointee.color_primaries
    unsafe transfer = parameters.pointee.color_trc
    let (range, format) = unsafe (parameters.pointee.color_range, parameters.pointee.format)
    // Few decoders of RGB set the matrix to RGB.
    unsafe matrix =
      Self.isRGB(AVPixelFormat(rawValue: format))
      ? AVCOL_SPC_RGB : parameters.pointee.color_space
    let fullRangeFormats = [
      AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P,
      AV_PIX_FMT_YUVJ411P,
    ]
    isFullRange =
      range == AVCOL_RANGE_JPEG || fullRangeFormats.contains { $0.rawValue == format }
  }

  /// Whether pixels are RGB, or indexes into a palette of RGB.
  private static func isRGB(_ format: AVPixelFormat) -> Bool {
    guard let description = unsafe av_pix_fmt_desc_get(format) else { return false }
    let flags = unsafe description.pointee.flags
    return flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) != 0
  }

  /// The input options for libzimg. They override the frames' own tags: some frames have none, and libzimg
  /// refuses to guess.
  var zimgInput: String {
    let primaries =
      self.primaries == AVCOL_PRI_UNSPECIFIED
      ? (isHighDynamicRange ? AVCOL_PRI_BT2020 : AVCOL_PRI_BT709) : self.primaries
    let known = [AVCOL_SPC_BT709, AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M]
    let matrix =
      known.contains(self.matrix)
      ? self.matrix : isHighDynamicRange ? AVCOL_SPC_BT2020_NCL : AVCOL_SPC_BT709
    let transfer = self.transfer == AVCOL_TRC_UNSPECIFIED ? AVCOL_TRC_BT709 : self.transfer
    let names = unsafe [
      ("pin", av_color_primaries_name(primaries)), ("tin", av_color_transfer_name(transfer)),
      ("min", av_color_space_name(matrix)),
    ]
    let options = unsafe names.compactMap { option, name in
      unsafe name.map { unsafe option + "=" + String(cString: $0) }
    }
    return (options + ["rin=" + (isFullRange ? "full" : "limited")]).joined(separator: ":")
  }
}
