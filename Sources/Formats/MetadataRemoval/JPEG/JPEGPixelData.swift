import ByteReading
import MediaFormats

/// Finds bytes in a JPEG's scans that come after the last coded coefficient, before the next marker.
///
/// The coefficients are counted but not decoded (ITU-T T.81 annexes F and G). Scans with arithmetic coding, lossless
/// pictures, and damaged data stay as they are, since their end is not known.
struct JPEGPixelData {
  private struct Component {
    var identifier: UInt8
    var horizontal: Int
    var vertical: Int
    /// Blocks of a scan that has only this component (§A.2.2).
    var blocks = 0
    /// The coefficients of each block that are not zero, with bit 1 for the first AC coefficient. Only progressive
    /// pictures need this.
    var masks: [UInt64] = []
  }

  /// A scan's header (§B.2.3).
  private struct Scan {
    /// The components in the frame, and the DC and AC tables of each.
    var components: [(component: Int, dc: Int, ac: Int)] = []
    /// The first and the last coefficient.
    var first = 0
    var last = 63
    /// Whether an earlier scan has coded the higher bits of the coefficients.
    var isRefinement = false
  }

  /// Bytes of a scan's data that are read into memory.
  private static let maximumScan = 64 << 20
  /// Blocks of all components, for each of which 8 bytes are kept.
  private static let maximumBlocks = 8 << 20
  /// Blocks that all refinements of a picture may visit without reading a bit.
  private var visitsLeft = 1 << 27

  private let source: any ByteSource
  private var tables = JPEGCodeTables()
  private var restartInterval = 0
  private var isProgressive = false
  private var components: [Component] = []
  /// Units of a scan that has several components.
  private var interleavedUnits = 0
  private(set) var unused: [Range<UInt64>] = []

  private init(_ source: any ByteSource) {
    self.source = source
  }

  /// The bytes of all scans that no decoder needs, without the fill bytes before markers.
  ///
  /// - Parameters:
  ///   - segments: of the picture up to its first scan.
  ///   - scans: from there on.
  /// - Throws: what the source throws.
  static func unused(
    _ segments: [JPEGSegment], _ scans: JPEGScans, in source: any ByteSource
  ) throws -> [Range<UInt64>] {
    var check = JPEGPixelData(source)
    guard try check.visit(segments, scans, { try $0.mayHaveRest($1, $2) ? .stop : .next }) == .stop
    else { return [] }
    var data = JPEGPixelData(source)
    _ = try data.visit(segments, scans) { data, scan, range in
      guard let content = try source.bytes(in: range, limit: maximumScan) else { return .stop }
      return data.walk(scan, content, at: range.lowerBound) ? .next : .stop
    }
    return data.unused
  }

  private enum Step { case next, stop }

  /// Visits the scans in order, each with the range of its data, until one cannot be counted.
  ///
  /// - Returns: `stop` if `body` has returned that.
  private mutating func visit(
    _ segments: [JPEGSegment], _ scans: JPEGScans,
    _ body: (inout JPEGPixelData, Scan, Range<UInt64>) throws -> Step
  ) throws -> Step {
    var next = 0
    for segment in segments + scans.segments {
      guard try take(segment) else { return .next }
      guard segment.marker == JPEGMarker.startOfScan else { continue }
      let start = segment.payload.upperBound
      while next < scans.pixels.count, scans.pixels[next].lowerBound < start { next += 1 }
      guard next < scans.pixels.count, scans.pixels[next].lowerBound == start,
        let scan = scan(try segment.payload(from: source))
      else { return .next }
      if try body(&self, scan, scans.pixels[next]) == .stop { return .stop }
    }
    return .next
  }

  /// A quick check of the last bytes of a scan, because counting through all of it takes long.
  ///
  /// - Returns: true if they may be a place, or, in a sequential picture, do not end after a unit and its padding
  ///   of ones. Decoding cannot begin in the middle of a progressive scan, because the length of a refinement
  ///   depends on earlier scans.
  private func mayHaveRest(_ scan: Scan, _ range: Range<UInt64>) throws -> Bool {
    if restartInterval > 0, try hasTextAnywhere(in: range) { return true }
    var size: UInt64 = 4 << 10
    while true {
      let start = max(range.lowerBound, range.upperBound - min(size, range.upperBound))
      let bytes = try source.header(at: start, count: Int(range.upperBound - start))
      if hasText(bytes, length: 18) || mayEndWithPlace(bytes) { return true }
      if isProgressive || endsAfterUnit(bytes, blocks(of: scan)) { return false }
      // Decoding that begins in the middle may need longer until it reads whole codes.
      if start == range.lowerBound || size >= 64 << 10 { return true }
      size *= 16
    }
  }

