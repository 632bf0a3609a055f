package import ByteReading
package import MediaFormats
package import MediaModel
import WorkerProtocol

/// A format of videos.
package protocol MovieFormat: MediaFormat {
  /// Reads the streams and tags that the file's structure describes.
  ///
  /// - Parameter boxes: the boxes of a QuickTime or MP4 file; nil for other files.
  /// - Throws: ``NeedsCodec``; `ContainerError` for damaged structure; the errors of the source.
  static func movie(in source: any ByteSource, _ boxes: ISOMovie?) throws -> Movie
  /// The name of the container's creation time for ``CaptureTime/source``.
  static var creationTimeSource: String { get }
  /// Whether that time is UTC by the format's specification.
  static var isCreationTimeUTC: Bool { get }
}

extension MovieFormat {
  package static var creationTimeSource: String { "container:creation_time" }
  package static var isCreationTimeUTC: Bool { true }
}

extension ISOMovieFormat: MovieFormat {
  package static func movie(in source: any ByteSource, _ boxes: ISOMovie?) throws -> Movie {
    guard let boxes else {
      switch try ISOMovie.missingHeader(in: source) {
      case .truncated:
        throw ProbeFailure(.damaged, "The video is truncated: it ends before its header.")
      case .unfinished:
        throw ProbeFailure(
          .damaged, "The video has no header: its recording was not finished, or it is damaged.")
      case nil: throw NeedsCodec()
      }
    }
    let movie = try boxes.movie(in: source)
    if boxes.hasNoTracks { return movie }
    guard movie.isComplete, !boxes.hasOpenPixelAspect else { throw NeedsCodec() }
    return movie
  }

  package static var creationTimeSource: String { "quicktime:mvhd" }
}

extension AVIFormat: MovieFormat {
  package static func movie(in source: any ByteSource, _ boxes: ISOMovie?) throws -> Movie {
    guard let file = try? AVIFile(source), !file.hasOpenStreams else { throw NeedsCodec() }
    let movie = file.movie
    // Where the header lists only streams of other kinds, FFmpeg finds no video and no audio either.
    guard movie.hasTracks else { return movie }
    // No frame may be left in a truncated file.
    if file.isTruncated, movie.isComplete, !movie.hasDuration { return movie }
    guard movie.isComplete, movie.hasDuration, !file.hasOpenPixelAspect else { throw NeedsCodec() }
    return movie
  }

  package static var creationTimeSource: String { "riff:DateTimeOriginal" }
  package static var isCreationTimeUTC: Bool { false }
}

extension MatroskaFormat: MovieFormat {
  package static func movie(in source: any ByteSource, _ boxes: ISOMovie?) throws -> Movie {
    let movie: Movie
    do {
      movie = try MatroskaFile(source).movie
    } catch let error as ContainerError where error != .truncatedHeader {
      throw NeedsCodec()
    }
    guard movie.hasDuration, movie.isComplete, movie.hasFrameRate else { throw NeedsCodec() }
    return movie
  }

  package static var creationTimeSource: String { "matroska:DateUTC" }
}

extension MPEGTransportStreamFormat: MovieFormat {
  package static func movie(in source: any ByteSource, _ boxes: ISOMovie?) throws -> Movie {
    guard let movie = try? MPEGTransportStream(source).movie, movie.hasDuration, movie.isComplete,
      movie.hasFrameRate
    else { throw NeedsCodec() }
    return movie
  }
}

extension MPEGProgramStreamFormat: MovieFormat {
  package static func movie(in source: any ByteSource, _ boxes: ISOMovie?) throws -> Movie {
    let stream: MPEGProgramStream
    do {
      stream = try MPEGProgramStream(source)
    } catch ContainerError.notThisFormat {
      throw ProbeFailure(
        .unsupported,
        "The file is a bare MPEG video stream. Put it into a container, such as MP4, to add it.")
    }
    let movie = stream.movie
    guard movie.hasDuration, movie.isComplete, movie.hasFrameRate else { throw NeedsCodec() }
    return movie
  }
}

extension AdvancedSystemsFormat: MovieFormat {
  package static func movie(in source: any ByteSource, _ boxes: ISOMovie?) throws -> Movie {
    let movie = try ASFFile(source).movie
    // A duration that the header does not record is missing in a truncated file.
    guard movie.isComplete else { throw NeedsCodec() }
    // A stream of another kind may be a video, so the file does not pass for audio.
    guard movie.mainVideo != nil || !movie.streams.contains(where: { $0.kind == .other })
    else { throw NeedsCodec() }
    return movie
  }

  package static var creationTimeSource: String { "asf:CreationDate" }
}

extension FlashVideoFormat: MovieFormat {
  package static func movie(in source: any ByteSource, _ boxes: ISOMovie?) throws -> Movie {
    let movie = try FlashVideoFile(source).movie
    // Without any tag of a stream, there is nothing that FFmpeg could read.
    guard movie.streams.isEmpty || movie.hasDuration && movie.isComplete
    else { throw NeedsCodec() }
    return movie
  }
}

extension DVFormat: MovieFormat {
  package static func movie(in source: any ByteSource, _ boxes: ISOMovie?) throws -> Movie {
    try DVFile(source).movie
  }

  package static var creationTimeSource: String { "dv:DateTimeOriginal" }
  /// A camcorder's clock has no zone that it records.
  package static var isCreationTimeUTC: Bool { false }
}

extension Movie {
  /// Whether the header records the duration. Without one, FFmpeg estimates it by the packets.
  fileprivate var hasDuration: Bool { duration != nil }

  /// Whether the frame rate of the video to show is known, if there is one.
  fileprivate var hasFrameRate: Bool { mainVideo.map { $0.frameRate != nil } ?? true }

  /// Whether there is a video or audio stream.
  fileprivate var hasTracks: Bool {
    streams.contains { $0.kind == .video || $0.kind == .audio }
  }

  /// Whether the streams to show have all facts that FFmpeg could find.
  fileprivate var isComplete: Bool {
    // Only data streams remain of a damaged header.
    guard hasTracks else { return false }
    if let video = mainVideo {
      guard video.codec != nil, video.size != nil, video.dynamicRange != nil else { return false }
    }
    // FFmpeg may know the codec of a stream that precedes the first known one.
    let sounds = streams.filter { $0.kind == .audio }
    return sounds.first.map { $0.codec != nil || Self.unknownAudio.contains($0.tag ?? "") } ?? true
  }

  /// Apple's spatial audio, which FFmpeg does not know.
  private static let unknownAudio: Set<String> = ["apac"]
}
