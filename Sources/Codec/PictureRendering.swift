import CodecMessages
import Containers
import JPEG
import MediaModel
import POSIX

extension MediaFile {
  /// What the picture's header tells.
  func pictureDescription(_ type: UniformType) throws -> PictureDescription {
    throw ProbeFailure(.unsupported, "This kind of picture cannot be decoded.")
  }

  /// Decodes, changes and encodes a picture.
  func render(
    _ rendering: PictureRendering, of type: UniformType, _ policy: MetadataPolicy,
    to output: borrowing OutputFile
  ) throws -> RenderResult {
    let picture = try decodeHeif()
    let metadata = try pictureMetadata(type).adapted(to: picture.raster.size, policy)
    let encoded = try JPEGEncoder.encode(
      picture.raster, quality: rendering.quality, sampling: .yuv420)
    try output.write(PictureAssembly.jpeg(encoded, with: metadata), at: 0)
    return RenderResult(
      size: try output.size(), pixelSize: picture.raster.size, notes: picture.notes)
  }
}
