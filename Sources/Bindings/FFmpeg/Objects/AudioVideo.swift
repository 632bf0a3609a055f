// FFmpeg: a wrapper of libavformat, libavcodec, libavutil, libavfilter and libswscale.
//
// libavformat reads every container that a camera writes. It would also open playlists, concatenations and web
// addresses. This module allows none of that: the caller chooses the demuxer from a short list, bytes come through a
// closure, and every other open request of a file is refused. No name of FFmpeg leaves the module.
import CFFmpeg

/// The demuxers that a file may be opened with.
package enum Demuxer: String, Sendable, CaseIterable {
  /// QuickTime, MP4 and related formats.
  case quickTime = "mov"
  case avi
  case matroska
  case mpegTransportStream = "mpegts"
  case mpegProgramStream = "mpeg"
  case advancedSystems = "asf"
  case flashVideo = "flv"
  case dv

  /// Whether the header does not list the streams or their duration, so that packets must be read.
  var needsPackets: Bool {
    switch self {
    case .quickTime, .avi, .matroska, .advancedSystems: false
    case .mpegTransportStream, .mpegProgramStream, .flashVideo, .dv: true
    }
  }
}

/// Why FFmpeg could not open, decode, filter or encode something.
package struct AudioVideoError: Error, Sendable, Hashable {
  package enum Reason: Sendable {
    /// The header is invalid.
    case damaged
    /// The file ends within its header.
    case cutOff
    case unsupported, outOfMemory
  }

  package var reason: Reason
  /// FFmpeg's message, such as `Invalid data found when processing input`.
  package var detail: String
}
