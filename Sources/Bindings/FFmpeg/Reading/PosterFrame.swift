import CFFmpeg
package import MediaEdits
package import MediaModel

/// One frame of a movie, reduced in size, not turned upright yet.
package struct PosterFrame: Sendable {
  /// In RGB, with 16 bits a sample if the movie has more than 8; square pixels.
  package var raster: Raster
  package var orientation: Orientation
  /// ITU-T H.273 numbers of the colour primaries and the transfer function, if the movie has them.
  package var primaries: Int?
  package var transfer: Int?
}

extension MovieFile {
  /// The position of the frame in seconds, or a tenth of a shorter movie: many movies begin with black or
  /// with the camera being raised.
  private static let position = 2.0
  /// Packets that are read to find the frame.
  private static let maximumPackets = 400

  /// The key frame near the movie's start. No other frame is decoded unless the key frame alone gives no
  /// picture.
  ///
  /// - Parameter longerSide: pixels of the longer side, at most.
  package func posterFrame(longerSide: Int) throws(AudioVideoError) -> PosterFrame {
    guard let context = unsafe context, let (index, description) = mainPicture,
      let stream = unsafe context.pointee.streams[index]
    else { throw AudioVideoError(reason: .unsupported, detail: "No video track") }
    for other in 0..<streamCount where other != index {
      unsafe context.pointee.streams[other]?.pointee.discard = AVDISCARD_ALL
    }
    let duration = unsafe context.pointee.duration
    if duration > 0 {
      let microseconds = min(Int64(Self.position * 1e6), duration / 10)
      // Without an index, reading begins at the start.
      unsafe av_seek_frame(context, -1, microseconds, AVSEEK_FLAG_BACKWARD)
    }
    let decoder = try unsafe PosterDecoder(stream)
    try unsafe decoder.decode(from: context, track: Int32(index), packets: Self.maximumPackets)
    return try decoder.poster(longerSide: longerSide, description.orientation ?? .up)
  }

  /// The video track to show: ``Movie/mainVideo``, with its number.
  private var mainPicture: (index: Int, description: MovieStream)? {
    let candidates = (0..<streamCount).compactMap { index in
      unsafe context?.pointee.streams[index].flatMap { unsafe MovieStream($0) }.map { (index, $0) }
    }
    return candidates.first { candidate in
      let stream = candidate.1
      return stream.kind == .video && !stream.isAttachedPicture && stream.tag != "dish"
        && stream.codec != nil
    }
  }
}

/// An open decoder of a movie's frames, closed with this value.
@safe struct PosterDecoder: ~Copyable {
  private let decoder: PictureDecoder
  private var context: UnsafeMutablePointer<AVCodecContext> { unsafe decoder.context }
  private var packet: UnsafeMutablePointer<AVPacket> { unsafe decoder.packet }
  private var frame: UnsafeMutablePointer<AVFrame> { unsafe decoder.frame }

  init(_ stream: UnsafeMutablePointer<AVStream>) throws(AudioVideoError) {
    guard let parameters = unsafe stream.pointee.codecpar else {
      throw AudioVideoError(reason: .unsupported, detail: "No video track")
    }
    decoder = try unsafe PictureDecoder(parameters.pointee.codec_id) { context in
      unsafe avcodec_parameters_to_context(context, parameters)
    }
  }

