package import ByteReading

/// The pauses in the tracks of a movie: empty edits after the first edit with media (ISO/IEC 14496-12 §8.6.6).
///
/// FFmpeg reads only empty edits at the start, and repeats media in the place of others. So this is the movie without
/// these edits, and with one edit for each part that is continuous.
package struct ISOPauses {
  package struct Pause: Hashable {
    /// When it begins in the movie without pauses, in seconds.
    package var start: Double
    /// How much later what follows it is shown than without this and earlier pauses, in seconds.
    package var delay: Double
  }

  /// The pauses of each track in their order, by the track's ID.
  package private(set) var tracks: [UInt32: [Pause]] = [:]
  /// Whether media is to be played faster or slower than it was recorded, or to stand still. FFmpeg ignores that, and plays
  /// as much media as an edit lasts. So an edit that plays forwards lasts as long as its media here.
  package private(set) var changesSpeed = false
  private let source: any ByteSource
  /// Bytes that replace others of the source.
  private var changes: [(offset: UInt64, bytes: [UInt8])] = []

  private static let longestList = 1 << 20
  /// Of other boxes in the header, too.
  private static let maximumTracks = 4096
  /// Seconds by which rounding can move the start of an edit.
  private static let tolerance = 0.005

  /// - Throws: what the source throws.
  package init(_ source: any ByteSource) throws {
    self.source = source
    let top = try source.boxes(in: 0..<source.count)
    guard let moov = top.first(where: { $0.type == "moov" }),
      let header = try source.child("mvhd", of: moov)
    else { return }
    let fields = try source.start(of: header, 24)
    guard let scale = fields.u32(at: fields.u8(at: 0) == 1 ? 20 : 12), scale > 0 else { return }
    for track in try source.boxes(inside: moov) where track.type == "trak" {
      try read(track, movieTimescale: Double(scale))
    }
  }

  /// Whether the edit lists of all tracks have more entries together than a number.
  ///
  /// - Throws: what the source throws.
  package static func hasMoreEdits(than maximum: Int, in source: any ByteSource) throws -> Bool {
    var header = try source.box(at: 0, before: source.count)
    while let box = header, box.type != "moov" {
      header = try source.box(at: box.end, before: source.count)
    }
    guard let header else { return false }
    var count = 0
    for track in try source.boxes(inside: header, limit: maximumTracks)
    where track.type == "trak" {
      guard let edits = try source.child("edts", of: track) else { continue }
      for list in try source.boxes(inside: edits) where list.type == "elst" {
        let fields = try source.start(of: list, 8)
        let length = fields.u8(at: 0) == 1 ? 20 : 12
        count += min(Int(fields.u32(at: 4) ?? 0), list.payload.count / length)
      }
      if count > maximum { return true }
    }
    return false
  }

  /// The bytes of the movie without pauses; see `ByteSource`.
  package func bytes(at offset: UInt64, count: Int) throws -> [UInt8] {
    var found = try source.bytes(at: offset, count: count)
    for change in changes {
      let start = max(offset, change.offset)
      let end = min(offset + UInt64(found.count), change.offset + UInt64(change.bytes.count))
      guard start < end else { continue }
      found.replaceSubrange(
        Int(start - offset)..<Int(end - offset),
        with: change.bytes[Int(start - change.offset)..<Int(end - change.offset)])
    }
    return found
  }

  private mutating func read(_ track: ISOBox, movieTimescale: Double) throws {
    guard let header = try source.child("tkhd", of: track),
      let mdia = try source.child("mdia", of: track),
      let media = try source.child("mdhd", of: mdia),
      let box = try source.child("edts", of: track),
      let list = try source.child("elst", of: box), list.payload.lowerBound == list.offset + 8,
      let content = try source.content(of: list, limit: Self.longestList)
    else { return }
    let (ids, times) = (try source.start(of: header, 24), try source.start(of: media, 24))
    guard let id = ids.u32(at: ids.u8(at: 0) == 1 ? 20 : 12),
      let scale = times.u32(at: times.u8(at: 0) == 1 ? 20 : 12), scale > 0
    else { return }
    let listed = Self.edits(content)
    let hasOtherRate = !listed.allSatisfy(\.hasUsualRate)
    if hasOtherRate { changesSpeed = true }
    let edits = listed.compactMap(\.atUsualRate)
    guard edits.count == listed.count else { return }
    var (kept, pauses): ([Edit], [Pause]) = ([], [])
    var (length, delay, hasMedia) = (0.0, 0.0, false)
    for edit in edits {
      let seconds = Double(edit.duration) / movieTimescale
      if edit.mediaTime < 0, hasMedia {
        delay += seconds
        pauses.append(Pause(start: length, delay: delay))
        continue
      }
      hasMedia = hasMedia || edit.mediaTime >= 0
      length += seconds
      if let last = kept.last, last.mediaTime >= 0, edit.mediaTime >= 0 {
        let end =
          Double(last.mediaTime) / Double(scale) + Double(last.duration) / movieTimescale
        let gap = Double(edit.mediaTime) / Double(scale) - end
        if abs(gap) < Self.tolerance + 1 / movieTimescale {
          kept[kept.count - 1].duration = last.duration &+ edit.duration
          continue
        }
      }
      kept.append(edit)
    }
    guard hasOtherRate || kept.count < edits.count else { return }
    if !pauses.isEmpty { tracks[id] = pauses }
    changes.append((list.offset, Self.box(kept, version: content.u8(at: 0) ?? 0, list)))
  }

  private struct Edit {
    var duration: UInt64
    var mediaTime: Int64
    /// A fixed-point number with 16 bits after the point, signed.
    var rate: UInt32

    /// In ``rate``.
    private static let usualRate: UInt32 = 0x10000

    /// Whether its media is played as fast as it was recorded.
    var hasUsualRate: Bool { mediaTime < 0 || rate == Self.usualRate }

    /// The same media, played as fast as it was recorded; nil for media that stands still or is played backwards.
    var atUsualRate: Edit? {
      if hasUsualRate { return self }
      let (product, overflow) = duration.multipliedReportingOverflow(by: UInt64(rate))
      guard rate > 0, rate <= Int32.max, !overflow else { return nil }
      return Edit(
        duration: product / UInt64(Self.usualRate), mediaTime: mediaTime, rate: Self.usualRate)
    }
  }

  private static func edits(_ content: [UInt8]) -> [Edit] {
    let isWide = content.u8(at: 0) == 1
    let (stride, width) = isWide ? (20, 8) : (12, 4)
    var edits: [Edit] = []
    for index in 0..<min(Int(content.u32(at: 4) ?? 0), content.count / stride) {
      let start = 8 + index * stride
      guard let duration = content.unsigned(at: start, width: width),
        let time = content.unsigned(at: start + width, width: width),
        let rate = content.u32(at: start + 2 * width)
      else { break }
      edits.append(
        Edit(
          duration: duration,
          mediaTime: isWide
            ? Int64(bitPattern: time) : Int64(Int32(truncatingIfNeeded: time)), rate: rate))
    }
    return edits
  }

  /// An edit list with these edits, and a `free` box in the place of any others.
  private static func box(_ edits: [Edit], version: UInt8, _ list: ISOBox) -> [UInt8] {
    let width = version == 1 ? 8 : 4
    var content = encoded(UInt32(version) << 24, width: 4) + encoded(edits.count, width: 4)
    for edit in edits {
      content += encoded(edit.duration, width: width)
      content += encoded(UInt64(bitPattern: edit.mediaTime), width: 8).suffix(width)
      content += encoded(edit.rate, width: 4)
    }
    let made = encoded(content.count + 8, width: 4) + Array("elst".utf8) + content
    let rest = Int(list.end - list.offset) - made.count
    return rest < 8 ? made : made + encoded(rest, width: 4) + Array("free".utf8)
  }
}
