package import ByteReading

/// The places of the samples in movie fragments (ISO/IEC 14496-12 §8.8).
package struct ISOFragments {
  private let source: any ByteSource
  /// Default sample sizes in bytes by `track_ID`, from the `trex` boxes of the movie.
  private var defaultSizes: [UInt32: UInt32] = [:]

  /// - Parameter moov: the movie's header.
  package init(_ moov: ISOBox, _ source: any ByteSource) throws {
    self.source = source
    for mvex in try source.boxes(inside: moov, limit: 4096) where mvex.type == "mvex" {
      for trex in try source.boxes(inside: mvex) where trex.type == "trex" {
        let fields = try source.start(of: trex, 24)
        if let id = fields.u32(at: 4), let size = fields.u32(at: 16) { defaultSizes[id] = size }
      }
    }
  }

  /// The runs of one track in one fragment.
  fileprivate struct Part {
    var header: TrackFragmentHeader
    /// The offset that the header's data offsets are relative to, which is also that of a first run without one.
    var base: UInt64
    var runs: [ISOBox]
  }

  /// The parts of each track in all fragments, so that each fragment is read once for all tracks: a small file can have
  /// thousands of both.
  package struct Index {
    fileprivate var parts: [UInt32: [Part]] = [:]
  }

  /// - Parameter maximum: of runs. Each takes some memory.
  /// - Returns: nil if the fragments have more runs.
  package func index(_ moofs: some Sequence<ISOBox>, maximum: Int) throws -> Index? {
    var index = Index()
    var count = 0
    for moof in moofs {
      try visitParts(of: moof) { part in
        count += part.runs.count
        if !part.runs.isEmpty, count <= maximum {
          index.parts[part.header.id, default: []].append(part)
        }
        return try visit(part, individually: false) { _ in }
      }
      guard count <= maximum else { return nil }
    }
    return index
  }

  /// Calls `take` with each sample of a track, in the order of the fragments.
  package func visitSamples(
    of track: UInt32, in index: Index, _ take: (Range<UInt64>) throws -> Void
  ) throws {
    for part in index.parts[track] ?? [] { try visit(part, individually: true, take) }
  }

  /// Calls `take` with each run of a track, in the order of the fragments.
  package func visitRuns(
    of track: UInt32, in index: Index, _ take: (Range<UInt64>) throws -> Void
  ) throws {
    for part in index.parts[track] ?? [] { try visit(part, individually: false, take) }
  }

  /// Calls `take` with the samples of a fragment: with each run as one range, or with each sample.
  ///
  /// - Parameters:
  ///   - moof: the fragment's header.
  ///   - individually: the tracks that are visited sample by sample.
  ///   - take: receives the `track_ID` and a range. A range ends where the source ends.
  package func visit(
    _ moof: ISOBox, individually: Set<UInt32> = [],
    _ take: (UInt32, Range<UInt64>) throws -> Void
  ) throws {
    try visitParts(of: moof) { part in
      try visit(part, individually: individually.contains(part.header.id)) {
        try take(part.header.id, $0)
      }
    }
  }

  /// Calls `body` with the parts of a fragment.
  ///
  /// - Parameter body: returns the end of the part's data, where the next one's data can start.
  private func visitParts(of moof: ISOBox, _ body: (Part) throws -> UInt64) throws {
    var previousEnd = moof.offset
    for traf in try source.boxes(inside: moof) where traf.type == "traf" {
      let boxes = try source.boxes(inside: traf, limit: 1 << 16)
      guard let box = boxes.first(where: { $0.type == "tfhd" }),
        let header = TrackFragmentHeader(try source.start(of: box, 40))
      else { continue }
      let base = header.base ?? (header.startsAtFragment ? moof.offset : previousEnd)
      let runs = boxes.filter { $0.type == "trun" }
      previousEnd = try body(Part(header: header, base: base, runs: runs))
    }
  }

  /// - Returns: the offset after the part's data.
  @discardableResult
  private func visit(
    _ part: Part, individually: Bool, _ take: (Range<UInt64>) throws -> Void
  ) throws -> UInt64 {
    let size = part.header.size ?? defaultSizes[part.header.id] ?? 0
    var position = part.base
    for run in part.runs {
      position = try visit(run, part.base, position, size, individually, take)
    }
    return position
  }

  /// Calls `take` with the samples of a `trun` box.
  ///
  /// - Returns: the offset after its data.
  private func visit(
    _ run: ISOBox, _ base: UInt64, _ start: UInt64, _ defaultSize: UInt32, _ individually: Bool,
    _ take: (Range<UInt64>) throws -> Void
  ) throws -> UInt64 {
    let head = try source.start(of: run, 16)
    guard let flags = head.u32(at: 0), let count = head.u32(at: 4) else { return start }
    var position = start
    var skip = 8
    if flags & 0x1 != 0 {
      guard let offset = head.i32(at: 8) else { return start }
      let (first, overflow) = base.addingReportingOverflow(UInt64(offset.magnitude))
      guard offset < 0 ? UInt64(offset.magnitude) <= base : !overflow else { return start }
      position = offset < 0 ? base - UInt64(offset.magnitude) : first
      skip += 4
    }
    if flags & 0x4 != 0 { skip += 4 }
    let hasSizes = flags & 0x200 != 0
    let fields = [0x100, 0x200, 0x400, 0x800].count { flags & $0 != 0 }
    let sizeAt: UInt64 = flags & 0x100 != 0 ? 4 : 0
    // Samples without bytes have nothing to visit. A hostile file has four thousand million of them.
    if !hasSizes, defaultSize == 0 { return position }
    if !hasSizes, !individually {
      // At most 2³² samples of 2³² bytes.
      let (length, overflow) = UInt64(count).multipliedReportingOverflow(by: UInt64(defaultSize))
      guard !overflow, let end = position.adding(length) else { return position }
      try take(clamped(position..<end))
      return end
    }
    var reader = PiecewiseReader(source, run.payload.dropping(skip))
    let first = position
    for index in 0..<UInt64(count) {
      let size =
        hasSizes
        ? try reader.value(at: index * UInt64(fields * 4) + sizeAt, width: 4)
        : UInt64(defaultSize)
      guard let size, let end = position.adding(size), hasSizes || position < source.count
      else { break }
      if individually { try take(clamped(position..<end)) }
      position = end
    }
    if !individually { try take(clamped(first..<position)) }
    return position
  }

  private func clamped(_ range: Range<UInt64>) -> Range<UInt64> {
    range.clamped(to: 0..<source.count)
  }
}

/// The part of a `tfhd` box that locates samples (ISO/IEC 14496-12 §8.8.7).
private struct TrackFragmentHeader {
  var id: UInt32
  /// The base offset in the file.
  var base: UInt64?
  /// Whether offsets count from the fragment's header if there is no base.
  var startsAtFragment: Bool
  /// The size in bytes of samples without an individual size.
  var size: UInt32?

  init?(_ content: [UInt8]) {
    guard let flags = content.u32(at: 0), let id = content.u32(at: 4) else { return nil }
    self.id = id
    startsAtFragment = flags & 0x20000 != 0
    var position = 8
    if flags & 0x1 != 0 {
      guard let base = content.u64(at: position) else { return nil }
      self.base = base
      position += 8
    }
    if flags & 0x2 != 0 { position += 4 }
    if flags & 0x8 != 0 { position += 4 }
    if flags & 0x10 != 0 { size = content.u32(at: position) }
  }
}
