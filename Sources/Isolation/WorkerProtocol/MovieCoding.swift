import MediaEdits
import MediaModel

// How movies and their renderings are encoded; see ValueCoding.swift for the rules.

extension WireWriter {
  mutating func write(_ movie: MovieDescription) {
    write(movie.container.rawValue)
    write(optional: movie.duration) { $0.write($1) }
    write(list: movie.tracks) { $0.write($1) }
    write(text: movie.contentIdentifier)
    write(text: movie.derivedIdentifier)
    write(optional: movie.stillImageTime) { $0.write($1) }
  }

  private mutating func write(_ track: TrackDescription) {
    write(track.index)
    write(track.kind.rawValue)
    write(text: track.codec)
    write(text: track.tag)
    write(text: track.profile)
    write(track.changesCodec)
    write(track.isDecodable)
    write(optional: track.bitRate) { $0.write($1) }
    write(optional: track.size) { $0.write($1) }
    write(optional: track.orientation) { $0.write($1.rawValue) }
    write(optional: track.pixelAspect) { $0.write($1) }
    write(optional: track.frameRate) { $0.write($1) }
    write(text: track.pixelFormat)
    write(optional: track.bitDepth) { $0.write($1) }
    write(track.dynamicRange.rawValue)
    write(track.isInterlaced)
    write(track.joinsParts)
    write(optional: track.channels) { $0.write($1) }
    write(optional: track.sampleRate) { $0.write($1) }
  }

  mutating func write(_ rendering: MovieRendering) {
    write(rendering.container.rawValue)
    write(list: rendering.tracks) { $0.write($1) }
    write(optional: rendering.trim) {
      $0.write($1.start)
      $0.write(optional: $1.end) { $0.write($1) }
    }
    write(rendering.keepsTimedMetadata)
    write(rendering.threads)
  }

  private mutating func write(_ track: TrackRendering) {
    write(track.index)
    write(track.work)
    write(optional: track.substitute) { $0.write($1) }
  }

  private mutating func write(_ work: TrackRendering.Work) {
    switch work {
    case .copy: write(UInt8(1))
    case .encodeVideo(let encoding):
      write(UInt8(2))
      write(encoding.codec.rawValue)
      write(optional: encoding.quality) { $0.write($1) }
      write(optional: encoding.maxBitRate) { $0.write($1) }
      write(encoding.speed)
      write(encoding.size)
      write(optional: encoding.maxFrameRate) { $0.write($1) }
      write(optional: encoding.keyFrameInterval) { $0.write($1) }
      write(encoding.keepsDynamicRange)
    case .encodeAudio(let encoding):
      write(UInt8(3))
      write(encoding.codec.rawValue)
      write(optional: encoding.bitRate) { $0.write($1) }
      write(encoding.maxChannels)
    case .encodeSubtitles: write(UInt8(4))
    }
  }
}

extension WireReader {
  mutating func movieDescription() throws(WireError) -> MovieDescription {
    MovieDescription(
      container: UniformType(rawValue: try string()), duration: try duration(),
      tracks: try list { (reader) throws(WireError) in try reader.trackDescription() },
      contentIdentifier: try text(), derivedIdentifier: try text(),
      stillImageTime: try optionalDouble())
  }

  private mutating func trackDescription() throws(WireError) -> TrackDescription {
    var track = TrackDescription(index: try integer(), kind: try enumeration())
    track.codec = try text()
    track.tag = try text()
    track.profile = try text()
    track.changesCodec = try bool()
    track.isDecodable = try bool()
    track.bitRate = try optionalInteger()
    track.size = try optionalPixelSize()
    track.orientation = try orientation()
    track.pixelAspect = try optionalDouble()
    track.frameRate = try optionalDouble()
    track.pixelFormat = try text()
    track.bitDepth = try optionalInteger()
    track.dynamicRange = try dynamicRange()
    track.isInterlaced = try bool()
    track.joinsParts = try bool()
    track.channels = try optionalInteger()
    track.sampleRate = try optionalInteger()
    return track
  }

  mutating func movieRendering() throws(WireError) -> MovieRendering {
    MovieRendering(
      container: try enumeration(),
      tracks: try list { (reader) throws(WireError) in try reader.trackRendering() },
      trim: try optional { (reader) throws(WireError) in
        TimeSpan(start: try reader.double(), end: try reader.optionalDouble())
      },
      keepsTimedMetadata: try bool(), threads: try integer())
  }

  private mutating func trackRendering() throws(WireError) -> TrackRendering {
    TrackRendering(
      index: try integer(), work: try trackWork(),
      substitute: try optional { (reader) throws(WireError) in try reader.trackWork() })
  }

  private mutating func trackWork() throws(WireError) -> TrackRendering.Work {
    switch try byte() {
    case 1: .copy
    case 2: .encodeVideo(try videoEncoding())
    case 3:
      .encodeAudio(
        AudioEncoding(
          codec: try enumeration(), bitRate: try optionalInteger(), maxChannels: try integer()))
    case 4: .encodeSubtitles
    case let other: throw .unknownCase(other)
    }
  }

  private mutating func videoEncoding() throws(WireError) -> VideoEncoding {
    VideoEncoding(
      codec: try enumeration(), quality: try optionalDouble(), maxBitRate: try optionalInteger(),
      speed: try string(), size: try pixelSize(), maxFrameRate: try optionalDouble(),
      keyFrameInterval: try optionalInteger(), keepsDynamicRange: try bool())
  }
}
