import ByteReading
import FFmpeg
import FactReading
import LibHeif
import MediaEdits
import MediaFormats
import MediaModel
import WorkerProtocol

// Descriptions of pictures for planning an export. They come from the header alone, except for pictures with an
// alpha channel, which must be decoded: most alpha channels are empty.

extension MediaFile {
  /// Describes the picture.
  func pictureDescription(_ type: UniformType) throws -> PictureDescription {
    let source = WindowedSource(self)
    var found: PictureDescription
    switch type {
    case .jpeg: found = try describeJPEG(source)
    case .heic, .heif, .heics, .avif: found = try describeHeif(type, source)
    case .png: found = try describePNG(source)
    case .webP: found = try describeWebP(source)
    case .gif: found = try describeGIF(source)
    case .bmp: found = try describeBMP(source)
    case .tiff: found = try describeTIFF(source)
    case .jpegXL: found = try describeJPEGXL(source)
    case .jpeg2000: found = try describeJPEG2000(source)
    case _ where type.isRaw:
      let reading = try PictureReading.read(type, WindowedSource(self))
      found = PictureDescription(uprightSize: try rawPreview(type).size, rawSize: reading?.size)
    default: throw ProbeFailure.noDecoder
    }
    let orientation = type.isHeif ? .up : try storedOrientation(type)
    found.uprightSize = orientation.upright(found.uprightSize)
    found.orientation = orientation
    // A JPEG can be reduced while it is decoded.
    if type != .jpeg { found.obstacle = found.obstacle ?? found.sizeObstacle }
    if let format = StillFormat(type), !format.isDecodable {
      found.obstacle = "This FFmpeg has no decoder for \(format.rawValue) pictures."
    }
    if found.isTransparent, found.obstacle == nil {
      // If decoding fails, rendering will report the reason.
      let picture = try? decodePicture(type, atLeast: nil)
      found.isTransparent = picture.map { !$0.raster.isOpaque } ?? true
    }
    return found
  }

  private func describeJPEG(_ source: any ByteSource) throws -> PictureDescription {
    let file = try JPEGFile(source)
    guard let size = file.size else {
      throw ProbeFailure(.damaged, "The JPEG contains no picture.")
    }
    return PictureDescription(
      uprightSize: size, bitDepth: file.precision,
      obstacle: file.precision == 8
        ? nil : "JPEGs with \(file.precision) bits a sample cannot be decoded here.")
  }

  private func describePNG(_ source: any ByteSource) throws -> PictureDescription {
    let file = try PNGFile(source)
    let hasChannel = file.colorType == 4 || file.colorType == 6
    return PictureDescription(
      uprightSize: file.size, bitDepth: file.bitDepth,
      isTransparent: try hasChannel || PNGFile.hasTransparencyChunk(source),
      hasMorePictures: (file.frameCount ?? 1) > 1,
      dynamicRange: DynamicRange(transfer: file.codedColor?.transfer))
  }

  private func describeWebP(_ source: any ByteSource) throws -> PictureDescription {
    let file = try WebPFile(source)
    return PictureDescription(
      uprightSize: file.size, isTransparent: try WebPFile.hasAlpha(source),
      hasMorePictures: file.isAnimated)
  }

  private func describeGIF(_ source: any ByteSource) throws -> PictureDescription {
    let file = try GIFFile(source)
    return PictureDescription(
      uprightSize: file.size, isTransparent: try GIFFile.hasTransparentColor(source),
      hasMorePictures: file.frameCount > 1)
  }

  private func describeBMP(_ source: any ByteSource) throws -> PictureDescription {
    PictureDescription(
      uprightSize: try BMPFile(source).size, isTransparent: try BMPFile.hasAlphaMask(source))
  }

  private func describeTIFF(_ source: any ByteSource) throws -> PictureDescription {
    let file = try TIFFFile(source)
    let picture = try TIFFPicture(file, type: .tiff)
    guard let size = picture.storedSize else {
      throw ProbeFailure(.damaged, "The TIFF contains no picture.")
    }
    let directory = try file.directory(at: file.firstDirectoryOffset)
    return PictureDescription(
      uprightSize: size, bitDepth: picture.bitsPerSample.first ?? 1,
      isTransparent: try directory.map { try file.hasAlpha($0) } ?? false,
      hasMorePictures: try file.pages().count > 1,
      obstacle: try directory.flatMap { try file.decodingObstacle($0) })
  }

  private func describeJPEGXL(_ source: any ByteSource) throws -> PictureDescription {
    let file = try JPEGXLFile(source)
    let traits = try JPEGXLTraits(source)
    return PictureDescription(
      uprightSize: (file.orientation ?? .up).upright(file.size), bitDepth: traits?.bitDepth ?? 8,
      isTransparent: traits?.hasAlpha ?? false, hasMorePictures: traits?.isAnimated ?? false)
  }

  private func describeJPEG2000(_ source: any ByteSource) throws -> PictureDescription {
    let file = try JPEG2000File(source)
    return PictureDescription(
      uprightSize: file.size, bitDepth: file.bitsPerComponent ?? 8,
      isTransparent: file.componentCount == 2 || file.componentCount == 4)
  }
}

extension MediaFile {
  private func describeHeif(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureDescription {
    let file = try HEIFContainer(source)
    guard let primary = file.primaryItem, let size = file.displaySize else {
      return try describeSequence(type)
    }
    var found = PictureDescription(
      uprightSize: size, bitDepth: file.bitsPerChannel.first ?? 8,
      isTransparent: file.hasAlpha(of: primary), hasMorePictures: file.hasSequence,
      dynamicRange: DynamicRange(transfer: file.codedColor?.transfer))
    found.obstacle = try file.compressionObstacle(in: source) ?? file.codecObstacle
    return found
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
      default: nil
      }
    guard let needed, !HeifLibrary.decoders.contains(needed.codec) else { return nil }
    return "This libheif has no decoder for \(needed.name) pictures."
  }
}

extension PictureDescription {
  fileprivate var sizeObstacle: String? {
    uprightSize.isDecodable
      ? nil
      : ProbeFailure.tooLarge("A picture of \(uprightSize.width) × \(uprightSize.height) pixels")
  }
}
