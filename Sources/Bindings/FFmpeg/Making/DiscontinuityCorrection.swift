import CFFmpeg

/// Joins the parts of a stream whose timestamps jump: recordings of a camera or a receiver that were
/// concatenated, or a 33-bit clock that wrapped around.
///
/// The `ffmpeg` command does the same (its discontinuity correction); libavformat leaves it to its
/// callers.
///
/// It shifts all tracks by the gap of one. Here a track may pause while others go on: that is not a jump.
struct DiscontinuityCorrection {
  /// Microseconds; a longer gap, or a step back by more than ``tolerance``, is a jump.
  private static let threshold: Int64 = 10_000_000
  private static let tolerance: Int64 = 100_000
  /// Microseconds by which tracks may differ that are stored side by side.
  private static let longestPause: Int64 = 1_000_000

  /// Microseconds that are added to every time.
  private var offset: Int64 = 0
  /// The same before the last jump.
  private var formerOffset: Int64?
  /// The tracks of which a packet after the last jump was read.
  private var arrived: Set<Int> = []
  /// When the next packet of each track is due, in microseconds.
  private var due: [Int: Int64] = [:]
  /// When the last packet of each track was decoded.
  private var latest: [Int: Int64] = [:]
  /// When the latest packet of any track is due to end.
  private var front: Int64?

  /// Shifts a packet so that it follows the packets before the jump.
  mutating func correct(_ packet: Packet, _ base: AVRational) {
    guard let time = packet.decodingTime ?? packet.time else { return }
    let clock = av_rescale_q(time, base, .microseconds)
    let track = packet.track
    if let late = momentBeforeJump(clock, track) {
      return place(packet, base, at: late, shift: late &- clock)
    }
    var moment = clock &+ offset
    arrived.insert(track)
    if let front {
      let own = due[track] ?? front
      // After a pause, a track continues where the others are.
      let expected = front &- own > Self.longestPause ? front : own
      let isBack = latest[track].map { moment &+ Self.tolerance < $0 } ?? false
      let isFar = due[track] == nil && front &- moment > Self.threshold
      if isBack || isFar || moment &- front > Self.threshold {
        formerOffset = offset
        arrived = [track]
        offset = offset &- (moment &- expected)
        moment = expected
      }
    }
    place(packet, base, at: moment, shift: offset)
  }

  /// When a packet that belongs before the last jump is decoded; nil for others.
  ///
  /// Demuxers find the end of some packets only by the start of the next one, so that a track's last packet of a part can
  /// follow other tracks' first ones of the next part.
  private func momentBeforeJump(_ clock: Int64, _ track: Int) -> Int64? {
    guard let formerOffset, !arrived.contains(track), let own = due[track] else { return nil }
    let moment = clock &+ formerOffset
    let distance = (moment &- own).magnitude
    let isNearer = distance < (clock &+ offset &- own).magnitude
    return distance <= Self.tolerance.magnitude && isNearer ? moment : nil
  }

  /// Shifts a packet, and records when it is decoded.
  private mutating func place(
    _ packet: Packet, _ base: AVRational, at moment: Int64, shift: Int64
  ) {
    let track = packet.track
    packet.shift(by: av_rescale_q(shift, .microseconds, base))
    let duration = unsafe max(0, packet.pointer.pointee.duration)
    latest[track] = moment
    let end = moment &+ av_rescale_q(duration, base, .microseconds)
    due[track] = end
    front = max(front ?? end, end)
  }
}

extension MovieFile {
  /// Whether timestamps may jump in this container.
  var mayHaveDiscontinuities: Bool {
    guard let format = unsafe context?.pointee.iformat else { return false }
    return unsafe format.pointee.flags & AVFMT_TS_DISCONT != 0
  }

  /// Whether the times of a container whose timestamps may jump rise from its start to its end, at a sample of places.
  ///
  /// Where they jump, as in recordings that were joined, libavformat seeks to any of several places with a time, and its
  /// duration is wrong. Sampling moves the reading position.
  var hasSteadyTimes: Bool {
    guard mayHaveDiscontinuities, let context = unsafe context,
      let input = unsafe context.pointee.pb
    else { return true }
    let size = unsafe avio_size(input)
    let stream = unsafe max(0, av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0))
    guard size > 0, let base = unsafe self.stream(Int(stream))?.pointee.time_base else {
      return true
    }
    var times: [Int64] = []
    for index in 0..<Self.samples {
      guard unsafe av_seek_frame(context, -1, size / Self.samples * index, AVSEEK_FLAG_BYTE) >= 0
      else { return true }
      if let time = firstTime(of: Int(stream)) {
        times.append(av_rescale_q(time, base, .microseconds))
      }
    }
    guard let first = times.first, let last = times.last else { return true }
    // The end of the last part, by libavformat's duration.
    let end = unsafe first &+ (known(context.pointee.duration) ?? 0)
    guard last <= end &+ Self.leeway else { return false }
    let steps = zip(times, (times.dropFirst() + [max(last, end)])).map { $1 &- $0 }
    // Parts of few bytes, such as a black screen, last longer.
    let longest = Self.leeway &+ 10 &* steps.sorted()[steps.count / 2]
    return steps.allSatisfy { $0 >= 0 && $0 <= longest }
  }

  /// The number of places at which times are compared.
  private static let samples: Int64 = 32
  /// Packets of other streams that are read to find one of a stream.
  private static let maximumPackets = 1000
  /// Microseconds by which times may deviate; the correction takes a longer step for a jump.
  private static let leeway: Int64 = 10_000_000

  /// The first decoding time of a stream from here on.
  private func firstTime(of stream: Int) -> Int64? {
    guard let packet = try? Packet() else { return nil }
    for _ in 0..<Self.maximumPackets {
      guard (try? readPacket(into: packet)) == true else { return nil }
      if packet.track == stream, let time = packet.decodingTime { return time }
    }
    return nil
  }
}
