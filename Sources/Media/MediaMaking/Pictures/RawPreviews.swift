import ByteReading
import FactReading
import MediaFormats
import MediaModel
import MetadataTransfer
import TurboJPEG
import WorkerProtocol

// A RAW file is exported as the camera itself developed it: its largest embedded JPEG.

extension MediaFile {
  /// The largest JPEG in a RAW file.
  func rawPreview(_ type: UniformType) throws -> RAWPreview {
    guard let preview = try RAWPreview.largest(type, WindowedSource(self)) else {
      throw ProbeFailure(.unsupported, "The RAW file contains no preview that could be exported.")
    }
    return preview
  }

  func decodePreview(_ type: UniformType, atLeast longerSide: Int?) throws -> DecodedPicture {
    let preview = try rawPreview(type)
    var picture = try decodeJPEG(previewContent(preview), atLeast: longerSide)
    picture.orientation = try storedOrientation(type)
    picture.profile = try profile(of: preview)
    picture.notes += try previewNotes(preview, type)
    return picture
  }

  /// The preview, turned without decoding; nil if that is impossible.
  func losslessPreview(_ type: UniformType) throws -> (jpeg: [UInt8], preview: RAWPreview)? {
    let preview = try rawPreview(type)
    let orientation = try storedOrientation(type)
    return JPEGDecoder.turned(try previewContent(preview), orientation).map { ($0, preview) }
  }

  /// The limit on a preview in bytes; the largest cameras' JPEGs have about 60 MB.
  private static let maximumPreview: UInt64 = 256 << 20

  private func previewContent(_ preview: RAWPreview) throws -> [UInt8] {
    let end = min(preview.range.upperBound, count)
    let length = min(end - preview.range.lowerBound, Self.maximumPreview)
    return try bytes(at: preview.range.lowerBound, count: Int(length))
  }

  /// The preview's own profile; the RAW file's does not apply to it.
  func profile(of preview: RAWPreview) throws -> [UInt8]? {
    try PictureMetadata.read(.jpeg, WindowedSource(self).part(preview.range)).icc
  }

  /// Notes for the user if the preview is much smaller than the picture.
  func previewNotes(_ preview: RAWPreview, _ type: UniformType) throws -> [String] {
    let reading = try PictureReading.read(type, WindowedSource(self))
    guard let whole = reading?.size else { return [] }
    let side = max(preview.size.width, preview.size.height)
    guard side * 2 < max(whole.width, whole.height) else { return [] }
    return [
      "The RAW file's largest preview has only \(preview.size.width) × \(preview.size.height) pixels."
    ]
  }
}
