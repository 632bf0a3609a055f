package import ByteReading
package import MediaFormats
package import MediaModel

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
  package static func movie(in source: any ByteSource, _ boxes: ISOMovie?) throws -> Movie {
    throw NeedsCodec()
  }

  package static var creationTimeSource: String { "container:creation_time" }
  package static var isCreationTimeUTC: Bool { true }
}

extension ISOMovieFormat: MovieFormat {
  package static func movie(in source: any ByteSource, _ boxes: ISOMovie?) throws -> Movie {
    // FFmpeg also finds headers in unusual places.
    guard let boxes else { throw NeedsCodec() }
    let movie = try boxes.movie(in: source)
    guard movie.isComplete else { throw NeedsCodec() }
    return movie
  }

  package static var creationTimeSource: String { "quicktime:mvhd" }
}

extension AVIFormat: MovieFormat {
  package static func movie(in source: any ByteSource, _ boxes: ISOMovie?) throws -> Movie {
    guard let movie = try? AVIFile(source).movie, movie.hasDuration, movie.isComplete
    else { throw NeedsCodec() }
    return movie
  }

  package static var creationTimeSource: String { "riff:DateTimeOriginal" }
  package static var isCreationTimeUTC: Bool { false }
}

extension MatroskaFormat: MovieFormat {
  package static func movie(in source: any ByteSource, _ boxes: ISOMovie?) throws -> Movie {
    guard let movie = try? MatroskaFile(source).movie, movie.hasDuration, movie.isComplete
    else { throw NeedsCodec() }
    return movie
  }

  package static var creationTimeSource: String { "matroska:DateUTC" }
}

extension MPEGTransportStreamFormat: MovieFormat {
  package static func movie(in source: any ByteSource, _ boxes: ISOMovie?) throws -> Movie {
    guard let movie = try? MPEGTransportStream(source).movie, movie.hasDuration, movie.isComplete,
      movie.mainVideo.map({ $0.frameRate != nil }) ?? true
    else { throw NeedsCodec() }
    return movie
  }
}

extension MPEGProgramStreamFormat: MovieFormat {}

extension AdvancedSystemsFormat: MovieFormat {
  package static var creationTimeSource: String { "asf:CreationDate" }
}

extension FlashVideoFormat: MovieFormat {}

extension DVFormat: MovieFormat {}

extension Movie {
  /// Whether the header records the duration. Without one, FFmpeg estimates it by the packets.
  fileprivate var hasDuration: Bool { duration != nil }

  /// Whether the streams to show have all facts that FFmpeg could find.
  fileprivate var isComplete: Bool {
    // Only data streams remain of a damaged header.
    guard streams.contains(where: { $0.kind == .video || $0.kind == .audio }) else { return false }
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
