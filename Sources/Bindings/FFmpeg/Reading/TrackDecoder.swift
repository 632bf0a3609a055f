import CFFmpeg
import MediaModel

/// The transparency of VP8 and VP9 in Matroska: a second frame in each packet, which FFmpeg's own decoders
/// ignore (WebM's alpha mode).
@safe struct CodedTransparency {
  /// libvpx's decoder, which decodes both frames.
  let decoder: UnsafePointer<AVCodec>
  /// The pixel format of its frames.
  let pixelFormat = AV_PIX_FMT_YUVA420P

  /// Nil for a track without transparency, or if no decoder for it is available.
  init?(_ stream: UnsafeMutablePointer<AVStream>) {
    guard let parameters = unsafe stream.pointee.codecpar,
      unsafe AVPixelFormat(rawValue: parameters.pointee.format) == AV_PIX_FMT_YUV420P,
      unsafe MetadataEntry.list(stream.pointee.metadata).contains(where: {
        $0.key.lowercased() == "alpha_mode" && $0.value == "1"
      })
    else { return nil }
    let name: String? =
      switch unsafe parameters.pointee.codec_id {
      case AV_CODEC_ID_VP8: "libvpx"
      case AV_CODEC_ID_VP9: "libvpx-vp9"
      default: nil
      }
    guard let name, let found = unsafe avcodec_find_decoder_by_name(name) else { return nil }
    unsafe decoder = found
  }
}

/// Decodes one track.
@safe final class TrackDecoder {
  private let context: UnsafeMutablePointer<AVCodecContext>

  /// - Parameter configuration: replaces that of the stream's header (FFmpeg's `extradata`); nil to use the latter.
  init(
    _ stream: UnsafeMutablePointer<AVStream>, threads: Int, configuration: [UInt8]? = nil
  ) throws {
    guard let parameters = unsafe stream.pointee.codecpar else { throw MovieMakingError.empty }
    let codecID = unsafe parameters.pointee.codec_id
    guard let decoder = unsafe CodedTransparency(stream)?.decoder ?? avcodec_find_decoder(codecID)
    else {
      throw MovieMakingError.noDecoder(unsafe String(cString: avcodec_get_name(codecID)))
    }
    guard let context = unsafe avcodec_alloc_context3(decoder) else {
      throw AudioVideoError.outOfMemory
    }
    unsafe self.context = context
    try doing("open its decoder") { () throws(AudioVideoError) in
      try checked(unsafe avcodec_parameters_to_context(context, parameters))
      if let configuration { try set(configuration) }
      unsafe context.pointee.pkt_timebase = unsafe stream.pointee.time_base
      unsafe context.pointee.thread_count = Int32(clamping: threads)
      unsafe context.pointee.max_pixels = Int64(PixelSize.maximumDecodedPixels)
      _ = try checked(unsafe avcodec_open2(context, decoder, nil))
    }
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe self.context
    unsafe avcodec_free_context(&context)
  }

  private func set(_ configuration: [UInt8]) throws(AudioVideoError) {
    guard let copy = unsafe av_mallocz(configuration.count + Int(AV_INPUT_BUFFER_PADDING_SIZE))
    else { throw .outOfMemory }
    unsafe copy.copyMemory(from: configuration, byteCount: configuration.count)
    unsafe av_free(context.pointee.extradata)
    unsafe context.pointee.extradata = copy.assumingMemoryBound(to: UInt8.self)
    unsafe context.pointee.extradata_size = Int32(clamping: configuration.count)
  }

  /// Sends a packet; nil marks the end.
  ///
  /// - Returns: false for an invalid packet.
  func send(_ packet: Packet?) throws(AudioVideoError) -> Bool {
    let result = unsafe avcodec_send_packet(context, packet?.pointer)
    if result == shoebox_averror_eof() { return true }
    if result == shoebox_averror_no_memory() { throw .outOfMemory }
    return result >= 0
  }

  /// Receives the next frame.
  func receive(into frame: Frame) throws(AudioVideoError) -> ReceiveResult {
    try ReceiveResult(code: unsafe avcodec_receive_frame(context, frame.pointer))
  }
}
