package import MediaEdits
package import MediaModel
import Presets
import WorkerProtocol

/// The decision on one file, with its reasons.
package struct FileDecision: Sendable, Hashable {
  package enum Work: Sendable, Hashable {
    /// Its bytes, or the clip's, as they are; this process copies them.
    case copy
    /// A worker makes it.
    case render(RenderWork, MetadataPolicy)
    /// An XMP file about the asset, which this process writes.
    case describe(MetadataPolicy)
    /// The result of an earlier export stays.
    case keep

    /// Whether a worker makes it.
    var isRendering: Bool {
      if case .render = self { true } else { false }
    }
  }

  package var work: Work
  /// What is made.
  package var type: UniformType
  /// Phrases for people.
  package var reasons: [String]
  /// Sentences on what the result lacks.
  package var notes: [String] = []
  /// Whether the file was opened for this decision, and not only what the catalog contains of it.
  package var wasOpened = false
  /// Whether a copy is to be a picture that any program opens: it must have pixel data at least.
  package var promisesPicture = false
  /// Whether a copy of a JPEG is to be without its gain map.
  package var removesGainMap = false
  /// What the result must contain as a part of a live photo.
  package var livePhoto: LivePhotoPart?
  /// The facts of the catalog that the result gets in its metadata.
  package var facts: CatalogFacts?
}

extension FileDecision {
  /// The result of an earlier export stays.
  static func keep(_ type: UniformType, _ reason: SkipReason) -> FileDecision {
    FileDecision(work: .keep, type: type, reasons: [reason.description], wasOpened: true)
  }
}

/// Why a file cannot be exported, one sentence.
package struct ExportRefusal: Error, Sendable, Hashable {
  package var sentence: String
}

extension ExportRequest {
  /// Whether a file has to be examined, because the catalog does not contain enough to decide.
  func needsExamination(_ part: ExportPart, of asset: AssetRecord) -> Bool {
    if part.isCopied { return false }
    if part.resource == .pairedVideo, convertsLivePhotos { return true }
    if part.kind == .movie { return changesMovies(asset) }
    guard !isKept(part, of: asset, size: part.pixelSize) else { return false }
    // A JPEG has no transparency, and the catalog knows its size.
    return part.uniformType != .jpeg || part.pixelSize == nil
      || mayBeCopiedAsSDR(part, of: asset, size: part.pixelSize)
  }

  /// Notes on a clip that is exported inside its picture's file.
  func reasonsOfEmbeddedClip(of asset: AssetRecord) -> [String] {
    switch livePhotos {
    case .still: ["its clip stays inside"]
    case .pair, .motion: shortens(asset) ? ["its clip keeps its length"] : []
    }
  }

  /// Types of movies in which timestamps may jump.
  private static let joinableTypes: Set<UniformType> = [.mpeg2TransportStream, .avchd, .mpeg]

  /// Whether not all of a video, or of a picture's clip, is wanted.
  private func shortens(_ asset: AssetRecord) -> Bool {
    if trim != nil { return true }
    guard let maxDuration else { return false }
    // If such recordings were joined, they last longer than the catalog's duration.
    if Self.joinableTypes.contains(asset.uniformType) { return true }
    return asset.duration.map { $0 > maxDuration } ?? true
  }

  private func changesMovies(_ asset: AssetRecord) -> Bool {
    shortens(asset)
      || videoPreset.codec != .source || videoPreset.audioCodec != .source
      || videoPreset.container != nil
      || dynamicRange == .drop && asset.subtypes.contains(.hdr)
  }

  /// Decides what becomes of a file.
  ///
  /// - Parameter examined: the description of the file, if it was examined.
  func decision(
    _ part: ExportPart, of asset: AssetRecord, examined: ExamineReply?
  ) throws(ExportRefusal) -> FileDecision {
    if part.isCopied { return try copied(part) }
    switch examined {
    case .failed(let failure): throw ExportRefusal(sentence: failure.message)
    case .picture(let picture):
      if let obstacle = picture.obstacle, !isKept(part, of: asset, size: picture.uprightSize),
        sdrCopy(part, of: asset, size: picture.uprightSize, picture) == nil
      {
        throw ExportRefusal(sentence: obstacle)
      }
      var decision = try pictureDecision(part, of: asset, size: picture.uprightSize, picture)
      decision.wasOpened = true
      return decision
    case .movie(let movie):
      var decision = try movieDecision(part, movie)
      decision.wasOpened = true
      return decision
    case nil:
      if part.kind == .picture {
        return try pictureDecision(part, of: asset, size: part.pixelSize, nil)
      }
      return kept(part, videoMetadata, "the preset keeps the original tracks")
    }
  }

