import CFFmpeg
import MediaEdits
import MediaModel

/// The video frames that a decoder returns, and how to encode them. The filter chain follows from both.
struct VideoFilters {
  /// As coded.
  var size: PixelSize
  var orientation: Orientation
  var color: VideoColor
  var isInterlaced = false
  /// Frames a second, on average.
  var frameRate: Double?
  var encoding: VideoEncoding
  /// FFmpeg's name of the encoder's input format.
  var pixelFormat: String
  /// The selected part in seconds, from 0; nil for everything.
  var length: TimeSpan?
  /// How much wider frames are shown than the track's first ones, at the same height, as where a receiver's recording
  /// changes between 4:3 and 16:9. Their target size is that of the first ones.
  var shapeChange = 1.0

  /// The meaning of the result's sample values.
  var resultColor: VideoColor {
    if !encoding.keepsDynamicRange, color.isHighDynamicRange || color.isWideGamut {
      return .bt709
    }
    return color.kept(from: size, to: encoding.size)
  }

  /// The filters, in order. Filters that reduce the amount of data come before expensive ones.
  var chain: [String] {
    var chain: [String] = []
    if isInterlaced { chain.append("bwdif=mode=send_frame:deint=interlaced") }
    if let length { chain.append("trim=" + length.filterOptions) }
    if let limit = encoding.maxFrameRate, let frameRate, frameRate > limit * 1.01 {
      chain.append("fps=\(limit)")
    }
    chain += scaling
    if !encoding.keepsDynamicRange {
      if color.isHighDynamicRange {
        chain += toneMapping
      } else if color.isWideGamut {
        chain.append("zscale=\(scaledColor.zimgInput):p=bt709:t=bt709:m=bt709:r=limited")
      }
    }
    chain += orientation.filters
    return chain + ["format=" + pixelFormat, "setsar=1"]
  }

  private var scaling: [String] {
    let target =
      orientation.swapsAxes ? encoding.size.transposed : encoding.size
    let picture = letterboxed(target)
    var options: [String] = []
    if picture != size { options.append("w=\(picture.width):h=\(picture.height)") }
    if convertsRange { options.append("in_range=full:out_range=limited") }
    if color.matrix == AVCOL_SPC_RGB { options.append("out_color_matrix=bt709") }
    let bars =
      picture == target
      ? [] : ["pad=\(target.width):\(target.height):(ow-iw)/2:(oh-ih)/2"]
    guard !options.isEmpty else { return bars }
    return ["scale=" + (options + ["flags=bicubic"]).joined(separator: ":")] + bars
  }

  /// The largest size within `target` that shows frames in their shape; `target` if that did not change.
  private func letterboxed(_ target: PixelSize) -> PixelSize {
    guard shapeChange.isFinite, shapeChange > 0.1, shapeChange < 10, abs(shapeChange - 1) > 0.02
    else { return target }
    let even = { (side: Double) in max(2, Int(side / 2 + 0.5) * 2) }
    return shapeChange > 1
      ? PixelSize(
        width: target.width, height: min(target.height, even(Double(target.height) / shapeChange)))
      : PixelSize(
        width: min(target.width, even(Double(target.width) * shapeChange)), height: target.height)
  }

  /// Whether libswscale converts the range. Where libzimg converts the colour, it converts the range too, more
  /// exactly.
  private var convertsRange: Bool {
    color.isFullRange && (encoding.keepsDynamicRange || !color.isHighDynamicRange)
  }

  /// The meaning of the sample values after ``scaling``.
  private var scaledColor: VideoColor {
    var color = color
    if convertsRange { color.isFullRange = false }
    if color.matrix == AVCOL_SPC_RGB { color.matrix = AVCOL_SPC_BT709 }
    return color
  }

  /// From HLG or PQ to BT.709: to RGB, by a table of colours, and back. The table has the curve of stills, so that a clip
  /// looks like its picture. In planes of integers, FFmpeg 5.1's `haldclut` exchanges colours.
  private var toneMapping: [String] {
    [
      "zscale=\(scaledColor.zimgInput):m=gbr:r=full", "format=gbrpf32le", FilterGraph.tableFilter,
      "zscale=pin=bt709:tin=bt709:min=gbr:rin=full:p=bt709:t=bt709:m=bt709:r=limited",
    ]
  }

  /// Whether the chain needs a table of colours.
  var mapsTones: Bool { !encoding.keepsDynamicRange && color.isHighDynamicRange }
}

extension TimeSpan {
  /// The options for the filters `trim` and `atrim`.
  var filterOptions: String {
    "start=\(start)" + (end.map { ":end=\($0)" } ?? "")
  }
}

extension Orientation {
  /// The filters that turn stored pixels upright.
  fileprivate var filters: [String] {
    switch self {
    case .up: []
    case .upMirrored: ["hflip"]
    case .down: ["hflip", "vflip"]
    case .downMirrored: ["vflip"]
    case .leftMirrored: ["transpose=cclock_flip"]
    case .right: ["transpose=clock"]
    case .rightMirrored: ["transpose=clock_flip"]
    case .left: ["transpose=cclock"]
    }
  }
}
