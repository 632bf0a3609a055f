import CodecMessages
import MediaModel
import POSIX

extension MediaFile {
  /// Copies the source's bytes without the metadata that is not wanted.
  func copy(
    _ step: RenderStep, as type: UniformType, to output: borrowing OutputFile,
    progress: () throws -> Void
  ) throws -> RenderResult {
    throw ProbeFailure(.unsupported, "This file cannot be copied without its metadata.")
  }
}
