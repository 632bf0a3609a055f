package import ByteReading

/// The changes to a file's bytes while they are copied, by which the copy loses some of its metadata.
///
/// Most bytes are overwritten in place. As long as no byte moves, every offset in the file stays right, even one
/// in a table that Shoebox does not know. Bytes are inserted and removed only in formats without offsets.
package struct Redaction: Sendable, Hashable {
  /// Bytes that overwrite others in place.
  fileprivate struct Overlay: Hashable {
    var range: Range<UInt64>
    /// The new bytes, of the range's length; nil to repeat `fill`.
    var bytes: [UInt8]?
    var fill: UInt8 = 0
  }

  /// Bytes of any length that replace a range.
  private struct Replacement: Hashable {
    var range: Range<UInt64>
    var bytes: [UInt8]
  }

  /// In the order in which they were added. Where two overlap, the later one counts.
  private var overlays: [Overlay] = []
  private var replacements: [Replacement] = []
  /// Remarks about the copy for the user, a sentence each.
  package var notes: [String] = []

  package init() {}

  package var isEmpty: Bool { overlays.isEmpty && replacements.isEmpty }

  /// Overwrites the bytes from an offset on.
  package mutating func overwrite(at offset: UInt64, with bytes: [UInt8]) {
    guard !bytes.isEmpty, let end = offset.adding(UInt64(bytes.count)) else { return }
    overlays.append(Overlay(range: offset..<end, bytes: bytes))
  }

  /// Overwrites the bytes from an offset on that differ from `original`, which has the length of `changed`.
  ///
  /// In a damaged file parts can overlap. So equal bytes keep what earlier changes made of them.
  package mutating func overwrite(
    at offset: UInt64, _ original: [UInt8], with changed: [UInt8]
  ) {
    let count = min(original.count, changed.count)
    var position = 0
    while let start = (position..<count).first(where: { original[$0] != changed[$0] }) {
      let end = (start..<count).first { original[$0] == changed[$0] } ?? count
      guard let place = offset.adding(UInt64(start)) else { return }
      overwrite(at: place, with: Array(changed[start..<end]))
      position = end
    }
  }

  /// Overwrites a range with one byte, repeated.
  package mutating func fill(_ range: Range<UInt64>, with byte: UInt8 = 0) {
    guard !range.isEmpty else { return }
    // A hostile table may name one range a million times, so touching fills are joined.
    if let last = overlays.last, last.bytes == nil, last.fill == byte,
      last.range.lowerBound <= range.upperBound, range.lowerBound <= last.range.upperBound
    {
      overlays[overlays.count - 1].range =
        min(last.range.lowerBound, range.lowerBound)..<max(last.range.upperBound, range.upperBound)
    } else {
      overlays.append(Overlay(range: range, fill: byte))
    }
  }

  /// Replaces a range with other bytes: none remove it; an empty range inserts them.
  mutating func replace(_ range: Range<UInt64>, with bytes: [UInt8] = []) {
    replacements.append(Replacement(range: range, bytes: bytes))
  }

  /// Adds the changes to a part of the file that begins at `base`.
  mutating func add(_ part: Redaction, at base: UInt64) {
    func moved(_ range: Range<UInt64>) -> Range<UInt64>? {
      guard let lower = range.lowerBound.adding(base), let upper = range.upperBound.adding(base)
      else { return nil }
      return lower..<upper
    }
    for var overlay in part.overlays {
      guard let range = moved(overlay.range) else { continue }
      overlay.range = range
      overlays.append(overlay)
    }
    for var replacement in part.replacements {
      guard let range = moved(replacement.range) else { continue }
      replacement.range = range
      replacements.append(replacement)
    }
    for note in part.notes { addNote(note) }
  }

  /// Adds the overwritten bytes of ranges that are read as if they were joined.
  mutating func add(_ part: Redaction, toJoined ranges: [Range<UInt64>]) {
    var start: UInt64 = 0
    for range in ranges {
      let end = start + (range.upperBound - range.lowerBound)
      for overlay in part.overlays {
        let common = overlay.range.clamped(to: start..<end)
        guard !common.isEmpty else { continue }
        let lower = range.lowerBound + (common.lowerBound - start)
        let skipped = Int(clamping: common.lowerBound - overlay.range.lowerBound)
        let bytes = overlay.bytes.flatMap { $0.bytes(at: skipped, count: common.count) }
        overlays.append(
          Overlay(
            range: lower..<(lower + UInt64(common.count)), bytes: bytes, fill: overlay.fill))
      }
      start = end
    }
    for note in part.notes { addNote(note) }
  }

  /// Adds a note, once.
  mutating func addNote(_ note: String) {
    if !notes.contains(note) { notes.append(note) }
  }

  /// Calls `take` with the source's bytes after the changes, in blocks of `blockSize` bytes; the last is shorter.
  ///
  /// Time and memory grow with the source's size and the number of changes, but not with their overlaps.
  ///
  /// - Throws: ``ContainerError`` if the source is cut off; what the source and `take` throw.
  package func apply(
    to source: any ByteSource, blockSize: Int = 1 << 20, _ take: ([UInt8]) throws -> Void
  ) throws {
    var output = BlockOutput(blockSize: blockSize)
    var reading = ChangedReading(
      source: source, overlays: overlays, pieces: Self.pieces(of: overlays, end: source.count),
      blockSize: blockSize)
    var position: UInt64 = 0
    let ordered = replacements.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }
    for (_, replacement) in ordered where replacement.range.lowerBound >= position {
      let end = max(position, min(replacement.range.lowerBound, source.count))
      try reading.read(position..<end) { try output.write($0, take) }
      if !replacement.bytes.isEmpty { try output.write(replacement.bytes[...], take) }
      position = replacement.range.upperBound
    }
    if position < source.count {
      try reading.read(position..<source.count) { try output.write($0, take) }
    }
    try output.finish(take)
  }

  /// The bytes after the changes.
  package func applied(to bytes: [UInt8]) -> [UInt8] {
    guard !isEmpty else { return bytes }
    var result: [UInt8] = []
    // An array cannot be cut off, and the closure does not throw.
    try? apply(to: ArraySource(bytes)) { result += $0 }
    return result
  }
}

