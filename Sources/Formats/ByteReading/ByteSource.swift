/// A source of bytes: a file, a part of one, or memory.
package protocol ByteSource {
  /// The number of bytes.
  var count: UInt64 { get }

  /// The bytes from `offset` on: fewer than `count` at the end, none beyond it.
  ///
  /// - Throws: errors of the medium. A range outside the source is not an error.
  func bytes(at offset: UInt64, count: Int) throws -> [UInt8]

  /// The same for a few bytes without their neighbours, such as the header of a chunk that is skipped. A source with a
  /// cache reads only these bytes.
  func header(at offset: UInt64, count: Int) throws -> [UInt8]
}

extension ByteSource {
  package func header(at offset: UInt64, count: Int) throws -> [UInt8] {
    try bytes(at: offset, count: count)
  }

  /// Exactly `count` bytes; nil if the source ends earlier.
  package func exactly(_ count: Int, at offset: UInt64) throws -> [UInt8]? {
    guard count >= 0, offset <= self.count, UInt64(count) <= self.count - offset else { return nil }
    let found = try bytes(at: offset, count: count)
    return found.count == count ? found : nil
  }

  /// The bytes of a range; nil if it is not inside the source or is longer than `limit` bytes.
  package func bytes(in range: Range<UInt64>, limit: Int) throws -> [UInt8]? {
    guard let count = Int(exactly: range.upperBound - range.lowerBound), count <= limit
    else { return nil }
    return try exactly(count, at: range.lowerBound)
  }

  /// A range of this source as a source, clamped to the bytes that exist.
  package func part(_ range: Range<UInt64>) -> PartSource {
    PartSource(self, range.clamped(to: 0..<count))
  }

  /// All bytes from an offset on as a source.
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

/// A part of another source. Offsets count from the start of the part.
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

/// Reads another source in windows and caches the most recent ones. Parsers read a few bytes at many offsets; the cache
/// reduces the number of reads, for example from a network file system.
///
/// The first window of the file stays in the cache. Requests longer than half a window are not cached.
package final class WindowedSource: ByteSource {
  /// The number of bytes in one read.
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
  /// The number of reads of the base, for tests and measurements.
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
    // All readers begin at the start of the file, so its window is loaded.
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

  /// Reads the window that contains `offset`: the first one of the file, or one that begins at the page of `offset`.
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
