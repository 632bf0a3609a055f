import ByteReading
import Color
import FFmpeg
import FactReading
import MediaEdits
import MediaFormats
import MediaModel
import TurboJPEG
import WorkerProtocol

// Formats that libavcodec decodes from the whole file.

/// A format whose pictures libavcodec decodes.
protocol StillPicture: DecodablePicture {
  static var stillFormat: StillFormat { get }

  /// Describes a picture, without regard to the decoders at hand.
  static func description(_ source: any ByteSource) throws -> PictureDescription

  /// Decodes a picture, without turning it.
  static func decoded(_ file: MediaFile) throws -> DecodedPicture

  /// Reads compressed data at whose end bytes may be unused, one picture after the other, as a file may have thousands.
  ///
  /// - Parameter take: is called for each picture; never if the format records where the pixels end.
  static func readCodedImages(
    _ source: any ByteSource, _ take: (UnusedPixelData.Image) throws -> Void
  ) throws
}

extension StillPicture {
  static func describe(
    _ file: MediaFile, _ type: UniformType
  ) throws -> PictureDescription {
    try describeStill(file)
  }

  /// Describes a picture, and whether its decoder is missing.
  static func describeStill(_ file: MediaFile) throws -> PictureDescription {
    var found = try description(WindowedSource(file))
    if !stillFormat.isDecodable {
      found.obstacle = "This FFmpeg has no decoder for \(stillFormat.rawValue) pictures."
    }
    return found
  }

  static func decode(
    _ file: MediaFile, _ type: UniformType, atLeast longerSide: Int?
  ) throws -> DecodedPicture {
    try decodeStill(file, type)
  }

  /// Decodes a picture at its full size and with its orientation.
  static func decodeStill(_ file: MediaFile, _ type: UniformType) throws -> DecodedPicture {
    var picture = try decoded(file)
    picture.orientation = try file.storedOrientation(type)
    return picture
  }

  static func decoded(_ file: MediaFile) throws -> DecodedPicture {
    try decoded(file.content(), of: file)
  }

  /// - Parameter bytes: the whole file, without what libavcodec's decoder would misread.
  static func decoded(_ bytes: [UInt8], of file: MediaFile) throws -> DecodedPicture {
    let still = try stillFormat.decode(bytes)
    return DecodedPicture(
      raster: still.raster, sampling: still.sampling, primaries: still.primaries,
      transfer: still.transfer)
  }

  static func readCodedImages(
    _ source: any ByteSource, _ take: (UnusedPixelData.Image) throws -> Void
  ) {}
}

extension PNGFormat: StillPicture {
  static var stillFormat: StillFormat { .png }

  static func description(_ source: any ByteSource) throws -> PictureDescription {
    let structure = try PNGFile(source)
    let hasChannel = structure.colorType == 4 || structure.colorType == 6
    return PictureDescription(
      uprightSize: structure.size, bitDepth: structure.bitDepth,
      isTransparent: try hasChannel || PNGFile.hasTransparencyChunk(source),
      hasMorePictures: (structure.frameCount ?? 1) > 1,
      dynamicRange: DynamicRange(transfer: structure.codedColor?.transfer))
  }

  static func decoded(_ file: MediaFile) throws -> DecodedPicture {
    var bytes = try file.content()
    let structure = try PNGFile(WindowedSource(file))
    let key = try structure.narrowGreyKey(in: WindowedSource(file))
    PNGPixels.hideOthers(in: &bytes, hidesTransparency: key != nil)
    var picture = try decoded(bytes, of: file)
    if let key, picture.raster.layout == .gray8 {
      var alpha = picture.raster
      alpha.planes[0].bytes = alpha.planes[0].bytes.map { $0 == key ? 0 : 0xFF }
      picture.raster = Transparency.combined(try picture.raster.converted(to: .rgb8), alpha)
    }
    picture.takeColor(of: structure)
    return picture
  }
}

extension DecodedStill {
  /// The chroma subsampling that the picture was coded with; nil if a JPEG cannot have it.
  var sampling: JPEGSampling? { raster.layout.sampling ?? (hasFullChroma ? .yuv444 : nil) }
}

extension DecodedPicture {
  /// Sets the colour space of a PNG without an ICC profile. `gAMA` and `cHRM` count only if no other chunk
  /// describes the colours (PNG specification, third edition, §4.3).
  fileprivate mutating func takeColor(of file: PNGFile) {
    if let color = file.codedColor {
      (primaries, transfer) = (color.primaries, color.transfer)
    } else if !file.isNamedColor {
      wideColor = WideColor(gamma: file.gamma, chromaticities: file.chromaticities)
    }
  }
}

extension BMPFormat: StillPicture {
  static var stillFormat: StillFormat { .bmp }

  static func description(_ source: any ByteSource) throws -> PictureDescription {
    let structure = try BMPFile(source)
    return PictureDescription(
      uprightSize: structure.size, isTransparent: try BMPFile.hasAlphaMask(source),
      hasFewColors: (1...8).contains(structure.bitsPerPixel))
  }

