import CFFmpeg
import MediaEdits
import MediaModel

extension VideoEncoding {
  var encoderName: String {
    switch codec {
    case .h264: "libx264"
    case .hevc: "libx265"
    case .proRes422, .proRes4444: "prores_ks"
    }
  }

  /// FFmpeg's name of the encoder's input format.
  func pixelFormat(hasAlpha: Bool) -> String {
    switch codec {
    case .h264: "yuv420p"
    case .hevc: keepsDynamicRange ? "yuv420p10le" : "yuv420p"
    case .proRes422: "yuv422p10le"
    case .proRes4444: hasAlpha ? "yuva444p10le" : "yuv444p10le"
    }
  }

  /// The encoder's private options.
  ///
  /// - Parameter display: the mastering display, if known.
  func options(threads: Int, display: MasteringDisplay?) -> [(key: String, value: String)] {
    let crf = quality.map { [("crf", "\($0)")] } ?? []
    switch codec {
    case .h264: return [("preset", speed)] + crf
    case .hevc:
      // libx265 would use every core and write to standard error.
      var own = ["log-level=-1", "pools=\(threads)"] + (display?.parameters ?? [])
      // libx265's cutree (as of 3.5) writes four numbers at once, one for each 16 pixels of a row, and writes
      // out of bounds if there are fewer.
      if size.width < 64 { own.append("cutree=0") }
      return [("preset", speed), ("x265-params", own.joined(separator: ":"))] + crf
    case .proRes422: return [("profile", "standard"), ("vendor", "apl0")]
    case .proRes4444: return [("profile", "4444"), ("vendor", "apl0")]
    }
  }
}

extension TrackEncoder {
  /// An open encoder for the output of a filter graph.
  static func video(
    _ encoding: VideoEncoding, _ graph: FilterGraph, color: VideoColor, threads: Int,
    display: MasteringDisplay?
  ) throws -> TrackEncoder {
    let encoder = try TrackEncoder(encoding.encoderName, threads: threads)
    let context = unsafe encoder.context
    let sink = unsafe graph.sink
    unsafe context.pointee.width = av_buffersink_get_w(sink)
    unsafe context.pointee.height = av_buffersink_get_h(sink)
    unsafe context.pointee.pix_fmt = AVPixelFormat(rawValue: av_buffersink_get_format(sink))
    unsafe context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
    // The source's own time base, so that timestamps stay exact.
    unsafe context.pointee.time_base = graph.timeBase
    let rate = unsafe av_buffersink_get_frame_rate(sink)
    // Containers without a frame rate report absurd ones; encoders choose levels by the rate.
    unsafe context.pointee.framerate =
      (rate.value ?? 0) > 0 && (rate.value ?? 0) <= 480 ? rate : AVRational(num: 30, den: 1)
    unsafe context.pointee.color_primaries = color.primaries
    unsafe context.pointee.color_trc = color.transfer
    unsafe context.pointee.colorspace = color.matrix
    unsafe context.pointee.color_range = AVCOL_RANGE_MPEG
    if let interval = encoding.keyFrameInterval {
      unsafe context.pointee.gop_size = Int32(clamping: interval)
    }
    if let limit = encoding.maxBitRate {
      unsafe context.pointee.rc_max_rate = Int64(limit)
      unsafe context.pointee.rc_buffer_size = Int32(clamping: limit * 2)
    }
    if encoding.codec == .hevc { unsafe context.pointee.codec_tag = fourCharacterCode("hvc1") }
    try encoder.open(encoding.options(threads: threads, display: display))
    return encoder
  }
}

/// A sample entry's type as FFmpeg stores it: the first character in the lowest byte.
func fourCharacterCode(_ text: String) -> UInt32 {
  text.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
}
