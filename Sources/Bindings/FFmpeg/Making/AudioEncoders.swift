import CFFmpeg
import MediaEdits
import MediaModel

/// The sound that comes out of a decoder, and what is to become of it.
struct SoundFilters {
  var channels: Int
  var sampleRate: Int
  /// Whether the decoder gives more than 16 bits.
  var isDeep: Bool
  var encoding: AudioEncoding
  /// Seconds of what is wanted, from 0; nil for everything.
  var length: TimeSpan?

  var encoderName: String {
    switch encoding.codec {
    case .aac: "aac"
    case .pcm: isDeep ? "pcm_s24le" : "pcm_s16le"
    }
  }

  /// The filters, in order: gaps are filled with silence, so that what follows stays in time with the
  /// picture.
  var chain: [String] {
    let trim = length.map { ["atrim=" + $0.filterOptions] } ?? []
    var form = ["sample_fmts=" + sampleFormat, "sample_rates=\(resultRate)"]
    let count = min(channels, max(1, encoding.maxChannels))
    if let layout = Self.layouts[count] { form.append("channel_layouts=" + layout) }
    return trim + ["aresample=async=1", "aformat=" + form.joined(separator: ":")]
  }

  private var sampleFormat: String {
    switch encoding.codec {
    case .aac: "fltp"
    case .pcm: isDeep ? "s32" : "s16"
    }
  }

  /// Samples a second; AAC knows a dozen rates, and players no more than 48,000.
  private var resultRate: Int {
    guard encoding.codec == .aac else { return sampleRate }
    let rates = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
    return rates.first { $0 >= sampleRate } ?? 48_000
  }

  /// The layouts by number of channels that FFmpeg's AAC encoder and every player know.
  private static let layouts = [
    1: "mono", 2: "stereo", 3: "3.0", 4: "4.0", 5: "5.0", 6: "5.1", 8: "7.1",
  ]
}

extension TrackEncoder {
  /// An open encoder for what comes out of a chain of filters.
  static func audio(
    _ filters: SoundFilters, _ graph: FilterGraph
  ) throws -> TrackEncoder {
    let encoder = try TrackEncoder(filters.encoderName, threads: 1)
    let context = unsafe encoder.context
    let sink = unsafe graph.sink
    unsafe context.pointee.sample_fmt = AVSampleFormat(rawValue: av_buffersink_get_format(sink))
    unsafe context.pointee.sample_rate = av_buffersink_get_sample_rate(sink)
    try doing("describe its sound") { () throws(AudioVideoError) in
      _ = try checked(unsafe av_buffersink_get_ch_layout(sink, &context.pointee.ch_layout))
    }
    unsafe context.pointee.time_base = AVRational(num: 1, den: context.pointee.sample_rate)
    if let bitRate = filters.encoding.bitRate { unsafe context.pointee.bit_rate = Int64(bitRate) }
    try encoder.open([])
    encoder.setFrameSize(of: graph)
    return encoder
  }

  /// Lets a chain of filters give out as many samples at once as the encoder takes.
  func setFrameSize(of graph: FilterGraph) {
    let size = unsafe context.pointee.frame_size
    if size > 0, unsafe context.pointee.codec_type == AVMEDIA_TYPE_AUDIO {
      unsafe av_buffersink_set_frame_size(graph.sink, UInt32(size))
    }
  }
}
