import ByteReading
package import MediaFormats

/// The boxes of a track of timed metadata that continues one of another movie.
///
/// The sample entry, the handler, the track's header and its references are the source's. All tables are new.
struct TimedMetadataTrack {
  let source: ISOTimedMetadata
  let part: ISOTimedMetadata.Part
  /// Whether the file is QuickTime's and not MP4.
  var isQuickTime: Bool
  /// The same of the source.
  var isSourceQuickTime: Bool
  var id: UInt32
  /// Units of edit durations per second.
  var movieTimescale: UInt32
  /// The IDs of the movie's tracks by those of their sources.
  var trackIDs: [UInt32: UInt32]

  /// Bytes of all samples.
  static func size(of part: ISOTimedMetadata.Part) -> UInt64 {
    part.samples.reduce(0) { $0.adding(UInt64($1.range.count)) ?? .max }
  }

  private var mediaDuration: UInt64 { part.samples.reduce(0) { $0 + UInt64($1.duration) } }

  /// The whole `trak` box.
  ///
  /// - Parameters:
  ///   - offset: of the first sample in the file. The others follow without gaps.
  ///   - metadata: further boxes for the track.
  /// - Returns: nil for times that do not fit into their fields.
  func box(offset: UInt64, metadata: [[UInt8]]) -> [UInt8]? {
    let scale = Double(movieTimescale)
    let shown = Double(mediaDuration) / Double(source.timescale)
    guard let delay = UInt32(exactly: (part.delay * scale).rounded()),
      // An edit needs a duration of at least 1.
      let duration = UInt32(exactly: max(1, (shown * scale).rounded())),
      let total = delay.adding(duration)
    else { return nil }
    var header = source.trackHeader
    let isLong = header.u8(at: 8) == 1
    header.replaceSubrange(isLong ? 28..<32 : 20..<24, with: encoded(id, width: 4))
    header.replaceSubrange(
      isLong ? 36..<44 : 28..<32, with: encoded(total, width: isLong ? 8 : 4))
    var edits: [UInt8] = []
    if delay > 0 {
      let list =
        encoded(delay, width: 4) + encoded(-1, width: 4) + encoded(0x10000, width: 4)
        + encoded(duration, width: 4) + encoded(0, width: 4) + encoded(0x10000, width: 4)
      edits = isoBox("edts", fullBox("elst", encoded(2, width: 4) + list))
    }
    return isoBox(
      "trak", header + edits + references + media(offset: offset) + metadata.flatMap(\.self))
  }

  /// References to tracks that are not in the movie are left out.
  private var references: [UInt8] {
    let kept = source.references.flatMap { type, tracks -> [UInt8] in
      let ids = tracks.compactMap { trackIDs[$0] }
      return ids.isEmpty ? [] : isoBox(type, ids.flatMap { encoded($0, width: 4) })
    }
    return kept.isEmpty ? [] : isoBox("tref", kept)
  }

  private func media(offset: UInt64) -> [UInt8] {
    let link = fullBox("url ", [], flags: 1)
    return isoBox(
      "mdia",
      mediaHeader + handler
        + isoBox(
          "minf",
          information + isoBox("dinf", fullBox("dref", encoded(1, width: 4) + link))
            + tables(offset: offset)))
  }

  private var mediaHeader: [UInt8] {
    var header = source.mediaHeader
    let isLong = header.u8(at: 8) == 1
    // A part is not longer than its source, so that its duration fits.
    header.replaceSubrange(
      isLong ? 32..<40 : 24..<28, with: encoded(mediaDuration, width: isLong ? 8 : 4))
    let position = isLong ? 40 : 28
    // MP4 has no Macintosh codes of languages: undetermined.
    if isSourceQuickTime, !isQuickTime, let language = header.u16(at: position), language < 0x400 {
      header.replaceSubrange(position..<position + 2, with: encoded(0x55C4, width: 2))
    }
    return header
  }

  /// The handler with its name. QuickTime has the type of a component in it and counts the name, MP4 ends the name with a
  /// zero.
  private var handler: [UInt8] {
    guard isQuickTime != isSourceQuickTime else { return source.handler }
    let old = source.handler.bytes(from: 32)
    let isCounted = source.handler.u32(at: 12) != 0
    let name =
      isCounted ? Array(old.dropFirst().prefix(Int(old.first ?? 0))) : Array(old.prefix { $0 != 0 })
    return fullBox(
      "hdlr",
      (isQuickTime ? FourCC("mhlr").bytes : encoded(0, width: 4)) + FourCC("meta").bytes
        + [UInt8](repeating: 0, count: 12)
        + (isQuickTime ? [UInt8(min(name.count, 255))] + name.prefix(255) : name + [0]))
  }

  private var information: [UInt8] {
    let isBase = source.information.hasText("gmhd", at: 4)
    // GoPro's MP4s have QuickTime's form.
    let isRight = isBase == isQuickTime || isQuickTime == isSourceQuickTime
    guard isRight, isBase || source.information.hasText("nmhd", at: 4) else {
      return StillImageTrack.information(isQuickTime: isQuickTime)
    }
    return source.information
  }

