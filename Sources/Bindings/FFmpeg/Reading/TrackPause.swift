import CFFmpeg

/// A time in which nothing of a track is shown or played, after which it continues.
package struct TrackPause: Sendable, Hashable {
  /// When it begins in the track without pauses, in seconds.
  package var start: Double
  /// How much later what follows it is shown than without this and earlier pauses, in seconds.
  package var delay: Double

  package init(start: Double, delay: Double) {
    self.start = start
    self.delay = delay
  }

  /// Seconds by which rounding can move the first sample after a pause.
  fileprivate static let tolerance = 0.005
}

extension MovieFile {
  /// Adds to a packet's times the pauses of its track before it.
  func addPauses(to packet: Packet) {
    guard !pauses.isEmpty, let stream = unsafe stream(packet.track),
      let list = unsafe pauses[UInt32(truncatingIfNeeded: stream.pointee.id)]
    else { return }
    let base = unsafe stream.pointee.time_base
    func moved(_ time: Int64) -> Int64 {
      let seconds = base.seconds(time) + TrackPause.tolerance
      guard let pause = list.last(before: seconds) else { return time }
      return time &+ base.units(pause.delay)
    }
    packet.setTimes(packet.time.map(moved), decoding: packet.decodingTime.map(moved))
  }
}

extension [TrackPause] {
  /// The last pause that has begun at a time, by binary search: a hostile file has thousands of them and millions of packets.
  fileprivate func last(before seconds: Double) -> TrackPause? {
    var (first, end) = (0, count)
    while first < end {
      let middle = (first + end) / 2
      if self[middle].start <= seconds { first = middle + 1 } else { end = middle }
    }
    return first > 0 ? self[first - 1] : nil
  }
}
