package import FFmpeg
package import MediaFormats
package import MediaModel

/// A format of videos, which FFmpeg reads.
package protocol MovieFormat: MediaFormat {
  /// FFmpeg's demuxer for the format.
  static var demuxer: Demuxer { get }
  /// The name of the container's creation time for ``CaptureTime/source``.
  static var creationTimeSource: String { get }
  /// Whether that time is UTC by the format's specification.
  static var isCreationTimeUTC: Bool { get }
}

extension MovieFormat {
  package static var creationTimeSource: String { "container:creation_time" }
  package static var isCreationTimeUTC: Bool { true }
}

extension Demuxer {
  /// The demuxer for a type that was recognised by content; nil if it is not a video.
  package init?(_ type: UniformType) {
    guard let format = type.format as? any MovieFormat.Type else { return nil }
    self = format.demuxer
  }
}

extension ISOMovieFormat: MovieFormat {
  package static var demuxer: Demuxer { .quickTime }
  package static var creationTimeSource: String { "quicktime:mvhd" }
}

extension AVIFormat: MovieFormat {
  package static var demuxer: Demuxer { .avi }
  package static var creationTimeSource: String { "riff:DateTimeOriginal" }
  package static var isCreationTimeUTC: Bool { false }
}

extension MatroskaFormat: MovieFormat {
  package static var demuxer: Demuxer { .matroska }
  package static var creationTimeSource: String { "matroska:DateUTC" }
}

extension MPEGTransportStreamFormat: MovieFormat {
  package static var demuxer: Demuxer { .mpegTransportStream }
}

extension MPEGProgramStreamFormat: MovieFormat {
  package static var demuxer: Demuxer { .mpegProgramStream }
}

extension AdvancedSystemsFormat: MovieFormat {
  package static var demuxer: Demuxer { .advancedSystems }
  package static var creationTimeSource: String { "asf:CreationDate" }
}

extension FlashVideoFormat: MovieFormat {
  package static var demuxer: Demuxer { .flashVideo }
}

extension DVFormat: MovieFormat {
  package static var demuxer: Demuxer { .dv }
}
