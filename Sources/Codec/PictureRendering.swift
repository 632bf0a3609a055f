import CodecMessages
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
    throw ProbeFailure(.unsupported, "This kind of picture cannot be decoded.")
  }
}