  // MARK: Pictures

  /// The longer side at most.
  private var pixelLimit: Int? {
    switch (maxPixels, imagePreset.maxPixels) {
    case (let own?, let preset?): min(own, preset)
    case (let own, let preset): own ?? preset
    }
  }

  private func isTooLarge(_ size: PixelSize?) -> Bool {
    guard let pixelLimit else { return false }
    // A file of unknown size has to be examined.
    return size.map { max($0.width, $0.height) > pixelLimit } ?? true
  }

  /// Whether a picture's pixels stay as they are.
  func isKept(_ part: ExportPart, of asset: AssetRecord, size: PixelSize?) -> Bool {
    let isKeptType =
      switch dynamicRange {
      // Only a JPEG can have a gain map.
      case .keep where asset.subtypes.contains(.hdr) && imagePreset.format == .png: true
      case .drop where asset.subtypes.contains(.hdr): false
      case nil where asset.subtypes.contains(.hdr) && imagePreset.format == .source:
        imagePreset.keepsDynamicRange
      default: imagePreset.format == .source || imagePreset.keepTypes.contains(part.uniformType)
      }
    return isKeptType && keepsAll(of: size) && !isTooLarge(size)
  }

  /// Whether an HDR picture that would be copied otherwise has to become SDR.
  var dropsDynamicRange: Bool {
    dynamicRange.map { $0 == .drop }
      ?? (imagePreset.format == .source && !imagePreset.keepsDynamicRange)
  }

  /// Whether only its high dynamic range prevents a copy of a JPEG. Its first picture is usually SDR.
  private func mayBeCopiedAsSDR(
    _ part: ExportPart, of asset: AssetRecord, size: PixelSize?
  ) -> Bool {
    dropsDynamicRange && asset.subtypes.contains(.hdr) && part.uniformType == .jpeg
      && (imagePreset.format == .source || imagePreset.keepTypes.contains(.jpeg))
      && keepsAll(of: size) && !isTooLarge(size)
  }

  /// How a copy of a picture is the SDR picture that is wanted; nil if it has to be re-encoded.
  private func sdrCopy(
    _ part: ExportPart, of asset: AssetRecord, size: PixelSize?, _ picture: PictureDescription?
  ) -> SDRCopy? {
    mayBeCopiedAsSDR(part, of: asset, size: size) ? picture?.sdrCopy : nil
  }

  /// Whether the crop leaves a picture whole.
  private func keepsAll(of size: PixelSize?) -> Bool {
    guard let crop else { return true }
    guard let size, let part = crop.rectangle(in: size) else { return false }
    return part.width == size.width && part.height == size.height
  }

