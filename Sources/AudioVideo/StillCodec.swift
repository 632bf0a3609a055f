import CFFmpeg
package import MediaModel

/// The formats of still pictures that libavcodec decodes from all of a file's bytes.
package enum StillFormat: String, Sendable, CaseIterable {
  case png, gif, webp, tiff, bmp
  case jpegXL = "jpegxl"
  case jpeg2000 = "jpeg2000"

  /// Whether this build's libavcodec has a decoder for it.
  package var isDecodable: Bool {
    guard let descriptor = unsafe avcodec_descriptor_get_by_name(rawValue) else { return false }
    return unsafe avcodec_find_decoder(descriptor.pointee.id) != nil
  }

  /// Decodes the first picture of a file.
  package func decode(_ bytes: [UInt8]) throws(AudioVideoError) -> DecodedStill {
    guard let descriptor = unsafe avcodec_descriptor_get_by_name(rawValue) else {
      throw AudioVideoError(reason: .unsupported, detail: "FFmpeg was built without this format")
    }
    let codec = try unsafe StillCodec(descriptor.pointee.id)
    try codec.decode(bytes)
    let (primaries, transfer) = unsafe (
      codec.frame.pointee.color_primaries, codec.frame.pointee.color_trc
    )
    return DecodedStill(
      raster: try unsafe Raster(frame: codec.frame),
      primaries: primaries == AVCOL_PRI_UNSPECIFIED ? nil : Int(primaries.rawValue),
      transfer: transfer == AVCOL_TRC_UNSPECIFIED ? nil : Int(transfer.rawValue))
  }
}

/// A still picture, decoded as it is stored.
package struct DecodedStill: Sendable {
  package var raster: Raster
  /// ITU-T H.273 numbers of the colour primaries and the transfer function, where the file tells.
  package var primaries: Int?
  package var transfer: Int?
}

/// One open decoder of still pictures and the frame that it fills, closed with this value.
@safe struct StillCodec: ~Copyable {
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let packet: UnsafeMutablePointer<AVPacket>
  /// What was decoded last.
  let frame: UnsafeMutablePointer<AVFrame>

  /// - Parameter configuration: what the container keeps for the decoder beside the pictures.
  init(_ id: AVCodecID, configuration: [UInt8] = []) throws(AudioVideoError) {
    _ = AudioVideoLibrary.isSilent
    guard let codec = unsafe avcodec_find_decoder(id) else {
      throw AudioVideoError(reason: .unsupported, detail: "FFmpeg was built without this format")
    }
    var context = unsafe avcodec_alloc_context3(codec)
    var packet = unsafe av_packet_alloc()
    var frame = unsafe av_frame_alloc()
    guard let opened = unsafe context, let madePacket = unsafe packet,
      let madeFrame = unsafe frame, unsafe Self.give(configuration, to: opened)
    else {
      unsafe avcodec_free_context(&context)
      unsafe av_packet_free(&packet)
      unsafe av_frame_free(&frame)
      throw AudioVideoError(reason: .outOfMemory, detail: "Cannot allocate memory")
    }
    // There are as many processes as there are cores.
    unsafe opened.pointee.thread_count = 1
    unsafe opened.pointee.max_pixels = Int64(Raster.maximumPixels)
    let result = unsafe avcodec_open2(opened, codec, nil)
    guard result >= 0 else {
      unsafe avcodec_free_context(&context)
      unsafe av_packet_free(&packet)
      unsafe av_frame_free(&frame)
      throw AudioVideoError(code: result)
    }
    unsafe self.context = opened
    unsafe self.packet = madePacket
    unsafe self.frame = madeFrame
  }

  deinit {
    var (context, packet, frame) = unsafe (Optional(context), Optional(packet), Optional(frame))
    unsafe avcodec_free_context(&context)
    unsafe av_packet_free(&packet)
    unsafe av_frame_free(&frame)
  }

  /// The context frees it; libavcodec reads a little beyond its end.
  private static func give(
    _ configuration: [UInt8], to context: UnsafeMutablePointer<AVCodecContext>
  ) -> Bool {
    guard !configuration.isEmpty else { return true }
    let padded = configuration.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)
    guard let room = unsafe av_mallocz(padded) else { return false }
    unsafe room.copyMemory(from: configuration, byteCount: configuration.count)
    unsafe context.pointee.extradata = room.assumingMemoryBound(to: UInt8.self)
    unsafe context.pointee.extradata_size = Int32(configuration.count)
    return true
  }

  /// Decodes one picture, whole in itself, into ``frame``.
  func decode(_ bytes: [UInt8]) throws(AudioVideoError) {
    guard let count = Int32(exactly: bytes.count), unsafe av_new_packet(packet, count) >= 0 else {
      throw AudioVideoError(reason: .outOfMemory, detail: "Cannot allocate memory")
    }
    unsafe packet.pointee.data.update(from: bytes, count: bytes.count)
    unsafe packet.pointee.flags |= AV_PKT_FLAG_KEY
    let sent = unsafe avcodec_send_packet(context, packet)
    unsafe av_packet_unref(packet)
    guard sent >= 0 else { throw AudioVideoError(code: sent) }
    if unsafe avcodec_receive_frame(context, frame) >= 0 { return }
    // A decoder that waits for what comes next is told that nothing does, and made ready again.
    unsafe avcodec_send_packet(context, nil)
    let received = unsafe avcodec_receive_frame(context, frame)
    unsafe avcodec_flush_buffers(context)
    guard received >= 0 else {
      throw AudioVideoError(reason: .damaged, detail: "No picture in the data")
    }
  }
}
