import Color
import FFmpeg
import LittleCMS
import MediaEdits
import MediaFormats
import MediaModel
import TurboJPEG
import WorkerProtocol

// From decoded pixels to those that are encoded: crop, size, turn, colour, depth.

extension DecodedPicture {
  /// Converts the pixels as a rendering requires, and adapts ``profile`` and ``notes``.
  mutating func finish(_ rendering: PictureRendering) throws -> Raster {
    try resolveInks()
    // What the decoder has converted to sRGB no longer has the file's profile.
    if isConverted { profile = nil }
    try compressRange(rendering)
    if let crop = rendering.crop { try self.crop(crop) }
    try changeChannels(rendering)
    try shrink(to: rendering.maxPixels)
    try turn()
    try changeColor(rendering.colorSpace)
    return raster
  }

  /// Converts high dynamic range to sRGB in any case: the target formats cannot store it. A gain map, where the format
  /// has one, restores it.
  private mutating func compressRange(_ rendering: PictureRendering) throws {
    guard let transfer = transfer.flatMap({ ToneMapping.Transfer(code: $0) }),
      let mapping = ToneMapping(transfer, primaries: primaries)
    else { return }
    let deep = try raster.converted(to: raster.layout.hasAlpha ? .rgba16 : .rgb16)
    if rendering.hasGainMap, let samples = mapping.gainMap(deep) {
      let metadata = GainMapMetadata(
        channels: [GainMapMetadata.Channel(minimum: 0, maximum: mapping.headroom)],
        alternateHeadroom: mapping.headroom)
      // Half of the size, as phones store their maps.
      let size = PixelSize(
        width: (samples.size.width + 1) / 2, height: (samples.size.height + 1) / 2)
      gainMap = DecodedGainMap(
        raster: try samples.scaled(to: size), description: .standard(metadata))
    }
    if rendering.keepsDynamicRange, !rendering.hasGainMap {
      notes.append("A PNG of high dynamic range cannot be made: the result is SDR.")
    }
    if let mapped = mapping.apply(deep) { raster = mapped }
    (profile, primaries, self.transfer) = (nil, 1, 13)
    isConverted = true
  }

  private mutating func crop(_ crop: CropRect) throws {
    let upright = orientation.upright(raster.size)
    let part = CropRect(
      x: max(crop.x, 0), y: max(crop.y, 0),
      width: min(crop.x.addingClamped(crop.width), upright.width) - max(crop.x, 0),
      height: min(crop.y.addingClamped(crop.height), upright.height) - max(crop.y, 0))
    guard part.width > 0, part.height > 0 else {
      throw ProbeFailure(
        .unsupported,
        "The crop is outside of the picture, which has \(upright.width) × \(upright.height) pixels."
      )
    }
    let stored = part.stored(in: upright, orientation)
    if let part = raster.cropped(stored) {
      raster = part
      return
    }
    raster = try raster.converted(to: .rgb8)
    if let part = raster.cropped(stored) { raster = part }
  }

  /// Removes what the format cannot store: transparency, more than 8 bits, planes.
  private mutating func changeChannels(
    _ rendering: PictureRendering
  ) throws {
    if rendering.format == .jpeg, !raster.isOpaque { notes.append("Transparent parts are white.") }
    switch (rendering.format, raster.layout) {
    case (.jpeg, .rgba8): raster = FourthChannel.overWhite(raster)
    case (.jpeg, .rgba16): raster = FourthChannel.overWhite(try raster.converted(to: .rgba8))
    case (.jpeg, .rgb16): raster = try raster.converted(to: .rgb8)
    // Decoders of palettes return an alpha channel even if it is opaque.
    case (.png, .rgba8) where raster.isOpaque: raster = try raster.converted(to: .rgb8)
    case (.png, .rgba16) where raster.isOpaque: raster = try raster.converted(to: .rgb16)
    case (.jpeg, .gray16): raster = try raster.converted(to: .gray8)
    case (.png, .yuv420), (.png, .yuv422), (.png, .yuv444):
      raster = try raster.converted(to: .rgb8)
    case (.jpeg, .yuv420), (.jpeg, .yuv422), (.jpeg, .yuv444):
      if let wanted = rendering.chroma.sampling, wanted != raster.layout.sampling {
        raster = try raster.converted(to: .rgb8)
      }
    default: break
    }
    try matchProfile()
  }

