package import ByteReading

/// The parts of a JPEG from its first scan on (ITU-T T.81 annex B): coded pixels, the segments between them, and bytes
/// that belong to neither.
package struct JPEGScans {
  /// Segments after the first scan's pixels: tables, further scans, and any others.
  package private(set) var segments: [JPEGSegment] = []
  /// The entropy-coded data of each scan with its restart markers. Data that is interrupted or cut off is omitted.
  package private(set) var pixels: [Range<UInt64>] = []
  /// Bytes between markers that are not coded pixels. Decoders skip them.
  package private(set) var gaps: [Range<UInt64>] = []
  /// The offset after End Of Image; nil if there is none.
  package private(set) var end: UInt64?
  /// The offset of a segment with an impossible length. Nothing after it can be read.
  package private(set) var brokenAt: UInt64?

  private static let blockSize = 1 << 20
  /// Segments of one picture. A progressive picture has about ten scans.
  private static let maximumSegments = 20_000

  private let source: any ByteSource
  private var position: UInt64
  /// Whether the next bytes are coded pixels.
  private var isScan = false
  /// The start of the current scan's data; nil after an interruption.
  private var dataStart: UInt64?
  private var gapStart: UInt64?
  /// Whether the open gap began in coded pixels, which continue at a restart marker.
  private var isInterruptedScan = false

  /// - Parameter offset: the offset of the first Start Of Scan marker.
  /// - Throws: the errors of the source.
  package init(from offset: UInt64, in source: any ByteSource) throws {
    self.source = source
    position = offset
    while end == nil, brokenAt == nil,
      case let block = try source.bytes(at: position, count: Self.blockSize), block.count >= 2
    {
      step(through: block)
    }
    if let start = gapStart, end == nil, brokenAt == nil { gaps.append(start..<source.count) }
  }

  /// Reads one block of at least two bytes, and moves on by at least one byte.
  private mutating func step(through block: [UInt8]) {
    var index = 0
    while index + 1 < block.count {
      guard block[index] == 0xFF, block[index + 1] != 0xFF else {
        // Before a marker, 0xFF bytes are allowed as padding. Others start a gap.
        if !isScan, block[index] != 0xFF { openGap(at: index) }
        repeat { index += 1 } while index + 1 < block.count && block[index] != 0xFF
        continue
      }
      let marker = block[index + 1]
      if marker == 0 || JPEGMarker.standsAlone(marker), marker != JPEGMarker.endOfImage {
        // A stuffed zero or a restart marker.
        if !isScan, isInterruptedScan, marker != 0 {
          closeGap(at: index)
          isScan = true
        }
        if !isScan { openGap(at: index) }
        index += 2
        continue
      }
      if JPEGMarker.isReserved(marker) {
        // Decoders ignore the length of such a segment and continue at the next marker.
        openGap(at: index)
        isInterruptedScan = isInterruptedScan || isScan
        dataStart = nil
        isScan = false
        index += 2
        continue
      }
      if marker == JPEGMarker.endOfImage {
        closeData(at: index)
        closeGap(at: index)
        end = position + UInt64(index + 2)
        return
      }
      guard let length = block.u16(at: index + 2) else {
        // The segment's length is in the next block, or missing.
        if index > 0 { return move(by: index) }
        return breakOff(at: index)
      }
      guard length >= 2, segments.count < Self.maximumSegments else { return breakOff(at: index) }
      closeData(at: index)
      closeGap(at: index)
      let start = position + UInt64(index)
      let segmentEnd = min(start + 2 + UInt64(length), source.count)
      segments.append(
        JPEGSegment(
          marker: marker, offset: start, payload: min(start + 4, segmentEnd)..<segmentEnd))
      isScan = marker == JPEGMarker.startOfScan
      dataStart = isScan ? segmentEnd : nil
      index += 2 + Int(length)
    }
    move(by: index)
  }

  private mutating func move(by count: Int) {
    position += UInt64(count)
  }

  private mutating func closeData(at index: Int) {
    if let start = dataStart, start <= position + UInt64(index) {
      pixels.append(start..<(position + UInt64(index)))
    }
    dataStart = nil
  }

  private mutating func openGap(at index: Int) {
    gapStart = gapStart ?? position + UInt64(index)
  }

  private mutating func closeGap(at index: Int) {
    guard let start = gapStart else { return }
    gaps.append(start..<(position + UInt64(index)))
    gapStart = nil
    isInterruptedScan = false
  }

  private mutating func breakOff(at index: Int) {
    closeGap(at: index)
    brokenAt = position + UInt64(index)
  }
}
