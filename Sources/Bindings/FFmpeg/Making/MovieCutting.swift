import CFFmpeg
import MediaEdits
import MediaModel

/// Where to cut a movie.
struct MovieCut {
  /// The time that becomes 0, in microseconds of the source's clock.
  var origin: Int64
  /// The selected part in seconds, counted from ``origin``; nil for everything.
  var length: TimeSpan?
  /// Whether something is before ``origin`` that is not part of the result.
  var isCutAtStart = false
  /// The first video frame that is used; nil where all of them are.
  var entry: KeyFrameEntry?
  /// Where timestamps jump, the time from which they are joined, in microseconds of the source's clock: that of the
  /// source's first packets, which are read. ``origin`` then counts in joined times. Nil if reading begins elsewhere.
  var joint: Int64?
  var notes: [String] = []
}

/// The key frame at which reading a video track starts, where that is not the first frame.
///
/// Frames that are shown before it cannot be decoded without earlier frames. They are not part of the clip
/// and do not count as damage.
struct KeyFrameEntry {
  let track: Int
  /// When the key frame is shown, in microseconds of the source's clock, or from ``MovieCut/joint``.
  let time: Int64
  private var isReached = false

  /// Microseconds by which rounding can move a time.
  static let tolerance: Int64 = 1000

  init(track: Int, time: Int64) {
    self.track = track
    self.time = time
  }

  /// Whether to use a packet; its times count as ``time`` does.
  mutating func admits(_ packet: Packet, _ base: AVRational) -> Bool {
    guard packet.track == track else { return true }
    guard let time = packet.time ?? packet.decodingTime else { return isReached }
    let isBefore = av_rescale_q(time, base, .microseconds) < self.time &- Self.tolerance
    if packet.isKeyFrame, !isBefore { isReached = true }
    return isReached && !isBefore
  }
}

extension MovieFile {
  /// How far before the selected part to look for a key frame, in microseconds. In containers without an
  /// index a seek leads to any frame, and the key frame before it may be some seconds earlier.
  private static let distances: [Int64] = [0, 2_000_000, 6_000_000, 20_000_000, 60_000_000]

  /// Microseconds from the decoding of a frame to its display, at most.
  private static let showingDelay: Int64 = 160_000

  /// The error for a source of which packets were read and which cannot be read again.
  private static let noReturn = MovieMakingError.failed(
    "return to an earlier time", AudioVideoError(reason: .unsupported, detail: "It cannot seek"))

  /// The movie's start time, in microseconds of its own clock.
  private var start: Int64 {
    guard let context = unsafe context else { return 0 }
    let others = otherPrograms
    let own = others.isEmpty ? [] : (0..<streamCount).filter { !others.contains($0) }
    let whole = unsafe known(context.pointee.start_time)
    return own.compactMap { start(of: $0) }.min() ?? whole ?? 0
  }

  /// From where the times of a part count, in microseconds of the movie's clock. In QuickTime and MP4 that is 0, as for
  /// players, even if a track begins later (ISO/IEC 14496-12 §8.6.6). But cameras split recordings into movies of fragments
  /// whose clock goes on from the file before.
  private var zero: Int64 {
    guard isQuickTime else { return start }
    return isFragmented ? max(0, start) : 0
  }

  /// Whether all samples of a QuickTime movie or MP4 are in fragments.
  private var isFragmented: Bool {
    (0..<streamCount).allSatisfy { unsafe (stream($0)?.pointee.nb_frames ?? 0) == 0 }
  }

  /// When a track's first frame is shown, in microseconds of the movie's clock; nil if that is unknown.
  private func start(of index: Int) -> Int64? {
    guard let stream = unsafe stream(index) else { return nil }
    return unsafe known(stream.pointee.start_time).map { time in
      unsafe av_rescale_q(time, stream.pointee.time_base, .microseconds)
    }
  }

