package import ByteReading
package import MediaModel

/// One track by its `trak` box.
package struct ISOTrack: Sendable, Hashable {
  package var id: UInt32 = 0
  /// `vide`, `soun`, `meta` …
  package var handler: FourCC = "    "
  /// The display matrix: a b u, c d v, x y w. Fixed-point numbers, 16.16; u, v and w 2.30.
  package var matrix: [Int32] = []
  /// The presented width before the matrix, in whole pixels.
  package var width = 0
  /// The presented height before the matrix, in whole pixels.
  package var height = 0
  /// Units of ``duration`` and of sample times per second.
  package var timescale: UInt32 = 0
  package var duration: UInt64 = 0
  package var sampleEntries: [ISOSampleEntry] = []
  /// Whether its samples have more than one codec. FFmpeg reads those of the first one only.
  package private(set) var changesCodec = false
  package var sampleCount: UInt64 = 0
  /// The sum of the samples' durations in units of ``timescale``; nil if the table is too long to read.
  package var sampleDuration: UInt64?
  /// Whether a table of durations was found.
  private var hasTimes = false
  /// The number of samples in the table of durations.
  var timedSampleCount: UInt64 = 0
  /// The tracks with this track's chapters, by their IDs.
  var chapterTracks: [UInt32] = []
  package var edits: [ISOEdit] = []
  /// Nil if the header of the media is missing.
  package var language: TrackLanguage?
  package var metadata: [QuickTimeItem] = []

  /// Samples per second: the average frame rate of a video track.
  package var rate: Double? {
    let total = sampleDuration ?? duration
    guard total > 0, timescale > 0, sampleCount > 0 else { return nil }
    return Double(sampleCount) * Double(timescale) / Double(total)
  }

  /// The orientation that the matrix describes; nil if it is missing or not a multiple of a quarter turn.
  package var orientation: Orientation? {
    guard matrix.count == 9 else { return nil }
    return Orientation(a: matrix[0], b: matrix[1], c: matrix[3], d: matrix[4])
  }

  /// Whether its samples mark the moment of a Live Photo's still.
  package var isStillImageTime: Bool {
    sampleEntries.contains { $0.metadataKeys.contains(ISOStillImageTime.momentKey) }
  }

  /// Whether the edit list shows parts of the media that do not follow one another (ISO/IEC 14496-12 §8.6.6): some in
  /// between is hidden, or something is shown twice or in another order.
  ///
  /// - Parameter movieTimescale: the movie's timescale, which is the unit of edit durations.
  package func joinsParts(movieTimescale: UInt32) -> Bool {
    guard timescale > 0, movieTimescale > 0 else { return false }
    var end: Double?
    for edit in edits where edit.mediaTime >= 0 {
      let start = Double(edit.mediaTime) / Double(timescale)
      // Durations are rounded to the movie's units.
      if let end, abs(start - end) > 0.005 + 1 / Double(movieTimescale) { return true }
      end = start + Double(edit.duration) / Double(movieTimescale)
    }
    return false
  }

  /// The presentation time of the first sample by the edit list, in seconds of the movie.
  ///
  /// - Parameter movieTimescale: the movie's timescale, which is the unit of edit durations.
  package func firstSampleTime(movieTimescale: UInt32) -> Double {
    var start = 0.0
    for edit in edits {
      guard edit.mediaTime >= 0 else {
        if movieTimescale > 0 { start += Double(edit.duration) / Double(movieTimescale) }
        continue
      }
      return start
    }
    return start
  }
}

/// One entry of an edit list. A media time of −1 is a pause.
package struct ISOEdit: Sendable, Hashable {
  package var duration: UInt64
  package var mediaTime: Int64
}

extension ISOMovie {
  /// Whether a track contains disparity for Apple's cinematic mode.
  package var hasDisparityTrack: Bool {
    tracks.contains { $0.sampleEntries.contains { $0.type == "dish" } }
  }

  package var isSpatial: Bool {
    tracks.contains { $0.handler == "vide" && $0.sampleEntries.contains(where: \.isSpatial) }
  }

  /// The time of a Live Photo's still within its clip, in seconds.
  package var stillImageTime: Double? {
    let track = tracks.first(where: \.isStillImageTime)
    return track?.firstSampleTime(movieTimescale: timescale)
  }
}

/// Reads a `trak` box; nil if it has neither a header nor sample entries.
///
/// - Parameter budget: bytes of tables of durations that may still be read, for all tracks of a movie.
func isoTrack(
  _ trak: ISOBox, _ source: any ByteSource, _ budget: inout Int
) throws -> ISOTrack? {
  var track = ISOTrack()
  for box in try source.boxes(inside: trak, limit: 64) {
    switch box.type {
    case "tkhd": track.read(header: try source.start(of: box, 96))
    case "edts":
      if let list = try source.child("elst", of: box) {
        track.read(edits: try source.start(of: list, 4096))
      }
    case "mdia": try track.read(media: box, source, &budget)
    case "tref":
      guard let list = try source.child("chap", of: box) else { continue }
      let content = try source.start(of: list, 256)
      track.chapterTracks = stride(from: 0, to: content.count, by: 4)
        .compactMap { content.u32(at: $0) }
    case "meta": track.metadata = try quickTimeMetadata(box, source)
    default: break
    }
  }
  return track.id == 0 && track.sampleEntries.isEmpty ? nil : track
}

