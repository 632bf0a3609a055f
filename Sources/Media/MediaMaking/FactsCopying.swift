import ByteReading
import FactReading
import LibraryFacts
import Linux
import MediaEdits
import MediaFormats
import MediaModel
import MetadataRemoval
import MetadataTransfer
import WorkerProtocol

// Copies with facts of the catalog in their metadata.

extension MediaFile {
  /// The facts that a file gets besides its own; nil if there are none.
  ///
  /// A file that cannot be read gets all of them.
  func facts(
    of step: RenderStep, missingIn source: any ByteSource, _ type: UniformType
  ) -> CatalogFacts? {
    guard let facts = step.facts else { return nil }
    let source = WindowedSource(source)
    let (readers, name) = (CodecReaders.libraries, path.lastComponent)
    let own =
      type.mediaType == .image
      ? (try? PictureReading.read(type, source, readers: readers))?.facts(type: type, name: name)
      : (try? MovieReading.read(type, source, readers: readers))?.facts(type: type, name: name)
    let missing = own.map(facts.missing) ?? facts
    return missing.isEmpty ? nil : missing
  }

  /// Copies a source, after changes of its bytes, with facts in its metadata.
  func copy(
    _ source: any ByteSource, _ type: UniformType, adding facts: CatalogFacts,
    after redaction: Redaction, to output: borrowing OutputFile, progress: () throws -> Void
  ) throws -> RenderResult {
    if type.mediaType == .image {
      if source.count <= Self.maximumStill {
        let bytes = try changed(source, redaction, progress: progress)
        if let made = try PictureFacts.adding(facts, to: bytes, type) {
          try output.write(made.bytes, at: 0)
          return RenderResult(size: try output.size(), notes: redaction.notes + made.notes)
        }
      }
    } else if let changed = ChangedSource(source, redaction),
      let movie = try MovieFacts(facts, addedTo: changed)
    {
      try copy(movie, from: source, after: redaction, to: output, progress: progress)
      return RenderResult(size: try output.size(), notes: redaction.notes)
    }
    var result = try copy(source, after: redaction, to: output, progress: progress)
    result.notes.append(Self.unwritten)
    return result
  }

  private func copy(
    _ movie: MovieFacts, from source: any ByteSource, after redaction: Redaction,
    to output: borrowing OutputFile, progress: () throws -> Void
  ) throws {
    var ranges: [(source: Range<UInt64>, target: UInt64)] = []
    var end: UInt64 = 0
    for piece in movie.pieces {
      switch piece {
      case .source(let range):
        ranges.append((range, end))
        end += range.upperBound - range.lowerBound
      case .bytes(let bytes):
        try output.write(bytes, at: end)
        end += UInt64(bytes.count)
      case .zeros(let count):
        for start in stride(from: 0, to: count, by: Self.blockSize) {
          let length = min(UInt64(Self.blockSize), count - start)
          try output.write([UInt8](repeating: 0, count: Int(length)), at: end + start)
        }
        end += count
      }
    }
    var position: UInt64 = 0
    try redaction.apply(to: source, blockSize: Self.blockSize) { block in
      let here = position..<(position + UInt64(block.count))
      for (range, target) in ranges {
        let common = range.clamped(to: here)
        guard !common.isEmpty else { continue }
        let part = block[Int(common.lowerBound - position)..<Int(common.upperBound - position)]
        try output.write(Array(part), at: target + (common.lowerBound - range.lowerBound))
      }
      position = here.upperBound
      try progress()
    }
  }

  /// A note on a file whose structure does not allow other metadata.
  private static let unwritten =
    "Its structure does not allow further metadata: --sidecars xmp writes the catalog's facts next to it."
}
