package import MediaEdits
import MediaModel
package import Presets

/// Settings of a movie besides its preset.
package struct MovieOptions: Sendable, Hashable {
  package var trim: TimeSpan?
  /// Seconds; longer movies are cut.
  package var maxDuration: Double?
  /// Whether the file is made again even if all of its tracks stay, because its metadata changes.
  package var isRewritten: Bool
  /// Whether a shortened movie contains nothing but the part that is wanted, so that no track can be copied.
  package var isExact: Bool

  package init(
    trim: TimeSpan? = nil, maxDuration: Double? = nil, isRewritten: Bool = false,
    isExact: Bool = false
  ) {
    self.trim = trim
    self.maxDuration = maxDuration
    self.isRewritten = isRewritten
    self.isExact = isExact
  }
}

/// The decision on a movie, with its reasons, each a phrase for people.
package enum MovieDecision: Sendable, Hashable {
  /// Its bytes stay as they are.
  case copy(reasons: [String])
  /// Its tracks are put into another container; some are re-encoded. The notes are sentences on what the result lacks.
  case render(MovieRendering, reasons: [String], notes: [String] = [])
  /// The reason why it is impossible, as one sentence.
  case refuse(String)
}

/// Decides track by track what becomes of a movie under a preset.
package func moviePlan(
  _ movie: MovieDescription, _ preset: VideoPreset, _ options: MovieOptions
) -> MovieDecision {
  do {
    return try MoviePlanner(movie: movie, preset: preset, options: options).decision()
  } catch {
    return .refuse(error.sentence)
  }
}

extension RenderWork {
  /// This work with a number of threads, if it can use several.
  func using(_ threads: Int) -> RenderWork {
    guard case .movie(var rendering) = self else { return self }
    rendering.threads = threads
    return .movie(rendering)
  }
}

/// Why nothing can be made of a movie, as one sentence.
struct MovieRefusal: Error, Hashable {
  var sentence: String
}

/// Decides track by track: a track that meets the preset is copied, others are re-encoded.
struct MoviePlanner {
  let movie: MovieDescription
  let preset: VideoPreset
  let options: MovieOptions

  func decision() throws(MovieRefusal) -> MovieDecision {
    let span = try span()
    let (tracks, silence) = try choices(isCut: span != nil)
    var choices = tracks
    let isWhole =
      span == nil && !options.isRewritten && leavesNothingOut(choices)
      && choices.allSatisfy { $0.rendering.work == .copy && $0.change == nil }
    let container = try container(for: choices, isWhole: isWhole)
    // Where the preset names no container, the source's own is right for its very bytes.
    if isWhole, preset.container == nil || isContainer(container) {
      return .copy(reasons: [rightReason(container)])
    }
    if container != .m4a { choices += subtitleChoices }
    let changes = choices.compactMap(\.change).uniqued
    var reasons = changes
    if changes.isEmpty { reasons.append("the tracks are copied") }
    // A preset that names a container has said so itself.
    if changes.isEmpty || preset.container == nil, !isContainer(container) {
      reasons.append("from \(movie.container.containerName) to \(container.name)")
    }
    if let span { reasons.append(span.reason) }
    let keepsTimedMetadata = keepsTimedMetadata(choices, in: container)
    reasons += leftOut(choices, keepsTimedMetadata: keepsTimedMetadata)
    if losesDolbyVision(choices, in: container) { reasons.append("without Dolby Vision") }
    if losesTransparency(choices) { reasons.append("without transparency") }
    let rendering = MovieRendering(
      container: container, tracks: choices.map(\.rendering), trim: span,
      keepsTimedMetadata: keepsTimedMetadata)
    let notes = silence.map { ["The result has no audio. " + $0.sentence] } ?? []
    return .render(rendering, reasons: reasons, notes: notes)
  }

  // MARK: Time

  /// The part that is wanted; nil for all of it.
  private func span() throws(MovieRefusal) -> TimeSpan? {
    let start = options.trim?.start ?? 0
    let limits = [options.trim?.end, options.maxDuration.map { start + $0 }].compactMap(\.self)
    let end = limits.min()
    guard let duration = movie.duration else {
      return start > 0 || end != nil ? TimeSpan(start: start, end: end) : nil
    }
    guard start < duration else {
      throw MovieRefusal(
        sentence: "The requested part starts after the end of the video, which lasts "
          + "\(duration.hundredths) s.")
    }
    // Times are rounded to what the containers count in.
    let isCut = end.map { $0 < duration - 0.005 } ?? false
    guard start > 0 || isCut else { return nil }
    return TimeSpan(start: start, end: isCut ? end : nil)
  }

  // MARK: Tracks