  /// Whether text is somewhere in a range, as before one of its restart markers.
  private func hasTextAnywhere(in range: Range<UInt64>) throws -> Bool {
    var start = range.lowerBound
    while start < range.upperBound {
      let bytes = try source.bytes(
        at: start, count: min(1 << 20, Int(clamping: range.upperBound - start)))
      if bytes.isEmpty || hasText(bytes, length: 18) { return !bytes.isEmpty }
      start += UInt64(bytes.count)
    }
    return false
  }

  /// Whether decoding from somewhere in a scan reaches its end after a whole unit.
  private func endsAfterUnit(_ bytes: [UInt8], _ blocks: [(dc: Int, ac: Int)]) -> Bool {
    var bits = JPEGBits(bytes, from: afterLastRestart(bytes))
    while !bits.isExhausted {
      if !walkSequential(0..<1, blocks, &bits) {
        _ = bits.next(1)
      } else if bits.isAtEnd() {
        return true
      }
    }
    return false
  }

  private func afterLastRestart(_ bytes: [UInt8]) -> Int {
    guard restartInterval > 0, bytes.count > 1 else { return 0 }
    let marker = (0..<(bytes.count - 1)).last {
      bytes[$0] == 0xFF && (0xD0...0xD7).contains(bytes[$0 + 1])
    }
    return marker.map { $0 + 2 } ?? 0
  }

  /// Reads the tables or the frame that a segment defines.
  ///
  /// - Returns: false if the scans cannot be counted.
  private mutating func take(_ segment: JPEGSegment) throws -> Bool {
    switch segment.marker {
    case 0xC4: return tables.define(try segment.payload(from: source))
    case 0xDD:
      restartInterval = Int(try segment.payload(from: source).u16(at: 0) ?? 0)
      return true
    case 0xC0, 0xC1, 0xC2:
      guard components.isEmpty else { return false }
      isProgressive = segment.marker == 0xC2
      return take(frame: try segment.payload(from: source))
    // The number of lines after the first scan; arithmetic coding; hierarchical pictures.
    case 0xDC, 0xCC, 0xDE, 0xDF, 0xF7, 0xF8: return false
    default: return !JPEGMarker.isStartOfFrame(segment.marker)
    }
  }

  /// A frame's header (§B.2.2).
  private mutating func take(frame: [UInt8]) -> Bool {
    guard let height = frame.u16(at: 1).map(Int.init), let width = frame.u16(at: 3).map(Int.init),
      let count = frame.u8(at: 5).map(Int.init), (1...4).contains(count), height > 0, width > 0,
      frame.count >= 6 + 3 * count
    else { return false }
    components = (0..<count).map { index in
      let factors = frame[7 + 3 * index]
      return Component(
        identifier: frame[6 + 3 * index], horizontal: Int(factors >> 4), vertical: Int(factors & 15)
      )
    }
    let horizontal = components.map(\.horizontal).max() ?? 0
    let vertical = components.map(\.vertical).max() ?? 0
    guard
      components.allSatisfy({ (1...4).contains($0.horizontal) && (1...4).contains($0.vertical) })
    else { return false }
    func divided(_ value: Int, _ divisor: Int) -> Int { (value + divisor - 1) / divisor }
    for index in components.indices {
      let component = components[index]
      components[index].blocks =
        divided(divided(width * component.horizontal, horizontal), 8)
        * divided(divided(height * component.vertical, vertical), 8)
    }
    interleavedUnits = divided(width, 8 * horizontal) * divided(height, 8 * vertical)
    guard isProgressive else { return true }
    guard components.reduce(0, { $0 + $1.blocks }) <= Self.maximumBlocks else { return false }
    return true
  }

