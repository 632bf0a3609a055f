import ByteReading
import FactReading
import Linux
import MediaEdits
import MediaModel
import MetadataRemoval
import WorkerProtocol

extension MediaFile {
  private static let blockSize = 1 << 20

  /// Copies the source's bytes, or a range of them, without the metadata that the policy excludes. Video and
  /// audio are never re-encoded: if metadata cannot be removed reliably, the copy fails.
  ///
  /// - Parameters:
  ///   - type: of the bytes that are copied.
  ///   - progress: called after each block.
  func copy(
    _ step: RenderStep, as type: UniformType, to output: borrowing OutputFile,
    progress: () throws -> Void
  ) throws -> RenderResult {
    let source = try medium(step.range)
    var redaction: Redaction
    do {
      redaction = try Redaction.of(type, WindowedSource(source), step.metadata)
    } catch let refusal as RedactionRefusal {
      throw ProbeFailure(.unsupported, refusal.description)
    }
    if step.metadata != .keep {
      for range in try UnusedPixelData.find(type, in: source, progress: progress) {
        redaction.fill(range)
      }
    }
    var size: UInt64 = 0
    try redaction.apply(to: source, blockSize: Self.blockSize) { block in
      try output.write(block, at: size)
      size += UInt64(block.count)
      try progress()
    }
    return RenderResult(size: size, notes: redaction.notes)
  }

  private func medium(_ range: ByteRange?) throws -> any ByteSource {
    guard let range else { return self }
    let (end, overflow) = range.offset.addingReportingOverflow(range.length)
    guard !overflow, end <= count else {
      throw ProbeFailure(.damaged, "The file ends before its embedded clip does.")
    }
    return part(range.offset..<end)
  }
}
