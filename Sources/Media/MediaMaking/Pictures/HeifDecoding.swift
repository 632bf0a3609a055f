import ByteReading
import Color
import FFmpeg
import FactReading
import LibHeif
import LibraryFacts
import MediaEdits
import MediaFormats
import MediaModel
import TurboJPEG
import WorkerProtocol

extension HEIFFormat: DecodablePicture {
  static var isUpright: Bool { true }

  static func describe(
    _ file: MediaFile, _ type: UniformType
  ) throws -> PictureDescription {
    let source = WindowedSource(file)
    let structure = try HEIFContainer(source)
    guard let primary = structure.primaryItem, let size = structure.displaySize else {
      return try file.describeSequence(type)
    }
    var found = PictureDescription(
      uprightSize: size, bitDepth: structure.bitsPerChannel.first ?? 8,
      isTransparent: structure.hasAlpha(of: primary), hasMorePictures: structure.hasSequence,
      dynamicRange: DynamicRange(transfer: structure.codedColor?.transfer),
      hasGainMap: structure.hasGainMap)
    found.obstacle =
      try structure.compressionObstacle(in: source) ?? structure.codecObstacle
      ?? structure.colorObstacle
    return found
  }

  static func decode(
    _ file: MediaFile, _ type: UniformType, atLeast longerSide: Int?
  ) throws -> DecodedPicture {
    try file.decodeHeif()
  }

  static func embeddedThumbnail(
    of file: MediaFile, atLeast longerSide: Int
  ) throws -> DecodedPicture? {
    let image = try? openHeif(file, try? HEIFContainer(WindowedSource(file)))
    // Accept a smaller thumbnail, since decoding the picture costs a hundred times more.
    guard let raster = try? image?.thumbnail(atLeast: min(200, longerSide)) else { return nil }
    return DecodedPicture(raster: raster, profile: try? file.pictureMetadata(.heic).icc)
  }
}

extension HEIFContainer {
  /// Which decoder is missing for the primary picture; nil if none is, or if only decoding can show it.
  fileprivate var codecObstacle: String? {
    let parts = references.first { $0.type == "dimg" && $0.from == primaryItem }?.to
    let kind = (parts?.first ?? primaryItem).flatMap { item($0) }?.type
    let needed: (name: String, codec: String)? =
      switch kind {
      case "hvc1": ("HEVC", "hevc")
      case "av01": ("AV1", "av1")
      case "avc1": ("AVC", "h264")
      case "jpeg": ("JPEG", "mjpeg")
      case "j2k1": ("JPEG 2000", "jpeg2000")
      case "vvc1": ("VVC", "vvc")
      default: nil
      }
    guard let needed, !HeifLibrary.decoders.contains(needed.codec) else { return nil }
    return "This libheif has no decoder for \(needed.name) pictures."
  }

  /// Why the colours of the primary picture cannot be decoded; nil if they can. libheif takes matrices that it does not
  /// know for another one.
  fileprivate var colorObstacle: String? {
    // ITU-T H.273 table 4.
    let names = [11: "Y′D′zD′x", 14: "ICtCp", 15: "IPT-C2", 16: "YCgCo-Re", 17: "YCgCo-Ro"]
    guard bitsPerChannel.count != 1, let name = codedColor.flatMap({ names[$0.matrix] })
    else { return nil }
    return "HEIF pictures with colours in \(name) cannot be decoded here."
  }
}

extension MediaFile {
  /// Decodes a HEIF or AVIF picture, upright: directly from its tiles if it consists only of them, otherwise
  /// with libheif. For an image sequence without a still picture this is the first frame, which may have to be
  /// turned.
  func decodeHeif() throws -> DecodedPicture {
    let boxes = try? HEIFContainer(WindowedSource(self))
    if boxes?.isSequenceOnly == true { return try decodeSequence() }
    if let obstacle = boxes?.colorObstacle { throw ProbeFailure(.unsupported, obstacle) }
    if let boxes, let picture = try? decodeTiles(of: boxes.primaryItem, in: boxes) {
      return picture
    }
    let file = try openHeif(self, boxes)
    let transforms = boxes?.sharedTransforms
    let decoded: DecodedHeif
    do throws(HeifError) {
      decoded = try file.decode(isTransformed: transforms == nil)
    } catch {
      throw ProbeFailure(error)
    }
    var raster =
      decoded.isPremultiplied
      ? Transparency.divided(decoded.raster, to: decoded.raster.layout) : decoded.raster
    let sampling = raster.layout.sampling ?? (decoded.hasFullChroma ? .yuv444 : nil)
    for transform in transforms ?? [] { raster = try raster.transformed(transform) }
    return DecodedPicture(
      raster: raster, sampling: sampling, primaries: decoded.primaries, transfer: decoded.transfer)
  }

  /// Decodes another picture of a HEIF or AVIF file than its primary one, upright.
  func decodeHeif(item: UInt32, in boxes: HEIFContainer) throws -> Raster {
    if let picture = try? decodeTiles(of: item, in: boxes) { return picture.raster }
    let file = try openHeif(self, boxes)
    do throws(HeifError) {
      return try file.decode(item: item).raster
    } catch {
      throw ProbeFailure(error)
    }
  }

  /// The limit on one tile in bytes.
  private static let maximumTile = 64 << 20

  /// Decodes the HEVC tiles of a picture directly to planes; nil if it needs more than that.
  func decodeTiles(of id: UInt32?, in file: HEIFContainer) throws -> DecodedPicture? {
    let source = WindowedSource(self)
    guard let tiling = try HEIFTiling(of: id, in: file, from: source), tiling.colorCoding != .other
    else { return nil }
    var decoder = try TileDecoder(
      configuration: tiling.configuration, size: tiling.size, isMonochrome: tiling.isMonochrome,
      orientation: tiling.orientation, isLimited: tiling.colorCoding.map { $0 == .limitedRange })
    for (index, tile) in tiling.tiles.enumerated() {
      guard let bytes = try file.content(of: tile, from: source, limit: Self.maximumTile)
      else { return nil }
      try decoder.decode(bytes, at: tiling.position(of: index), size: tiling.tileSize)
    }
    let raster = try decoder.finish()
    return DecodedPicture(
      raster: raster, sampling: raster.layout.sampling, primaries: tiling.color?.primaries,
      transfer: tiling.color?.transfer)
  }
}

extension Raster {
  /// A crop that does not fit is ignored, as in ``HEIFContainer/displaySize``.
  fileprivate func transformed(
    _ transform: HEIFTransform
  ) throws(AudioVideoError) -> Raster {
    switch transform {
    case .turn(let orientation):
      let whole = canTurn(orientation) ? self : try converted(to: .rgb8)
      return try whole.turned(orientation)
    case .crop(let aperture):
      guard let (x, y, size) = aperture.place(in: size) else { return self }
      let part = CropRect(x: x, y: y, width: size.width, height: size.height)
      if let found = cropped(part) { return found }
      return try converted(to: .rgb8).cropped(part) ?? self
    }
  }
}
