import CFFmpeg
import MediaEdits
import MediaModel

/// Where a movie is cut.
struct MovieCut {
  /// The moment that becomes 0, in microseconds of the source's own clock.
  var origin: Int64
  /// Seconds of what is wanted, from ``origin``; nil for everything.
  var length: TimeSpan?
  /// Where the picture becomes of use; nil where all of it is.
  var entry: KeyFrameEntry?
  var notes: [String] = []
}

/// The key frame by which a picture is entered behind its beginning.
///
/// What comes before, and what is read behind it but shown before, cannot be decoded without frames that
/// are not there: it is no part of the clip, and no damage.
struct KeyFrameEntry {
  let track: Int
  /// When the key frame is shown, in microseconds of the source's own clock.
  let time: Int64
  private var isReached = false

  /// Microseconds by which rounding may move a time.
  static let tolerance: Int64 = 1000

  init(track: Int, time: Int64) {
    self.track = track
    self.time = time
  }

  /// Whether a packet, its times still the source's, is of use.
  mutating func admits(_ packet: Packet, _ base: AVRational) -> Bool {
    guard packet.track == track else { return true }
    guard let time = packet.time ?? packet.decodingTime else { return isReached }
    let isBefore = av_rescale_q(time, base, .microseconds) < self.time &- Self.tolerance
    if packet.isKeyFrame, !isBefore { isReached = true }
    return isReached && !isBefore
  }
}

extension MovieFile {
  /// How far before what is wanted a key frame is looked for, in microseconds: containers without an
  /// index lead to any frame, and the key frame before it may stand some seconds earlier.
  private static let distances: [Int64] = [0, 2_000_000, 6_000_000, 20_000_000, 60_000_000]

  /// Microseconds after which a frame that has been decoded is shown at the latest.
  private static let showingDelay: Int64 = 160_000

  /// The moment at which the movie starts, in microseconds of its own clock.
  private var start: Int64 {
    guard let context = unsafe context else { return 0 }
    return unsafe known(context.pointee.start_time) ?? 0
  }

  /// Finds out where to cut, and goes there.
  ///
  /// A copied picture can begin at a key frame only; then everything does, and a note says so.
  func cut(_ rendering: MovieRendering) throws -> MovieCut {
    guard let trim = rendering.trim else { return MovieCut(origin: start, length: nil) }
    let wanted = start &+ Int64(min(max(0, trim.start), 1e9) * 1_000_000)
    var cut = MovieCut(
      origin: wanted,
      length: TimeSpan(start: 0, end: trim.end.map { max(0, $0 - max(0, trim.start)) }))
    guard trim.start > 0 else { return cut }
    guard let picture = picture(of: rendering) else {
      // Decoding begins before what is wanted; the filters drop what comes too early.
      seek(to: hasJumpingClock ? wanted &- Self.distances[1] : wanted, stream: nil)
      return cut
    }
    let keyFrame = try enter(picture.index, at: wanted)
    cut.entry = keyFrame.map { KeyFrameEntry(track: picture.index, time: $0) }
    guard picture.work == .copy else { return cut }
    guard let keyFrame else { throw MovieMakingError.empty }
    let earlier = Double(wanted - keyFrame) / 1_000_000
    cut.origin = keyFrame
    cut.length?.end? += earlier
    if abs(earlier) > 0.001 {
      cut.notes.append(
        "The clip begins \(abs(earlier).hundredths) s \(earlier > 0 ? "earlier" : "later") than "
          + "asked, at a key frame: its picture is copied.")
    }
    return cut
  }

  private func picture(of rendering: MovieRendering) -> TrackRendering? {
    rendering.tracks.first { track in
      guard let stream = unsafe stream(track.index) else { return false }
      return unsafe stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
    }
  }

  /// Goes to where the last key frame of a picture that is not after a moment will be read.
  ///
  /// - Returns: when that one is shown, or the first of all where none is before, in microseconds; nil
  ///   where the picture has none.
  private func enter(_ index: Int, at moment: Int64) throws -> Int64? {
    for distance in Self.distances where distance == 0 || moment &- distance > start {
      seek(to: moment &- distance, stream: index)
      guard let keyFrame = try nextKeyFrame(of: index, for: moment),
        keyFrame <= moment &+ KeyFrameEntry.tolerance
      else { continue }
      seek(to: moment &- distance, stream: index)
      return keyFrame
    }
    rewind()
    let keyFrame = try nextKeyFrame(of: index, for: moment)
    rewind()
    return keyFrame
  }

  /// Goes to the last key frame not after a moment, or, in containers without an index, to any frame
  /// there; to the beginning where there is none.
  private func seek(to moment: Int64, stream index: Int?) {
    guard let context = unsafe context else { return }
    var target = moment
    if unsafe context.pointee.iformat.pointee.flags & AVFMT_SEEK_TO_PTS == 0 {
      // These are searched by decoding times, which run ahead of what is shown.
      target -= 130_000
    }
    let base = index.flatMap { unsafe stream($0)?.pointee.time_base }
    let position = base.map { av_rescale_q(target, .microseconds, $0) } ?? target
    let result = unsafe av_seek_frame(
      context, Int32(index ?? -1), position, AVSEEK_FLAG_BACKWARD)
    // What cannot seek is read from the beginning, where it still is.
    if result < 0 { rewind() }
  }

  /// Goes to the beginning.
  private func rewind() {
    // Where times are searched for, the first ones may be passed over.
    if hasJumpingClock, unsafe av_seek_frame(context, -1, 0, AVSEEK_FLAG_BYTE) >= 0 { return }
    unsafe av_seek_frame(context, -1, start, AVSEEK_FLAG_BACKWARD)
  }

  /// When the last key frame of a track is shown that comes from here on and is not after a moment; where
  /// there is none, the first after it. In microseconds.
  private func nextKeyFrame(of index: Int, for moment: Int64) throws -> Int64? {
    let packet = try Packet()
    let limit = moment &+ KeyFrameEntry.tolerance
    var keyFrame: Int64?
    while try readPacket(into: packet) {
      guard packet.track == index, let time = packet.time ?? packet.decodingTime,
        let stream = unsafe stream(index)
      else { continue }
      let base = unsafe stream.pointee.time_base
      let shown = av_rescale_q(time, base, .microseconds)
      // Where only its decoding time is known, it is shown some frames later.
      let latest = packet.time == nil ? shown &+ Self.showingDelay : shown
      if packet.isKeyFrame, latest <= limit || keyFrame == nil { keyFrame = shown }
      let decoded = av_rescale_q(packet.decodingTime ?? time, base, .microseconds)
      if keyFrame != nil, decoded > limit { break }
    }
    return keyFrame
  }
}