/// A source with the changes of a copy that move no byte, for reading parts of it such as a header.
package struct ChangedSource: ByteSource {
  private let source: any ByteSource
  private let redaction: Redaction

  /// Nil for changes that move bytes.
  package init?(_ source: any ByteSource, _ redaction: Redaction) {
    guard redaction.isInPlace else { return nil }
    (self.source, self.redaction) = (source, redaction)
  }

  package var count: UInt64 { source.count }

  package func bytes(at offset: UInt64, count: Int) throws -> [UInt8] {
    redaction.overlaid(try source.bytes(at: offset, count: count), at: offset)
  }
}

extension Redaction {
  /// Whether no change moves a byte.
  fileprivate var isInPlace: Bool { replacements.isEmpty }

  /// A part of the source with the bytes that overwrite its own.
  fileprivate func overlaid(_ bytes: [UInt8], at offset: UInt64) -> [UInt8] {
    guard let end = offset.adding(UInt64(bytes.count)), !overlays.isEmpty else { return bytes }
    var result = bytes
    for overlay in overlays {
      let common = overlay.range.clamped(to: offset..<end)
      guard !common.isEmpty else { continue }
      let target = Int(common.lowerBound - offset)..<Int(common.upperBound - offset)
      if let new = overlay.bytes {
        let skip = Int(clamping: common.lowerBound - overlay.range.lowerBound)
        result.replaceSubrange(target, with: new[skip..<(skip + target.count)])
      } else {
        result.replaceSubrange(target, with: repeatElement(overlay.fill, count: target.count))
      }
    }
    return result
  }
}

// The order of overlays.
extension Redaction {
  /// A range of the source in which one overlay is the latest.
  fileprivate struct Piece {
    var range: Range<UInt64>
    var overlay: Int
  }

  /// The overlays as disjoint pieces in the source's order.
  private static func pieces(of overlays: [Overlay], end: UInt64) -> [Piece] {
    let order = overlays.indices.sorted {
      overlays[$0].range.lowerBound < overlays[$1].range.lowerBound
    }
    var found: [Piece] = []
    var open = LatestFirst()
    var position: UInt64 = 0
    /// Adds the pieces up to an offset.
    func advance(to limit: UInt64) {
      while position < limit, let index = open.latest {
        let overlayEnd = min(overlays[index].range.upperBound, end)
        guard overlayEnd > position else {
          open.removeLatest()
          continue
        }
        let pieceEnd = min(overlayEnd, limit)
        if let last = found.last, last.overlay == index, last.range.upperBound == position {
          found[found.count - 1].range = last.range.lowerBound..<pieceEnd
        } else {
          found.append(Piece(range: position..<pieceEnd, overlay: index))
        }
        position = pieceEnd
      }
      position = max(position, limit)
    }
    for index in order where overlays[index].range.lowerBound < end {
      advance(to: overlays[index].range.lowerBound)
      open.insert(index)
    }
    advance(to: end)
    return found
  }

