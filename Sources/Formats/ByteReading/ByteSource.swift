/// Where a reader's bytes come from: a file, a part of one, or memory.
package protocol ByteSource {
  /// How many bytes there are.
  var count: UInt64 { get }

  /// The bytes from `offset` on: fewer than `count` at the end, none beyond it.
  ///
  /// - Throws: what the medium reports; never for a range outside of the source.
  func bytes(at offset: UInt64, count: Int) throws -> [UInt8]

  /// As ``bytes(at:count:)``, for a few bytes whose neighbours are not needed, such as the header of a chunk
  /// that is skipped: a source that caches reads no more than these.
  func header(at offset: UInt64, count: Int) throws -> [UInt8]
}

extension ByteSource {
  package func header(at offset: UInt64, count: Int) throws -> [UInt8] {
    try bytes(at: offset, count: count)
  }

  /// Exactly `count` bytes, or nil where the source ends before.
  package func exactly(_ count: Int, at offset: UInt64) throws -> [UInt8]? {
    guard count >= 0, offset <= self.count, UInt64(count) <= self.count - offset else { return nil }
    let found = try bytes(at: offset, count: count)
    return found.count == count ? found : nil
  }

  /// The bytes of a range if it lies inside of the source and holds no more than `limit` bytes.
  package func bytes(in range: Range<UInt64>, limit: Int) throws -> [UInt8]? {
    guard let count = Int(exactly: range.upperBound - range.lowerBound), count <= limit
    else { return nil }
    return try exactly(count, at: range.lowerBound)
  }

  /// A range of this source as a source of its own; the part of it that exists.
  package func part(_ range: Range<UInt64>) -> PartSource {
    PartSource(self, range.clamped(to: 0..<count))
  }

  /// Everything from an offset to the end as a source of its own.
  package func part(from offset: UInt64) -> PartSource {
    part(min(offset, count)..<count)
  }
}

/// Bytes in memory.
package struct ArraySource: ByteSource, Sendable {
  private let content: [UInt8]

  package init(_ content: [UInt8]) {
    self.content = content
  }

  package var count: UInt64 { UInt64(content.count) }

  package func bytes(at offset: UInt64, count: Int) -> [UInt8] {
    guard let start = Int(exactly: offset), start < content.count, count > 0 else { return [] }
    return Array(content[start..<(start + min(count, content.count - start))])
  }
}

/// A part of another source, counted from the part's own beginning.
package struct PartSource: ByteSource {
  private let base: any ByteSource
  private let range: Range<UInt64>

  fileprivate init(_ base: any ByteSource, _ range: Range<UInt64>) {
    self.base = base
    self.range = range
  }

  package var count: UInt64 { range.upperBound - range.lowerBound }

  package func bytes(at offset: UInt64, count: Int) throws -> [UInt8] {
    guard offset < self.count, count > 0 else { return [] }
    let rest = self.count - offset
    let wanted = UInt64(count) < rest ? count : Int(clamping: rest)
    return try base.bytes(at: range.lowerBound + offset, count: wanted)
  }

  package func header(at offset: UInt64, count: Int) throws -> [UInt8] {
    guard offset < self.count, count > 0 else { return [] }
    let wanted = min(count, Int(clamping: self.count - offset))
    return try base.header(at: range.lowerBound + offset, count: wanted)
  }
}

/// Reads another source in windows and keeps the last few, so that parsing, which asks for a few bytes
/// here and a few there, costs few reads even over a network.
///
/// The file's head is read once and kept. Requests larger than a window pass through.
package final class WindowedSource: ByteSource {
  /// Bytes read at once.
  package static let windowSize = 64 << 10
  private static let windowsKept = 4

  private struct Window {
    var offset: UInt64
    var bytes: [UInt8]

    func slice(at start: UInt64, count: Int) -> [UInt8]? {
      guard start >= offset, let skip = Int(exactly: start - offset), skip <= bytes.count,
        count <= bytes.count - skip
      else { return nil }
      return Array(bytes[skip..<(skip + count)])
    }
  }

  private let base: any ByteSource
  package let count: UInt64
  private var head: Window?
  private var recent: [Window] = []
  /// How often the base was read, for tests and measurements.
  package private(set) var reads = 0

  package init(_ base: any ByteSource) {
    self.base = base
    count = base.count
  }

  package func bytes(at offset: UInt64, count: Int) throws -> [UInt8] {
    guard offset < self.count, count > 0 else { return [] }
    let rest = self.count - offset
    let wanted = UInt64(count) < rest ? count : Int(clamping: rest)
    if let found = cached(at: offset, count: wanted) { return found }
    reads += 1
    guard wanted <= Self.windowSize / 2 else { return try base.bytes(at: offset, count: wanted) }
    let window = try load(around: offset)
    return try window.slice(at: offset, count: wanted) ?? base.bytes(at: offset, count: wanted)
  }

  package func header(at offset: UInt64, count: Int) throws -> [UInt8] {
    guard offset < self.count, count > 0 else { return [] }
    let wanted = min(count, Int(clamping: self.count - offset))
    // The head of the file is worth a window: all readers begin there.
    if offset < UInt64(Self.windowSize / 2) { return try bytes(at: offset, count: wanted) }
    if let found = cached(at: offset, count: wanted) { return found }
    reads += 1
    return try base.bytes(at: offset, count: wanted)
  }

  private func cached(at offset: UInt64, count: Int) -> [UInt8]? {
    if let found = head?.slice(at: offset, count: count) { return found }
    for window in recent.reversed() {
      if let found = window.slice(at: offset, count: count) { return found }
    }
    return nil
  }

  /// Reads the window that holds `offset`: the head if that is not there yet and holds it, else one
  /// that begins at the page of `offset`.
  private func load(around offset: UInt64) throws -> Window {
    if head == nil, offset < UInt64(Self.windowSize / 2) {
      let window = Window(offset: 0, bytes: try base.bytes(at: 0, count: Self.windowSize))
      head = window
      return window
    }
    let start = offset & ~0xFFF
    let window = Window(offset: start, bytes: try base.bytes(at: start, count: Self.windowSize))
    if recent.count == Self.windowsKept { recent.removeFirst() }
    recent.append(window)
    return window
  }
}
