import MediaEdits
import MediaModel
import MediaTools
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking
@testable import WorkerProcess

extension ScratchFolder {
  /// Renders one of its files into another one, which is created first, as by `shoebox`.
  func render(
    _ source: String, _ work: RenderWork, to target: String, metadata: MetadataPolicy = .keep,
    range: ByteRange? = nil
  ) throws -> RenderReply {
    try write([], to: target)
    return MediaMaking.render(
      RenderStep(
        source: BytePath(path(source)), range: range, target: BytePath(path(target)), work: work,
        metadata: metadata)
    ) { _ in }
  }

  /// - Throws: `ProbeFailure` where it is not rendered.
  @discardableResult
  func mustRender(
    _ source: String, _ work: RenderWork, to target: String, metadata: MetadataPolicy = .keep,
    range: ByteRange? = nil
  ) throws -> RenderResult {
    switch try render(source, work, to: target, metadata: metadata, range: range) {
    case .done(let result): return result
    case .failed(let failure): throw failure
    case .working: throw ToolFailure(description: "\(source): no answer")
    }
  }
}
