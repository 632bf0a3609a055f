// FFmpeg: a wrapper of libavformat, libavcodec, libavutil, libavfilter and libswscale.
//
// libavformat reads every container that a camera writes. It would also open playlists, concatenations and web
// addresses. This module allows none of that: the caller chooses the demuxer from a short list, bytes come through a
// closure, and every other open request of a file is refused. No name of FFmpeg leaves the module.
import CFFmpeg
package import MediaModel

/// The demuxers a file may be opened with.
package enum Demuxer: String, Sendable, CaseIterable {
  /// QuickTime, MP4 and their kin.
  case quickTime = "mov"
  case avi
  case matroska
  case mpegTransportStream = "mpegts"
  case mpegProgramStream = "mpeg"
  case advancedSystems = "asf"
  case flashVideo = "flv"
  case dv

  /// Whether the header leaves out what streams there are or how long they last, so that packets must
  /// be read to know.
  var needsPackets: Bool {
    switch self {
    case .quickTime, .avi, .matroska, .advancedSystems: false
    case .mpegTransportStream, .mpegProgramStream, .flashVideo, .dv: true
    }
  }
}

/// Why FFmpeg would not open a file.
package struct AudioVideoError: Error, Sendable, Hashable {
  package enum Reason: Sendable {
    /// The header makes no sense.
    case damaged
    /// The file ends before its header does.
    case cutOff
    case unsupported, outOfMemory
  }

  package var reason: Reason
  /// FFmpeg's own words, as `Invalid data found when processing input`.
  package var detail: String
}

/// What a file with sound or moving pictures holds.
package struct Movie: Sendable {
  /// Seconds, if the file tells.
  package var duration: Double?
  package var streams: [MovieStream]
  /// The container's own tags, in the file's order.
  package var metadata: [MetadataEntry]

  package init(duration: Double?, streams: [MovieStream], metadata: [MetadataEntry]) {
    self.duration = duration
    self.streams = streams
    self.metadata = metadata
  }

  /// The picture that is shown: the first video stream that is no cover, no thumbnail and no depth
  /// track, and of a codec that FFmpeg knows if there is one.
  package var mainVideo: MovieStream? {
    let videos = streams.filter { $0.kind == .video && !$0.isAttachedPicture && $0.tag != "dish" }
    return videos.first { $0.codec != nil } ?? videos.first
  }

  /// The first sound of a codec that FFmpeg knows; Apple's spatial sound tracks are not.
  package var mainAudio: MovieStream? {
    streams.first { $0.kind == .audio && $0.codec != nil }
  }

  /// The container's value for a key, letters in either case.
  package func value(_ key: String) -> String? {
    metadata.first { $0.key.lowercased() == key }?.value
  }
}

/// One stream of a ``Movie``.
package struct MovieStream: Sendable {
  package enum Kind: String, Sendable {
    case video, audio, subtitle, data, other
  }

  package var kind: Kind
  /// FFmpeg's name, as `hevc`; nil for what it does not know.
  package var codec: String?
  /// The four characters of the sample entry, as `hvc1`.
  package var tag: String?
  /// As coded, before rotation.
  package var size: PixelSize?
  /// How wide a pixel is for its height; nil for square ones.
  package var pixelAspect: Double?
  /// How to turn the picture upright; nil without a display matrix or with one that is no multiple of a
  /// quarter turn.
  package var orientation: Orientation?
  /// Frames a second, on average.
  package var frameRate: Double?
  package var dynamicRange: DynamicRange?
  package var isAttachedPicture = false
  /// Seconds.
  package var duration: Double?
  package var metadata: [MetadataEntry] = []

  /// A stream of which nothing else is known yet.
  package init(kind: Kind) {
    self.kind = kind
  }
}

extension MovieStream {
  /// As shown, with square pixels, before rotation.
  package var displaySize: PixelSize? { size?.withSquarePixels(aspect: pixelAspect) }
}

/// One key with its value, as FFmpeg names it.
package struct MetadataEntry: Sendable, Hashable {
  package var key: String
  package var value: String
}