  static func decoded(_ file: MediaFile) throws -> DecodedPicture {
    let content = try file.content()
    if let embedded = BMPFile.embeddedPicture(content) {
      if embedded.isJPEG { return try file.decodeJPEG(embedded.bytes, atLeast: nil) }
      var bytes = embedded.bytes
      PNGPixels.hideOthers(in: &bytes)
      return DecodedPicture(raster: try StillFormat.png.decode(bytes).raster, sampling: .yuv444)
    }
    var picture = try decoded(BMPFile.decodable(content), of: file)
    // libavcodec takes a fourth byte for transparency.
    if picture.raster.layout.hasAlpha, try !BMPFile.hasAlphaMask(file) {
      picture.raster = try picture.raster.converted(to: .rgb8)
    }
    return picture
  }
}

extension JPEGXLFormat: StillPicture {
  static var stillFormat: StillFormat { .jpegXL }

  static func description(_ source: any ByteSource) throws -> PictureDescription {
    let structure = try JPEGXLFile(source)
    let traits = try JPEGXLTraits(source)
    return PictureDescription(
      uprightSize: (structure.orientation ?? .up).upright(structure.size),
      bitDepth: traits?.bitDepth ?? 8,
      isTransparent: traits?.hasAlpha ?? false, hasMorePictures: traits?.isAnimated ?? false)
  }

  /// The profile is compressed in the codestream, where only the decoder finds it.
  static func decoded(_ file: MediaFile) throws -> DecodedPicture {
    var content = try file.content()
    JPEGXLPixels.hideMetadata(in: &content)
    let still = try stillFormat.decode(content)
    return DecodedPicture(
      raster: still.raster, sampling: try isTranscodedJPEG(file) ? nil : still.sampling,
      primaries: still.primaries, transfer: still.transfer, profile: still.profile)
  }

  /// Whether the picture is a JPEG without loss. Its chroma subsampling, mostly 4:2:0, is compressed in the codestream.
  private static func isTranscodedJPEG(_ file: MediaFile) throws -> Bool {
    let source = WindowedSource(file)
    guard try source.bytes(at: 0, count: 2) != [0xFF, 0x0A] else { return false }
    return try source.boxes(in: 0..<source.count, limit: 64).contains { $0.type == "jbrd" }
  }

  /// Nothing for a picture that has more than what is decoded: further frames or channels.
  static func readCodedImages(
    _ source: any ByteSource, _ take: (UnusedPixelData.Image) throws -> Void
  ) throws {
    guard let traits = try JPEGXLTraits(source), !traits.isAnimated, !traits.hasOtherChannels,
      var bytes = try source.bytes(in: 0..<source.count, limit: UnusedPixelData.maximumBytes)
    else { return }
    JPEGXLPixels.hideMetadata(in: &bytes)
    if bytes.hasBytes([0xFF, 0x0A]) {
      return try take(UnusedPixelData.Image(bytes: bytes, offset: 0, codedData: [0..<bytes.count]))
    }
    // The codestream is in one `jxlc` box or in several `jxlp` boxes with a number of 4 bytes each.
    let boxes = try source.boxes(in: 0..<source.count, limit: 4096)
    guard let last = boxes.last(where: { $0.type == "jxlc" || $0.type == "jxlp" }),
      let range = last.payload.dropping(last.type == "jxlp" ? 4 : 0).moved(by: 0)
    else { return }
    try take(UnusedPixelData.Image(bytes: bytes, offset: 0, codedData: [range]))
  }
}

extension JPEG2000Format: StillPicture {
  static var stillFormat: StillFormat { .jpeg2000 }

  static func describe(
    _ file: MediaFile, _ type: UniformType
  ) throws -> PictureDescription {
    var found = try describeStill(file)
    found.obstacle = try found.obstacle ?? codingObstacle(WindowedSource(file))
    return found
  }

  static func decoded(_ file: MediaFile) throws -> DecodedPicture {
    let source = WindowedSource(file)
    if let obstacle = try codingObstacle(source) { throw ProbeFailure(.unsupported, obstacle) }
    let structure = try JPEG2000File(source)
    var picture = try decoded(JPEG2000File.decodable(file.content()), of: file)
    // libavcodec takes the fourth component for transparency.
    if structure.isCMYK, [.rgba8, .rgba16].contains(picture.raster.layout) {
      picture.inks = .direct
    }
    // libavcodec puts samples of fewer bits in the upper bits of a byte.
    if let bits = structure.bitsPerComponent, bits < 8,
      [.gray8, .rgb8, .rgba8].contains(picture.raster.layout)
    {
      let largest = 1 << bits - 1
      let levels = (0...255).map { UInt8((($0 >> (8 - bits)) * 255 + largest / 2) / largest) }
      picture.raster.planes[0].bytes = picture.raster.planes[0].bytes.map { levels[Int($0)] }
    }
    return picture
  }

  /// Why the codestream cannot be decoded, as a sentence; nil if no reason is known. Older versions of libavcodec decode
  /// High-Throughput JPEG 2000 to noise.
  private static func codingObstacle(_ source: any ByteSource) throws -> String? {
    try !AudioVideoLibrary.canDecodeHighThroughput && JPEG2000File.isHighThroughput(source)
      ? "High-Throughput JPEG 2000 pictures cannot be decoded by this FFmpeg." : nil
  }

  static func description(_ source: any ByteSource) throws -> PictureDescription {
    let structure = try JPEG2000File(source)
    return PictureDescription(
      uprightSize: structure.size, bitDepth: structure.bitsPerComponent ?? 8,
      isTransparent: structure.componentCount == 2
        || structure.componentCount == 4 && !structure.isCMYK)
  }
}
