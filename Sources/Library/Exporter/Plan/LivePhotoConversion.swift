import MediaEdits
import MediaModel
import Presets
import WorkerProtocol

// Live photos and motion photos in a form that a preset requires: Apple's two files, or one with the clip inside.

extension ExportRequest {
  /// Whether pictures with clips change their form.
  var convertsLivePhotos: Bool { imagePreset.livePhoto != .source && hasBothParts }

  /// Whether the picture and the clip are exported.
  private var hasBothParts: Bool { resources == .all || livePhotos == .pair }

  /// Whether a clip of its own becomes a part of its picture's file.
  func appendsClip(_ part: ExportPart) -> Bool {
    imagePreset.livePhoto == .motionPhoto && hasBothParts && part.resource == .pairedVideo
      && part.range == nil
  }

  /// Whether a motion photo becomes two files.
  func extractsClip(_ part: ExportPart) -> Bool {
    imagePreset.livePhoto == .pair && hasBothParts && part.resource == .pairedVideo
      && part.range != nil
  }

  /// This request with a JPEG as the form of pictures.
  fileprivate var withJPEG: ExportRequest {
    var request = self
    request.imagePreset.format = .jpeg
    request.imagePreset.transparentFormat = .jpeg
    request.imagePreset.keepTypes = [.jpeg]
    // What stays HDR would stay HEIC.
    request.dynamicRange = nil
    return request
  }

  /// This request with a container for clips, in which tracks that it cannot hold are re-encoded.
  fileprivate func with(
    _ container: MovieRendering.Container, for movie: MovieDescription
  ) -> ExportRequest {
    var request = self
    request.videoPreset.container = container
    func holdsAll(_ kind: TrackDescription.Kind) -> Bool {
      movie.tracks.allSatisfy { $0.kind != kind || $0.codec.map(container.holds) ?? true }
    }
    if videoPreset.codec == .source, !holdsAll(.video) {
      request.videoPreset.codec = .encoded(.h264)
      request.videoPreset.keepsDynamicRange = false
    }
    if videoPreset.audioCodec == .source, !holdsAll(.audio) {
      request.videoPreset.audioCodec = .encoded(.aac)
      request.videoPreset.maxAudioChannels = 8
    }
    return request
  }
}

/// A picture and its clip that change their form together.
struct LivePhotoConversion {
  let request: ExportRequest
  let asset: AssetRecord
  let still: ExportPart
  let clip: ExportPart
  let examinedStill: ExamineReply?
  let examinedClip: ExamineReply?

  /// The files of the live photo: two, or one with an appended clip.
  func files() throws(ExportRefusal) -> [PlannedFile] {
    let movie: MovieDescription
    switch examinedClip {
    case .movie(let found): movie = found
    case .failed(let failure): throw ExportRefusal(sentence: failure.message)
    case .picture, nil: throw ExportRefusal(sentence: "The clip is not a video.")
    }
    return request.imagePreset.livePhoto == .pair ? try pair(movie) : [try motionPhoto(movie)]
  }

  // MARK: Apple's pair

  private func pair(_ movie: MovieDescription) throws(ExportRefusal) -> [PlannedFile] {
    let known = still.version == .original ? asset.contentIdentifier : nil
    // A picture around a clip loses it, whatever identifier it has.
    let own = clip.range == nil ? known : nil
    let others = [movie.contentIdentifier, movie.derivedIdentifier].compactMap(\.self)
    let identifier = known ?? others.first(where: Self.isUsable) ?? asset.identifier
    let part = LivePhotoPart.paired(identifier: identifier)
    var picture =
      own == nil
      ? try rewritten(part)
      : try request.decision(
        still, of: asset,
        examined: request.needsExamination(still, of: asset) ? examinedStill : nil)
    if request.imageMetadata != .appearanceOnly, own == nil {
      picture.reasons.append("with a Live Photo's identifier")
    }
    let isPart = movie.contentIdentifier == identifier && movie.stillImageTime != nil
    let keepsNothing = request.videoMetadata == .appearanceOnly
    var motion = try request.with(.quickTime, for: movie)
      .movieDecision(clip, movie, isRewritten: !isPart && !keepsNothing)
    motion.wasOpened = true
    if motion.work.isRendering, !keepsNothing, !motion.isCopy { motion.livePhoto = part }
    if !isPart, !keepsNothing { motion.reasons.append("with what makes it a Live Photo's") }
    return [
      PlannedFile(part: still, decision: picture, target: "", replacesOwn: false),
      PlannedFile(part: clip, decision: motion, target: "", replacesOwn: false),
    ]
  }

