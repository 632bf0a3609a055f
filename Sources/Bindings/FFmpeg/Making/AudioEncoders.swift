import CFFmpeg
import MediaEdits
import MediaModel

/// The audio that a decoder returns, and how to encode it.
struct AudioFilters {
  var layout: ChannelLayout
  var sampleRate: Int
  /// Whether the decoder gives more than 16 bits.
  var isDeep: Bool
  var encoding: AudioEncoding
  /// The selected part in seconds, from 0; nil for everything.
  var length: TimeSpan?

  var encoderName: String {
    switch encoding.codec {
    case .aac: "aac"
    case .pcm: isDeep ? "pcm_s24le" : "pcm_s16le"
    }
  }

  /// The filters for frames of one format, in order. They return the selected part in the result's format.
  var chain: [String] {
    let trim = length.map { ["atrim=" + $0.filterOptions] } ?? []
    return trim + [conversion]
  }

  /// The filters for the results of every ``chain`` of a track, in order. Gaps are filled with silence, so that the
  /// audio stays in sync with the video.
  var joiningChain: [String] { ["aresample=async=1", conversion] }

  /// The filter that converts to the result's format.
  private var conversion: String {
    "aformat=sample_fmts=\(sampleFormat):sample_rates=\(resultRate):channel_layouts=\(resultLayout)"
  }

  private var resultLayout: String {
    let limit = max(1, encoding.maxChannels)
    return switch encoding.codec {
    case .aac: layout.aacLayout(limit: limit)
    case .pcm: layout.pcmLayout(limit: limit)
    }
  }

  private var sampleFormat: String {
    switch encoding.codec {
    case .aac: "fltp"
    case .pcm: isDeep ? "s32" : "s16"
    }
  }

  /// Samples a second. AAC has a fixed list of rates, and players support up to 48,000.
  private var resultRate: Int {
    guard encoding.codec == .aac else { return sampleRate }
    let rates = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
    return rates.first { $0 >= sampleRate } ?? 48_000
  }
}

extension TrackEncoder {
  /// An open encoder for the output of a filter graph.
  static func audio(
    _ filters: AudioFilters, _ graph: FilterGraph
  ) throws -> TrackEncoder {
    let encoder = try TrackEncoder(filters.encoderName, threads: 1)
    let context = unsafe encoder.context
    let sink = unsafe graph.sink
    unsafe context.pointee.sample_fmt = AVSampleFormat(rawValue: av_buffersink_get_format(sink))
    unsafe context.pointee.sample_rate = av_buffersink_get_sample_rate(sink)
    try doing("describe its audio") { () throws(AudioVideoError) in
      _ = try checked(unsafe av_buffersink_get_ch_layout(sink, &context.pointee.ch_layout))
    }
    unsafe context.pointee.time_base = AVRational(num: 1, den: context.pointee.sample_rate)
    if let bitRate = filters.encoding.bitRate { unsafe context.pointee.bit_rate = Int64(bitRate) }
    try encoder.open([])
    return encoder
  }

  /// Makes a filter graph return as many samples at once as the encoder takes.
  func setFrameSize(of graph: FilterGraph) {
    let size = unsafe context.pointee.frame_size
    if size > 0 { unsafe av_buffersink_set_frame_size(graph.sink, UInt32(size)) }
  }
}
