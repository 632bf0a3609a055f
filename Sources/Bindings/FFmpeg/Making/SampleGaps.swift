import CFFmpeg

/// Fills gaps between packets of PCM with silence.
///
/// QuickTime and MP4 store PCM as samples that follow one another without times, so that everything after a gap would
/// be played too early.
struct SampleGaps {
  /// Bytes of one sample of all channels.
  private let size: Int
  private let rate: Int64
  private let silence: UInt8
  /// When the next sample is played, in samples; nil before the first packet.
  private var due: Int64?

  /// Parts of a second by which times may be wrong, as for audio that is re-encoded (`min_hard_comp` of FFmpeg's
  /// `aresample`).
  private static let tolerance: Int64 = 10
  /// Seconds. No recording pauses for longer, but a damaged time can be anything.
  private static let longest: Int64 = 3600
  /// Bytes of silence for values that are not signed, by FFmpeg's name of the codec (ITU-T G.711).
  private static let silences: [String: UInt8] = [
    "pcm_u8": 0x80, "pcm_alaw": 0xD5, "pcm_mulaw": 0xFF,
  ]

  init?(_ parameters: UnsafePointer<AVCodecParameters>) {
    let codec = unsafe parameters.pointee.codec_id
    let name = unsafe String(cString: avcodec_get_name(codec))
    let bits = Int(av_get_exact_bits_per_sample(codec))
    size = unsafe bits / 8 * Int(parameters.pointee.ch_layout.nb_channels)
    rate = unsafe Int64(parameters.pointee.sample_rate)
    guard name.hasPrefix("pcm_"), bits % 8 == 0, size > 0, rate > 0 else { return nil }
    silence = Self.silences[name] ?? 0
  }

  /// Passes on packets of silence for the time between the last packet and this one.
  ///
  /// - Parameter base: the time base of the packet, and of those that are passed on.
  /// - Throws: ``MovieMakingError`` for a gap of more than an hour; what `write` throws.
  mutating func fill(
    before packet: Packet, _ base: AVRational, _ write: (Packet) throws -> Void
  ) throws {
    let sampleBase = AVRational(num: 1, den: Int32(clamping: rate))
    let time = packet.time.map { av_rescale_q($0, base, sampleBase) } ?? due ?? 0
    var position = due ?? time
    if time &- position > rate / Self.tolerance {
      guard time &- position <= Self.longest * rate else {
        throw MovieMakingError.failed(
          "copy a track",
          AudioVideoError(reason: .unsupported, detail: "It pauses for more than an hour"))
      }
      while position < time {
        let count = min(rate, time - position)
        let part = try Packet(Int(count) * size, of: silence)
        unsafe part.pointer.pointee.pts = av_rescale_q(position, sampleBase, base)
        unsafe part.pointer.pointee.dts = part.pointer.pointee.pts
        unsafe part.pointer.pointee.duration = av_rescale_q(count, sampleBase, base)
        unsafe part.pointer.pointee.flags |= AV_PKT_FLAG_KEY
        try write(part)
        position += count
      }
    }
    due = unsafe position &+ Int64(packet.pointer.pointee.size) / Int64(size)
  }
}
