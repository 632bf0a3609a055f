import MediaEdits
import MediaModel
import Presets

// What planning knows of codecs and containers: how they are called, and what fits into what.

extension VideoEncoding.Codec {
  var name: String {
    switch self {
    case .h264: "H.264"
    case .hevc: "HEVC"
    case .proRes422: "ProRes 422"
    case .proRes4444: "ProRes 4444"
    }
  }

  /// The pixel formats that every decoder of the codec takes, and the full-range twin.
  var commonFormats: Set<String> {
    switch self {
    case .h264: ["yuv420p", "yuvj420p"]
    case .hevc: ["yuv420p", "yuvj420p", "yuv420p10le"]
    case .proRes422: ["yuv422p10le"]
    case .proRes4444: ["yuv444p10le", "yuv444p12le", "yuva444p10le", "yuva444p12le"]
    }
  }
}

extension AudioEncoding.Codec {
  var name: String {
    switch self {
    case .aac: "AAC"
    case .pcm: "PCM"
    }
  }
}

extension String {
  /// FFmpeg's name of a codec as people write it.
  var codecName: String {
    if hasPrefix("pcm_") { return "PCM" }
    let names = [
      "h264": "H.264", "hevc": "HEVC", "av1": "AV1", "vp8": "VP8", "vp9": "VP9",
      "prores": "ProRes", "mjpeg": "Motion JPEG", "mpeg4": "MPEG-4", "mpeg2video": "MPEG-2",
      "mpeg1video": "MPEG-1", "h263": "H.263", "dvvideo": "DV", "vc1": "VC-1", "aac": "AAC",
      "ac3": "AC-3", "eac3": "E-AC-3", "mp3": "MP3", "mp2": "MP2", "opus": "Opus",
      "vorbis": "Vorbis", "alac": "Apple Lossless", "flac": "FLAC", "amr_nb": "AMR",
      "amr_wb": "AMR-WB", "dts": "DTS", "wmav2": "WMA", "subrip": "SubRip", "ass": "ASS",
      "webvtt": "WebVTT", "text": "plain text", "hdmv_pgs_subtitle": "PGS",
      "dvd_subtitle": "VobSub", "dvb_subtitle": "DVB", "eia_608": "closed captions",
    ]
    return names[self] ?? self
  }
}

extension String {
  /// Whether this is FFmpeg's name of PCM that QuickTime can contain (`codec_movaudio_tags` in libavformat): not that of
  /// discs.
  var isQuickTimePCM: Bool {
    let kinds = ["u8", "s8", "alaw", "mulaw"]
    let sizes = ["s16", "s24", "s32", "f32", "f64"].flatMap { [$0 + "le", $0 + "be"] }
    return (kinds + sizes).contains { self == "pcm_" + $0 }
  }
}

extension MovieRendering.Container {
  var name: String {
    switch self {
    case .mp4: "MP4"
    case .quickTime: "QuickTime"
    case .m4v: "M4V"
    case .m4a: "M4A"
    }
  }

  /// Whether a track of this codec can be put in as it is: what libavformat's muxers and common players
  /// agree on.
  func holds(_ codec: String) -> Bool {
    switch self {
    case .mp4:
      [
        "h264", "hevc", "av1", "vp9", "mpeg4", "mpeg2video", "mpeg1video", "mjpeg", "aac", "ac3",
        "eac3", "mp3", "mp2", "alac", "opus", "flac", "dts", "mov_text",
      ].contains(codec)
    case .quickTime:
      codec.isQuickTimePCM
        || [
          "h264", "hevc", "mpeg4", "mpeg2video", "mpeg1video", "mjpeg", "prores", "dvvideo",
          "h263", "png", "dnxhd", "cfhd", "rawvideo", "aac", "ac3", "eac3", "mp3", "mp2", "alac",
          "amr_nb", "amr_wb", "mov_text",
        ].contains(codec)
    case .m4v: ["h264", "mpeg4", "aac", "ac3", "alac", "mov_text"].contains(codec)
    case .m4a: ["aac", "ac3", "alac"].contains(codec)
    }
  }

  /// Whether a track of this codec can be put in as it is, even if few players support it: libavformat's list for MP4
  /// (`codec_mp4_tags` in `movenc.c`).
  func takes(_ codec: String) -> Bool {
    holds(codec)
      || self == .mp4
        && ["vorbis", "vc1", "png", "jpeg2000", "dirac", "tscc2", "truehd", "qcelp", "evrc"]
          .contains(codec)
  }
}

extension UniformType {
  /// Of QuickTime's family (ISO/IEC 14496-12).
  var isISOFamily: Bool {
    [.quickTimeMovie, .mpeg4, .appleM4V, .threeGPP, .threeGPP2].contains(self)
  }

  /// The container that comes nearest to it among those that can be written.
  var nearestContainer: MovieRendering.Container {
    switch self {
    case .quickTimeMovie: .quickTime
    case .appleM4V: .m4v
    default: .mp4
    }
  }

  /// As people call it.
  var containerName: String {
    switch self {
    case .quickTimeMovie: "QuickTime"
    case .mpeg4: "MP4"
    case .appleM4V: "M4V"
    case .threeGPP, .threeGPP2: "3GPP"
    case .avi: "AVI"
    case .matroska: "Matroska"
    case .webM: "WebM"
    case .mpeg2TransportStream, .avchd: "an MPEG transport stream"
    case .mpeg: "an MPEG program stream"
    case .windowsMediaVideo: "Windows Media"
    case .flashVideo: "Flash Video"
    case .dv: "DV"
    default: rawValue
    }
  }
}

extension TrackDescription {
  /// Whether its pixels have a channel for transparency, by FFmpeg's names of their formats.
  var isTransparent: Bool {
    ["yuva", "rgba", "argb", "bgra", "abgr", "gbrap", "ya8", "ya16", "ayuv", "vuya"]
      .contains { pixelFormat?.hasPrefix($0) == true }
  }
}

extension VideoPreset {
  /// Whether a container that the preset allows has a place for a copy of a track. What a container of QuickTime's family
  /// has, another one has a place for.
  func places(_ track: TrackDescription, of movie: MovieDescription) -> Bool {
    guard container == nil, !movie.container.isISOFamily, let codec = track.codec else {
      return true
    }
    return MovieRendering.Container.mp4.takes(codec)
      || MovieRendering.Container.quickTime.holds(codec)
  }
}