  /// What becomes of the tracks that stay, and why the result of a movie with audio has none.
  ///
  /// If the part is cut exactly, tracks are re-encoded that the preset would copy. A copied video track begins at a key
  /// frame. Frames that are encoded up to the next one would need a second set of parameters in the track (`avc3`,
  /// `hev1`), which many players do not support.
  private func choices(
    isCut: Bool
  ) throws(MovieRefusal) -> (tracks: [TrackChoice], silence: MovieRefusal?) {
    let cutExactly = options.isExact && isCut
    let isRewritten =
      isCut || options.isRewritten || preset.container.map { !isContainer($0) } ?? false
    var choices: [TrackChoice] = []
    var silence: MovieRefusal?
    if preset.codec != .none, let video = movie.mainVideo {
      let plan = VideoTrackPlan(track: video, movie: movie, preset: preset)
      choices.append(
        cutExactly ? try plan.exactChoice() : try plan.choice(isRewritten: isRewritten))
    }
    if preset.audioCodec != .none {
      let (audio, obstacle) = audioChoices(cutExactly: cutExactly, isRewritten: isRewritten)
      if choices.isEmpty, audio.isEmpty, let obstacle { throw obstacle }
      choices += audio
      silence = audio.isEmpty ? obstacle : nil
    }
    guard !choices.isEmpty else {
      throw MovieRefusal(
        sentence: preset.codec == .none
          ? "The video has no audio track."
          : "The file contains nothing that can be exported as a video.")
    }
    return (choices, silence)
  }

  /// The subtitles that are written; those that are pictures have no place in these containers.
  private var subtitleChoices: [TrackChoice] {
    movie.tracks.compactMap { track in
      switch track.codec {
      case "mov_text" where movie.container.isISOFamily:
        // Subtitles of one MP4 are subtitles of another.
        return TrackChoice(rendering: TrackRendering(index: track.index, work: .copy))
      case "subrip"?, "ass"?, "webvtt"?, "text"?, "mov_text"?:
        guard track.isDecodable, let name = track.codec?.codecName else { return nil }
        return TrackChoice(
          rendering: TrackRendering(index: track.index, work: .encodeSubtitles),
          change: "the subtitles are \(name): to MP4's own")
      default: return nil
      }
    }
  }

  /// The audio tracks that stay, and why the first of the others does not.
  private func audioChoices(
    cutExactly: Bool, isRewritten: Bool
  ) -> (tracks: [TrackChoice], obstacle: MovieRefusal?) {
    var choices: [TrackChoice] = []
    var obstacle: MovieRefusal?
    for track in movie.tracks where track.kind == .audio {
      do throws(MovieRefusal) {
        let plan = AudioTrackPlan(track: track, preset: preset)
        choices.append(
          cutExactly
            ? try plan.exactChoice(in: movie.container)
            : try plan.choice(
              isPlaced: !isRewritten
                || !track.changesCodec && !track.isEncrypted && preset.places(track, of: movie)))
      } catch {
        obstacle = obstacle ?? error
      }
    }
    return (choices, obstacle)
  }

  /// Whether the choices contain all audio tracks and the video track of the source.
  private func leavesNothingOut(_ choices: [TrackChoice]) -> Bool {
    let kept = Set(choices.map(\.rendering.index))
    let wanted =
      movie.tracks.filter { $0.kind == .audio && $0.isDecodable }
      + [movie.mainVideo]
      .compactMap(\.self)
    return wanted.allSatisfy { kept.contains($0.index) }
  }

  /// Whether the result gets the source's timed metadata: if it is the same video track, and not only its frames.
  ///
  /// The clip of a live photo that is made of another kind does not: its programs expect no other tracks.
  private func keepsTimedMetadata(
    _ choices: [TrackChoice], in container: MovieRendering.Container
  ) -> Bool {
    guard movie.container.isISOFamily, container != .m4a, !options.isRewritten,
      movie.tracks.contains(where: { $0.kind == .timedMetadata }), let video = movie.mainVideo,
      let choice = choices.first(where: { $0.rendering.index == video.index })
    else { return false }
    // A cut that is exact re-encodes tracks that the preset keeps.
    return choice.rendering.work == .copy || preset.codec == .source
  }

  private func leftOut(_ choices: [TrackChoice], keepsTimedMetadata: Bool) -> [String] {
    let kept = Set(choices.map(\.rendering.index))
    let dropped = movie.tracks.filter { !kept.contains($0.index) }
    var reasons: [String] = []
    for track in dropped where preset.audioCodec != .none && track.kind == .audio {
      reasons.append("without an audio track " + track.fault)
    }
    if preset.codec != .none, dropped.contains(where: { $0.kind == .video }) {
      reasons.append("without further video tracks")
    }
    for track in dropped where track.kind == .subtitle {
      reasons.append("without subtitles (\(track.codec?.codecName ?? "of unknown kind"))")
    }
    if dropped.contains(where: { $0.kind == .auxiliaryVideo }) { reasons.append("without depth") }
    let others = dropped.filter {
      switch $0.kind {
      // GoPro's description of the file, for its repair.
      case .other: $0.tag != "fdsc"
      // The moment of a still is kept with the video track.
      case .stillImageTime: preset.codec == .none
      case .timedMetadata: !keepsTimedMetadata
      default: false
      }
    }
    if others.contains(where: { $0.tag == "tmcd" }) { reasons.append("without time codes") }
    if others.contains(where: { $0.channels != nil }) {
      reasons.append("without the audio of other programs")
    }
    if others.contains(where: { $0.tag != "tmcd" && $0.channels == nil }) {
      reasons.append("without timed metadata")
    }
    if dropped.contains(where: { $0.kind == .attachment }) {
      reasons.append("without attached files")
    }
    if !movie.container.isISOFamily, dropped.contains(where: { $0.kind == .attachedPicture }) {
      reasons.append("without its cover")
    }
    return reasons.uniqued
  }

