package import FFmpeg
import MediaFormats
package import MediaModel

extension Demuxer {
  /// FFmpeg's demuxer for a type that was recognised by content; nil if it is not a video.
  package init?(_ type: UniformType) {
    guard let format = type.format else { return nil }
    switch format {
    case is ISOMovieFormat.Type: self = .quickTime
    case is AVIFormat.Type: self = .avi
    case is MatroskaFormat.Type: self = .matroska
    case is MPEGTransportStreamFormat.Type: self = .mpegTransportStream
    case is MPEGProgramStreamFormat.Type: self = .mpegProgramStream
    case is AdvancedSystemsFormat.Type: self = .advancedSystems
    case is FlashVideoFormat.Type: self = .flashVideo
    case is DVFormat.Type: self = .dv
    default: return nil
    }
  }
}
