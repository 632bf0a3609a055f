import ByteReading
import Color
import FFmpeg
import FactReading
import MediaEdits
import MediaFormats
import MediaModel
import MetadataTransfer
import TurboJPEG
import WorkerProtocol

// The gain map of a picture that becomes a JPEG: it is turned, cropped and made smaller as the picture is. If the
// picture itself is HDR, the map is made with its conversion; one in the file, for the other direction, is not used.

/// A decoded gain map.
struct DecodedGainMap {
  /// As stored in the file that it comes from; for HEIF upright.
  var raster: Raster
  var description: GainMapDescription
  /// The profile of the colours in which the gain applies, where these are not the base picture's.
  var profile: [UInt8]?
}

/// What a picture was before it was changed, as far as its gain map has to follow.
struct PictureGeometry {
  var orientation: Orientation
  var uprightSize: PixelSize

  init(_ picture: DecodedPicture) {
    orientation = picture.orientation
    uprightSize = picture.orientation.upright(picture.raster.size)
  }
}

extension MediaFile {
  /// The quality of the map's JPEG, which only its own size pays for: a step of 256 is up to 1 % of light.
  private static let gainMapQuality = 95

  /// The gain map of a HEIF, AVIF or JPEG; nil if there is none.
  ///
  /// - Throws: ``ProbeFailure`` and the errors of decoders.
  func gainMap(_ type: UniformType, _ metadata: PictureMetadata) throws -> DecodedGainMap? {
    let source = WindowedSource(self)
    switch type.format {
    case is HEIFFormat.Type:
      let boxes = try HEIFContainer(source)
      guard let found = try boxes.gainMap(from: source, metadata.exif) else { return nil }
      if case .unusable(let reason) = found.description { throw GainMapObstacle(reason: reason) }
      return DecodedGainMap(
        raster: try decodeHeif(item: found.item, in: boxes), description: found.description,
        profile: found.alternateProfile)
    case is JPEGFormat.Type:
      guard let found = try JPEGGainMap(of: JPEGFile(source), in: source) else { return nil }
      if case .unusable(let reason) = found.description { throw GainMapObstacle(reason: reason) }
      let raster = try decodeJPEG(found.bytes, atLeast: nil).raster
      let profile = try PictureMetadata.jpeg(ArraySource(found.bytes)).icc
      return DecodedGainMap(raster: raster, description: found.description, profile: profile)
    default: return nil
    }
  }

  /// The file of a picture's gain map, to follow the picture's own; nil if there is none to keep. A map that cannot be
  /// kept is named in the picture's notes, because the picture is still right without it.
  ///
  /// - Parameters:
  ///   - picture: as it is encoded.
  ///   - geometry: of the picture as it was decoded.
  ///   - profile: of the picture as it was decoded.
  func encodedGainMap(
    _ rendering: PictureRendering, of type: UniformType, _ metadata: PictureMetadata,
    _ picture: inout DecodedPicture, _ geometry: PictureGeometry, profile: [UInt8]?
  ) throws -> [UInt8]? {
    guard rendering.keepsDynamicRange else { return nil }
    do {
      guard let found = try picture.gainMap ?? gainMap(type, metadata) else { return nil }
      guard rendering.hasGainMap else { throw GainMapObstacle(reason: "has no place in a PNG") }
      return try found.encoded(
        rendering, picture, geometry, profile: profile, quality: Self.gainMapQuality)
    } catch let obstacle as GainMapObstacle {
      picture.notes.append("Its gain map \(obstacle.reason) and is left out: the result is SDR.")
    } catch let failure as ProbeFailure where failure.reason != .inaccessible {
      picture.notes.append("Its gain map is left out: \(failure.message.asPartOfSentence)")
    } catch is ContainerError, is AudioVideoError, is JPEGError {
      picture.notes.append("Its gain map is damaged and is left out: the result is SDR.")
    }
    return nil
  }
}

extension PictureRendering {
  /// Whether the result is to have a gain map, if there is anything to put into it.
  var hasGainMap: Bool { format == .jpeg && keepsDynamicRange }
}

/// Why a gain map cannot be kept, as the end of "Its gain map …".
private struct GainMapObstacle: Error {
  var reason: String
}

extension DecodedGainMap {
  fileprivate func encoded(
    _ rendering: PictureRendering, _ picture: DecodedPicture, _ geometry: PictureGeometry,
    profile: [UInt8]?, quality: Int
  ) throws -> [UInt8]? {
    var samples = raster
    var metadata: GainMapMetadata
    switch description {
    case .unusable(let reason): throw GainMapObstacle(reason: reason)
    case .apple(let headroom):
      metadata = .apple(headroom: headroom)
      samples = GainMapSamples.logarithmic(
        try samples.converted(to: .gray8), headroom: headroom)
    case .standard(let stored): metadata = stored
    }
    guard metadata.brightens else { return nil }
    let ownProfile = try changeColorSpace(&metadata, picture, profile: profile)
    if !samples.layout.isGray || samples.layout.isDeep {
      samples = try samples.converted(to: samples.layout.isGray ? .gray8 : .rgb8)
    }
    samples = try geometry.applied(to: samples, rendering, picture.raster.size)
    return UltraHDR.gainMap(
      try JPEGEncoder.encode(samples, quality: quality, sampling: .yuv444), metadata,
      profile: ownProfile)
  }

  /// Where three gains for three colours apply in other colours than the result's, the map has to name them. One gain for
  /// all colours is the same in any colours.
  private func changeColorSpace(
    _ metadata: inout GainMapMetadata, _ picture: DecodedPicture, profile base: [UInt8]?
  ) throws -> [UInt8]? {
    guard metadata.channels.count > 1 || !raster.layout.isGray else {
      metadata.usesBaseColorSpace = true
      return nil
    }
    if !metadata.usesBaseColorSpace {
      guard let profile else {
        throw GainMapObstacle(reason: "is for colours that it does not name")
      }
      return profile
    }
    guard picture.isConverted else { return nil }
    guard let base else { throw GainMapObstacle(reason: "is for colours other than sRGB") }
    metadata.usesBaseColorSpace = false
    return base
  }
}

extension PictureGeometry {
  /// A map as the picture became: upright, cropped, and no larger than a picture whose size is limited.
  ///
  /// - Parameter result: the picture's size as it is encoded.
  fileprivate func applied(
    to map: Raster, _ rendering: PictureRendering, _ result: PixelSize
  ) throws -> Raster {
    var map = try map.turned(orientation)
    if let crop = rendering.crop, let part = cropped(map, crop) { map = part }
    guard rendering.maxPixels != nil,
      map.size.width > result.width || map.size.height > result.height
    else { return map }
    return try map.scaled(to: result)
  }

  private func cropped(_ map: Raster, _ crop: CropRect) -> Raster? {
    let across = Double(map.size.width) / Double(uprightSize.width)
    let down = Double(map.size.height) / Double(uprightSize.height)
    let part = (
      x: Double(crop.x) * across, y: Double(crop.y) * down, width: Double(crop.width) * across,
      height: Double(crop.height) * down
    )
    let size = PixelSize(
      width: max(1, Int(part.width.rounded())), height: max(1, Int(part.height.rounded())))
    return GainMapSamples.part(part, of: map, size: size)
  }
}