  private func scan(_ header: [UInt8]) -> Scan? {
    guard let count = header.u8(at: 0).map(Int.init), (1...4).contains(count),
      let selection = header.bytes(at: 1 + 2 * count, count: 3)
    else { return nil }
    var scan = Scan()
    for index in 0..<count {
      guard let component = components.firstIndex(where: { $0.identifier == header[1 + 2 * index] })
      else { return nil }
      let numbers = header[2 + 2 * index]
      guard numbers & 0xCC == 0 else { return nil }
      scan.components.append(
        (
          component, JPEGCodeTables.index(isAC: false, numbers >> 4),
          JPEGCodeTables.index(isAC: true, numbers & 15)
        ))
    }
    guard isProgressive else { return scan }
    (scan.first, scan.last) = (Int(selection[0]), Int(selection[1]))
    scan.isRefinement = selection[2] >> 4 != 0
    guard scan.last < 64, scan.first <= scan.last,
      scan.first == 0 ? scan.last == 0 : count == 1
    else { return nil }
    return scan
  }

  /// The tables of each block of a unit.
  private func blocks(of scan: Scan) -> [(dc: Int, ac: Int)] {
    scan.components.flatMap { part in
      let component = components[part.component]
      return [(dc: Int, ac: Int)](
        repeating: (part.dc, part.ac),
        count: scan.components.count == 1 ? 1 : component.horizontal * component.vertical)
    }
  }

  /// Counts through a scan.
  ///
  /// - Parameters:
  ///   - content: everything between the scan's header and the marker that ends it.
  ///   - start: its offset.
  /// - Returns: false for damaged data.
  private mutating func walk(_ scan: Scan, _ content: [UInt8], at start: UInt64) -> Bool {
    var bits = JPEGBits(content)
    let units =
      scan.components.count == 1
      ? components[scan.components[0].component].blocks : interleavedUnits
    let blocks = blocks(of: scan)
    if scan.first > 0, components[scan.components[0].component].masks.isEmpty {
      components[scan.components[0].component].masks = [UInt64](repeating: 0, count: units)
    }
    var done = 0
    while true {
      let end = restartInterval == 0 ? units : min(units, done + restartInterval)
      guard walk(scan, done..<end, blocks, &bits), !bits.isExhausted else { return false }
      done = end
      let rest = bits.position
      let next = done == units ? content.count : bits.moveAfterRestart()
      guard let next else { return false }
      if content[rest..<next].contains(where: { $0 != 0xFF }) {
        unused.append((start + UInt64(rest))..<(start + UInt64(next)))
      }
      if done == units { return true }
    }
  }

  /// Counts through the units up to a restart or the end.
  private mutating func walk(
    _ scan: Scan, _ units: Range<Int>, _ blocks: [(dc: Int, ac: Int)], _ bits: inout JPEGBits
  ) -> Bool {
    guard isProgressive else { return walkSequential(units, blocks, &bits) }
    if scan.first == 0, scan.isRefinement {
      // One bit a block.
      bits.skipAll(units.count * blocks.count)
      return !bits.isExhausted
    }
    if scan.first == 0 {
      for _ in units {
        for block in blocks {
          let entry = tables.entry(block.dc, bits.peek())
          guard !entry.isNone else { return false }
          bits.skip(entry.total)
        }
        if bits.isExhausted { return false }
      }
      return true
    }
    let component = scan.components[0].component
    // Swapped out of the array, so that changes do not copy them.
    var masks: [UInt64] = []
    swap(&masks, &components[component].masks)
    defer { swap(&masks, &components[component].masks) }
    return scan.isRefinement
      ? refine(scan, units, &masks, &bits) : walkFirst(scan, units, &masks, &bits)
  }

  private func walkSequential(
    _ units: Range<Int>, _ blocks: [(dc: Int, ac: Int)], _ bits: inout JPEGBits
  ) -> Bool {
    for _ in units {
      for block in blocks {
        let first = tables.entry(block.dc, bits.peek())
        guard !first.isNone else { return false }
        bits.skip(first.total)
        var coefficient = 1
        while coefficient < 64 {
          let entry = tables.entry(block.ac, bits.peek())
          guard !entry.isNone else { return false }
          bits.skip(entry.total)
          coefficient += entry.advance
        }
        // A run may not go beyond the block.
        guard coefficient == 64 || coefficient >= JPEGCodeTables.Entry.toEnd, !bits.isExhausted
        else { return false }
      }
    }
    return true
  }

