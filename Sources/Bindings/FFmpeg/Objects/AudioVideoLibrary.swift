import CFFmpeg

/// The version and features of this build's FFmpeg, for `shoebox doctor`.
package enum AudioVideoLibrary {
  /// `5.1.9-0+deb12u1`.
  package static var version: String { unsafe String(cString: av_version_info()) }

  /// The available decoders among those that matter here, by FFmpeg's codec name.
  package static var decoders: [String] {
    ["hevc", "h264", "av1", "vp9", "prores", "mjpeg", "aac", "opus"].filter { name in
      guard let descriptor = unsafe avcodec_descriptor_get_by_name(name) else { return false }
      return unsafe avcodec_find_decoder(descriptor.pointee.id) != nil
    }
  }

  /// The available encoders among those that matter here, by FFmpeg's encoder name.
  package static var encoders: [String] {
    ["libx264", "libx265", "aac", "prores_ks", "png"].filter {
      unsafe avcodec_find_encoder_by_name($0) != nil
    }
  }

  /// The available filters among those that some builds lack, by FFmpeg's name.
  package static var filters: [String] {
    ["zscale", "haldclut", "bwdif"].filter { unsafe avfilter_get_by_name($0) != nil }
  }

  /// Whether its decoder of JPEG 2000 knows the block coder of ISO/IEC 15444-15: FFmpeg 7 and later.
  package static var canDecodeHighThroughput: Bool { avcodec_version() >> 16 >= 61 }

  /// Stops FFmpeg from writing to standard error, once for the process.
  static let isSilent: Bool = {
    av_log_set_level(AV_LOG_QUIET)
    return true
  }()
}
