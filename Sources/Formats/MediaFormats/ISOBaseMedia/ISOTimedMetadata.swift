package import ByteReading

/// A track of timed metadata that can be written into another movie: GoPro's GPMF (`gpmd`), Android's camera motion
/// (`camm`), records of DJI and Sony, QuickTime's `mebx` … (ISO/IEC 14496-12 §12.9; QuickTime File Format, "Timed
/// metadata").
///
/// Such a track has one sample entry and all of its samples in the file. Its edit list, if it has one, delays it and shows
/// one part of it at the usual speed. The samples are not interpreted.
package struct ISOTimedMetadata {
  package private(set) var id: UInt32 = 0
  /// Units of sample times per second.
  package let timescale: UInt32
  /// The whole boxes `tkhd`, `mdhd`, `hdlr` and `stsd`.
  package let trackHeader: [UInt8]
  package let mediaHeader: [UInt8]
  package let handler: [UInt8]
  package let descriptions: [UInt8]
  /// The boxes of the media information that are not for a kind of media: `nmhd`, or QuickTime's `gmhd` and `hdlr`.
  package let information: [UInt8]
  /// The IDs of other tracks by the types of the references (ISO/IEC 14496-12 §8.3.3).
  package private(set) var references: [(type: FourCC, tracks: [UInt32])] = []

  /// When the first shown unit is presented, in seconds.
  private var delay = 0.0
  /// The shown part, in units of ``timescale``.
  private var shown: Range<Int64> = 0..<Int64.max
  private let table: ISOBox
  private let source: any ByteSource

  /// A sample, or the shown part of one.
  package struct Sample {
    /// Its bytes in the file.
    package var range: Range<UInt64>
    /// In units of the track's timescale.
    package var duration: UInt32
  }

  /// Samples that follow one another.
  package struct Part {
    /// When the first one is presented, in seconds from the start of the part.
    package var delay = 0.0
    package var samples: [Sample] = []
  }

  private static let maximumTracks = 64
  /// The longest copied box in bytes.
  private static let maximumBox = 1 << 20
  /// The longest edit list in bytes.
  private static let maximumEdits = 4096
  /// Samples that are looked through: an hour of a sensor with 4000 measurements a second.
  private static let maximumVisits: UInt64 = 1 << 24

  /// The tracks of a movie. Those of movies with fragments are not among them, and the moment of a Live Photo's still is
  /// not: ``ISOStillImageTime``.
  ///
  /// - Throws: what the source throws.
  package static func tracks(of source: any ByteSource) throws -> [ISOTimedMetadata] {
    let top = try source.boxes(in: 0..<source.count, limit: 4096)
    guard let moov = top.first(where: { $0.type == "moov" }), !moov.isTruncated else { return [] }
    let boxes = try source.boxes(inside: moov)
    guard !boxes.contains(where: { $0.type == "mvex" }) else { return [] }
    let header = try boxes.first { $0.type == "mvhd" }.map { try source.start(of: $0, 24) } ?? []
    let timescale = header.u32(at: header.u8(at: 0) == 1 ? 20 : 12) ?? 0
    var found: [ISOTimedMetadata] = []
    for trak in boxes.filter({ $0.type == "trak" }).prefix(maximumTracks) {
      guard let track = try ISOTimedMetadata(trak, movieTimescale: timescale, source),
        !found.contains(where: { $0.id == track.id })
      else { continue }
      found.append(track)
    }
    return found
  }

  private init?(_ trak: ISOBox, movieTimescale: UInt32, _ source: any ByteSource) throws {
    func whole(_ box: ISOBox?, atLeast count: Int) throws -> [UInt8]? {
      // The header of the box has a short size.
      guard let box, !box.isTruncated, box.payload.count >= count,
        box.payload.lowerBound == box.offset + 8
      else { return nil }
      let bytes = try source.bytes(in: box.offset..<box.end, limit: Self.maximumBox)
      // A size of 0 would contain all that follows.
      return bytes?.u32(at: 0) == 0 ? nil : bytes
    }
    let boxes = try source.boxes(inside: trak, limit: 64)
    func child(_ type: FourCC) -> ISOBox? { boxes.first { $0.type == type } }
    guard let mdia = child("mdia"), let minf = try source.child("minf", of: mdia),
      let stbl = try source.child("stbl", of: minf),
      let handler = try whole(source.child("hdlr", of: mdia), atLeast: 24),
      handler.fourCC(at: 16) == "meta",
      let trackHeader = try whole(child("tkhd"), atLeast: 84),
      let mediaHeader = try whole(source.child("mdhd", of: mdia), atLeast: 24),
      let descriptions = try whole(source.child("stsd", of: stbl), atLeast: 8),
      Self.hasPlainEntry(descriptions), try Self.isInFile(minf, source)
    else { return nil }
    let (isLong, hasLongTimes) = (trackHeader.u8(at: 8) == 1, mediaHeader.u8(at: 8) == 1)
    guard !isLong || trackHeader.count >= 104, !hasLongTimes || mediaHeader.count >= 44,
      let id = trackHeader.u32(at: isLong ? 28 : 20), id > 0,
      let timescale = mediaHeader.u32(at: hasLongTimes ? 28 : 20), timescale > 0
    else { return nil }
    let tables = try source.boxes(inside: stbl, limit: 64).map(\.type)
    guard tables.contains("stts"), tables.contains("stsc"), !tables.contains("ctts") else {
      return nil
    }
    self.source = source
    self.timescale = timescale
    self.trackHeader = trackHeader
    self.mediaHeader = mediaHeader
    self.handler = handler
    self.descriptions = descriptions
    table = stbl
    var information: [UInt8] = []
    for type in ["gmhd", "nmhd", "hdlr"] as [FourCC] {
      information += try whole(source.child(type, of: minf), atLeast: 4) ?? []
    }
    self.information = information
    self.id = id
    if let list = try child("edts").flatMap({ try source.child("elst", of: $0) }) {
      guard try take(edits: list, movieTimescale) else { return nil }
    }
    if let list = child("tref") {
      references = try source.boxes(inside: list, limit: 64).map { box in
        let content = try source.start(of: box, 256)
        return (
          box.type, stride(from: 0, to: content.count, by: 4).compactMap { content.u32(at: $0) }
        )
      }
    }
    guard try ISOSampleTable(stbl, source).visitSamples(limit: 0, { _ in }) == false else {
      return nil
    }
  }

  /// Encrypted samples, and GoPro's description of the file for its repair, which is not true of another one.
  private static let unfit: Set<FourCC> = ["encm", "fdsc"]

  /// Whether a `stsd` box has one entry, whose samples are not encrypted and do not mark the moment of a still.
  private static func hasPlainEntry(_ descriptions: [UInt8]) -> Bool {
    let source = ArraySource(descriptions)
    guard let stsd = try? source.box(at: 0, before: source.count), descriptions.u32(at: 12) == 1,
      let entries = try? source.boxes(inside: stsd, skip: 8, limit: 2), entries.count == 1,
      let entry = entries.first, !entry.isTruncated, !unfit.contains(entry.type)
    else { return false }
    guard entry.type == "mebx" else { return true }
    guard let list = try? source.child("keys", of: entry, skip: 8),
      let keys = try? isoMetadataKeys(list, source)
    else { return false }
    return !keys.contains(ISOStillImageTime.momentKey)
  }

  /// Whether the only data reference is to the file itself (ISO/IEC 14496-12 §8.7.2). Its number in the sample entry is not
  /// read: Android's `mett` has none.
  private static func isInFile(_ minf: ISOBox, _ source: any ByteSource) throws -> Bool {
    guard let dinf = try source.child("dinf", of: minf),
      let dref = try source.child("dref", of: dinf),
      try source.start(of: dref, 8).u32(at: 4) == 1,
      let first = try source.boxes(inside: dref, skip: 8, limit: 1).first
    else { return false }
    return try (source.start(of: first, 4).u8(at: 3) ?? 0) & 1 == 1
  }

  /// Reads an edit list: pauses, and then one part of the track (ISO/IEC 14496-12 §8.6.6).
  ///
  /// - Returns: false for another edit list.
  private mutating func take(edits list: ISOBox, _ movieTimescale: UInt32) throws -> Bool {
    let content = try source.start(of: list, 8 + Self.maximumEdits)
    let isLong = content.u8(at: 0) == 1
    let (width, stride) = isLong ? (8, 20) : (4, 12)
    guard let count = content.u32(at: 4), Int(count) * stride + 8 <= content.count else {
      return false
    }
    var hasPart = false
    for index in 0..<Int(count) {
      let start = 8 + index * stride
      guard let length = content.unsigned(at: start, width: width),
        let unsigned = content.unsigned(at: start + width, width: width)
      else { return false }
      let time = isLong ? Int64(bitPattern: unsigned) : Int64(Int32(truncatingIfNeeded: unsigned))
      let seconds = movieTimescale > 0 ? Double(length) / Double(movieTimescale) : 0
      if time < 0 {
        if !hasPart { delay += seconds }
        continue
      }
      guard !hasPart, content.u32(at: start + 2 * width) == 0x10000 else { return false }
      hasPart = true
      // A duration of 0 extends to the track's end.
      let end = length == 0 ? Int64.max : time.adding(units(seconds))
      guard let end, time < end else { return false }
      shown = time..<end
    }
    return hasPart || count == 0
  }

  /// Seconds in units of ``timescale``.
  private func units(_ seconds: Double) -> Int64 {
    Int64(min(max(-1e18, (seconds * Double(timescale)).rounded()), 1e18))
  }

  /// The samples that are presented in a part of the movie. Those that begin before the part, or end after it, last as
  /// long as they do in it.
  ///
  /// - Parameters:
  ///   - start: when the part begins, in seconds of the movie.
  ///   - end: when it ends.
  ///   - limit: the number of samples and of runs of equal durations.
  /// - Returns: nil for more samples.
  /// - Throws: what the source throws.
  package func part(from start: Double, to end: Double, limit: Int) throws -> Part? {
    let base = shown.lowerBound
    guard let first = base.adding(units(start - delay)), let last = base.adding(units(end - delay))
    else { return Part() }
    let (lower, upper) = (max(first, base), min(last, shown.upperBound))
    guard lower < upper else { return Part() }
    // The start is rounded to microseconds.
    let rounding = Int64(timescale) / 500_000
    var part = Part()
    var times = try ISOSampleTimes(table, source, maximumRuns: UInt64(limit))
    var isComplete = true
    let isWhole = try ISOSampleTable(table, source).visitSamples(limit: Self.maximumVisits) {
      range in
      guard isComplete, let sample = try times.next(), let time = Int64(exactly: sample.time),
        time < upper, let end = time.adding(Int64(sample.duration)),
        end - lower > rounding || time >= lower
      else { return }
      guard part.samples.count < limit else { return isComplete = false }
      let begin = max(time, lower)
      if part.samples.isEmpty { part.delay = (Double(begin) - Double(first)) / Double(timescale) }
      part.samples.append(
        Sample(range: range, duration: UInt32(clamping: min(end, upper) - begin)))
    }
    return isComplete && isWhole ? part : nil
  }
}
