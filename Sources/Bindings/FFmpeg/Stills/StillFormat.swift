import CFFmpeg
import Glibc
package import MediaEdits
import MediaModel

/// The still picture formats that libavcodec decodes from a whole file.
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
  ///
  /// - Parameter isLimited: whether to assume limited range if the decoder does not specify it. Still pictures
  ///   are in full range unless tagged otherwise, and most decoders do not set it.
  package func decode(
    _ bytes: [UInt8], isLimited: Bool = false
  ) throws(AudioVideoError) -> DecodedStill {
    guard let descriptor = unsafe avcodec_descriptor_get_by_name(rawValue) else {
      throw AudioVideoError(reason: .unsupported, detail: "FFmpeg was built without this format")
    }
    let codec = try unsafe StillCodec(descriptor.pointee.id)
    try codec.decode(bytes)
    // Since FFmpeg 6.1 those of a PNG are guesses from `gAMA` and `cHRM`: gamma 1/2.2, which programs write for sRGB,
    // becomes a power function.
    let tags = self == .png ? (primaries: nil, transfer: nil) : codec.decoder.colorTags
    return DecodedStill(
      raster: try unsafe Raster(frame: codec.frame, isLimited: isLimited),
      hasFullChroma: codec.decoder.hasFullChroma, primaries: tags.primaries,
      transfer: tags.transfer, profile: unsafe Self.profile(of: codec.frame))
  }
}

extension StillFormat {
  /// The ICC profile that a decoder found.
  private static func profile(of frame: UnsafePointer<AVFrame>) -> [UInt8]? {
    guard let data = unsafe av_frame_get_side_data(frame, AV_FRAME_DATA_ICC_PROFILE),
      unsafe data.pointee.size > 0
    else { return nil }
    return unsafe [UInt8](
      UnsafeBufferPointer(start: data.pointee.data, count: Int(data.pointee.size)))
  }
}

/// A decoded still picture, as it is stored: not turned upright.
package struct DecodedStill: Sendable {
  package var raster: Raster
  /// Whether the coded picture has a colour for each pixel, as in RGB and 4:4:4. The layout of ``raster`` can be another one.
  package var hasFullChroma: Bool
  /// ITU-T H.273 numbers of the colour primaries and the transfer function, if the file has them.
  package var primaries: Int?
  package var transfer: Int?
  /// The ICC profile in the coded picture, as its decoder returns it.
  package var profile: [UInt8]?
}

/// One open decoder of still pictures, closed with this value.
@safe struct StillCodec: ~Copyable {
  fileprivate let decoder: PictureDecoder

  /// The last decoded frame.
  var frame: UnsafeMutablePointer<AVFrame> { unsafe decoder.frame }

  /// - Parameter configuration: the decoder configuration that the container stores apart from the pictures.
  init(_ id: AVCodecID, configuration: [UInt8] = []) throws(AudioVideoError) {
    decoder = try unsafe PictureDecoder(id) { context in
      unsafe Self.setExtradata(configuration, of: context) ? 0 : -ENOMEM
    }
  }

  /// Sets the context's extradata, which the context frees. libavcodec reads a little beyond its end.
  private static func setExtradata(
    _ configuration: [UInt8], of context: UnsafeMutablePointer<AVCodecContext>
  ) -> Bool {
    guard !configuration.isEmpty else { return true }
    let padded = configuration.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)
    guard let memory = unsafe av_mallocz(padded) else { return false }
    unsafe memory.copyMemory(from: configuration, byteCount: configuration.count)
    unsafe context.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
    unsafe context.pointee.extradata_size = Int32(configuration.count)
    return true
  }

  /// Decodes one self-contained picture into ``frame``.
  func decode(_ bytes: [UInt8]) throws(AudioVideoError) {
    guard let count = Int32(exactly: bytes.count), unsafe av_new_packet(decoder.packet, count) >= 0
    else {
      throw AudioVideoError(reason: .outOfMemory, detail: "Cannot allocate memory")
    }
    unsafe decoder.packet.pointee.data.update(from: bytes, count: bytes.count)
    unsafe decoder.packet.pointee.flags |= AV_PKT_FLAG_KEY
    let sent = unsafe avcodec_send_packet(decoder.context, decoder.packet)
    unsafe av_packet_unref(decoder.packet)
    guard sent >= 0 else { throw AudioVideoError(code: sent) }
    if unsafe avcodec_receive_frame(decoder.context, decoder.frame) >= 0 { return }
    // A decoder that waits for more input needs the end marker, and a flush before the next picture.
    unsafe avcodec_send_packet(decoder.context, nil)
    let received = unsafe avcodec_receive_frame(decoder.context, decoder.frame)
    unsafe avcodec_flush_buffers(decoder.context)
    guard received >= 0 else {
      throw AudioVideoError(reason: .damaged, detail: "No picture in the data")
    }
  }
}
