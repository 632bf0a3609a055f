/// The range of brightness of a video or picture.
package enum DynamicRange: String, Sendable {
  case sdr
  /// Hybrid log-gamma, ITU-R BT.2100 (transfer characteristics 18).
  case hlg
  /// SMPTE ST 2084 (transfer characteristics 16).
  case pq
  /// Dolby Vision, with any base layer.
  case dolbyVision
}

/// The streams of a video file, by FFmpeg's codec names.
package struct VideoProperties: Sendable, Hashable {
  /// `hevc`, `h264` …
  package var codec: String?
  /// Frames a second.
  package var frameRate: Double?
  package var dynamicRange: DynamicRange?
  /// `aac` …; nil without audio.
  package var audioCodec: String?

  package init(
    codec: String? = nil, frameRate: Double? = nil, dynamicRange: DynamicRange? = nil,
    audioCodec: String? = nil
  ) {
    self.codec = codec
    self.frameRate = frameRate
    self.dynamicRange = dynamicRange
    self.audioCodec = audioCodec
  }
}

/// A motion clip inside a still picture's file: a byte range that is an MP4 or MOV file.
package struct EmbeddedClip: Sendable, Hashable {
  /// Bytes from the file's start to the clip's first byte.
  package var offset: UInt64
  /// Bytes.
  package var length: UInt64
  /// How it was found: `sef`, `mpvd`, `xmp:MotionPhoto`, `xmp:MicroVideo`, `tail`.
  package var evidence: String

  package init(offset: UInt64, length: UInt64, evidence: String) {
    self.offset = offset
    self.length = length
    self.evidence = evidence
  }
}

extension DynamicRange {
  /// - Parameter transfer: the transfer function's number in ITU-T H.273 §8.2.
  package init(transfer: Int?) {
    switch transfer {
    case 16: self = .pq
    case 18: self = .hlg
    default: self = .sdr
    }
  }
}