  /// Reduces the picture so that its longer side has at most `longerSide` pixels.
  private mutating func shrink(to longerSide: Int?) throws {
    let longest = max(raster.size.width, raster.size.height)
    guard let longerSide, longerSide > 0, longest > longerSide else { return }
    let size = PixelSize(
      width: max(1, (raster.size.width * longerSide * 2 + longest) / (2 * longest)),
      height: max(1, (raster.size.height * longerSide * 2 + longest) / (2 * longest)))
    raster = try raster.scaled(to: size)
  }

  private mutating func turn() throws {
    if !raster.canTurn(orientation) { raster = try raster.converted(to: .rgb8) }
    raster = try raster.turned(orientation)
    if orientation.swapsAxes { sampling = sampling?.transposed }
    orientation = .up
  }

  /// Gives wide colours without a profile the profile of their numbers, or converts them to sRGB.
  private mutating func changeColor(
    _ space: PictureRendering.ColorSpace
  ) throws {
    if let bytes = profile {
      if space == .sRGB { try convert(by: bytes) }
    } else if let color = wideColor ?? WideColor(primaries: primaries, transfer: transfer) {
      if space == .source, !raster.layout.isGray, let numbers = color.profile,
        let made = try? ColorProfile.rgb(
          chromaticities: numbers.chromaticities, exponent: numbers.exponent, name: numbers.name)
      {
        profile = made
        return
      }
      raster = color.convert(raster.layout.isGray ? raster : try plainRGB())
      isConverted = true
    }
  }
}

extension Raster {
  /// The picture in another size.
  ///
  /// Transparent pixels have a colour too, often black. Their colour must not affect the mean of
  /// neighbouring pixels, so each pixel is weighted by its alpha.
  consuming func scaled(to size: PixelSize) throws -> Raster {
    guard layout.hasAlpha else { return try converted(to: layout, size: size) }
    let layout = layout
    let scaled = try Transparency.multiplied(self).converted(to: .rgba16, size: size)
    return Transparency.divided(scaled, to: layout)
  }
}

extension CropRect {
  /// The same part in the stored picture; this one is in the upright picture.
  fileprivate func stored(in upright: PixelSize, _ orientation: Orientation) -> CropRect {
    let turning = orientation.turning
    let x = turning.mirrorsX ? upright.width - x - width : x
    let y = turning.mirrorsY ? upright.height - y - height : y
    return turning.swapsAxes
      ? CropRect(x: y, y: x, width: height, height: width)
      : CropRect(x: x, y: y, width: width, height: height)
  }
}

extension Int {
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : sum
  }
}

extension JPEGSampling {
  /// The subsampling after the axes are exchanged.
  fileprivate var transposed: JPEGSampling {
    switch self {
    case .yuv422: .yuv440
    case .yuv440: .yuv422
    default: self
    }
  }
}

extension Raster.Layout {
  /// A JPEG's subsampling for these planes; nil for interleaved pixels.
  var sampling: JPEGSampling? {
    switch self {
    case .yuv420: .yuv420
    case .yuv422: .yuv422
    case .yuv444: .yuv444
    default: nil
    }
  }
}

extension PictureRendering.ChromaSubsampling {
  /// Nil to keep the source's own.
  var sampling: JPEGSampling? {
    switch self {
    case .source: nil
    case .yuv420: .yuv420
    case .yuv422: .yuv422
    case .yuv444: .yuv444
    }
  }
}
