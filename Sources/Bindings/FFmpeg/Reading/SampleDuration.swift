import CFFmpeg

extension MovieFile {
  /// Sets a video packet's duration to that of its sample in QuickTime and MP4.
  ///
  /// Where frames are stored in another order than they are shown, FFmpeg 5.1 guesses durations by the frame rate in the
  /// coded video, which can be that of the camera's clock.
  func setDuration(of packet: Packet) {
    guard isQuickTime, let stream = unsafe stream(packet.track),
      unsafe stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO,
      let time = packet.decodingTime
    else { return }
    let index = unsafe av_index_search_timestamp(stream, time, AVSEEK_FLAG_ANY)
    func timestamp(_ index: Int32) -> Int64? {
      unsafe avformat_index_get_entry(stream, index).map { unsafe $0.pointee.timestamp }
    }
    guard timestamp(index) == time else { return }
    // The track's header has the durations of all samples together.
    let rest = unsafe known(stream.pointee.duration).flatMap { whole in
      timestamp(0).map { whole &- (time &- $0) }
    }
    let durations = [
      timestamp(index + 1).map { $0 &- time },
      unsafe index + 1 == Int32(clamping: stream.pointee.nb_frames) ? rest : nil,
      timestamp(index - 1).map { time &- $0 },
    ]
    guard let duration = durations.compactMap(\.self).first(where: { $0 > 0 }) else { return }
    unsafe packet.pointer.pointee.duration = duration
  }
}