  private func tables(offset: UInt64) -> [UInt8] {
    var runs: [(count: UInt32, duration: UInt32)] = []
    var sizes: [UInt8] = []
    var offsets: [UInt8] = []
    let end = offset + Self.size(of: part)
    let width = end > UInt64(UInt32.max) ? 8 : 4
    var position = offset
    for sample in part.samples {
      if let last = runs.last, last.duration == sample.duration {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((1, sample.duration))
      }
      sizes += encoded(sample.range.count, width: 4)
      offsets += encoded(position, width: width)
      position += UInt64(sample.range.count)
    }
    let times = runs.flatMap { encoded($0.count, width: 4) + encoded($0.duration, width: 4) }
    let (one, count) = (encoded(1, width: 4), encoded(part.samples.count, width: 4))
    // Each sample is a chunk.
    return isoBox(
      "stbl",
      source.descriptions + fullBox("stts", encoded(runs.count, width: 4) + times)
        + fullBox("stsc", one + one + one + one)
        + fullBox("stsz", encoded(0, width: 4) + count + sizes)
        + fullBox(width == 8 ? "co64" : "stco", count + offsets))
  }
}

/// The tracks of timed metadata that a movie gets from its source.
package struct CarriedMetadata {
  let tracks: [ISOTimedMetadata]
  /// The time of the source at which the movie starts, in seconds.
  let start: Double
  let isSourceQuickTime: Bool
  /// The IDs of the movie's other tracks by those of their sources.
  let trackIDs: [UInt32: UInt32]
  /// Further boxes for the tracks, by their IDs in the source.
  let metadata: [UInt32: [[UInt8]]]

  /// The samples of all tracks of a movie, at most.
  private static let maximumSamples = 4_000_000
  /// Bytes of all samples, at most: one box with a short size.
  private static let maximumSize: UInt64 = 2 << 30
  /// Bytes of one sample, at most.
  private static let maximumSample = 64 << 20

  package init(
    _ tracks: [ISOTimedMetadata], from start: Double, isSourceQuickTime: Bool,
    trackIDs: [UInt32: UInt32], metadata: [UInt32: [[UInt8]]]
  ) {
    self.tracks = tracks
    self.start = start
    self.isSourceQuickTime = isSourceQuickTime
    self.trackIDs = trackIDs
    self.metadata = metadata
  }

  /// The parts of the tracks that a movie of some length shows. Tracks without samples in it are not in the list.
  ///
  /// - Parameters:
  ///   - duration: of the movie, in seconds.
  ///   - size: bytes of the source. Samples that state more overlap.
  /// - Returns: nil for more than a movie has.
  fileprivate func parts(
    duration: Double, size: UInt64
  ) throws -> [(track: ISOTimedMetadata, part: ISOTimedMetadata.Part)]? {
    var found: [(track: ISOTimedMetadata, part: ISOTimedMetadata.Part)] = []
    var (count, bytes) = (0, UInt64(0))
    for track in tracks {
      let limit = Self.maximumSamples - count
      guard let part = try track.part(from: start, to: start + duration, limit: limit) else {
        return nil
      }
      count += part.samples.count
      guard let sum = bytes.adding(TimedMetadataTrack.size(of: part)),
        sum <= min(size, Self.maximumSize),
        part.samples.allSatisfy({ $0.range.count <= Self.maximumSample })
      else { return nil }
      bytes = sum
      if !part.samples.isEmpty { found.append((track, part)) }
    }
    return found
  }
}

extension MovieHeader {
  /// Adds tracks of timed metadata, which end with the movie at the latest.
  ///
  /// - Parameters:
  ///   - offset: where the first sample will be in the file, before ``shiftChunks(by:)``. The others follow without gaps.
  ///   - size: bytes of the source.
  ///   - isQuickTime: whether the file is QuickTime's and not MP4.
  /// - Returns: the ranges of the samples in the source, in the order of the file; nil, without any change, if the tracks
  ///   have more samples than a movie has, or the header has no place for them.
  /// - Throws: what the source of the tracks throws.
  package mutating func add(
    _ carried: CarriedMetadata, at offset: UInt64, fromSourceOf size: UInt64, isQuickTime: Bool
  ) throws -> [Range<UInt64>]? {
    let source = ArraySource(bytes)
    guard let moov = try source.box(at: 0, before: source.count), moov.type == "moov",
      let movie = try source.child("mvhd", of: moov), let start = movie.fields(in: bytes),
      let scale = bytes.u32(at: start.times), scale > 0,
      let duration = bytes.unsigned(at: start.times + 4, width: start.width),
      let last = try source.boxes(inside: moov).last(where: { $0.type == "trak" }),
      let parts = try carried.parts(
        duration: Double(duration) / Double(scale), size: size),
      let highest = try trackIDs(moov, source).max(),
      let next = highest.adding(UInt32(parts.count) + 1)
    else { return nil }
    var ids = carried.trackIDs
    for (index, (track, _)) in parts.enumerated() {
      ids[track.id] = highest + 1 + UInt32(index)
    }
    var position = offset
    var boxes: [UInt8] = []
    for (index, (track, part)) in parts.enumerated() {
      let made = TimedMetadataTrack(
        source: track, part: part, isQuickTime: isQuickTime,
        isSourceQuickTime: carried.isSourceQuickTime, id: highest + 1 + UInt32(index),
        movieTimescale: scale, trackIDs: ids)
      guard let box = made.box(offset: position, metadata: carried.metadata[track.id] ?? [])
      else { return nil }
      boxes += box
      position += TimedMetadataTrack.size(of: part)
    }
    guard !parts.isEmpty else { return [] }
    // The number of the next track is the last field.
    replace(at: Int(movie.end) - 4, with: encoded(next, width: 4))
    insert(boxes, at: last.end, in: moov)
    return parts.flatMap { $0.part.samples.map(\.range) }
  }
}
