import CFFmpeg

/// Decodes one track.
@safe final class TrackDecoder {
  private let context: UnsafeMutablePointer<AVCodecContext>

  init(_ stream: UnsafeMutablePointer<AVStream>, threads: Int) throws {
    guard let parameters = unsafe stream.pointee.codecpar else { throw MovieMakingError.empty }
    let codecID = unsafe parameters.pointee.codec_id
    guard let decoder = unsafe avcodec_find_decoder(codecID) else {
      throw MovieMakingError.noDecoder(unsafe String(cString: avcodec_get_name(codecID)))
    }
    guard let context = unsafe avcodec_alloc_context3(decoder) else {
      throw AudioVideoError.outOfMemory
    }
    unsafe self.context = context
    try doing("open its decoder") { () throws(AudioVideoError) in
      try checked(unsafe avcodec_parameters_to_context(context, parameters))
      unsafe context.pointee.pkt_timebase = unsafe stream.pointee.time_base
      unsafe context.pointee.thread_count = Int32(clamping: threads)
      _ = try checked(unsafe avcodec_open2(context, decoder, nil))
    }
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe self.context
    unsafe avcodec_free_context(&context)
  }

  /// Puts a packet in; nil says that there are no more.
  ///
  /// - Returns: false for a packet that makes no sense.
  func send(_ packet: Packet?) throws(AudioVideoError) -> Bool {
    let result = unsafe avcodec_send_packet(context, packet?.pointer)
    if result == shoebox_averror_eof() { return true }
    if result == shoebox_averror_no_memory() { throw .outOfMemory }
    return result >= 0
  }

  /// Takes the next frame out.
  func receive(into frame: Frame) throws(AudioVideoError) -> Delivery {
    try Delivery(code: unsafe avcodec_receive_frame(context, frame.pointer))
  }
}
