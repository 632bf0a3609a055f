import ByteReading
import FactReading
import Linux
import MediaEdits
import MediaModel
import MetadataRemoval
import MetadataTransfer
import WorkerProtocol

extension MediaFile {
  /// Bytes that are copied at once.
  static let blockSize = 1 << 20

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
    var source = try medium(step.range)
    if step.removesGainMap { source = try withoutGainMap(source) }
    let facts = facts(of: step, missingIn: source, type)
    if type == .jpeg, step.range == nil, let part = step.livePhoto {
      return try copyStill(
        source, step, as: part, adding: facts, to: output, progress: progress)
    }
    let redaction = try redaction(step, type, source, progress: progress)
    if let facts {
      return try copy(
        source, type, adding: facts, after: redaction, to: output, progress: progress)
    }
    return try copy(source, after: redaction, to: output, progress: progress)
  }

  /// Copies a source with changes of its bytes.
  func copy(
    _ source: any ByteSource, after redaction: Redaction, to output: borrowing OutputFile,
    progress: () throws -> Void
  ) throws -> RenderResult {
    var size: UInt64 = 0
    try redaction.apply(to: source, blockSize: Self.blockSize) { block in
      try output.write(block, at: size)
      size += UInt64(block.count)
      try progress()
    }
    return RenderResult(size: size, notes: redaction.notes)
  }

  /// The changes of a copy that leave out the metadata that the policy excludes.
  func redaction(
    _ step: RenderStep, _ type: UniformType, _ source: any ByteSource,
    progress: () throws -> Void
  ) throws -> Redaction {
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
    return redaction
  }

  /// The longest picture whose metadata is rewritten.
  static let maximumStill: UInt64 = 512 << 20

  /// Copies a JPEG as a part of a live photo: without a clip after it, with its coded picture unchanged.
  private func copyStill(
    _ source: any ByteSource, _ step: RenderStep, as part: LivePhotoPart,
    adding facts: CatalogFacts?, to output: borrowing OutputFile, progress: () throws -> Void
  ) throws -> RenderResult {
    let length = try LivePhotoJPEG.lengthWithoutClip(source)
    guard length <= Self.maximumStill else {
      throw ProbeFailure(.unsupported, "The JPEG is too large to become a part of a live photo.")
    }
    let still = source.part(0..<length)
    let redaction = try redaction(step, .jpeg, still, progress: progress)
    var made = try changed(still, redaction, progress: progress)
    var notes = redaction.notes
    if let facts, let added = try PictureFacts.adding(facts, to: made, .jpeg) {
      made = added.bytes
      notes += added.notes
    }
    let changed = try LivePhotoJPEG.changed(made, to: part)
    try output.write(changed.bytes, at: 0)
    return RenderResult(size: try output.size(), notes: notes + changed.notes)
  }

  /// A JPEG without its gain map. Its first picture is not re-encoded.
  ///
  /// - Throws: ``ProbeFailure`` if the gain map cannot be removed, which is known when an export is planned.
  private func withoutGainMap(_ source: any ByteSource) throws -> any ByteSource {
    guard let bytes = try source.bytes(in: 0..<source.count, limit: Int(Self.maximumStill)),
      let made = try GainMapRemoval.removed(from: bytes)
    else {
      throw ProbeFailure(
        .unsupported,
        "The gain map cannot be removed from the JPEG without re-encoding its picture."
      )
    }
    return ArraySource(made)
  }

  /// A source's bytes after changes.
  func changed(
    _ source: any ByteSource, _ redaction: Redaction, progress: () throws -> Void
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try redaction.apply(to: source, blockSize: Self.blockSize) { block in
      bytes += block
      try progress()
    }
    return bytes
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