  /// Whether a MakerNote of Apple's can have an identifier.
  private static func isUsable(_ identifier: String) -> Bool {
    (1...256).contains(identifier.utf8.count)
  }

  /// The picture as a JPEG that is a part of a live photo.
  private func rewritten(_ part: LivePhotoPart) throws(ExportRefusal) -> FileDecision {
    let jpeg = request.withJPEG
    var decision = try jpeg.decision(still, of: asset, examined: examinedStill)
    let isPaired = if case .paired = part { true } else { false }
    if decision.work == .copy || decision.isCopy {
      decision.work = .render(.copy(.jpeg), request.imageMetadata)
      decision.reasons =
        ["its pixels stay as they are"]
        + request.imageMetadata.removedMetadata.map { "without \($0)" }
    }
    // The identifier of a pair is metadata; the place of a clip in a file is not.
    if !isPaired || request.imageMetadata != .appearanceOnly { decision.livePhoto = part }
    return decision
  }

  // MARK: Motion photo

  private func motionPhoto(_ movie: MovieDescription) throws(ExportRefusal) -> PlannedFile {
    var motion = try request.with(.mp4, for: movie).movieDecision(clip, movie)
    motion.wasOpened = true
    var picture = try rewritten(.motionPhoto(moment: moment(in: movie)))
    picture.reasons.append("with its clip inside")
    picture.reasons += motion.reasons.map { "the clip: \($0)" }
    var file = PlannedFile(part: still, decision: picture, target: "", replacesOwn: false)
    file.clip = AppendedClip(part: clip, decision: motion)
    return file
  }

  /// The moment of the still in microseconds; −1 if it is unknown, also after a start at another key frame.
  private func moment(in movie: MovieDescription) -> Int64 {
    guard request.videoMetadata != .appearanceOnly, request.trim == nil,
      let seconds = movie.stillImageTime, seconds >= 0, seconds < request.maxDuration ?? 1e9
    else { return -1 }
    return Int64((seconds * 1e6).rounded())
  }
}

extension FileDecision {
  /// Whether a worker copies bytes.
  fileprivate var isCopy: Bool {
    if case .render(.copy, _) = work { true } else { false }
  }
}

extension ExportSubject {
  /// The picture of a clip among parts that are exported, if both change their form.
  func converted(_ clip: ExportPart, _ parts: [ExportPart], _ request: ExportRequest) -> ExportPart?
  {
    guard request.convertsLivePhotos, clip.resource == .pairedVideo,
      request.appendsClip(clip) || request.imagePreset.livePhoto == .pair
    else { return nil }
    let version = (edited + [original]).first { $0.clip == clip }
    guard let still = version?.main, still.kind == .picture, parts.contains(still) else {
      return nil
    }
    return still
  }

  /// Whether a clip of its own becomes a part of its picture's file.
  func isAppended(_ part: ExportPart, _ request: ExportRequest) -> Bool {
    request.appendsClip(part) && converted(part, parts(request), request) != nil
  }

  /// The size and time of what a part is made from: of a motion photo's picture and clip together.
  func version(of part: ExportPart, _ request: ExportRequest) -> ExportRecord.Version? {
    guard let stamp = stamps[part.path] else { return nil }
    var version = ExportRecord.Version(stamp)
    if let clip = appendedClip(of: part, request), let other = stamps[clip.path] {
      version.size = version.size.adding(size: other.size)
      version.modified = max(version.modified, other.modified)
    }
    return version
  }

  /// The clip of its own that becomes a part of a picture's file; nil if none does.
  func appendedClip(of part: ExportPart, _ request: ExportRequest) -> ExportPart? {
    guard request.convertsLivePhotos,
      let clip = (edited + [original]).first(where: { $0.main == part })?.clip,
      isAppended(clip, request)
    else { return nil }
    return clip
  }
}
