import CFFmpeg

/// Encodes one track.
@safe final class TrackEncoder {
  let context: UnsafeMutablePointer<AVCodecContext>
  private let encoder: UnsafePointer<AVCodec>
  let name: String

  /// An encoder that is not open yet, so that it can be configured.
  init(_ name: String, threads: Int) throws {
    guard let encoder = unsafe avcodec_find_encoder_by_name(name) else {
      throw MovieMakingError.noEncoder(name)
    }
    guard let context = unsafe avcodec_alloc_context3(encoder) else {
      throw AudioVideoError.outOfMemory
    }
    self.name = name
    unsafe self.encoder = encoder
    unsafe self.context = context
    unsafe context.pointee.thread_count = Int32(clamping: threads)
    // MP4 and QuickTime store the parameter sets in the track's header.
    unsafe context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe self.context
    unsafe avcodec_free_context(&context)
  }

  func open(_ options: [(key: String, value: String)]) throws(MovieMakingError) {
    let options = Options(options)
    try doing("start the encoder \(name)") { () throws(AudioVideoError) in
      _ = try checked(unsafe avcodec_open2(context, encoder, &options.dictionary))
    }
  }

  /// Sends a frame; nil marks the end.
  func send(_ frame: Frame?) throws(AudioVideoError) {
    try checked(unsafe avcodec_send_frame(context, frame?.pointer))
  }

  /// Receives the next packet.
  func receive(into packet: Packet) throws(AudioVideoError) -> ReceiveResult {
    try ReceiveResult(code: unsafe avcodec_receive_packet(context, packet.pointer))
  }

  /// Copies the encoder's parameters to a track of the result.
  func describe(_ stream: UnsafeMutablePointer<AVStream>) throws(AudioVideoError) {
    try checked(unsafe avcodec_parameters_from_context(stream.pointee.codecpar, context))
    unsafe stream.pointee.time_base = unsafe context.pointee.time_base
  }
}
