import CFFmpeg

/// Joins the parts of a stream whose timestamps jump: recordings of a camera or a receiver that were
/// concatenated, or a 33-bit clock that wrapped around.
///
/// The `ffmpeg` command does the same (its discontinuity correction); libavformat leaves it to its
/// callers.
struct DiscontinuityCorrection {
  /// Microseconds; a longer gap, or a step back by more than ``tolerance``, is a jump.
  private static let threshold: Int64 = 10_000_000
  private static let tolerance: Int64 = 100_000

  /// Microseconds that are added to every time.
  private var offset: Int64 = 0
  /// When the next packet of each track is due, in microseconds.
  private var due: [Int: Int64] = [:]
  /// When the last packet of each track was decoded.
  private var latest: [Int: Int64] = [:]
  /// When the last packet of any track was decoded.
  private var last: Int64?

  /// Shifts a packet so that it follows the packets before the jump.
  mutating func correct(_ packet: Packet, _ base: AVRational) {
    guard let time = packet.decodingTime ?? packet.time else { return }
    var moment = av_rescale_q(time, base, .microseconds) &+ offset
    let track = packet.track
    if let expected = due[track] ?? last {
      let gap = moment &- expected
      let isBack = latest[track].map { moment &+ Self.tolerance < $0 } ?? false
      if gap.magnitude > Self.threshold.magnitude || isBack {
        offset = offset &- gap
        moment = expected
      }
    }
    packet.shift(by: av_rescale_q(offset, .microseconds, base))
    let duration = unsafe max(0, packet.pointer.pointee.duration)
    latest[track] = moment
    due[track] = moment &+ av_rescale_q(duration, base, .microseconds)
    last = moment
  }
}

extension MovieFile {
  /// Whether timestamps may jump in this container.
  var mayHaveDiscontinuities: Bool {
    guard let format = unsafe context?.pointee.iformat else { return false }
    return unsafe format.pointee.flags & AVFMT_TS_DISCONT != 0
  }
}