  /// The first scan of some AC coefficients (§G.1.2.2).
  private func walkFirst(
    _ scan: Scan, _ units: Range<Int>, _ masks: inout [UInt64], _ bits: inout JPEGBits
  ) -> Bool {
    var unit = units.lowerBound
    while unit < units.upperBound {
      var coefficient = scan.first
      while coefficient <= scan.last {
        let entry = tables.entry(scan.components[0].ac, bits.peek())
        guard !entry.isNone else { return false }
        bits.skip(entry.length)
        let (run, size) = (entry.symbol >> 4, entry.symbol & 15)
        if size == 0, run < 15 {
          unit += 1 << run + bits.next(run) - 1
          break
        }
        coefficient += run
        guard coefficient <= scan.last else { return false }
        if size > 0 { masks[unit] |= 1 << UInt64(coefficient) }
        bits.skip(size)
        coefficient += 1
      }
      if bits.isExhausted { return false }
      unit += 1
    }
    return unit == units.upperBound
  }

  /// A further bit of some AC coefficients (§G.1.2.3).
  private mutating func refine(
    _ scan: Scan, _ units: Range<Int>, _ masks: inout [UInt64], _ bits: inout JPEGBits
  ) -> Bool {
    guard visitsLeft >= units.count else { return false }
    visitsLeft -= units.count
    let table = scan.components[0].ac
    /// The coefficients of the scan, as in a mask.
    let all = UInt64.max >> UInt64(63 - scan.last) & UInt64.max << UInt64(scan.first)
    var unit = units.lowerBound
    while unit < units.upperBound {
      var mask = masks[unit]
      // The coefficients that follow in this block.
      var left = all
      // Blocks, from this one, in which no further coefficient becomes other than zero.
      var run = 0
      while left != 0 {
        let entry = tables.entry(table, bits.peek())
        guard !entry.isNone else { return false }
        bits.skip(entry.length)
        let (zeros, size) = (entry.symbol >> 4, entry.symbol & 15)
        if size == 0, zeros < 15 {
          run = 1 << zeros + bits.next(zeros)
          break
        }
        guard size < 2 else { return false }
        var candidates = left & ~mask
        for _ in 0..<zeros { candidates &= candidates &- 1 }
        guard candidates != 0 else { return false }
        let found = candidates & ~(candidates &- 1)
        // One bit follows for each coefficient before it that is not zero.
        bits.skipAll(size + (left & mask & (found &- 1)).nonzeroBitCount)
        if size == 1 { mask |= found }
        left &= ~(found | (found &- 1))
      }
      masks[unit] = mask
      if run > 0 {
        guard run <= units.upperBound - unit else { return false }
        var bitsLeft = (left & mask).nonzeroBitCount
        for next in (unit + 1)..<(unit + run) { bitsLeft += (masks[next] & all).nonzeroBitCount }
        bits.skipAll(bitsLeft)
      }
      if bits.isExhausted { return false }
      unit += max(1, run)
    }
    return true
  }
}

/// Whether the last bytes of a scan look like a place, as one in ten scans without one do too: a text of 12
/// characters in the last 512 bytes, three zeros in a row as in EXIF's rational numbers, or, in the last 64 bytes,
/// two numbers of 64 bits from -180 to 180 in either byte order.
private func mayEndWithPlace(_ bytes: [UInt8]) -> Bool {
  let end = Array(bytes.suffix(512))
  if hasText(end, length: 12) { return true }
  if end.indices.dropFirst(2).contains(where: {
    end[$0] == 0 && end[$0 - 1] == 0 && end[$0 - 2] == 0
  }) {
    return true
  }
  func mayBeDegrees(_ first: UInt8, _ second: UInt8) -> Bool {
    // The exponents of numbers from 1/128 to 2, and from there to 208.
    first & 0x7F == 0x3F && second >= 0x80 || first & 0x7F == 0x40 && second <= 0x6A
  }
  let last = Array(end.suffix(64))
  return (0..<max(0, last.count - 15)).contains { index in
    mayBeDegrees(last[index], last[index + 1]) && mayBeDegrees(last[index + 8], last[index + 9])
      || mayBeDegrees(last[index + 7], last[index + 6])
        && mayBeDegrees(last[index + 15], last[index + 14])
  }
}

/// Whether bytes contain a number of printable ASCII characters in a row. Coded pixels hardly ever contain 18, and
/// a pair of coordinates with five decimals has about as many.
private func hasText(_ bytes: [UInt8], length: Int) -> Bool {
  func isPrintable(_ index: Int) -> Bool { (0x20...0x7E).contains(bytes[index]) }
  var end = length - 1
  while end < bytes.count {
    // The last character of those up to the end that is not printable begins the next ones.
    guard let other = ((end - length + 1)...end).last(where: { !isPrintable($0) }) else {
      return true
    }
    end = other + length
  }
  return false
}
