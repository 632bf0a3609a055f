import ByteReading
import FactReading
import Linux
import MediaEdits
import MediaModel
import MetadataRemoval
import MetadataTransfer
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
    if type == .jpeg, step.range == nil, let part = step.livePhoto {
      return try copyStill(step, as: part, to: output, progress: progress)
    }
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

  /// The longest JPEG that is rewritten as a part of a live photo.
  private static let maximumStill: UInt64 = 512 << 20

  /// Copies a JPEG as a part of a live photo: without a clip after it, with its coded picture unchanged.
  private func copyStill(
    _ step: RenderStep, as part: LivePhotoPart, to output: borrowing OutputFile,
    progress: () throws -> Void
  ) throws -> RenderResult {
    let length = try LivePhotoJPEG.lengthWithoutClip(self)
    guard length <= Self.maximumStill else {
      throw ProbeFailure(.unsupported, "The JPEG is too large to become a part of a live photo.")
    }
    let still = self.part(0..<length)
    var redaction: Redaction
    do {
      redaction = try Redaction.of(.jpeg, WindowedSource(still), step.metadata)
    } catch let refusal as RedactionRefusal {
      throw ProbeFailure(.unsupported, refusal.description)
    }
    if step.metadata != .keep {
      for range in try UnusedPixelData.find(.jpeg, in: still, progress: progress) {
        redaction.fill(range)
      }
    }
    var bytes: [UInt8] = []
    try redaction.apply(to: still, blockSize: Self.blockSize) { block in
      bytes += block
      try progress()
    }
    let made = try LivePhotoJPEG.changed(bytes, to: part)
    try output.write(made.bytes, at: 0)
    return RenderResult(size: try output.size(), notes: redaction.notes + made.notes)
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
