import MediaEdits
import MediaModel
import Presets
import WorkerProtocol

// Live photos and motion photos in a form that a preset requires: Apple's two files, or one with the clip inside.

extension ExportRequest {
  /// Whether pictures with clips change their form.
  var convertsLivePhotos: Bool { imagePreset.livePhoto != .source && hasBothParts }

  /// Whether the picture and the clip are exported.
  fileprivate var hasBothParts: Bool { resources == .all || livePhotos == .pair }

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
    if dropsDynamicRange { request.dynamicRange = .drop }
    // What stays HDR would stay HEIC.
    if request.dynamicRange == .keep { request.dynamicRange = nil }
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
    // A picture around a clip loses it, whatever identifier it has.
    let own = clip.range == nil ? ownIdentifier : nil
    let identifier = identifier(movie)
    let part = LivePhotoPart.paired(identifier: identifier)
    var picture =
      own == nil
      ? try rewritten(part)
      : try request.decision(
        still, of: asset,
        examined: request.needsExamination(still, of: asset) ? examinedStill : nil)
    if request.imageMetadata != .appearanceOnly, own == nil {
      picture.reasons.append(Self.stillReason)
    }
    let hasMoment =
      clip.range == nil
      ? movie.stillImageTime != nil : movie.tracks.contains { $0.kind == .stillImageTime }
    let isPart = movie.contentIdentifier == identifier && hasMoment
    let keepsNothing = request.videoMetadata == .appearanceOnly
    var motion = try request.with(.quickTime, for: movie)
      .movieDecision(clip, movie, isRewritten: !isPart && !keepsNothing)
    motion.wasOpened = true
    if motion.work.isRendering, !keepsNothing, !motion.isCopy { motion.livePhoto = part }
    if !isPart, !keepsNothing { motion.reasons.append(Self.clipReason) }
    return files(picture, motion)
  }

  private static let stillReason = "with a Live Photo's identifier"
  private static let clipReason = "with what makes it a Live Photo's"

  private func files(_ picture: FileDecision, _ motion: FileDecision) -> [PlannedFile] {
    [
      PlannedFile(part: still, decision: picture, target: "", replacesOwn: false),
      PlannedFile(part: clip, decision: motion, target: "", replacesOwn: false),
    ]
  }

  /// The identifier of the picture, as the catalog knows it.
  private var ownIdentifier: String? {
    still.version == .original ? asset.contentIdentifier : nil
  }

  /// The identifier that both files have or get.
  private func identifier(_ movie: MovieDescription) -> String {
    let others = [movie.contentIdentifier, movie.derivedIdentifier].compactMap(\.self)
    return ownIdentifier ?? others.first(where: Self.isUsable) ?? asset.identifier
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
        + (decision.removesGainMap ? ["without its gain map"] : [])
        + request.imageMetadata.removedMetadata.map { "without \($0)" }
    }
    // The identifier of a pair is metadata; the place of a clip in a file is not.
    if !isPaired || request.imageMetadata != .appearanceOnly { decision.livePhoto = part }
    return decision
  }

  // MARK: A motion photo whose picture is re-encoded

  /// The files of a motion photo: one again if the preset requires that, otherwise two with what makes them a live photo.
  ///
  /// - Parameter picture: the decision to re-encode the picture.
  /// - Returns: nil if the clip is exported without what the picture says about it.
  func files(reencoding picture: FileDecision) throws(ExportRefusal) -> [PlannedFile]? {
    if request.imagePreset.livePhoto == .motionPhoto { return try files() }
    let (keepsStill, keepsClip) = (
      request.imageMetadata != .appearanceOnly, request.videoMetadata != .appearanceOnly
    )
    guard keepsStill || keepsClip, case .movie(let movie) = examinedClip,
      var motion = try? request.movieDecision(clip, movie, isRewritten: keepsClip),
      motion.type != .mpeg4Audio
    else { return nil }
    let part = LivePhotoPart.paired(identifier: identifier(movie))
    var picture = picture
    if keepsStill {
      picture.livePhoto = part
      picture.reasons.append(Self.stillReason)
    }
    motion.wasOpened = true
    if keepsClip {
      motion.livePhoto = part
      motion.reasons.append(Self.clipReason)
    }
    if request.crop != nil { motion.reasons.append(Self.uncroppedReason) }
    return files(picture, motion)
  }

  /// A clip is not cropped with its picture.
  static let uncroppedReason = "the clip is not cropped"

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

  /// The moment of the still in the clip that is made, in microseconds; −1 if that does not contain it, or if it is
  /// unknown, also because the clip starts at a key frame before the requested part.
  private func moment(in movie: MovieDescription) -> Int64 {
    let start = request.trim?.start ?? 0
    let length = request.trim?.end.map { $0 - start } ?? .infinity
    guard request.videoMetadata != .appearanceOnly, start == 0 || request.cutsExactly,
      let seconds = movie.stillImageTime.map({ $0 - start }), seconds >= 0,
      seconds < min(length, request.maxDuration ?? 1e9)
    else { return -1 }
    return Int64((seconds * 1e6).rounded())
  }
}

extension FileDecision {
  /// Whether a worker copies bytes.
  fileprivate var isCopy: Bool {
    if case .render(.copy, _) = work { true } else { false }
  }

  /// Whether a worker decodes and re-encodes a picture.
  var isReencodedPicture: Bool {
    if case .render(.picture, _) = work { true } else { false }
  }
}

extension ExportRequest {
  /// The clip inside a picture's file among parts that are exported; nil if only one of both is exported.
  func embeddedClip(of still: ExportPart, _ parts: [ExportPart]) -> ExportPart? {
    guard hasBothParts, still.kind == .picture, !still.isCopied else { return nil }
    return parts.first { $0.isEmbedded(in: still) }
  }
}

extension ExportPart {
  fileprivate func isEmbedded(in still: ExportPart) -> Bool {
    resource == .pairedVideo && range != nil && path == still.path
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
