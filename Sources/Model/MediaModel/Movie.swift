/// The contents of a file with video or audio streams: what FFmpeg reports, or Shoebox's own readers of containers.
package struct Movie: Sendable {
  /// Seconds, if known.
  package var duration: Double?
  package var streams: [MovieStream]
  /// The container's own tags, in the file's order.
  package var metadata: [MetadataEntry]

  package init(duration: Double?, streams: [MovieStream], metadata: [MetadataEntry]) {
    self.duration = duration
    self.streams = streams
    self.metadata = metadata
  }

  /// The video stream to show: the first one that is not a cover, thumbnail or depth track; one with a
  /// known codec is preferred.
  package var mainVideo: MovieStream? {
    let videos = streams.filter { $0.kind == .video && !$0.isAttachedPicture && $0.tag != "dish" }
    return videos.first { $0.codec != nil } ?? videos.first
  }

  /// The first audio stream with a known codec; the codec of Apple's spatial audio is not known.
  package var mainAudio: MovieStream? {
    streams.first { $0.kind == .audio && $0.codec != nil }
  }

  /// The container's value for a key; the case of letters is ignored.
  package func value(_ key: String) -> String? {
    let key = key.lowercased()
    return metadata.first { $0.key.lowercased() == key }?.value
  }
}

/// One stream of a ``Movie``.
package struct MovieStream: Sendable {
  package enum Kind: String, Sendable {
    case video, audio, subtitle, data, other
  }

  package var kind: Kind
  /// FFmpeg's name, such as `hevc`; nil for an unknown codec.
  package var codec: String?
  /// The four characters of the sample entry, such as `hvc1`.
  package var tag: String?
  /// As coded, before rotation.
  package var size: PixelSize?
  /// Width over height of one pixel; nil for square pixels.
  package var pixelAspect: Double?
  /// How to turn the frames upright; nil without a display matrix, or if it is not a multiple of a quarter
  /// turn.
  package var orientation: Orientation?
  /// Frames a second, on average.
  package var frameRate: Double?
  package var dynamicRange: DynamicRange?
  package var isAttachedPicture = false
  /// Whether players choose it without being asked; nil if FFmpeg did not read the stream.
  package var isDefault: Bool?
  /// Seconds.
  package var duration: Double?
  package var metadata: [MetadataEntry] = []

  /// A stream of which only the kind is known.
  package init(kind: Kind) {
    self.kind = kind
  }
}

extension MovieStream {
  /// As shown, with square pixels, before rotation.
  package var displaySize: PixelSize? { size?.withSquarePixels(aspect: pixelAspect) }
}

/// A key and its value, in FFmpeg's spelling.
package struct MetadataEntry: Sendable, Hashable {
  package var key: String
  package var value: String

  package init(key: String, value: String) {
    self.key = key
    self.value = value
  }
}
