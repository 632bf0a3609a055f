import CFFmpeg
package import MediaEdits
import MediaModel

/// Encodes PNGs with 8 or 16 bits a sample, with or without transparency.
package enum PNGEncoder {
  /// A PNG without any metadata.
  package static func encode(_ raster: Raster) throws(AudioVideoError) -> [UInt8] {
    let source =
      raster.planes.count > 1 ? try raster.converted(to: .rgb8) : raster
    guard let codec = unsafe avcodec_find_encoder(AV_CODEC_ID_PNG) else {
      throw AudioVideoError(reason: .unsupported, detail: "FFmpeg was built without PNG")
    }
    let encoder = try unsafe PictureEncoder(codec, source.size, source.layout.networkPixelFormat)
    return try encoder.encode(source)
  }
}

extension Raster.Layout {
  /// As PNG stores samples: big-endian.
  fileprivate var networkPixelFormat: AVPixelFormat {
    switch self {
    case .gray16: AV_PIX_FMT_GRAY16BE
    case .rgb16: AV_PIX_FMT_RGB48BE
    case .rgba16: AV_PIX_FMT_RGBA64BE
    default: pixelFormat
    }
  }
}

/// An open encoder for one picture, closed with this value.
@safe private struct PictureEncoder: ~Copyable {
  private var context: UnsafeMutablePointer<AVCodecContext>?
  private var frame: UnsafeMutablePointer<AVFrame>?
  private var packet: UnsafeMutablePointer<AVPacket>?

  init(
    _ codec: UnsafePointer<AVCodec>, _ size: PixelSize, _ format: AVPixelFormat
  ) throws(AudioVideoError) {
    _ = AudioVideoLibrary.isSilent
    unsafe context = avcodec_alloc_context3(codec)
    unsafe frame = av_frame_alloc()
    unsafe packet = av_packet_alloc()
    guard let context = unsafe context, let frame = unsafe frame, unsafe packet != nil else {
      throw AudioVideoError(reason: .outOfMemory, detail: "Cannot allocate memory")
    }
    unsafe context.pointee.width = Int32(size.width)
    unsafe context.pointee.height = Int32(size.height)
    unsafe context.pointee.pix_fmt = format
    unsafe context.pointee.time_base = AVRational(num: 1, den: 1)
    unsafe context.pointee.thread_count = 1
    // The ratio is written into the file; 0:0 would mean pixels without width.
    unsafe context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
    // Choose the best filter for each row, as the PNG specification recommends.
    unsafe av_opt_set(context.pointee.priv_data, "pred", "mixed", 0)
    unsafe frame.pointee.width = Int32(size.width)
    unsafe frame.pointee.height = Int32(size.height)
    unsafe frame.pointee.format = format.rawValue
    for result in unsafe [avcodec_open2(context, codec, nil), av_frame_get_buffer(frame, 0)]
    where result < 0 { throw AudioVideoError(code: result) }
  }

  deinit {
    var (context, frame, packet) = unsafe (self.context, self.frame, self.packet)
    unsafe avcodec_free_context(&context)
    unsafe av_frame_free(&frame)
    unsafe av_packet_free(&packet)
  }

  func encode(_ raster: Raster) throws(AudioVideoError) -> [UInt8] {
    guard let frame = unsafe frame, let packet = unsafe packet else { return [] }
    try unsafe copy(raster, into: frame)
    for result in unsafe [
      avcodec_send_frame(context, frame), avcodec_send_frame(context, nil),
      avcodec_receive_packet(context, packet),
    ] where result < 0 { throw AudioVideoError(code: result) }
    return unsafe [UInt8](
      UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
  }

  private func copy(
    _ raster: Raster, into frame: UnsafeMutablePointer<AVFrame>
  ) throws(AudioVideoError) {
    let target = unsafe PixelSource(frame)
    var failure: AudioVideoError?
    unsafe raster.withPlanes { planes in
      let source = unsafe PixelSource(raster, planes: planes)
      do throws(AudioVideoError) {
        let scaler = try unsafe Scaler(
          from: source, to: raster.size, target.format, filter: shoebox_bicubic())
        try unsafe scaler.run(
          source, into: target.planes.map { unsafe UnsafeMutablePointer(mutating: $0) },
          strides: target.strides)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