  /// A heap of indexes of overlays, the highest first.
  private struct LatestFirst {
    private var heap: [Int] = []

    var latest: Int? { heap.first }

    mutating func insert(_ index: Int) {
      heap.append(index)
      var child = heap.count - 1
      while child > 0, heap[child] > heap[(child - 1) / 2] {
        heap.swapAt(child, (child - 1) / 2)
        child = (child - 1) / 2
      }
    }

    mutating func removeLatest() {
      guard let last = heap.popLast(), !heap.isEmpty else { return }
      heap[0] = last
      var parent = 0
      while case let left = 2 * parent + 1, left < heap.count {
        let larger = left + 1 < heap.count && heap[left + 1] > heap[left] ? left + 1 : left
        guard heap[larger] > heap[parent] else { return }
        heap.swapAt(larger, parent)
        parent = larger
      }
    }
  }
}

/// Reads a source from its beginning to its end with overlays applied.
private struct ChangedReading {
  let source: any ByteSource
  let overlays: [Redaction.Overlay]
  let pieces: [Redaction.Piece]
  let blockSize: Int
  /// The first piece that may overlap what is read next.
  private var next = 0
  /// The block that was read last, and its offset in the source.
  private var block: [UInt8] = []
  private var start: UInt64 = 0

  init(
    source: any ByteSource, overlays: [Redaction.Overlay], pieces: [Redaction.Piece],
    blockSize: Int
  ) {
    self.source = source
    self.overlays = overlays
    self.pieces = pieces
    self.blockSize = blockSize
  }

  /// Calls `take` with a range's bytes after the changes. A range must not begin before the end of the last one.
  mutating func read(
    _ range: Range<UInt64>, _ take: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    var position = range.lowerBound
    while position < range.upperBound {
      if position < start || position >= start + UInt64(block.count) {
        try load(at: position, before: source.count)
      }
      let end = min(range.upperBound, start + UInt64(block.count))
      change(position..<end)
      try take(block[Int(position - start)..<Int(end - start)])
      position = end
    }
  }

  private mutating func load(at position: UInt64, before end: UInt64) throws {
    let count = Int(min(UInt64(blockSize), end - position))
    guard let found = try source.exactly(count, at: position), !found.isEmpty else {
      throw ContainerError.damaged("ends while it is copied")
    }
    (block, start) = (found, position)
  }

  /// Applies the overlays to a part of the block.
  private mutating func change(_ range: Range<UInt64>) {
    while next < pieces.count, pieces[next].range.upperBound <= range.lowerBound { next += 1 }
    var index = next
    while index < pieces.count, pieces[index].range.lowerBound < range.upperBound {
      let piece = pieces[index]
      let common = piece.range.clamped(to: range)
      let target = Int(common.lowerBound - start)..<Int(common.upperBound - start)
      let overlay = overlays[piece.overlay]
      if let bytes = overlay.bytes {
        let skip = Int(clamping: common.lowerBound - overlay.range.lowerBound)
        block.replaceSubrange(target, with: bytes[skip..<(skip + target.count)])
      } else {
        block.replaceSubrange(target, with: repeatElement(overlay.fill, count: target.count))
      }
      index += 1
    }
  }
}

/// Joins small pieces of output into blocks, each of which is one write.
private struct BlockOutput {
  let blockSize: Int
  private var pending: [UInt8] = []

  init(blockSize: Int) {
    self.blockSize = blockSize
  }

  mutating func write(_ bytes: ArraySlice<UInt8>, _ take: ([UInt8]) throws -> Void) throws {
    if pending.isEmpty, bytes.count >= blockSize { return try take(Array(bytes)) }
    pending += bytes
    if pending.count >= blockSize { try finish(take) }
  }

  /// Writes the bytes that are left.
  mutating func finish(_ take: ([UInt8]) throws -> Void) throws {
    guard !pending.isEmpty else { return }
    try take(pending)
    pending.removeAll(keepingCapacity: true)
  }
}

/// The reason, as one sentence, why metadata cannot be removed from a file without re-encoding it.
package struct RedactionRefusal: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
