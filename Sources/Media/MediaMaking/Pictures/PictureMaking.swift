import FFmpeg
import FactReading
import Linux
import MediaEdits
import MediaFormats
import MediaModel
import MetadataRemoval
import MetadataTransfer
import TurboJPEG
import WorkerProtocol

extension MediaFile {
  /// Decodes, changes and encodes a picture.
  func render(
    _ rendering: PictureRendering, of type: UniformType, _ step: RenderStep,
    to output: borrowing OutputFile
  ) throws -> RenderResult {
    do {
      return try rendered(rendering, of: type, step, to: output)
    } catch let error as AudioVideoError {
      throw ProbeFailure(still: error)
    } catch let error as JPEGError {
      throw ProbeFailure(error)
    }
  }

  private func rendered(
    _ rendering: PictureRendering, of type: UniformType, _ step: RenderStep,
    to output: borrowing OutputFile
  ) throws -> RenderResult {
    let policy = step.metadata
    let raw = type.isRaw ? try openRawPreview(type) : nil
    if let raw, rendering.isPlain, let result = try renderPreview(raw, type, step, to: output) {
      return result
    }
    var metadata = try pictureMetadata(type)
    let longerSide = rendering.crop == nil ? rendering.maxPixels : nil
    var picture =
      try raw.map { try decodePreview($0, atLeast: longerSide) }
      ?? decodePicture(type, atLeast: longerSide)
    picture.takeColors(of: metadata)
    if picture.orientation.swapsAxes { metadata.density = metadata.density?.transposed }
    let (geometry, profile) = (PictureGeometry(picture), picture.profile)
    let raster = try picture.finish(rendering)
    let gainMap = try encodedGainMap(
      rendering, of: type, metadata, &picture, geometry, profile: profile)
    metadata.icc = picture.profile
    let change = PictureChange(
      orientation: metadata.orientation(of: type, pixels: geometry.orientation),
      from: geometry.uprightSize, crop: rendering.crop, to: raster.size)
    metadata = metadata.adapted(to: change, policy, isSRGB: picture.isConverted)
    if let facts = facts(of: step, missingIn: self, type) { metadata.add(facts) }
    if case .paired(let identifier) = step.livePhoto { metadata.set(contentIdentifier: identifier) }
    var made: (bytes: [UInt8], notes: [String])
    switch rendering.format {
    case .jpeg:
      metadata.carryTexts()
      let sampling = rendering.chroma.sampling ?? picture.sampling ?? .yuv420
      made = PictureAssembly.jpeg(
        try JPEGEncoder.encode(raster, quality: rendering.quality, sampling: sampling),
        with: metadata, gainMap: gainMap)
      made = try Self.part(step.livePhoto, made)
    case .png: made = PictureAssembly.png(try PNGEncoder.encode(raster), with: metadata)
    }
    try output.write(made.bytes, at: 0)
    return RenderResult(
      size: try output.size(), pixelSize: raster.size, notes: picture.notes + made.notes)
  }

  /// A finished JPEG as a part of a live photo.
  private static func part(
    _ part: LivePhotoPart?, _ made: (bytes: [UInt8], notes: [String])
  ) throws -> (bytes: [UInt8], notes: [String]) {
    guard let part else { return made }
    let changed = try LivePhotoJPEG.changed(made.bytes, to: part)
    return (changed.bytes, made.notes + changed.notes)
  }

  /// Exports a RAW file's preview without decoding it; nil if it must be decoded.
  private func renderPreview(
    _ raw: OpenedRawPreview, _ type: UniformType, _ step: RenderStep,
    to output: borrowing OutputFile
  ) throws -> RenderResult? {
    guard let jpeg = try losslessPreview(raw) else { return nil }
    let size = raw.orientation.upright(raw.preview.size)
    var metadata = try pictureMetadata(type)
    metadata.icc = try profile(of: raw.preview) ?? metadata.icc
    let change = PictureChange(orientation: raw.orientation, from: size, to: size)
    metadata = metadata.adapted(to: change, step.metadata)
    if let facts = facts(of: step, missingIn: self, type) { metadata.add(facts) }
    let made = try Self.part(
      step.livePhoto, PictureAssembly.jpeg(jpeg, with: metadata))
    try output.write(made.bytes, at: 0)
    return RenderResult(
      size: try output.size(), pixelSize: size,
      notes: raw.notes + made.notes)
  }
}

extension PictureMetadata {
  /// How the picture that the metadata refers to has to be turned.
  ///
  /// HEIF and JPEG XL record how to turn their pixels themselves. EXIF's orientation changes nothing there, but the
  /// metadata still refers to the picture before that turn, as a camera writes it into any format.
  ///
  /// - Parameter pixels: how the decoded pixels have to be turned.
  fileprivate func orientation(of type: UniformType, pixels: Orientation) -> Orientation {
    guard type.format is HEIFFormat.Type || type.format is JPEGXLFormat.Type else { return pixels }
    return exif.flatMap(ExifBlockRedaction.orientation) ?? pixels
  }
}

extension PictureRendering {
  /// Whether an existing JPEG can be used unchanged.
  fileprivate var isPlain: Bool {
    format == .jpeg && chroma == .source && maxPixels == nil && crop == nil && colorSpace == .source
  }
}

extension ProbeFailure {
  /// A message for a picture that is too large to decode.
  ///
  /// - Parameter picture: the subject, such as "A picture of 40000 × 40000 pixels".
  static func tooLarge(_ picture: String) -> String {
    "\(picture) is too large to decode (limits: \(PixelSize.maximumDecodedPixels / 1_000_000) million pixels, "
      + "\(PixelSize.maximumDecodedSide) on a side); the preset current exports it unchanged."
  }

  static let noDecoder = ProbeFailure(
    .unsupported, "Pictures of this kind cannot be decoded here.")

  init(_ error: JPEGError) {
    switch error.reason {
    case .damaged:
      self.init(.damaged, "The JPEG is damaged: \(error.detail.asPartOfSentence).")
    case .unsupported:
      self.init(
        .unsupported, "The JPEG cannot be made or opened: \(error.detail.asPartOfSentence).")
    case .tooLarge:
      self.init(.outOfMemory, ProbeFailure.tooLarge("A picture of \(error.detail)"))
    case .outOfMemory:
      self.init(.outOfMemory, "The JPEG needs more memory than the limit for one file.")
    }
  }

  /// The failure for an FFmpeg error on a still picture.
  init(still error: AudioVideoError) {
    let detail = error.detail.asPartOfSentence
    switch error.reason {
    case .damaged, .cutOff: self.init(.damaged, "The picture is damaged: \(detail).")
    case .unsupported: self.init(.unsupported, "The picture cannot be decoded: \(detail).")
    case .outOfMemory:
      self.init(.outOfMemory, "The picture needs more memory than the limit for one file.")
    }
  }
}