  private func pictureDecision(
    _ part: ExportPart, of asset: AssetRecord, size: PixelSize?, _ picture: PictureDescription?
  ) throws(ExportRefusal) -> FileDecision {
    if isKept(part, of: asset, size: size) {
      let isCommon = imagePreset.keepTypes.contains(part.uniformType)
      let reason =
        imagePreset.format == .source
        ? "the preset keeps the original" : isCommon ? "any program opens it" : "HDR stays HDR"
      var decision = kept(part, imageMetadata, reason)
      if imagePreset.format != .source, isCommon {
        decision.promisesPicture = true
        decision.reasons.append("not decoded")
      }
      return decision
    }
    if let copy = sdrCopy(part, of: asset, size: size, picture) { return sdrDecision(part, copy) }
    if let picture { try refuseTinyPreview(picture, of: part) }
    let crop = try visibleCrop(in: size)
    let format = format(of: part.uniformType, picture)
    let rendering = PictureRendering(
      format: format, quality: imagePreset.quality, chroma: imagePreset.chroma,
      maxPixels: pixelLimit, crop: crop, colorSpace: imagePreset.colorSpace,
      keepsDynamicRange: dynamicRange.map { $0 == .keep } ?? imagePreset.keepsDynamicRange)
    var reasons: [String] = []
    if isTooLarge(size), let pixelLimit { reasons.append("at most \(pixelLimit) pixels") }
    if crop != nil { reasons.append("cropped") }
    let type: UniformType = format == .jpeg ? .jpeg : .png
    if type != part.uniformType || reasons.isEmpty {
      let traits = [
        (picture?.isTransparent == true, ", since it is transparent"),
        (picture?.hasFewColors == true, ", since it has few colours"),
      ]
      let isException = format == .png && imagePreset.format == .jpeg
      let why = isException ? traits.first(where: \.0)?.1 : nil
      reasons.append("to \(format == .jpeg ? "JPEG" : "PNG")\(why ?? "")")
    }
    if picture?.isSequenceFrame == true {
      reasons.append("the first frame of an image sequence")
    } else if picture?.hasMorePictures == true {
      reasons.append("its first picture only")
    }
    if let reason = reason(of: rendering, picture, asset) { reasons.append(reason) }
    return FileDecision(
      work: .render(.picture(part.uniformType, rendering), imageMetadata), type: type,
      reasons: reasons)
  }

  /// A JPEG whose first picture, which is SDR, stays as it is.
  private func sdrDecision(_ part: ExportPart, _ copy: SDRCopy) -> FileDecision {
    var decision: FileDecision
    switch copy {
    case .unchanged: decision = kept(part, imageMetadata, "its picture is SDR")
    case .withoutGainMap:
      decision = kept(part, imageMetadata, "without its gain map")
      decision.work = .render(.copy(part.uniformType), imageMetadata)
      decision.removesGainMap = true
    }
    decision.promisesPicture = imagePreset.format != .source
    decision.reasons.append("not re-encoded")
    return decision
  }

  /// What becomes of a picture's high dynamic range.
  private func reason(
    of rendering: PictureRendering, _ picture: PictureDescription?, _ asset: AssetRecord
  ) -> String? {
    let keepsMap = rendering.keepsDynamicRange && rendering.format == .jpeg
    let isHDR = picture.map { $0.dynamicRange != .sdr || $0.hasGainMap } ?? false
    if isHDR, keepsMap { return "HDR as a gain map" }
    return isHDR || dynamicRange == .drop && asset.subtypes.contains(.hdr) ? "HDR to SDR" : nil
  }

  /// How many times longer the longer side of a RAW picture may be than that of its preview.
  private static let mostTimesPreview = 4

  /// A thumbnail in place of a picture is not what was asked for, unless as few pixels were.
  ///
  /// - Throws: ``ExportRefusal`` for a RAW file whose largest preview has less than a quarter of its longer
  ///   side.
  private func refuseTinyPreview(
    _ picture: PictureDescription, of part: ExportPart
  ) throws(ExportRefusal) {
    guard let whole = picture.rawSize else { return }
    let preview = picture.uprightSize
    let side = max(preview.width, preview.height)
    let (least, isTooLarge) = side.multipliedReportingOverflow(by: Self.mostTimesPreview)
    guard !isTooLarge, least < max(whole.width, whole.height) else { return }
    if let pixelLimit, pixelLimit <= side { return }
    throw ExportRefusal(
      sentence: "The largest preview in \(readableName(part.path.lastComponent)) has "
        + "\(preview.width) × \(preview.height) pixels, the RAW picture \(whole.width) × \(whole.height): "
        + "--image-preset current exports the RAW file, --max-pixels \(side) the preview.")
  }

