import MediaEdits
import MediaModel
import MediaTools
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

extension ScratchFolder {
  /// Renders one of its files into another one.
  func render(
    _ source: String, _ work: RenderWork, to target: String, metadata: MetadataPolicy = .keep,
    range: ByteRange? = nil
  ) throws -> RenderReply {
    try MediaTests.render(
      RenderStep(source: BytePath(path(source)), range: range, work: work, metadata: metadata),
      to: BytePath(path(target))
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