  /// Whether a copied picture loses what says that it is Dolby Vision: libavformat puts it into MP4
  /// alone, and other players show the base layer.
  private func losesDolbyVision(
    _ choices: [TrackChoice], in container: MovieRendering.Container
  ) -> Bool {
    choices.contains { choice in
      choice.rendering.work == .copy && container != .mp4
        && movie.tracks.contains {
          $0.index == choice.rendering.index && $0.dynamicRange == .dolbyVision
        }
    }
  }

  /// Whether a picture's channel for transparency is not in the result: only ProRes 4444 has one, and what
  /// VP8 and VP9 have beside their packets has no place in these containers.
  private func losesTransparency(_ choices: [TrackChoice]) -> Bool {
    choices.contains { choice in
      let track = movie.tracks.first { $0.index == choice.rendering.index }
      guard let track, track.isTransparent else { return false }
      switch choice.rendering.work {
      case .encodeVideo(let encoding): return encoding.codec != .proRes4444
      case .copy: return track.codec == "vp8" || track.codec == "vp9"
      case .encodeAudio, .encodeSubtitles: return false
      }
    }
  }

  // MARK: Container

  /// What the tracks are put into.
  ///
  /// - Parameter isWhole: whether everything is copied, which needs no place if the preset names no container.
  private func container(
    for choices: [TrackChoice], isWhole: Bool
  ) throws(MovieRefusal) -> MovieRendering.Container {
    let wanted = preset.container ?? movie.container.nearestContainer
    let codecs = copiedCodecs(choices)
    if let codec = codecs.first(where: { !wanted.holds($0) }) {
      if preset.container == nil, codecs.allSatisfy(MovieRendering.Container.quickTime.holds) {
        return .quickTime
      }
      if preset.container == nil {
        // What a container of QuickTime's family has, another has a place for.
        if isWhole || movie.container.isISOFamily || codecs.allSatisfy(wanted.takes) {
          return wanted
        }
        let obstacle = codecs.first { !wanted.takes($0) } ?? codec
        throw MovieRefusal(
          sentence: "\(obstacle.codecName) cannot be put into \(wanted.name) as it is: "
            + "use --exact or --video-preset compatible.")
      }
      throw MovieRefusal(
        sentence: "\(codec.codecName) cannot be put into \(wanted.name) as it is.")
    }
    return wanted
  }

  private func copiedCodecs(_ choices: [TrackChoice]) -> [String] {
    choices.filter { $0.rendering.work == .copy }.compactMap { choice in
      movie.tracks.first { $0.index == choice.rendering.index }?.codec
    }
  }

  /// Whether the source is in this container already.
  private func isContainer(_ container: MovieRendering.Container) -> Bool {
    movie.container == container.uniformType
  }

  private func rightReason(_ container: MovieRendering.Container) -> String {
    guard preset.codec != .source || preset.audioCodec != .source else {
      return "the preset keeps the original tracks"
    }
    let codecs = [TrackDescription.Kind.video, .audio].flatMap { kind in
      movie.tracks.filter { $0.kind == kind }.compactMap { $0.codec?.codecName }
    }
    return "it is \(codecs.uniqued.joined(separator: " and ")) in \(container.name) already"
  }
}

/// What becomes of one track, and why.
struct TrackChoice: Hashable {
  var rendering: TrackRendering
  /// The change and its reason, as `the video track is HEVC: to H.264`; nil if the track is copied.
  var change: String?
}

extension MovieDescription {
  /// The video track that players show: the first that can be decoded.
  var mainVideo: TrackDescription? {
    let videos = tracks.filter { $0.kind == .video }
    return videos.first { $0.isDecodable && $0.size != nil } ?? videos.first
  }
}

extension TrackDescription {
  /// Why an audio track is left out, as the end of a phrase on it.
  fileprivate var fault: String {
    if isEncrypted { return "that is encrypted" }
    guard let codec else { return "of unknown kind" }
    return changesCodec
      ? "that changes its codec" : "that cannot be decoded (\(codec.codecName))"
  }
}

extension TimeSpan {
  fileprivate var reason: String {
    "from \(start.hundredths) s" + (end.map { " to \($0.hundredths) s" } ?? "")
  }
}

extension [String] {
  fileprivate var uniqued: [String] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