  /// Determines where to cut, and seeks there.
  ///
  /// A copied video track can only begin at a key frame; then all tracks begin there, and a note says so. Frames that are
  /// hidden before the movie's start stay so.
  ///
  /// - Parameter joined: the IDs of the tracks of which an edit list shows parts that do not follow one another.
  func cut(_ rendering: MovieRendering, joined: Set<UInt32>) throws -> MovieCut {
    guard let trim = rendering.trim else { return MovieCut(origin: start, length: nil) }
    let wanted = zero &+ Int64(min(max(0, trim.start), 1e9) * 1_000_000)
    var cut = MovieCut(
      origin: wanted,
      length: TimeSpan(start: 0, end: trim.end.map { max(0, $0 - max(0, trim.start)) }))
    guard trim.start > 0 else { return cut }
    cut.isCutAtStart = true
    if mayHaveDiscontinuities {
      if !hasSteadyTimes { cut.joint = start }
      // A source that cannot seek is still at its start.
      guard rewind() || cut.joint == nil else { throw Self.noReturn }
    }
    guard let picture = picture(of: rendering) else {
      if cut.joint != nil { return cut }
      // Decoding begins before the selected part; the filters drop the surplus.
      // A source that cannot seek is read from the start, where it still is.
      _ = seek(to: mayHaveDiscontinuities ? wanted &- Self.distances[1] : wanted, stream: nil)
      return cut
    }
    // Other tracks may begin before the first frame, and a seek would skip them. The frames of parts that an edit list
    // joins are not in the order in which they are shown.
    let isLate = start(of: picture.index).map { $0 > wanted } ?? false
    let isJoined = joined.contains { streamIndex(ofTrack: $0) == picture.index }
    if isLate || isJoined { return cut }
    let keyFrame =
      cut.joint == nil
      ? try enter(picture.index, at: wanted, margin: subtitleMargin(rendering))
      : try joinedKeyFrame(of: picture.index, at: wanted, in: rendering)
    cut.entry = keyFrame.map { KeyFrameEntry(track: picture.index, time: $0 &- (cut.joint ?? 0)) }
    guard picture.work == .copy else { return cut }
    guard let keyFrame else { throw MovieMakingError.empty }
    // A key frame before the movie's start is hidden: it is decoded, but the result begins at the start.
    cut.origin = keyFrame > wanted ? keyFrame : max(keyFrame, min(zero, wanted))
    let earlier = Double(wanted &- cut.origin) / 1_000_000
    cut.length?.end? += earlier
    if abs(earlier) > 0.001 {
      cut.notes.append(
        "The clip begins \(abs(earlier).hundredths) s \(earlier > 0 ? "earlier" : "later") than "
          + "asked, at a key frame: its video track is copied.")
    }
    return cut
  }

  /// Microseconds. Subtitles that are shown for longer before a part are not in it.
  private static let longestSubtitle: Int64 = 60_000_000

  /// How much earlier than the key frame to begin reading, so that subtitles are found that are still on the screen. In
  /// Matroska they are stored where they begin; libavformat looks for those of QuickTime and MP4 itself.
  private func subtitleMargin(_ rendering: MovieRendering) -> Int64 {
    let hasSubtitles = rendering.tracks.contains { track in
      guard let stream = unsafe stream(track.index) else { return false }
      return unsafe stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_SUBTITLE
    }
    return demuxerName.hasPrefix("matroska") && hasSubtitles ? Self.longestSubtitle : 0
  }

  private func picture(of rendering: MovieRendering) -> TrackRendering? {
    rendering.tracks.first { track in
      guard let stream = unsafe stream(track.index) else { return false }
      return unsafe stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
    }
  }

  /// Seeks so that the last key frame at or before a time is read.
  ///
  /// - Returns: when that key frame is shown, in microseconds, or when the first one is shown if none is
  ///   earlier; nil if the track has none.
  ///
  /// - Parameter margin: how much earlier to begin reading, in microseconds.
  private func enter(_ index: Int, at moment: Int64, margin: Int64) throws -> Int64? {
    var isAtStart = true
    for distance in Self.distances where distance == 0 || moment &- distance > start {
      // A source that cannot seek is read from the start, where it still is at first.
      guard seek(to: moment &- distance, stream: index) || isAtStart else { throw Self.noReturn }
      isAtStart = false
      guard let keyFrame = try nextKeyFrame(of: index, for: moment),
        keyFrame <= moment &+ KeyFrameEntry.tolerance
      else { continue }
      guard seek(to: moment &- distance &- margin, stream: index) else { throw Self.noReturn }
      return keyFrame
    }
    guard rewind() else { throw Self.noReturn }
    let keyFrame = try nextKeyFrame(of: index, for: moment)
    guard rewind() else { throw Self.noReturn }
    return keyFrame
  }