  /// Decodes one frame into ``frame``: the next key frame, or a following one if that gives no picture.
  func decode(
    from input: UnsafeMutablePointer<AVFormatContext>, track: Int32, packets: Int
  ) throws(AudioVideoError) {
    var seen = 0
    var hasBegun = false
    // Packets of other tracks count too: a hostile file may contain nothing else.
    while seen < packets {
      let result = unsafe av_read_frame(input, packet)
      guard result >= 0 else { break }
      defer { unsafe av_packet_unref(packet) }
      seen += 1
      guard unsafe packet.pointee.stream_index == track else { continue }
      // Decode frames that the edit list hides too: it may hide all of them.
      unsafe packet.pointee.flags &= ~AV_PKT_FLAG_DISCARD
      let isKey = unsafe packet.pointee.flags & AV_PKT_FLAG_KEY != 0
      guard hasBegun || isKey else { continue }
      guard unsafe avcodec_send_packet(context, packet) >= 0 else { continue }
      // A decoder that reorders frames would wait for more input: mark the end.
      if !hasBegun {
        unsafe avcodec_send_packet(context, nil)
      }
      if unsafe avcodec_receive_frame(context, frame) >= 0 { return }
      if !hasBegun { unsafe avcodec_flush_buffers(context) }
      hasBegun = true
    }
    unsafe avcodec_send_packet(context, nil)
    guard unsafe avcodec_receive_frame(context, frame) >= 0 else {
      throw AudioVideoError(reason: .damaged, detail: "No picture could be decoded")
    }
  }

  /// Decodes the first frame that the track shows into ``frame``.
  ///
  /// - Returns: false where none of the packets contains a frame that is shown.
  func decodeFirstShown(
    from input: UnsafeMutablePointer<AVFormatContext>, track: Int32, packets: Int
  ) -> Bool {
    for _ in 0..<packets {
      guard unsafe av_read_frame(input, packet) >= 0 else { break }
      defer { unsafe av_packet_unref(packet) }
      guard unsafe packet.pointee.stream_index == track,
        unsafe avcodec_send_packet(context, packet) >= 0
      else { continue }
      if unsafe avcodec_receive_frame(context, frame) >= 0 { return true }
    }
    unsafe avcodec_send_packet(context, nil)
    return unsafe avcodec_receive_frame(context, frame) >= 0
  }

  /// Prepares the decoder for packets of another position.
  func restart() {
    unsafe avcodec_flush_buffers(context)
  }

  /// The decoded frame with all of its pixels and samples.
  func still() throws(AudioVideoError) -> DecodedStill {
    let tags = decoder.colorTags
    // Coded video is in limited range unless it says otherwise (ITU-T H.265 §E.3.1).
    return DecodedStill(
      raster: try unsafe Raster(frame: frame, isLimited: true),
      hasFullChroma: decoder.hasFullChroma, primaries: tags.primaries, transfer: tags.transfer)
  }

  func poster(
    longerSide: Int, _ orientation: Orientation
  ) throws(AudioVideoError) -> PosterFrame {
    let format = AVPixelFormat(rawValue: unsafe frame.pointee.format)
    let depth = unsafe av_pix_fmt_desc_get(format)?.pointee.comp.0.depth ?? 8
    guard let size = shown.fitting(longerSide: longerSide),
      var raster = Raster(size: size, layout: depth > 8 ? .rgb16 : .rgb8)
    else { throw AudioVideoError(reason: .unsupported, detail: "Pictures of this size") }
    var source = unsafe PixelSource(frame)
    if unsafe frame.pointee.colorspace == AVCOL_SPC_UNSPECIFIED {
      // Untagged video usually has the matrix that belongs to its height.
      unsafe source.matrix = source.size.height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601
    }
    try unsafe raster.fill(from: source, filter: shoebox_area())
    let tags = decoder.colorTags
    return PosterFrame(
      raster: raster, orientation: orientation, primaries: tags.primaries, transfer: tags.transfer)
  }

  /// The frame's size in square pixels.
  private var shown: PixelSize {
    let coded = PixelSize(
      width: Int(unsafe frame.pointee.width), height: Int(unsafe frame.pointee.height))
    let aspect = unsafe frame.pointee.sample_aspect_ratio
    guard aspect.num > 0, aspect.den > 0, aspect.num < 1000, aspect.den < 1000 else { return coded }
    return PixelSize(width: coded.width * Int(aspect.num) / Int(aspect.den), height: coded.height)
  }
}
