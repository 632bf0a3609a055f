public import Foundation
import MediaModel
import WorkerProtocol

/// A picture in a file format that every browser shows.
public struct EncodedImage: Sendable, Hashable {
  /// The bytes of the file, without metadata.
  public let data: Data
  /// The uniform type of ``data``: `public.jpeg`.
  public let uniformType: String
  /// Upright, in pixels.
  public let pixelSize: PixelSize

  init(_ thumbnail: Thumbnail) {
    data = Data(thumbnail.jpeg)
    uniformType = UniformType.jpeg.rawValue
    pixelSize = PixelSize(width: thumbnail.size.width, height: thumbnail.size.height)
  }
}

/// Which pictures are made first.
public enum ImagePriority: Int, Sendable, Hashable, Codable, CaseIterable, Comparable {
  /// A person will perhaps look at it soon.
  case upcoming
  /// A person looks at its place now.
  case visible

  /// The more urgent one is greater.
  public static func < (left: ImagePriority, right: ImagePriority) -> Bool {
    left.rawValue < right.rawValue
  }
}
