import ByteReading
import FactReading
import MediaFormats
import MediaModel
import MetadataTransfer
import TurboJPEG
import WorkerProtocol

// RAW files are handed out as the camera itself developed them: by the largest JPEG inside.

extension MediaFile {
  /// The largest JPEG in a RAW file.
  func rawPreview(_ type: UniformType) throws -> RAWPreview {
    guard let preview = try RAWPreview.largest(type, WindowedSource(self)) else {
      throw ProbeFailure(.unsupported, "The RAW file holds no preview that could be handed out.")
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

  /// The preview as it is, turned without being decoded; nil where that cannot be done.
  func losslessPreview(_ type: UniformType) throws -> (jpeg: [UInt8], preview: RAWPreview)? {
    let preview = try rawPreview(type)
    let orientation = try storedOrientation(type)
    return JPEGDecoder.turned(try previewContent(preview), orientation).map { ($0, preview) }
  }

  /// Bytes of a preview; the largest camera JPEGs have some 60 MB.
  private static let maximumPreview: UInt64 = 256 << 20

  private func previewContent(_ preview: RAWPreview) throws -> [UInt8] {
    let end = min(preview.range.upperBound, count)
    let length = min(end - preview.range.lowerBound, Self.maximumPreview)
    return try bytes(at: preview.range.lowerBound, count: Int(length))
  }

  /// The preview's own profile: the RAW file has none that would fit it.
  func profile(of preview: RAWPreview) throws -> [UInt8]? {
    try PictureMetadata.read(.jpeg, WindowedSource(self).part(preview.range)).icc
  }

  /// What a person should know of a preview that is much smaller than the picture.
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
