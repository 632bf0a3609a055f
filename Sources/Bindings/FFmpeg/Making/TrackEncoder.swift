import CFFmpeg

/// Encodes one track.
@safe final class TrackEncoder {
  let context: UnsafeMutablePointer<AVCodecContext>
  private let encoder: UnsafePointer<AVCodec>
  let name: String

  /// A closed encoder, to be told what it has to know and then opened.
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
    // The containers here keep the parameter sets in the track's description.
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

  /// Puts a frame in; nil says that there are no more.
  func send(_ frame: Frame?) throws(AudioVideoError) {
    try checked(unsafe avcodec_send_frame(context, frame?.pointer))
  }

  /// Takes the next packet out.
  func receive(into packet: Packet) throws(AudioVideoError) -> Delivery {
    try Delivery(code: unsafe avcodec_receive_packet(context, packet.pointer))
  }

  /// Gives a track of the result its description.
  func describe(_ stream: UnsafeMutablePointer<AVStream>) throws(AudioVideoError) {
    try checked(unsafe avcodec_parameters_from_context(stream.pointee.codecpar, context))
    unsafe stream.pointee.time_base = unsafe context.pointee.time_base
  }
}
