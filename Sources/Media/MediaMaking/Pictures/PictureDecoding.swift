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

/// A decoded picture, before it is encoded.
struct DecodedPicture {
  var raster: Raster
  /// How the pixels have to be turned.
  var orientation: Orientation = .up
  /// The source's chroma subsampling; nil if its format has none.
  var sampling: JPEGSampling?
  /// ITU-T H.273 numbers of colour primaries and transfer function, if the source has them.
  var primaries: Int?
  var transfer: Int?
  /// The colour space by other numbers, if the source has neither a profile nor H.273 numbers.
  var wideColor: WideColor?
  /// The ICC profile; nil if the picture has none, or one that does not match these pixels.
  var profile: [UInt8]?
  /// Whether the colours have been converted to sRGB.
  var isConverted = false
  /// Notes for the user, a sentence each.
  var notes: [String] = []
}

extension MediaFile {
  /// The limit on the size of a still picture's file in bytes, which is read at once.
  private static let maximumContent = 512 << 20

  /// The whole file, for decoders that need it.
  func content() throws -> [UInt8] {
    guard let bytes = try bytes(in: 0..<count, limit: Self.maximumContent) else {
      throw ProbeFailure(
        .outOfMemory,
        "The picture's file has more than \(Self.maximumContent >> 20) MiB, which is too large to decode; "
          + "the preset current exports it unchanged.")
    }
    return bytes
  }

  /// A picture's metadata blocks, in any container.
  func pictureMetadata(_ type: UniformType) throws -> PictureMetadata {
    try PictureMetadata.read(type, WindowedSource(self))
  }

  /// Decodes a picture of any type.
  ///
  /// - Parameter longerSide: pixels that the longer side must have; nil for the full size.
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

  /// How the stored pixels must be turned, as in the catalog.
  func storedOrientation(_ type: UniformType) throws -> Orientation {
    try orientation(of: PictureReading.read(type, WindowedSource(self)), type)
  }

  /// How the stored pixels of a picture that was read must be turned.
  func orientation(of reading: PictureReading?, _ type: UniformType) -> Orientation {
    guard let reading, !reading.isUpright else { return .up }
    return reading.facts(type: type, name: path.lastComponent).orientation ?? .up
  }

  /// Decodes a JPEG, without turning it.
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
      picture.notes.append(DecodedPicture.cmykNote)
    }
    return picture
  }

  /// Decodes a picture with libavcodec, from the whole file, without turning it.
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

  /// The whole file without what libavcodec's decoder of its format would misread.
  private func plainContent(_ format: StillFormat) throws -> [UInt8] {
    var bytes = try content()
    switch format {
    case .png: PNGPixels.hideOthers(in: &bytes)
    case .bmp: bytes = BMPFile.withKnownHeader(bytes)
    default: break
    }
    return bytes
  }

  /// Whether pictures of a format have full chroma resolution and are mostly drawings, screenshots and other
  /// graphics, so that a JPEG of them should have it too. Formats that cameras and photo editors use are not
  /// among them.
  private func hasFullColor(_ format: StillFormat) throws -> Bool {
    switch format {
    case .png, .gif, .bmp: true
    case .webp: try WebPFile.isLossless(self)
    case .tiff, .jpegXL, .jpeg2000: false
    }
  }

  /// The first frame of an animated WebP on its canvas; nil if it is not animated.
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
  /// Sets the colour space of a PNG without an ICC profile. `gAMA` and `cHRM` count only if no other chunk
  /// describes the colours (PNG specification, third edition, §4.3).
  fileprivate mutating func takeColor(of file: PNGFile) {
    if let color = file.codedColor {
      (primaries, transfer) = (color.primaries, color.transfer)
    } else if !file.isNamedColor {
      wideColor = WideColor(gamma: file.gamma, chromaticities: file.chromaticities)
    }
  }

  static let cmykNote =
    "The picture is in CMYK; its colours were converted without its profile."
}

extension StillFormat {
  /// The still format of a type; nil if libavcodec does not decode it.
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
