/// What is changed in a file's bytes while they are copied, so that the copy no longer tells what it is
/// not to tell.
///
/// Most of it is written over in place: a copy whose bytes stay where they were cannot have an offset
/// that points to the wrong place, however hidden the table is that holds it. Only formats without
/// offsets have bytes taken out or put in.
package struct Redaction: Sendable, Hashable {
  /// Bytes written over as many others.
  fileprivate struct Overlay: Hashable {
    var range: Range<UInt64>
    /// As many as the range has; nil for the same byte all over.
    var bytes: [UInt8]?
    var fill: UInt8 = 0
  }

  private struct Cut: Hashable {
    var range: Range<UInt64>
    var bytes: [UInt8]
  }

  /// In the order in which they were made: the later one wins.
  private var overlays: [Overlay] = []
  private var cuts: [Cut] = []
  /// What a person should know of the copy, a sentence each.
  package var notes: [String] = []

  package init() {}

  package var isEmpty: Bool { overlays.isEmpty && cuts.isEmpty }

  /// Writes over the bytes from an offset on.
  package mutating func overwrite(at offset: UInt64, with bytes: [UInt8]) {
    guard !bytes.isEmpty, let end = offset.adding(UInt64(bytes.count)) else { return }
    overlays.append(Overlay(range: offset..<end, bytes: bytes))
  }

  /// Writes one byte over a range of any length.
  package mutating func fill(_ range: Range<UInt64>, with byte: UInt8 = 0) {
    guard !range.isEmpty else { return }
    overlays.append(Overlay(range: range, fill: byte))
  }

  /// Puts other bytes in the place of a range, none to take it out, or behind it if it is empty.
  package mutating func replace(_ range: Range<UInt64>, with bytes: [UInt8] = []) {
    cuts.append(Cut(range: range, bytes: bytes))
  }

  /// Adds what is to be changed in a part that begins at `base`.
  package mutating func add(_ part: Redaction, at base: UInt64) {
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
    for var cut in part.cuts {
      guard let range = moved(cut.range) else { continue }
      cut.range = range
      cuts.append(cut)
    }
    for note in part.notes { addNote(note) }
  }

  /// Adds a note that is not there yet.
  package mutating func addNote(_ note: String) {
    if !notes.contains(note) { notes.append(note) }
  }

  /// Hands over the source's bytes as changed, block by block.
  ///
  /// - Throws: what the source and the taker throw; ``ContainerError`` where the source breaks off.
  package func apply(
    to source: any ByteSource, blockSize: Int = 1 << 20, _ take: ([UInt8]) throws -> Void
  ) throws {
    var position: UInt64 = 0
    let blocks = Blocks(overlays, size: UInt64(blockSize), end: source.count)
    let ordered = cuts.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }
    for (_, cut) in ordered where cut.range.lowerBound >= position {
      let end = max(position, min(cut.range.lowerBound, source.count))
      try applyOverlays(position..<end, source, blocks, take)
      if !cut.bytes.isEmpty { try take(cut.bytes) }
      position = cut.range.upperBound
    }
    guard position < source.count else { return }
    try applyOverlays(position..<source.count, source, blocks, take)
  }

  /// The bytes as changed.
  package func applied(to bytes: [UInt8]) -> [UInt8] {
    guard !isEmpty else { return bytes }
    var result: [UInt8] = []
    // Memory does not break off, and nothing here throws.
    try? apply(to: ArraySource(bytes)) { result += $0 }
    return result
  }

  private func applyOverlays(
    _ range: Range<UInt64>, _ source: any ByteSource, _ blocks: Blocks,
    _ take: ([UInt8]) throws -> Void
  ) throws {
    var position = range.lowerBound
    while position < range.upperBound {
      let number = position / blocks.size
      let count = Int(min((number + 1) * blocks.size, range.upperBound) - position)
      guard var block = try source.exactly(count, at: position) else {
        throw ContainerError.damaged("ends while it is copied")
      }
      let here = position..<(position + UInt64(count))
      for index in blocks.overlays[number] ?? [] where overlays[index].range.overlaps(here) {
        let overlay = overlays[index]
        let common = overlay.range.clamped(to: here)
        let start = Int(common.lowerBound - position)
        let skip = Int(clamping: common.lowerBound - overlay.range.lowerBound)
        if let bytes = overlay.bytes {
          block.replaceSubrange(
            start..<(start + common.count), with: bytes[skip..<(skip + common.count)])
        } else {
          for index in start..<(start + common.count) { block[index] = overlay.fill }
        }
      }
      try take(block)
      position = here.upperBound
    }
  }
}

/// Which overlays concern which block of a file: movies have thousands of both.
extension Redaction {
  fileprivate struct Blocks {
    let size: UInt64
    private(set) var overlays: [UInt64: [Int]] = [:]

    init(_ all: [Overlay], size: UInt64, end: UInt64) {
      self.size = size
      for (index, overlay) in all.enumerated() {
        let range = overlay.range.clamped(to: 0..<end)
        guard !range.isEmpty else { continue }
        for number in range.lowerBound / size...(range.upperBound - 1) / size {
          overlays[number, default: []].append(index)
        }
      }
    }
  }
}

/// A file that cannot be made to keep something to itself without being encoded anew: why, as one
/// sentence.
package struct RedactionRefusal: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
