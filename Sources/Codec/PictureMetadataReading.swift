import Containers
import MediaModel

extension MediaFile {
  /// The metadata blocks of a picture, whatever container holds them.
  func pictureMetadata(_ type: UniformType) throws -> PictureMetadata {
    try PictureMetadata.read(type, WindowedSource(self))
  }
}
