import ByteReading
import Color
import FFmpeg
import FactReading
import LibraryFacts
import Linux
import MediaEdits
import MediaFormats
import MediaModel
import MetadataRemoval
import MetadataTransfer
import WorkerProtocol

extension MediaFile {
  /// Describes the movie by its header and first packets.
  func movieDescription(_ range: ByteRange?) throws -> MovieDescription {
    let (type, demuxer, source) = try movieSource(range)
    let file = try openMovie(demuxer, source, pauses(demuxer, source))
    do {
      try file.checkCompleteness()
    } catch {
      throw ProbeFailure(error)
    }
    var movie = file.description(type)
    movie.derivedIdentifier = try derivedIdentifier(source)
    if let boxes = try? ISOMovie(source) {
      let moment = try? ISOStillImageTime.read(source)
      movie.add(boxes, of: file, hasMoment: moment != nil)
      movie.stillImageTime =
        moment?.seconds ?? movie.duration.flatMap { momentInPicture(range, before: $0) }
      movie.contentIdentifier = boxes.value("com.apple.quicktime.content.identifier")?.text
      for track in (try? ISOTimedMetadata.tracks(of: source)) ?? [] {
        movie.add(timedMetadata: track.id, of: file)
      }
    }
    return movie
  }

  /// Makes a movie from this one, track by track.
  func render(
    _ rendering: MovieRendering, _ step: RenderStep, to output: borrowing OutputFile,
    _ progress: (Double) throws -> Void
  ) throws -> RenderResult {
    let policy = step.metadata
    let (type, demuxer, source) = try movieSource(step.range)
    let reading = try MovieReading(ffmpeg: source, type)
    var metadata = try MovieMetadata(
      reading, source, type: type, name: path.lastComponent, policy)
    let facts = facts(of: step, missingIn: source, type)
    if let facts {
      metadata.boxes.add(facts)
      metadata.creationTime =
        metadata.creationTime ?? facts.captureTime.flatMap(MovieMetadata.headerTime)
    }
    if case .paired(let identifier) = step.livePhoto {
      metadata.boxes.set(contentIdentifier: identifier)
      if var picture = factsOfPicture(around: step.range) {
        // The catalog's time takes precedence.
        if facts?.captureTime != nil { picture.captureTime = nil }
        metadata.add(picture, missingIn: reading, type: type, policy)
      }
      if metadata.stillImage == nil, let duration = reading.movie.duration {
        metadata.stillImage = ISOStillImageTime(
          seconds: momentInPicture(step.range, before: duration) ?? duration / 2)
      }
    }
    let pauses = pauses(demuxer, source)
    var throttle = ProgressThrottle()
    var position = 0.0
    var rendering = rendering
    var notes: [String] = []
    var isReencoded = false
    let (start, end, trackIDs): (Double, Double?, [UInt32])
    while true {
      do {
        let movieMaker = try MovieMaker(
          openMovie(demuxer, source, pauses), rendering, descriptor: output.descriptor,
          creationTime: metadata.creationTime, keepsChapters: policy != .appearanceOnly,
          isOmitted: policy == .keep ? nil : { policy.removes($0, of: $1) },
          userData: policy == .keep ? nil : .erased(policy),
          parameterSets: .searched, joined: reading.boxes?.joinedTracks ?? [],
          displays: rendering.keepsDynamicRange
            ? openMovie(demuxer, source, pauses).masteringDisplays(for: rendering) : [:],
          toneTable: { transfer, primaries in
            ToneMapping.Transfer(code: transfer).flatMap {
              ToneMapping($0, primaries: primaries)?.table
            }
          })
        let made = try movieMaker.make {
          position = $0
          if throttle.isDue { try progress(position) }
        }
        (start, end, trackIDs) = (movieMaker.start, movieMaker.end, movieMaker.sourceTrackIDs)
        notes += made
        break
      } catch let error as MovieMakingError {
        guard case .cannotCopy(let track, let fault) = error,
          let other = rendering.substituting(forCopyOf: track)
        else { throw ProbeFailure(error) }
        rendering = other
        let isVideo = rendering.tracks.contains {
          guard $0.index == track, case .encodeVideo = $0.work else { return false }
          return true
        }
        notes.append(
          "\(isVideo ? "The video" : "An audio") track \(fault.phrase): it is re-encoded.")
        isReencoded = true
        try output.empty()
      } catch let refusal as RedactionRefusal {
        throw ProbeFailure(.unsupported, refusal.description)
      }
    }
    let finish = MovieFinish(
      metadata: metadata.boxes, trackIDs: trackIDs,
      presentations: try rendering.presentations(reading, trackIDs, source, policy),
      disabledTracks: rendering.disabledTracks(of: reading.movie),
      end: rendering.tracks.contains { $0.work == .copy } ? end : nil,
      stillImage: metadata.stillImage?.from(start),
      timedMetadata: rendering.keepsTimedMetadata && !policy.contains(.withoutLocation)
        ? try TimedMetadataCopy(source, type, from: start, otherThan: trackIDs) : nil,
      container: rendering.container)
    let (hasMoment, hasMetadata) = try finish.apply(to: output) {
      if throttle.isDue { try progress(position) }
    }
    if !hasMetadata {
      notes.append("Timed metadata of the source is damaged or too large, and is left out.")
    }
    if pauses?.changesSpeed == true {
      notes.append(
        "An edit list plays parts of the source at another speed; the result has the usual one.")
    }
    if metadata.boxes.isIncomplete {
      notes.append("Metadata of the source is too large, and is left out.")
    }
    if metadata.stillImage != nil, !hasMoment, rendering.hasVideo(of: reading.movie) {
      notes.append("The exported part does not contain the moment of the Live Photo's still.")
    }
    return RenderResult(
      size: try output.size(), pixelSize: rendering.pixelSize(of: reading.movie), notes: notes,
      isReencoded: isReencoded)
  }

