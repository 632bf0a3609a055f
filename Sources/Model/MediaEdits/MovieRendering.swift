package import MediaModel

/// A movie's description for planning its export: from its header and, where that is incomplete, its first
/// packets.
package struct MovieDescription: Sendable, Hashable {
  /// The type by content.
  package var container: UniformType
  /// Seconds; nil if it is unknown until the end is read.
  package var duration: Double?
  package var tracks: [TrackDescription]
  /// The identifier that a Live Photo's still and clip share.
  package var contentIdentifier: String?
  /// A UUID that follows from the content, for a clip without ``contentIdentifier``.
  package var derivedIdentifier: String?
  /// The moment of a Live Photo's still, in seconds.
  package var stillImageTime: Double?

  package init(
    container: UniformType, duration: Double? = nil, tracks: [TrackDescription] = [],
    contentIdentifier: String? = nil, derivedIdentifier: String? = nil,
    stillImageTime: Double? = nil
  ) {
    self.container = container
    self.duration = duration
    self.tracks = tracks
    self.contentIdentifier = contentIdentifier
    self.derivedIdentifier = derivedIdentifier
    self.stillImageTime = stillImageTime
  }
}

/// One track of a movie.
package struct TrackDescription: Sendable, Hashable {
  package enum Kind: UInt8, Sendable, Hashable {
    /// A video track that is shown.
    case video = 1
    case audio = 2
    /// A cover or thumbnail.
    case attachedPicture = 3
    /// A video track that is not shown, as Apple's depth track of a cinematic video.
    case auxiliaryVideo = 4
    /// Timed metadata, time codes, unknown tracks, and the audio of other programs of a broadcast, which has channels.
    case other = 5
    case subtitle = 6
    /// Chapter names, which are processed apart from the other tracks.
    case chapters = 7
    /// Files attached to the movie, as fonts for its subtitles.
    case attachment = 8
    /// Timed metadata that marks the moment of a Live Photo's still. It is written again apart from the other tracks.
    case stillImageTime = 9
    /// Other timed metadata that can be written again, as GoPro's. It is processed apart from the other tracks.
    case timedMetadata = 10
  }

  /// The track's number in the file, from 0.
  package var index: Int
  package var kind: Kind
  /// FFmpeg's name, such as `hevc`; nil for an unknown codec.
  package var codec: String?
  /// The four characters of the sample entry, such as `hvc1`.
  package var tag: String?
  /// FFmpeg's profile name, such as `Main 10`.
  package var profile: String?
  /// Whether its samples have more than one codec, so that it cannot be read completely.
  package var changesCodec = false
  /// Whether this machine can decode it.
  package var isDecodable = false
  /// Bits a second, if known.
  package var bitRate: Int?

  // Video.

  /// As coded, before it is turned upright.
  package var size: PixelSize?
  /// How it has to be turned; nil for `up`.
  package var orientation: Orientation?
  /// Width over height of one pixel; nil for square ones.
  package var pixelAspect: Double?
  /// Frames a second, on average.
  package var frameRate: Double?
  /// FFmpeg's pixel format, such as `yuv420p10le`.
  package var pixelFormat: String?
  package var bitDepth: Int?
  package var dynamicRange = DynamicRange.sdr
  package var isInterlaced = false
  /// Whether an edit list joins parts of it and hides the frames between them, so that a copy would show those.
  package var joinsParts = false

  // Audio.

  package var channels: Int?
  /// Samples a second.
  package var sampleRate: Int?

  package init(index: Int, kind: Kind) {
    self.index = index
    self.kind = kind
  }
}

