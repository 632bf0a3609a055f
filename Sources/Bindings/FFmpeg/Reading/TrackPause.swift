import CFFmpeg

/// A time in which nothing of a track is shown or played, after which it continues.
package struct TrackPause: Sendable, Hashable {
  /// When it begins in the track without pauses, in seconds.
  package var start: Double
  /// In seconds.
  package var length: Double

  package init(start: Double, length: Double) {
    self.start = start
    self.length = length
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
      let earlier = list.reduce(0) { seconds >= $1.start ? $0 + $1.length : $0 }
      return time &+ base.units(earlier)
    }
    packet.setTimes(packet.time.map(moved), decoding: packet.decodingTime.map(moved))
  }
}