  /// The movie, or the clip inside a picture, and its type by content.
  private func movieSource(
    _ range: ByteRange?
  ) throws -> (UniformType, Demuxer, any ByteSource) {
    var source: any ByteSource = self
    if let range {
      let (end, overflow) = range.offset.addingReportingOverflow(range.length)
      source = part(range.offset..<(overflow ? UInt64.max : max(end, range.offset)))
    }
    guard source.count > 0 else { throw ProbeFailure(.damaged, "The file is empty.") }
    let promise = FileNameParts(name: path.lastComponent).fileExtension
    guard case .media(let type) = try ContentType(of: source, fileExtension: promise),
      let demuxer = Demuxer(type)
    else { throw ProbeFailure(.notMedia, "The content is not a known video format.") }
    try demuxer.checkHeader(of: source)
    return (type, demuxer, source)
  }

  /// Nil if the format has no edit lists, or those of a damaged movie cannot be read.
  private func pauses(_ demuxer: Demuxer, _ source: any ByteSource) -> ISOPauses? {
    demuxer == .quickTime ? try? ISOPauses(source) : nil
  }

  private func openMovie(
    _ demuxer: Demuxer, _ source: any ByteSource, _ pauses: ISOPauses?
  ) throws(ProbeFailure) -> MovieFile {
    let tracks = pauses?.tracks.mapValues { list in
      list.map { TrackPause(start: $0.start, delay: $0.delay) }
    }
    do throws(AudioVideoError) {
      return try MovieFile(
        demuxer, size: source.count, readsPackets: true, pauses: tracks ?? [:],
        read: pauses?.bytes(at:count:) ?? source.bytes(at:count:))
    } catch {
      throw ProbeFailure(error)
    }
  }
}

extension MovieDescription {
  /// Adds what FFmpeg does not report about tracks: whether they are encrypted, whether an edit list joins parts of them,
  /// and which one marks the moment of a still.
  ///
  /// - Parameters:
  ///   - file: knows FFmpeg's numbers of the tracks.
  ///   - hasMoment: whether that moment can be read.
  fileprivate mutating func add(
    _ boxes: ISOMovie, of file: borrowing MovieFile, hasMoment: Bool
  ) {
    for track in boxes.tracks {
      guard let index = file.streamIndex(ofTrack: track.id), tracks.indices.contains(index)
      else { continue }
      if tracks[index].kind == .other, hasMoment, track.isStillImageTime {
        tracks[index].kind = .stillImageTime
      }
      tracks[index].joinsParts = track.joinsParts(movieTimescale: boxes.timescale)
      if track.changesCodec {
        tracks[index].changesCodec = true
        tracks[index].isDecodable = false
      }
      guard let type = track.sampleEntries.first?.type, type == "encv" || type == "enca" else {
        continue
      }
      tracks[index].tag = type.description
      tracks[index].isDecodable = false
    }
  }
}

