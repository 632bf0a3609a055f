import CFFmpeg
import MediaModel

/// Where a movie is cut.
struct MovieCut {
  /// The moment that becomes 0, in microseconds of the source's own clock.
  var origin: Int64
  /// Seconds of what is wanted, from ``origin``; nil for everything.
  var length: TimeSpan?
  var notes: [String] = []
}

extension MovieFile {
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
    guard let copied = copiedVideo(rendering) else {
      // Decoding begins before what is wanted; the filters drop what comes too early.
      seek(to: wanted, stream: nil)
      return cut
    }
    seek(to: wanted, stream: copied)
    guard let keyFrame = try firstKeyFrame(of: copied) else { throw MovieMakingError.empty }
    seek(to: wanted, stream: copied)
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

  private func copiedVideo(_ rendering: MovieRendering) -> Int? {
    rendering.tracks.first { track in
      guard track.work == .copy, let stream = unsafe stream(track.index) else { return false }
      return unsafe stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
    }?.index
  }

  /// Goes to the last key frame not after a moment; to the beginning where there is none.
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
    if result < 0 { unsafe av_seek_frame(context, -1, start, AVSEEK_FLAG_BACKWARD) }
  }

  /// When the next key frame of a track is shown, in microseconds.
  private func firstKeyFrame(of index: Int) throws -> Int64? {
    let packet = try Packet()
    while try readPacket(into: packet) {
      guard packet.track == index, packet.isKeyFrame, let time = packet.time,
        let stream = unsafe stream(index)
      else { continue }
      return unsafe av_rescale_q(time, stream.pointee.time_base, .microseconds)
    }
    return nil
  }
}

extension Double {
  /// With two digits behind the point, as `1.05`; for numbers that are no larger than times.
  var hundredths: String {
    let hundredths = Int(self * 100 + 0.5)
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}
