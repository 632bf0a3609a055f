import ByteReading
import Color
import FactReading
import MediaEdits
import MediaFormats
import MediaModel
import MetadataTransfer
import TurboJPEG
import WorkerProtocol

/// A decoded picture, before it is encoded.
struct DecodedPicture {
  var raster: Raster
  /// How the raster stores ink, in the layout `rgba8` or `rgba16`; nil unless it is in CMYK.
  var inks: InkCoding?
  /// The transparency of a raster in CMYK, in layout `gray8` or `gray16`, not multiplied; nil if it has none.
  var inkAlpha: Raster?
  /// How the pixels have to be turned.
  var orientation: Orientation = .up
  /// The source's chroma subsampling: 4:4:4 if each pixel has a colour of its own; nil if it is not known, or a JPEG cannot
  /// have it.
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
  /// The gain map by which a display restores high dynamic range that was compressed.
  var gainMap: DecodedGainMap?
  /// Notes for the user, a sentence each.
  var notes: [String] = []
}

extension MediaFile {
  /// The limit on the size of a still picture's file in bytes, which is read at once.
  static let maximumContent = 512 << 20

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
    guard let format = type.format as? any DecodablePicture.Type else {
      throw ProbeFailure.noDecoder
    }
    return try format.decode(self, type, atLeast: longerSide)
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
}

extension DecodedPicture {
  /// Whether no pixel is transparent.
  var isOpaque: Bool {
    if inks == nil { return raster.isOpaque }
    return inkAlpha?.planes[0].bytes.allSatisfy { $0 == 0xFF } ?? true
  }

  static let cmykNote =
    "The picture is in CMYK; its colours were converted without a profile."
}
