import CFFmpeg
import Glibc
import MediaEdits
import MediaModel

/// An open decoder of single pictures, with its packet and its frame, closed with this value.
@safe struct PictureDecoder: ~Copyable {
  let context: UnsafeMutablePointer<AVCodecContext>
  let packet: UnsafeMutablePointer<AVPacket>
  /// The last decoded frame.
  let frame: UnsafeMutablePointer<AVFrame>

  /// - Parameter configure: sets what the container knows, before the context is opened; returns an error
  ///   code of FFmpeg, negative for failure.
  init(
    _ id: AVCodecID, configure: (UnsafeMutablePointer<AVCodecContext>) -> Int32
  ) throws(AudioVideoError) {
    _ = AudioVideoLibrary.isSilent
    guard let codec = unsafe avcodec_find_decoder(id) else {
      throw AudioVideoError(reason: .unsupported, detail: "FFmpeg cannot decode its codec")
    }
    var context = unsafe avcodec_alloc_context3(codec)
    var packet = unsafe av_packet_alloc()
    var frame = unsafe av_frame_alloc()
    var result = -ENOMEM
    if let opened = unsafe context, unsafe packet != nil, unsafe frame != nil {
      // There are as many processes as cores.
      unsafe opened.pointee.thread_count = 1
      unsafe opened.pointee.max_pixels = Int64(PixelSize.maximumDecodedPixels)
      result = unsafe configure(opened)
      if result >= 0 { result = unsafe avcodec_open2(opened, codec, nil) }
    }
    guard result >= 0, let opened = unsafe context, let madePacket = unsafe packet,
      let madeFrame = unsafe frame
    else {
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

  /// Whether the frame has the chroma of each pixel.
  var hasFullChroma: Bool {
    let format = AVPixelFormat(rawValue: unsafe frame.pointee.format)
    guard let description = unsafe av_pix_fmt_desc_get(format)?.pointee else { return false }
    return unsafe description.log2_chroma_w == 0 && description.log2_chroma_h == 0
  }

  /// ITU-T H.273 numbers of the frame's colour primaries and transfer function, if it has them.
  var colorTags: (primaries: Int?, transfer: Int?) {
    let (primaries, transfer) = unsafe (frame.pointee.color_primaries, frame.pointee.color_trc)
    return (
      primaries == AVCOL_PRI_UNSPECIFIED ? nil : Int(primaries.rawValue),
      transfer == AVCOL_TRC_UNSPECIFIED ? nil : Int(transfer.rawValue)
    )
  }
}
