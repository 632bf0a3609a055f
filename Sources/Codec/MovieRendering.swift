import CodecMessages
import MediaModel
import POSIX

extension MediaFile {
  /// What the movie's header tells.
  func movieDescription(_ range: ByteRange?) throws -> MovieDescription {
    throw ProbeFailure(.unsupported, "This kind of movie cannot be decoded.")
  }

  /// Makes a movie from this one, track by track.
  func render(
    _ rendering: MovieRendering, range: ByteRange?, _ policy: MetadataPolicy,
    to output: borrowing OutputFile, _ progress: (Double) throws -> Void
  ) throws -> RenderResult {
    throw ProbeFailure(.unsupported, "This kind of movie cannot be decoded.")
  }
}