  /// Does the same as ``enter(_:at:)`` where timestamps jump: reads from the start, and returns there.
  ///
  /// - Throws: ``MovieMakingError/noPicture`` if the track ends before that time; what reading throws.
  private func joinedKeyFrame(
    of index: Int, at moment: Int64, in rendering: MovieRendering
  ) throws -> Int64? {
    let tracks = Set(rendering.tracks.map(\.index))
    var discontinuities = DiscontinuityCorrection()
    var latest = start
    let keyFrame = try nextKeyFrame(of: index, for: moment) { packet, base in
      guard tracks.contains(packet.track) else { return }
      let clock = av_rescale_q(start, .microseconds, base)
      packet.shift(by: 0 &- clock)
      discontinuities.correct(packet, base)
      packet.shift(by: clock)
      guard packet.track == index, let time = packet.time ?? packet.decodingTime else { return }
      let duration = unsafe max(0, packet.pointer.pointee.duration)
      latest = max(latest, av_rescale_q(time &+ duration, base, .microseconds))
    }
    guard rewind() else { throw Self.noReturn }
    guard latest > moment else { throw MovieMakingError.noPicture }
    return keyFrame
  }

  /// Seeks to the last key frame at or before a time or, in containers without an index, to any frame
  /// there; to the start if there is none.
  ///
  /// - Returns: false where neither is possible.
  private func seek(to moment: Int64, stream index: Int?) -> Bool {
    guard let context = unsafe context else { return false }
    // Codec configurations are in packets of their own, which a seek would skip.
    if demuxerName == "flv" { return rewind() }
    // libavformat does not know the times after pauses.
    if !pauses.isEmpty { return rewind() }
    if isQuickTime { readFirstPackets() }
    var target = moment
    if unsafe context.pointee.iformat.pointee.flags & AVFMT_SEEK_TO_PTS == 0 {
      // These formats seek by decoding time, which is earlier than presentation time.
      target = target &- 130_000
    }
    let base = index.flatMap { unsafe stream($0)?.pointee.time_base }
    let position = base.map { av_rescale_q(target, .microseconds, $0) } ?? target
    let result = unsafe av_seek_frame(
      context, Int32(index ?? -1), position, AVSEEK_FLAG_BACKWARD)
    return result >= 0 || rewind()
  }

  /// The most packets to read until each track had one.
  private static let maximumFirstPackets = 1000

  /// Reads the first packet of each track of QuickTime or MP4. libavformat then announces a codec configuration after a
  /// seek wherever it is not that of the header: it compares with the last packet that it has read.
  private func readFirstPackets() {
    guard rewind(), let packet = try? Packet() else { return }
    var missing = Set(
      (0..<streamCount).filter { index in
        unsafe stream(index).map { unsafe avformat_index_get_entries_count($0) > 0 } ?? false
      })
    for _ in 0..<Self.maximumFirstPackets where !missing.isEmpty {
      guard (try? readPacket(into: packet)) == true else { return }
      missing.remove(packet.track)
    }
  }

  /// Seeks to the start.
  ///
  /// - Returns: whether that is possible.
  private func rewind() -> Bool {
    // A seek by time may skip the first packets.
    if mayHaveDiscontinuities, unsafe av_seek_frame(context, -1, 0, AVSEEK_FLAG_BYTE) >= 0 {
      return true
    }
    if unsafe av_seek_frame(context, -1, start, AVSEEK_FLAG_BACKWARD) >= 0 { return true }
    // Without an index libavformat fails if the track that it chooses begins after another one.
    return (0..<streamCount).contains { index in
      guard let base = unsafe stream(index)?.pointee.time_base else { return false }
      let first = av_rescale_q(start, .microseconds, base)
      return unsafe av_seek_frame(context, Int32(index), first, AVSEEK_FLAG_BACKWARD) >= 0
    }
  }

  /// When the last key frame at or before a time is shown, in microseconds, among the packets from here on;
  /// if there is none, the first one after it.
  ///
  /// - Parameter adjust: called with each packet and its time base, to change its times.
  private func nextKeyFrame(
    of index: Int, for moment: Int64, adjust: (Packet, AVRational) -> Void = { _, _ in }
  ) throws -> Int64? {
    let packet = try Packet()
    let limit = moment &+ KeyFrameEntry.tolerance
    var keyFrame: Int64?
    while try readPacket(into: packet) {
      guard let base = unsafe stream(packet.track)?.pointee.time_base else { continue }
      adjust(packet, base)
      guard packet.track == index, let time = packet.time ?? packet.decodingTime
      else { continue }
      let shown = av_rescale_q(time, base, .microseconds)
      // If only its decoding time is known, the frame is shown up to some frames later.
      let latest = packet.time == nil ? shown &+ Self.showingDelay : shown
      if packet.isKeyFrame, latest <= limit || keyFrame == nil { keyFrame = shown }
      let decoded = av_rescale_q(packet.decodingTime ?? time, base, .microseconds)
      if keyFrame != nil, decoded > limit { break }
    }
    return keyFrame
  }
}
