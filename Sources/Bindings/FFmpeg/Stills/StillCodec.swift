import CFFmpeg
import Glibc
package import MediaEdits
import MediaModel

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
  ///
  /// - Parameter isLimited: whether black is 16 where the decoder does not say what it is; still pictures
  ///   are in full range unless they say otherwise, and most decoders of them say nothing.
  package func decode(
    _ bytes: [UInt8], isLimited: Bool = false
  ) throws(AudioVideoError) -> DecodedStill {
    guard let descriptor = unsafe avcodec_descriptor_get_by_name(rawValue) else {
      throw AudioVideoError(reason: .unsupported, detail: "FFmpeg was built without this format")
    }
    let codec = try unsafe StillCodec(descriptor.pointee.id)
    try codec.decode(bytes)
    let tags = codec.decoder.colorTags
    return DecodedStill(
      raster: try unsafe Raster(frame: codec.frame, isLimited: isLimited),
      primaries: tags.primaries,
      transfer: tags.transfer)
  }
}

/// A still picture, decoded as it is stored.
package struct DecodedStill: Sendable {
  package var raster: Raster
  /// ITU-T H.273 numbers of the colour primaries and the transfer function, where the file tells.
  package var primaries: Int?
  package var transfer: Int?
}

/// One open decoder of still pictures, closed with this value.
@safe struct StillCodec: ~Copyable {
  fileprivate let decoder: PictureDecoder

  /// What was decoded last.
  var frame: UnsafeMutablePointer<AVFrame> { unsafe decoder.frame }

  /// - Parameter configuration: what the container keeps for the decoder beside the pictures.
  init(_ id: AVCodecID, configuration: [UInt8] = []) throws(AudioVideoError) {
    decoder = try unsafe PictureDecoder(id) { context in
      unsafe Self.give(configuration, to: context) ? 0 : -ENOMEM
    }
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
    // A decoder that waits for what comes next is told that nothing does, and made ready again.
    unsafe avcodec_send_packet(decoder.context, nil)
    let received = unsafe avcodec_receive_frame(decoder.context, decoder.frame)
    unsafe avcodec_flush_buffers(decoder.context)
    guard received >= 0 else {
      throw AudioVideoError(reason: .damaged, detail: "No picture in the data")
    }
  }
}