extension ISOTrack {
  fileprivate mutating func read(header: [UInt8]) {
    let wide = header.u8(at: 0) == 1
    id = header.u32(at: wide ? 20 : 12) ?? 0
    let matrixOffset = wide ? 52 : 40
    matrix = (0..<9).compactMap { header.i32(at: matrixOffset + $0 * 4) }
    width = Int((header.u32(at: matrixOffset + 36) ?? 0) >> 16)
    height = Int((header.u32(at: matrixOffset + 40) ?? 0) >> 16)
  }

  fileprivate mutating func read(edits content: [UInt8]) {
    let wide = content.u8(at: 0) == 1
    let width = wide ? 20 : 12
    let count = min(Int(content.u32(at: 4) ?? 0), content.count / width)
    for index in 0..<count {
      let start = 8 + index * width
      guard let length = content.unsigned(at: start, width: wide ? 8 : 4) else { return }
      let time =
        wide
        ? content.u64(at: start + 8).map { Int64(bitPattern: $0) }
        : content.i32(at: start + 4).map(Int64.init)
      guard let time else { return }
      edits.append(ISOEdit(duration: length, mediaTime: time))
    }
  }

  fileprivate mutating func read(
    media mdia: ISOBox, _ source: any ByteSource, _ budget: inout Int
  ) throws {
    let boxes = try source.boxes(inside: mdia, limit: 64)
    let tag = try boxes.first { $0.type == "elng" }
      .flatMap { try source.start(of: $0, 128).bytes(from: 4).trimmedText }
    for box in boxes {
      switch box.type {
      case "mdhd":
        let header = try source.start(of: box, 36)
        let wide = header.u8(at: 0) == 1
        timescale = header.u32(at: wide ? 20 : 12) ?? 0
        let length = header.unsigned(at: wide ? 24 : 16, width: wide ? 8 : 4) ?? 0
        // A number with all bits set means an unknown duration.
        duration = length == (wide ? UInt64.max : UInt64(UInt32.max)) ? 0 : length
        language = header.u16(at: wide ? 32 : 20).map { TrackLanguage(field: $0, tag: tag) }
      case "hdlr": handler = try source.start(of: box, 12).fourCC(at: 8) ?? handler
      case "minf":
        guard let table = try source.child("stbl", of: box) else { continue }
        try read(sampleTable: table, source, &budget)
      default: break
      }
    }
  }

  private mutating func read(
    sampleTable stbl: ISOBox, _ source: any ByteSource, _ budget: inout Int
  ) throws {
    var runs: ISOBox?
    for box in try source.boxes(inside: stbl, limit: 64) {
      switch box.type {
      case "stsd": sampleEntries = try isoSampleEntries(box, handler: handler, source)
      case "stsz", "stz2":
        sampleCount = UInt64(try source.start(of: box, 12).u32(at: 8) ?? 0)
      // A table has one box of each type (ISO/IEC 14496-12 §8.5.1).
      case "stts" where !hasTimes:
        hasTimes = true
        guard box.payload.count <= Self.maximumTimes, box.payload.count <= budget else { continue }
        budget -= box.payload.count
        try read(times: box, source)
      case "stsc" where handler == "vide" || handler == "soun": runs = box
      default: break
      }
    }
    guard let runs, Set(sampleEntries.map(\.type)).count > 1,
      runs.payload.count <= Self.maximumTimes, runs.payload.count <= budget
    else { return }
    budget -= runs.payload.count
    try read(runs: runs, source)
  }

  /// Sample entries under which FFmpeg reads those of other types, too.
  private static let variedEntries: Set<FourCC> = ["apcn", "apch", "dvcp", "dvpp", "jpeg"]

  /// Finds out whether the chunks use sample entries of several types (ISO/IEC 14496-12 §8.7.4).
  private mutating func read(runs stsc: ISOBox, _ source: any ByteSource) throws {
    guard let first = sampleEntries.first?.type, !Self.variedEntries.contains(first),
      var table = try ISOTable(stsc, source, stride: 12, width: 4)
    else { return }
    var used: Set<FourCC> = []
    for index in 0..<table.count {
      guard let number = try table.value(index, at: 8), number > 0,
        number <= UInt64(sampleEntries.count)
      else { continue }
      used.insert(sampleEntries[Int(number) - 1].type)
    }
    changesCodec = used.count > 1
  }

  /// The longest table of durations that is read, in bytes.
  private static let maximumTimes = 8 << 20
  /// The same for all tracks of a movie.
  static let allTimes = 3 * maximumTimes
  /// Longer sample durations are corrections of others: negative numbers (FFmpeg's `max_stts_delta`).
  private static let longestDuration = UInt64(UInt32.max) - 480_000

  /// Reads a table of decoding times; a sum that overflows is not stored.
  private mutating func read(times stts: ISOBox, _ source: any ByteSource) throws {
    guard var table = try ISOTable(stts, source, stride: 8, width: 4) else { return }
    var (count, sum): (UInt64, UInt64) = (0, 0)
    for index in 0..<table.count {
      guard let samples = try table.value(index), let delta = try table.value(index, at: 4),
        let next = sum.adding(samples * (delta > Self.longestDuration ? 1 : delta))
      else { return }
      sum = next
      count += samples
    }
    (timedSampleCount, sampleDuration) = (count, sum)
  }
}