  /// What a picture that cannot stay as it is becomes: where PNGs and GIFs stay as they are, their parts
  /// and smaller versions are PNGs too, and other graphics with few colours, whose edges a JPEG would blur.
  private func format(
    of type: UniformType, _ picture: PictureDescription?
  ) -> PictureRendering.Format {
    let keepsGraphics = imagePreset.format == .source || imagePreset.keepTypes.contains(type)
    switch imagePreset.format {
    case .png: return .png
    case _ where keepsGraphics && (type == .png || type == .gif): return .png
    case .jpeg where picture?.hasFewColors == true && imagePreset.keepTypes.contains(.png):
      return .png
    case .jpeg, .source:
      return picture?.isTransparent == true ? imagePreset.transparentFormat : .jpeg
    }
  }

  /// The part of the crop that is inside the picture.
  ///
  /// - Returns: nil for all of the picture.
  private func visibleCrop(in size: PixelSize?) throws(ExportRefusal) -> CropRect? {
    guard let crop else { return nil }
    guard let size else {
      guard case .pixels(let x, let y, let width, let height) = crop else {
        throw ExportRefusal(sentence: "The picture's size is unknown, so it cannot be cropped so.")
      }
      return CropRect(x: x, y: y, width: width, height: height)
    }
    guard let part = crop.rectangle(in: size) else {
      throw ExportRefusal(
        sentence: "The crop is outside the picture's \(size.width) × \(size.height) pixels.")
    }
    return keepsAll(of: size) ? nil : part
  }

  // MARK: Movies

  func movieDecision(
    _ part: ExportPart, _ movie: MovieDescription, isRewritten: Bool = false
  ) throws(ExportRefusal) -> FileDecision {
    let options = MovieOptions(
      trim: trim, maxDuration: maxDuration, isRewritten: isRewritten,
      isExact: cutsExactly)
    switch moviePlan(movie, preset(for: movie), options) {
    case .copy(let reasons):
      return kept(part, videoMetadata, reasons.joined(separator: ", "))
    case .render(let rendering, let reasons, let notes):
      return FileDecision(
        work: .render(.movie(rendering), videoMetadata), type: rendering.container.uniformType,
        reasons: reasons, notes: notes)
    case .refuse(let sentence): throw ExportRefusal(sentence: sentence)
    }
  }

  /// The preset with what is wanted of HDR, for a movie that has it.
  private func preset(for movie: MovieDescription) -> VideoPreset {
    var preset = videoPreset
    guard let dynamicRange, let track = movie.mainVideo, track.dynamicRange != .sdr else {
      return preset
    }
    preset.keepsDynamicRange = dynamicRange == .keep
    switch (dynamicRange, preset.codec) {
    // H.264 has eight bits here.
    case (.keep, .encoded(.h264)): preset.codec = .encoded(.hevc)
    case (.drop, .source): preset.codec = .encoded(track.codec == "hevc" ? .hevc : .h264)
    default: break
    }
    return preset
  }

  // MARK: Either

  /// A file that is copied whatever the preset says.
  ///
  /// - Throws: ``ExportRefusal`` for a sidecar where metadata is to be left out: it holds nothing else.
  private func copied(_ part: ExportPart) throws(ExportRefusal) -> FileDecision {
    guard part.kind == .sidecar else {
      return kept(part, imageMetadata, "its \(part.resource.rawValue) as it is")
    }
    guard mayCopySidecars else {
      throw ExportRefusal(
        sentence:
          "\(readableName(part.path.lastComponent)) is a sidecar, which may hold the metadata that "
          + "is not wanted: export it without --strip-location, --strip-captions and --strip-metadata."
      )
    }
    return FileDecision(work: .copy, type: part.uniformType, reasons: ["its sidecar as it is"])
  }

  /// The file as it is, but for metadata that is not wanted.
  private func kept(
    _ part: ExportPart, _ metadata: MetadataPolicy, _ reason: String
  ) -> FileDecision {
    FileDecision(
      work: metadata == .keep ? .copy : .render(.copy(part.uniformType), metadata),
      type: part.uniformType, reasons: [reason] + metadata.removedMetadata.map { "without \($0)" })
  }
}

extension MovieRendering.Container {
  /// What a file in this container is.
  var uniformType: UniformType {
    switch self {
    case .mp4: .mpeg4
    case .quickTime: .quickTimeMovie
    case .m4v: .appleM4V
    case .m4a: .mpeg4Audio
    }
  }
}
