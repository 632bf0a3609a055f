package import MediaModel

/// What planning a movie's export needs to know of it; from its header, and from its first packets
/// where the header does not tell.
package struct MovieDescription: Sendable, Hashable {
  /// By content.
  package var container: UniformType
  /// Seconds; nil where nobody knows before the end.
  package var duration: Double?
  package var tracks: [TrackDescription]

  package init(container: UniformType, duration: Double? = nil, tracks: [TrackDescription] = []) {
    self.container = container
    self.duration = duration
    self.tracks = tracks
  }
}

/// One track of a movie.
package struct TrackDescription: Sendable, Hashable {
  package enum Kind: UInt8, Sendable, Hashable {
    /// The moving picture, and further ones.
    case video = 1
    case audio = 2
    /// A cover, a thumbnail.
    case attachedPicture = 3
    /// Apple's depth of a cinematic video and other pictures that are not shown.
    case auxiliaryVideo = 4
    /// Timed metadata, time codes and what nobody knows.
    case other = 5
    case subtitle = 6
    /// Names of chapters, which are told apart from the tracks.
    case chapters = 7
    /// Files that go along with the movie, as the fonts of its subtitles.
    case attachment = 8
  }

  /// Its number in the file, from 0.
  package var index: Int
  package var kind: Kind
  /// FFmpeg's name, as `hevc`; nil for what it does not know.
  package var codec: String?
  /// The four characters of the sample entry, as `hvc1`.
  package var tag: String?
  /// FFmpeg's profile name, as `Main 10`.
  package var profile: String?
  /// Whether this machine can decode it.
  package var isDecodable = false
  /// Bits a second, if known.
  package var bitRate: Int?

  // Of a picture.

  /// As coded, before it is turned.
  package var size: PixelSize?
  /// How it has to be turned; nil for `up`.
  package var orientation: Orientation?
  /// Width over height of one pixel; nil for square ones.
  package var pixelAspect: Double?
  /// Frames a second, on average.
  package var frameRate: Double?
  /// FFmpeg's pixel format, as `yuv420p10le`.
  package var pixelFormat: String?
  package var bitDepth: Int?
  package var dynamicRange = DynamicRange.sdr
  package var isInterlaced = false

  // Of a sound.

  package var channels: Int?
  /// Samples a second.
  package var sampleRate: Int?

  package init(index: Int, kind: Kind) {
    self.index = index
    self.kind = kind
  }
}

/// How a movie is made, track by track.
package struct MovieRendering: Sendable, Hashable {
  /// What the tracks are put into.
  package enum Container: UInt8, Sendable, Hashable {
    case mp4 = 1
    case quickTime = 2
    case m4v = 3
    case m4a = 4
  }

  package var container: Container
  /// What becomes of the tracks that stay, in the result's order.
  package var tracks: [TrackRendering]
  /// The part that is wanted.
  package var trim: TimeSpan?
  /// How many threads encoders and decoders may use together.
  package var threads: Int

  package init(
    container: Container, tracks: [TrackRendering], trim: TimeSpan? = nil, threads: Int = 1
  ) {
    self.container = container
    self.tracks = tracks
    self.trim = trim
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

/// What becomes of one track.
package struct TrackRendering: Sendable, Hashable {
  package enum Work: Sendable, Hashable {
    case copy
    case encodeVideo(VideoEncoding)
    case encodeAudio(AudioEncoding)
    /// Written subtitles of any kind become those of QuickTime and MP4 (3GPP TS 26.245).
    case encodeSubtitles
  }

  /// Its number in the source.
  package var index: Int
  package var work: Work

  package init(index: Int, work: Work) {
    self.index = index
    self.work = work
  }
}

/// How moving pictures are encoded.
package struct VideoEncoding: Sendable, Hashable {
  package enum Codec: UInt8, Sendable, Hashable {
    case h264 = 1
    case hevc = 2
    case proRes422 = 3
    case proRes4444 = 4
  }

  package var codec: Codec
  /// The encoder's constant quality (CRF); for ProRes nothing.
  package var quality: Double?
  /// Bits a second at most; nil for no limit.
  package var maxBitRate: Int?
  /// The encoder's own preset, as `medium`.
  package var speed: String
  /// Upright; the planner has worked it out from the source's size and the preset's.
  package var size: PixelSize
  /// Frames a second at most; nil to keep every frame.
  package var maxFrameRate: Double?
  /// Frames from one key frame to the next at most, 1 for nothing but key frames; nil for the encoder's
  /// own.
  package var keyFrameInterval: Int?
  /// Ten bits a sample with the source's own dynamic range; else eight bits SDR BT.709.
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

/// How sound is encoded.
package struct AudioEncoding: Sendable, Hashable {
  package enum Codec: UInt8, Sendable, Hashable {
    case aac = 1
    /// Uncompressed, signed, 16 or 24 bits as the source has.
    case pcm = 2
  }

  package var codec: Codec
  /// Bits a second; nil for the codec's own.
  package var bitRate: Int?
  /// At most so many; more are mixed down.
  package var maxChannels: Int

  package init(codec: Codec, bitRate: Int? = nil, maxChannels: Int = 2) {
    self.codec = codec
    self.bitRate = bitRate
    self.maxChannels = maxChannels
  }
}
