import CFFmpeg
import MediaEdits
import MediaModel

// Conversion of decoded frames to rasters, by libswscale.

extension Raster {
  /// The still picture in a frame, in the layout that loses nothing: grey, more than 8 bits and transparency
  /// are kept; planes are kept if their matrix is JFIF's, and become RGB otherwise.
  ///
  /// - Parameter isLimited: whether to assume limited range (16–235) if the frame does not specify it.
  init(frame: UnsafePointer<AVFrame>, isLimited: Bool) throws(AudioVideoError) {
    let format = AVPixelFormat(rawValue: unsafe frame.pointee.format)
    guard let description = unsafe av_pix_fmt_desc_get(format) else {
      throw AudioVideoError(reason: .unsupported, detail: "Unknown pixel format")
    }
    let size = PixelSize(
      width: Int(unsafe frame.pointee.width), height: Int(unsafe frame.pointee.height))
    let layout = unsafe Layout(planesOf: frame) ?? Layout(description.pointee)
    guard let target = Raster(size: size, layout: layout) else {
      throw AudioVideoError(reason: .unsupported, detail: "\(size.width) × \(size.height) pixels")
    }
    self = target
    var source = unsafe PixelSource(frame)
    if unsafe frame.pointee.color_range == AVCOL_RANGE_UNSPECIFIED {
      unsafe source.isFullRange = !isLimited
    }
    try unsafe fill(from: source, filter: shoebox_bicubic())
  }
}

extension Raster.Layout {
  /// The layout for planes that need at most a range conversion; nil for others.
  fileprivate init?(planesOf frame: UnsafePointer<AVFrame>) {
    guard unsafe MatrixCoefficients.isJFIF(Int(frame.pointee.colorspace.rawValue)) else {
      return nil
    }
    switch AVPixelFormat(rawValue: unsafe frame.pointee.format) {
    case AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P: self = .yuv420
    case AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUVJ422P: self = .yuv422
    case AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUVJ444P: self = .yuv444
    default: return nil
    }
  }

  /// The layout for frames of a pixel format.
  fileprivate init(_ description: AVPixFmtDescriptor) {
    let flags = unsafe description.flags
    let hasPalette = flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0
    let channels = unsafe description.nb_components
    let isColored = flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0 || channels > 2
    let hasAlpha = flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
    let isDeep = unsafe description.comp.0.depth > 8
    switch (isColored || hasPalette, hasAlpha, isDeep) {
    case (_, true, false): self = .rgba8
    case (_, true, true): self = .rgba16
    case (true, false, false): self = .rgb8
    case (true, false, true): self = .rgb16
    case (false, false, false): self = .gray8
    case (false, false, true): self = .gray16
    }
  }

  /// FFmpeg's name for the layout.
  var pixelFormat: AVPixelFormat {
    switch self {
    case .gray8: AV_PIX_FMT_GRAY8
    case .gray16: AV_PIX_FMT_GRAY16LE
    case .rgb8: AV_PIX_FMT_RGB24
    case .rgba8: AV_PIX_FMT_RGBA
    case .rgb16: AV_PIX_FMT_RGB48LE
    case .rgba16: AV_PIX_FMT_RGBA64LE
    case .yuv420: AV_PIX_FMT_YUVJ420P
    case .yuv422: AV_PIX_FMT_YUVJ422P
    case .yuv444: AV_PIX_FMT_YUVJ444P
    }
  }
}