/// How to make a movie, track by track.
package struct MovieRendering: Sendable, Hashable {
  /// The result's container.
  package enum Container: UInt8, Sendable, Hashable {
    case mp4 = 1
    case quickTime = 2
    case m4v = 3
    case m4a = 4
  }

  package var container: Container
  /// The tracks to keep, in the result's order.
  package var tracks: [TrackRendering]
  /// The selected part; nil for the whole movie.
  package var trim: TimeSpan?
  /// Whether the result gets the tracks of ``TrackDescription/Kind/timedMetadata``.
  package var keepsTimedMetadata: Bool
  /// The number of threads that encoders and decoders may use.
  package var threads: Int

  package init(
    container: Container, tracks: [TrackRendering], trim: TimeSpan? = nil,
    keepsTimedMetadata: Bool = false, threads: Int = 1
  ) {
    self.container = container
    self.tracks = tracks
    self.trim = trim
    self.keepsTimedMetadata = keepsTimedMetadata
    self.threads = threads
  }
}

/// A part of a movie, in seconds from its start.
package struct TimeSpan: Sendable, Hashable {
  package var start: Double
  /// Nil for the movie's end.
  package var end: Double?

  package init(start: Double, end: Double? = nil) {
    self.start = start
    self.end = end
  }
}

/// What to do with one track.
package struct TrackRendering: Sendable, Hashable {
  package enum Work: Sendable, Hashable {
    case copy
    case encodeVideo(VideoEncoding)
    case encodeAudio(AudioEncoding)
    /// Convert text subtitles of any kind to those of QuickTime and MP4 (3GPP TS 26.245).
    case encodeSubtitles
  }

  /// The track's number in the source.
  package var index: Int
  package var work: Work
  /// What to do in place of a copy if only its packets show that a copy would not play; nil if that is impossible.
  package var substitute: Work?

  package init(index: Int, work: Work, substitute: Work? = nil) {
    self.index = index
    self.work = work
    self.substitute = substitute
  }
}

/// How to encode a video track.
package struct VideoEncoding: Sendable, Hashable {
  package enum Codec: UInt8, Sendable, Hashable {
    case h264 = 1
    case hevc = 2
    case proRes422 = 3
    case proRes4444 = 4
  }

  package var codec: Codec
  /// The encoder's constant quality (CRF); not used for ProRes.
  package var quality: Double?
  /// Bits a second at most; nil for no limit.
  package var maxBitRate: Int?
  /// The encoder's own preset, such as `medium`.
  package var speed: String
  /// The upright size, which the planner computes from the source's size and the preset.
  package var size: PixelSize
  /// Frames a second at most; nil to keep every frame.
  package var maxFrameRate: Double?
  /// Frames from one key frame to the next at most, 1 for key frames only; nil for the encoder's default.
  package var keyFrameInterval: Int?
  /// True for 10 bits a sample in the source's dynamic range, false for 8 bits in SDR BT.709.
  package var keepsDynamicRange: Bool

  package init(
    codec: Codec, quality: Double? = nil, maxBitRate: Int? = nil, speed: String = "medium",
    size: PixelSize, maxFrameRate: Double? = nil, keyFrameInterval: Int? = nil,
    keepsDynamicRange: Bool = false
  ) {
    self.codec = codec
    self.quality = quality
    self.maxBitRate = maxBitRate
    self.speed = speed
    self.size = size
    self.maxFrameRate = maxFrameRate
    self.keyFrameInterval = keyFrameInterval
    self.keepsDynamicRange = keepsDynamicRange
  }
}

/// How to encode an audio track.
package struct AudioEncoding: Sendable, Hashable {
  package enum Codec: UInt8, Sendable, Hashable {
    case aac = 1
    /// Uncompressed, signed, with 16 or 24 bits according to the source.
    case pcm = 2
  }

  package var codec: Codec
  /// Bits a second; nil for the codec's default.
  package var bitRate: Int?
  /// The number of channels to keep; more are mixed down.
  package var maxChannels: Int

  package init(codec: Codec, bitRate: Int? = nil, maxChannels: Int = 2) {
    self.codec = codec
    self.bitRate = bitRate
    self.maxChannels = maxChannels
  }
}