extension MovieDescription {
  /// Marks a track of timed metadata that can be written again.
  fileprivate mutating func add(timedMetadata id: UInt32, of file: borrowing MovieFile) {
    guard let index = file.streamIndex(ofTrack: id), tracks.indices.contains(index),
      tracks[index].kind == .other
    else { return }
    tracks[index].kind = .timedMetadata
  }
}

extension ISOMovie {
  /// The IDs of the tracks of which an edit list shows parts that do not follow one another.
  fileprivate var joinedTracks: Set<UInt32> {
    Set(tracks.filter { $0.joinsParts(movieTimescale: timescale) }.map(\.id))
  }
}

extension MovieRendering {
  /// The rendering with a track's substitute in place of a copy; nil if it has none.
  fileprivate func substituting(forCopyOf index: Int) -> MovieRendering? {
    guard let number = tracks.firstIndex(where: { $0.index == index && $0.work == .copy }),
      let substitute = tracks[number].substitute
    else { return nil }
    var other = self
    other.tracks[number] = TrackRendering(index: index, work: substitute)
    return other
  }

  fileprivate var keepsDynamicRange: Bool {
    tracks.contains { track in
      guard case .encodeVideo(let encoding) = track.work else { return false }
      return encoding.keepsDynamicRange
    }
  }

  /// The numbers of the result's subtitle tracks that are not enabled in the source. libavformat's muxer enables the
  /// first of them where none is the default.
  fileprivate func disabledTracks(of movie: Movie) -> Set<Int> {
    Set(
      tracks.indices.filter { number in
        let index = tracks[number].index
        guard movie.streams.indices.contains(index) else { return false }
        let stream = movie.streams[index]
        return stream.kind == .subtitle && stream.isDefault == false
      })
  }

  /// Whether the result has a video track.
  fileprivate func hasVideo(of movie: Movie) -> Bool { pixelSize(of: movie) != nil }

  /// The upright size of the result's frames; nil for audio only.
  fileprivate func pixelSize(of movie: Movie) -> PixelSize? {
    for track in tracks where movie.streams.indices.contains(track.index) {
      switch track.work {
      case .encodeVideo(let encoding): return encoding.size
      case .copy:
        let stream = movie.streams[track.index]
        guard stream.kind == .video, let size = stream.size else { continue }
        return (stream.orientation ?? .up).upright(size)
      case .encodeAudio, .encodeSubtitles: continue
      }
    }
    return nil
  }
}

/// Limits progress reports to a few a second.
struct ProgressThrottle {
  private let clock = ContinuousClock()
  private var last: ContinuousClock.Instant

  init() {
    last = clock.now
  }

  /// Whether it is time for another report.
  var isDue: Bool {
    mutating get {
      let now = clock.now
      guard now - last >= .milliseconds(300) else { return false }
      last = now
      return true
    }
  }
}

extension MetadataPolicy {
  /// Whether to leave out a text of a movie.
  fileprivate func removes(_ text: [UInt8], of part: MovieText) -> Bool {
    switch part {
    case .subtitle, .chapter: removes(text: text)
    case .track(let key): removes(text: text) || removes(text: text, key: key)
    }
  }
}

extension CodedUserData {
  /// Overwrites all that ``VideoUserData`` finds if the place is removed, and changes pictures by the policy.
  fileprivate static func erased(_ policy: MetadataPolicy) -> CodedUserData {
    let removesLocation = policy.contains(.withoutLocation)
    return CodedUserData(
      filler: VideoUserData.filler,
      inHeader: { removesLocation ? VideoUserData($0, $1).erasable(inConfiguration: $1) : [] },
      inPacket: { removesLocation ? VideoUserData($0, $1).erasable(in: $2) : [] },
      inPicture: { try PictureFrame.removing(policy, from: $0) })
  }
}

extension CodedParameterSets {
  fileprivate static var searched: CodedParameterSets {
    CodedParameterSets { codec, header in
      // The other codecs have no parameter sets.
      guard codec == .h264 || codec == .hevc else { return { _ in false } }
      var sets = ParameterSets(codec == .h264 ? .h264 : .hevc, configuration: header)
      return { sets.areContradicted(by: $0) }
    }
  }
}

extension VideoUserData {
  fileprivate init(_ codec: CodedUserData.Codec, _ configuration: [UInt8]) {
    let own: VideoUserData.Codec =
      switch codec {
      case .h264: .h264
      case .hevc: .hevc
      case .av1: .av1
      case .mpeg: .mpeg
      }
    self.init(own, configuration: configuration)
  }
}
