import ByteReading
import FactReading
import MediaEdits
import MediaFormats
import MediaModel
import MetadataTransfer
import TurboJPEG
import WorkerProtocol

// A RAW file is exported as the camera itself developed it: its largest embedded JPEG.

extension DecodablePicture where Self: RAWFormat {
  static func describe(
    _ file: MediaFile, _ type: UniformType
  ) throws -> PictureDescription {
    try file.describeRAW(type)
  }

  static func decode(
    _ file: MediaFile, _ type: UniformType, atLeast longerSide: Int?
  ) throws -> DecodedPicture {
    try file.decodePreview(type, atLeast: longerSide)
  }
}

extension FujifilmRAWFormat: DecodablePicture {}
extension MinoltaRAWFormat: DecodablePicture {}
extension SigmaRAWFormat: DecodablePicture {}
extension CanonCRWFormat: DecodablePicture {}
extension CanonCR3Format: DecodablePicture {}

extension MediaFile {
  /// Describes a RAW file's largest JPEG.
  func describeRAW(_ type: UniformType) throws -> PictureDescription {
    let reading = try PictureReading.read(type, WindowedSource(self))
    return PictureDescription(uprightSize: try rawPreview(type).size, rawSize: reading?.size)
  }

  /// The largest JPEG in a RAW file.
  func rawPreview(_ type: UniformType) throws -> RAWPreview {
    guard let preview = try RAWPreview.largest(type, WindowedSource(self)) else {
      throw ProbeFailure(.unsupported, "The RAW file contains no preview that could be exported.")
    }
    return preview
  }

  /// The largest JPEG in a RAW file, and the facts of the file that its use requires.
  func openRawPreview(_ type: UniformType) throws -> OpenedRawPreview {
    let preview = try rawPreview(type)
    let reading = try PictureReading.read(type, WindowedSource(self))
    return OpenedRawPreview(
      preview: preview, rawSize: reading?.size, orientation: orientation(of: reading, type))
  }

  func decodePreview(_ type: UniformType, atLeast longerSide: Int?) throws -> DecodedPicture {
    try decodePreview(openRawPreview(type), atLeast: longerSide)
  }

  func decodePreview(
    _ raw: OpenedRawPreview, atLeast longerSide: Int?
  ) throws -> DecodedPicture {
    var picture = try decodeJPEG(content(of: raw.preview), atLeast: longerSide)
    picture.orientation = raw.orientation
    picture.profile = try profile(of: raw.preview)
    picture.notes += raw.notes
    return picture
  }

  /// The preview, turned without decoding; nil if that is impossible.
  func losslessPreview(_ raw: OpenedRawPreview) throws -> [UInt8]? {
    JPEGDecoder.turned(try content(of: raw.preview), raw.orientation)
  }

  /// The limit on a preview in bytes; the largest cameras' JPEGs have about 60 MB.
  private static let maximumPreview: UInt64 = 256 << 20

  private func content(of preview: RAWPreview) throws -> [UInt8] {
    let end = min(preview.range.upperBound, count)
    let length = min(end - preview.range.lowerBound, Self.maximumPreview)
    return try bytes(at: preview.range.lowerBound, count: Int(length))
  }

  /// The preview's own profile; the RAW file's does not apply to it.
  func profile(of preview: RAWPreview) throws -> [UInt8]? {
    try PictureMetadata.read(.jpeg, WindowedSource(self).part(preview.range)).icc
  }
}

/// A RAW file's largest JPEG with the facts of the file, both read once.
struct OpenedRawPreview {
  let preview: RAWPreview
  /// The size of the RAW picture as stored; nil if the file does not record it.
  let rawSize: PixelSize?
  /// How the preview has to be turned.
  let orientation: Orientation

  /// Notes for the user if the preview is much smaller than the picture.
  var notes: [String] {
    let side = max(preview.size.width, preview.size.height)
    guard let rawSize, side * 2 < max(rawSize.width, rawSize.height) else { return [] }
    return [
      "The RAW file's largest preview has only \(preview.size.width) × \(preview.size.height) pixels."
    ]
  }
}
