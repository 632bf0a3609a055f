import CFFmpeg
import MediaEdits
import MediaModel

/// Converts text subtitles of any kind to those of QuickTime and MP4. libavcodec's decoders and encoders
/// exchange them as lines of ASS.
@safe final class SubtitleTranscoding: TrackWork {
  private let muxer: MovieMuxer
  private let target: Int32
  private let decoder: UnsafeMutablePointer<AVCodecContext>
  private let encoder: UnsafeMutablePointer<AVCodecContext>
  private let packet: Packet
  /// The end of the selected part in milliseconds.
  private let end: Int64?
  private var lastTime: Int64 = -1
  private var damaged = 0
  private(set) var count = 0
  /// Subtitles are sparse: reading does not wait for one after the end.
  let isComplete = true

  private static let milliseconds = AVRational(num: 1, den: 1000)
  /// The longest encoded subtitle, in bytes.
  private static let maximumSize: Int32 = 64 << 10

  /// - Parameter length: the selected part in seconds, from 0; nil for everything.
  init(
    _ source: UnsafeMutablePointer<AVStream>, to muxer: MovieMuxer, length: TimeSpan?
  ) throws {
    self.muxer = muxer
    end = length?.end.map { Self.milliseconds.units($0) }
    packet = try Packet()
    unsafe decoder = try Self.decoder(source)
    do {
      unsafe encoder = try Self.encoder(for: decoder)
    } catch {
      var decoder: UnsafeMutablePointer<AVCodecContext>? = unsafe decoder
      unsafe avcodec_free_context(&decoder)
      throw error
    }
    let stream = unsafe try muxer.addTrack()
    target = unsafe stream.pointee.index
    try checked(unsafe avcodec_parameters_from_context(stream.pointee.codecpar, encoder))
    unsafe stream.pointee.time_base = Self.milliseconds
    unsafe try copyDescription(from: source, to: stream, keepsTimes: false)
  }

  deinit {
    var contexts: [UnsafeMutablePointer<AVCodecContext>?] = unsafe [decoder, encoder]
    for index in unsafe contexts.indices { unsafe avcodec_free_context(&contexts[index]) }
  }

  private static func decoder(
    _ source: UnsafeMutablePointer<AVStream>
  ) throws -> UnsafeMutablePointer<AVCodecContext> {
    guard let parameters = unsafe source.pointee.codecpar else { throw MovieMakingError.empty }
    let codec = unsafe parameters.pointee.codec_id
    guard let decoder = unsafe avcodec_find_decoder(codec) else {
      throw MovieMakingError.noDecoder(unsafe String(cString: avcodec_get_name(codec)))
    }
    return unsafe try opened(decoder, "open its subtitles") { context throws(AudioVideoError) in
      try checked(unsafe avcodec_parameters_to_context(context, parameters))
      unsafe context.pointee.pkt_timebase = unsafe source.pointee.time_base
    }
  }

  private static func encoder(
    for decoder: UnsafeMutablePointer<AVCodecContext>
  ) throws -> UnsafeMutablePointer<AVCodecContext> {
    guard let encoder = unsafe avcodec_find_encoder(AV_CODEC_ID_MOV_TEXT) else {
      throw MovieMakingError.noEncoder("mov_text")
    }
    return unsafe try opened(encoder, "write its subtitles") { context throws(AudioVideoError) in
      unsafe context.pointee.time_base = milliseconds
      // The styles that the decoder's lines refer to.
      let size = unsafe max(0, decoder.pointee.subtitle_header_size)
      guard let header = unsafe decoder.pointee.subtitle_header, size > 0 else { return }
      guard let copy = unsafe av_mallocz(Int(size) + 1) else { throw .outOfMemory }
      unsafe copy.copyMemory(from: header, byteCount: Int(size))
      unsafe context.pointee.subtitle_header = copy.assumingMemoryBound(to: UInt8.self)
      unsafe context.pointee.subtitle_header_size = size
    }
  }

  /// An open context for a codec.
  private static func opened(
    _ codec: UnsafePointer<AVCodec>, _ action: String,
    _ prepare: (UnsafeMutablePointer<AVCodecContext>) throws(AudioVideoError) -> Void
  ) throws(MovieMakingError) -> UnsafeMutablePointer<AVCodecContext> {
    var made: UnsafeMutablePointer<AVCodecContext>? = unsafe avcodec_alloc_context3(codec)
    return unsafe try doing(action) { () throws(AudioVideoError) in
      guard let context = unsafe made else { throw .outOfMemory }
      do throws(AudioVideoError) {
        unsafe try prepare(context)
        try checked(unsafe avcodec_open2(context, codec, nil))
      } catch {
        unsafe avcodec_free_context(&made)
        throw error
      }
      return unsafe context
    }
  }

  var notes: [String] {
    damaged == 0 ? [] : ["Subtitles left out because they cannot be read: \(damaged)."]
  }

  func take(_ packet: Packet) throws {
    var subtitle = unsafe AVSubtitle()
    var isThere: Int32 = 0
    let result = unsafe avcodec_decode_subtitle2(decoder, &subtitle, &isThere, packet.pointer)
    defer { unsafe avsubtitle_free(&subtitle) }
    if result == shoebox_averror_no_memory() { throw AudioVideoError.outOfMemory }
    guard result >= 0 else {
      damaged += 1
      return
    }
    guard isThere != 0, unsafe subtitle.num_rects > 0,
      let moment = unsafe known(subtitle.pts)
    else { return }
    // The subtitle's own times are relative to the packet's.
    let time = av_rescale_q(moment, .microseconds, Self.milliseconds)
    let start = unsafe max(0, time &+ Int64(subtitle.start_display_time))
    var stop = unsafe time &+ Int64(subtitle.end_display_time)
    if let end { stop = min(stop, end) }
    guard start < stop else { return }
    unsafe subtitle.start_display_time = 0
    unsafe subtitle.end_display_time = UInt32(clamping: stop - start)
    unsafe try write(&subtitle, from: start, duration: stop - start)
  }

  private func write(_ subtitle: inout AVSubtitle, from start: Int64, duration: Int64) throws {
    let packet = unsafe packet.pointer
    unsafe av_packet_unref(packet)
    try checked(unsafe av_new_packet(packet, Self.maximumSize))
    let size = unsafe avcodec_encode_subtitle(
      encoder, packet.pointee.data, Self.maximumSize, &subtitle)
    guard size > 0, let stream = unsafe muxer.track(target) else {
      damaged += 1
      return
    }
    unsafe av_shrink_packet(packet, size)
    // Two subtitles of the same time follow each other directly.
    lastTime = max(start, lastTime + 1)
    unsafe (packet.pointee.pts, packet.pointee.dts) = (lastTime, lastTime)
    unsafe packet.pointee.duration = duration
    unsafe packet.pointee.stream_index = target
    unsafe av_packet_rescale_ts(packet, Self.milliseconds, stream.pointee.time_base)
    try muxer.write(self.packet)
    count += 1
  }

  func finish(progress: () throws -> Void) throws {}
}
