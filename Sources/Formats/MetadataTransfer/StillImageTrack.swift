import ByteReading
package import MediaFormats

/// The boxes of a track that marks the moment of a Live Photo's still: one sample of timed metadata (QuickTime File
/// Format, "Timed metadata"; ISO/IEC 14496-12 §12.9).
///
/// All boxes are new. Only known keys and their values come from the source.
struct StillImageTrack {
  /// Whether the file is QuickTime's and not MP4.
  var isQuickTime: Bool
  var id: UInt32
  /// The track that the metadata describes.
  var videoID: UInt32
  /// Units of edit durations per second.
  var movieTimescale: UInt32
  /// Creation and modification time of the other tracks, 8 bytes.
  var times: [UInt8]

  /// Apple's timescale of such tracks. The sample lasts one unit.
  private static let timescale: UInt32 = 600

  /// A sample with the values.
  static func sample(_ items: [ISOStillImageTime.Item]) -> [UInt8] {
    items.enumerated().flatMap { index, item in isoBox(number(index), item.value) }
  }

  /// The number of a key in the samples; 0 is not used.
  private static func number(_ index: Int) -> FourCC { FourCC(rawValue: UInt32(index + 1)) }

  /// The whole `trak` box.
  ///
  /// - Parameters:
  ///   - start: when the sample is presented, in units of ``movieTimescale``.
  ///   - offset: of the sample in the file.
  func box(_ items: [ISOStillImageTime.Item], start: UInt32, offset: UInt64) -> [UInt8] {
    // An edit needs a duration of at least 1.
    let duration = max(1, movieTimescale / Self.timescale)
    let total = start.adding(duration) ?? .max
    var header = encoded(3, width: 4) + times + encoded(id, width: 4) + encoded(0, width: 4)
    header += encoded(total, width: 4) + [UInt8](repeating: 0, count: 16)
    for value in [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000, 0, 0] {
      header += encoded(value, width: 4)
    }
    var edits: [[UInt8]] = []
    if start > 0 { edits.append(encoded(start, width: 4) + encoded(-1, width: 4)) }
    edits.append(encoded(duration, width: 4) + encoded(0, width: 4))
    let list = edits.flatMap { $0 + encoded(0x10000, width: 4) }
    return isoBox(
      "trak",
      isoBox("tkhd", header)
        + isoBox("edts", fullBox("elst", encoded(edits.count, width: 4) + list))
        + isoBox("tref", isoBox("cdsc", encoded(videoID, width: 4)))
        + media(items, offset: offset))
  }

  private func media(_ items: [ISOStillImageTime.Item], offset: UInt64) -> [UInt8] {
    let header =
      times + encoded(Self.timescale, width: 4) + encoded(1, width: 4)
      // The language: undetermined.
      + encoded(0x55C4, width: 2) + encoded(0, width: 2)
    let link = fullBox("url ", [], flags: 1)
    return isoBox(
      "mdia",
      fullBox("mdhd", header) + Self.handler(isQuickTime ? "mhlr" : nil, "meta")
        + isoBox(
          "minf",
          Self.information(isQuickTime: isQuickTime)
            + isoBox("dinf", fullBox("dref", encoded(1, width: 4) + link))
            + tables(items, offset: offset)))
  }

  /// The header of media without a kind of its own, in QuickTime with the handler of the data.
  static func information(isQuickTime: Bool) -> [UInt8] {
    guard isQuickTime else { return fullBox("nmhd", []) }
    // Graphics mode 0x40 (dither copy), grey, no balance: the usual values.
    let general = encoded(0x40, width: 2) + [0x80, 0, 0x80, 0, 0x80, 0] + encoded(0, width: 4)
    return isoBox("gmhd", fullBox("gmin", general)) + handler("dhlr", "url ")
  }

  /// - Parameter component: nil in MP4.
  private static func handler(_ component: FourCC?, _ type: FourCC) -> [UInt8] {
    // 12 bytes are reserved; the name is empty.
    fullBox(
      "hdlr",
      (component?.bytes ?? encoded(0, width: 4)) + type.bytes + [UInt8](repeating: 0, count: 13))
  }

