import ByteReading
import Color
import FFmpeg
import FactReading
import LibHeif
import MediaEdits
import MediaFormats
import MediaModel
import MetadataTransfer
import TurboJPEG
import WorkerProtocol

/// A picture's pixels on their way from a decoder to an encoder.
struct DecodedPicture {
  var raster: Raster
  /// How it still has to be turned to be upright.
  var orientation: Orientation = .up
  /// How finely the source keeps its colour; nil where it knows no such thing.
  var sampling: JPEGSampling?
  /// ITU-T H.273 numbers of colour primaries and transfer function, where the source tells.
  var primaries: Int?
  var transfer: Int?
  /// What other numbers tell of its colours, where neither a profile nor these do.
  var wideColor: WideColor?
  /// Of the picture; nil if it has none, or one that does not fit these pixels.
  var profile: [UInt8]?
  /// Whether its colours have been converted to sRGB.
  var isConverted = false
  /// What a person should know, a sentence each.
  var notes: [String] = []
}

extension MediaFile {
  /// Bytes of a still picture's file that are read at once.
  private static let maximumContent = 512 << 20

  /// All of the file, for decoders that want it so.
  func content() throws -> [UInt8] {
    guard let bytes = try bytes(in: 0..<count, limit: Self.maximumContent) else {
      throw ProbeFailure(
        .outOfMemory,
        "The picture's file has more than \(Self.maximumContent >> 20) MiB, which is too much to be "
          + "decoded; the preset current hands it out as it is.")
    }
    return bytes
  }

  /// The metadata blocks of a picture, whatever container holds them.
  func pictureMetadata(_ type: UniformType) throws -> PictureMetadata {
    try PictureMetadata.read(type, WindowedSource(self))
  }

  /// Decodes a picture of any type.
  ///
  /// - Parameter longerSide: pixels that suffice of the longer side; nil for all.
  func decodePicture(_ type: UniformType, atLeast longerSide: Int?) throws -> DecodedPicture {
    if type.isRaw { return try decodePreview(type, atLeast: longerSide) }
    switch type {
    case .jpeg:
      var picture = try decodeJPEG(content(), atLeast: longerSide)
      picture.orientation = try storedOrientation(type)
      return picture
    case .heic, .heif, .heics, .avif: return try decodeHeif()
    default:
      guard let format = StillFormat(type) else { throw ProbeFailure.noDecoder }
      var picture = try format == .tiff ? decodeTIFF() : decodeStill(format)
      picture.orientation = try storedOrientation(type)
      return picture
    }
  }

  /// How the stored pixels must be turned, as the catalog has it too.
  func storedOrientation(_ type: UniformType) throws -> Orientation {
    let reading = try PictureReading.read(type, WindowedSource(self))
    guard let reading, !reading.isUpright else { return .up }
    return reading.facts(type: type, name: path.lastComponent).orientation ?? .up
  }

  /// A JPEG, as it is stored.
  func decodeJPEG(_ bytes: [UInt8], atLeast longerSide: Int?) throws -> DecodedPicture {
    let decoder = try JPEGDecoder(bytes)
    let (raster, complaint) = try decoder.decode(atLeast: longerSide)
    var picture = DecodedPicture(raster: raster, sampling: decoder.sampling)
    if let complaint {
      picture.notes.append("The JPEG is damaged: \(complaint.asPartOfSentence).")
    }
    if decoder.isCMYK {
      picture.raster = FourthChannel.cmyk(raster, isInverted: true)
      picture.sampling = nil
      picture.notes.append(DecodedPicture.inkNote)
    }
    return picture
  }

  /// A picture that libavcodec decodes from all of its bytes, as it is stored.
  private func decodeStill(_ format: StillFormat) throws -> DecodedPicture {
    if format == .webp, let picture = try decodeFirstFrame() { return picture }
    let still = try format.decode(plainContent(format))
    var picture = DecodedPicture(
      raster: still.raster, sampling: still.raster.layout.sampling, primaries: still.primaries,
      transfer: still.transfer)
    if picture.sampling == nil, try hasFullColor(format) { picture.sampling = .yuv444 }
    if format == .png { picture.takeColor(of: try PNGFile(WindowedSource(self))) }
    return picture
  }

  /// All of the file, as libavcodec's decoder of its format needs it and not more.
  private func plainContent(_ format: StillFormat) throws -> [UInt8] {
    var bytes = try content()
    switch format {
    case .png: PNGPixels.hideOthers(in: &bytes)
    case .bmp: bytes = BMPFile.withKnownHeader(bytes)
    default: break
    }
    return bytes
  }

  /// Whether pictures of a format keep the colour of every pixel and are mostly drawings, screenshots and other
  /// graphics, so that a JPEG of them has to keep it too. Formats that cameras and photo editors use are not
  /// among them.
  private func hasFullColor(_ format: StillFormat) throws -> Bool {
    switch format {
    case .png, .gif, .bmp: true
    case .webp: try WebPFile.isLossless(self)
    case .tiff, .jpegXL, .jpeg2000: false
    }
  }

  /// The first picture of an animated WebP on its canvas; nil for one that is not animated.
  private func decodeFirstFrame() throws -> DecodedPicture? {
    guard let frame = try WebPFile.firstFrame(self, limit: Self.maximumContent) else { return nil }
    let raster = try StillFormat.webp.decode(frame.bytes).raster
    let canvas = try WebPFile(self).size
    let sampling: JPEGSampling? = try WebPFile.isLossless(self) ? .yuv444 : raster.layout.sampling
    if raster.size == canvas { return DecodedPicture(raster: raster, sampling: sampling) }
    guard let placed = try raster.placed(on: canvas, x: frame.x, y: frame.y) else {
      throw ProbeFailure(.damaged, "The WebP's first frame does not fit its canvas.")
    }
    return DecodedPicture(raster: placed, sampling: sampling == .yuv444 ? sampling : nil)
  }
}

extension DecodedPicture {
  /// What a PNG's chunks beside its profile tell of its colours: `gAMA` and `cHRM` only where no other does
  /// (PNG specification, third edition, §4.3).
  fileprivate mutating func takeColor(of file: PNGFile) {
    if let color = file.codedColor {
      (primaries, transfer) = (color.primaries, color.transfer)
    } else if !file.isNamedColor {
      wideColor = WideColor(gamma: file.gamma, chromaticities: file.chromaticities)
    }
  }

  static let inkNote =
    "The picture is in printing inks; its colours were converted without its profile."
}

extension StillFormat {
  /// The format of a type that libavcodec decodes.
  init?(_ type: UniformType) {
    switch type {
    case .png: self = .png
    case .gif: self = .gif
    case .webP: self = .webp
    case .tiff: self = .tiff
    case .bmp: self = .bmp
    case .jpegXL: self = .jpegXL
    case .jpeg2000: self = .jpeg2000
    default: return nil
    }
  }
}
