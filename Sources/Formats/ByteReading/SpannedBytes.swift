/// Several ranges of a source, read byte by byte as if they were joined, with bounded memory.
package struct SpannedBytes {
  private static let windowSize = 64 << 10

  private let source: any ByteSource
  private let ranges: [Range<UInt64>]
  /// The index of the current range, and the number of its bytes that have been loaded.
  private var range = 0
  private var loaded: UInt64 = 0
  private var window: [UInt8] = []
  private var windowPosition = 0
  /// The number of bytes that have been returned.
  package private(set) var position: UInt64 = 0
  /// The source's error, after which there are no further bytes.
  package private(set) var failure: (any Error)?

  package init(_ source: any ByteSource, _ ranges: [Range<UInt64>]) {
    self.source = source
    self.ranges = ranges
  }

  /// The next byte; nil at the end and after a failure.
  package mutating func next() -> UInt8? {
    if windowPosition == window.count, !load() { return nil }
    let byte = window[windowPosition]
    windowPosition += 1
    position += 1
    return byte
  }

  private mutating func load() -> Bool {
    while failure == nil, range < ranges.count {
      let left = UInt64(ranges[range].count) - loaded
      if left > 0 {
        do {
          window = try source.bytes(
            at: ranges[range].lowerBound + loaded, count: min(Self.windowSize, Int(clamping: left)))
        } catch {
          (window, failure) = ([], error)
        }
        windowPosition = 0
        loaded += UInt64(window.count)
        if !window.isEmpty { return true }
      }
      (range, loaded) = (range + 1, 0)
    }
    return false
  }
}