  private func tables(_ items: [ISOStillImageTime.Item], offset: UInt64) -> [UInt8] {
    let keys = items.enumerated().flatMap { index, item in
      isoBox(
        Self.number(index),
        isoBox("keyd", Array("mdta".utf8) + Array(item.key.utf8))
          + isoBox("dtyp", encoded(0, width: 4) + encoded(item.type, width: 4)))
    }
    // The entry's data reference index follows 6 reserved bytes.
    let entry = isoBox("mebx", encoded(1, width: 8) + isoBox("keys", keys))
    let size = Self.sample(items).count
    let isWide = offset > UInt64(UInt32.max)
    let one = encoded(1, width: 4)
    return isoBox(
      "stbl",
      fullBox("stsd", one + entry) + fullBox("stts", one + one + one)
        + fullBox("stsc", one + one + one + one)
        + fullBox("stsz", encoded(size, width: 4) + one)
        + fullBox(isWide ? "co64" : "stco", one + encoded(offset, width: isWide ? 8 : 4)))
  }
}

extension MovieHeader {
  /// Adds a track that marks the moment of a Live Photo's still.
  ///
  /// - Parameters:
  ///   - moment: its time counts from the start of this movie.
  ///   - offset: where the sample will be in the file, before ``shiftChunks(by:)``.
  ///   - isQuickTime: whether the file is QuickTime's and not MP4.
  /// - Returns: the sample; nil, without any change, if the movie has no video track or does not show the moment.
  package mutating func add(
    _ moment: ISOStillImageTime, at offset: UInt64, isQuickTime: Bool
  ) throws -> [UInt8]? {
    let source = ArraySource(bytes)
    guard let moov = try source.box(at: 0, before: source.count), moov.type == "moov",
      let movie = try source.child("mvhd", of: moov), let movieStart = movie.fields(in: bytes),
      let scale = bytes.u32(at: movieStart.times), scale > 0,
      let duration = bytes.unsigned(at: movieStart.times + 4, width: movieStart.width),
      let video = try videoTrack(moov, source),
      let last = try source.boxes(inside: moov).last(where: { $0.type == "trak" }),
      let start = units(moment.seconds, scale), UInt64(start) < duration
    else { return nil }
    // The number of the next track is the last field.
    let nextField = Int(movie.end) - 4
    let used = try trackIDs(moov, source)
    guard let id = used.max()?.adding(1), let next = id.adding(1) else { return nil }
    let track = StillImageTrack(
      isQuickTime: isQuickTime, id: id, videoID: video.id, movieTimescale: scale,
      times: video.times)
    let box = track.box(moment.items, start: start, offset: offset)
    replace(at: nextField, with: encoded(next, width: 4))
    insert(box, at: last.end, in: moov)
    return StillImageTrack.sample(moment.items)
  }

  /// A time in units of a timescale; nil if it is not in the movie. Rounding can make the first moment negative.
  private func units(_ seconds: Double, _ scale: UInt32) -> UInt32? {
    guard seconds > -0.001, seconds < 1e9 else { return nil }
    return UInt32(exactly: (max(0, seconds) * Double(scale)).rounded())
  }

  /// The IDs of the tracks, in the order of the header.
  package func trackIDs() throws -> [UInt32] {
    let source = ArraySource(bytes)
    guard let moov = try source.box(at: 0, before: source.count) else { return [] }
    return try trackIDs(moov, source)
  }

  func trackIDs(_ moov: ISOBox, _ source: ArraySource) throws -> [UInt32] {
    try source.boxes(inside: moov).filter { $0.type == "trak" }.compactMap { track in
      guard let header = try source.child("tkhd", of: track), let start = header.fields(in: bytes)
      else { return nil }
      return bytes.u32(at: start.times)
    }
  }

  /// The first video track's number, and its times in 4 bytes each.
  private func videoTrack(
    _ moov: ISOBox, _ source: ArraySource
  ) throws -> (id: UInt32, times: [UInt8])? {
    for track in try source.boxes(inside: moov) where track.type == "trak" {
      guard let header = try source.child("tkhd", of: track), let start = header.fields(in: bytes),
        let id = bytes.u32(at: start.times), let media = try source.child("mdia", of: track),
        let handler = try source.child("hdlr", of: media),
        bytes.fourCC(at: Int(handler.payload.lowerBound) + 8) == "vide"
      else { continue }
      let times = (0..<2).flatMap { index in
        let position = Int(header.payload.lowerBound) + 4 + index * start.width
        return encoded(bytes.unsigned(at: position, width: start.width) ?? 0, width: 4)
      }
      return (id, times)
    }
    return nil
  }
}

extension ISOBox {
  /// The field after a header's creation and modification times, and the width of its times in bytes; nil for an empty
  /// box.
  func fields(in bytes: [UInt8]) -> (times: Int, width: Int)? {
    guard let version = bytes.u8(at: Int(payload.lowerBound)), payload.count >= 24 else {
      return nil
    }
    let width = version == 1 ? 8 : 4
    return (Int(payload.lowerBound) + 4 + 2 * width, width)
  }
}
