import CFFmpeg
package import MediaModel

/// An open movie, closed with this value.
@safe package struct MovieFile: ~Copyable {
  let input: MovieInput
  /// The pauses of tracks, by their IDs.
  let pauses: [UInt32: [TrackPause]]
  private(set) var context: UnsafeMutablePointer<AVFormatContext>?

  /// Bounds on reading packets: bytes, and microseconds of the movie.
  private static let maximumProbe: Int64 = 5_000_000
  private static let maximumStreams: Int32 = 256

  /// Opens a file of `size` bytes with the demuxer for its content; the file name is not used.
  ///
  /// Only the header is read if it contains all that ``movie()`` returns.
  ///
  /// - Parameters:
  ///   - readsPackets: whether to read the first packets in any case, for values that planning and decoding
  ///     need: pixel formats, field order, frame rates.
  ///   - pauses: of the tracks of QuickTime and MP4 whose edit lists libavformat reads without them, by their IDs.
  ///   - read: returns as many of the requested bytes as there are; throws on a read error.
  package init(
    _ demuxer: Demuxer, size: UInt64, readsPackets: Bool = false,
    pauses: [UInt32: [TrackPause]] = [:],
    read: @escaping (_ offset: UInt64, _ count: Int) throws -> [UInt8]
  ) throws(AudioVideoError) {
    _ = AudioVideoLibrary.isSilent
    input = MovieInput(size: size, read: read)
    self.pauses = pauses
    guard let format = unsafe av_find_input_format(demuxer.rawValue) else {
      throw AudioVideoError(reason: .unsupported, detail: "FFmpeg was built without this format")
    }
    unsafe context = avformat_alloc_context()
    guard let opened = unsafe context, let source = unsafe input.context else {
      unsafe avformat_free_context(context)
      unsafe context = nil
      throw .outOfMemory
    }
    unsafe opened.pointee.pb = source
    unsafe opened.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    unsafe opened.pointee.probesize = Self.maximumProbe
    unsafe opened.pointee.max_analyze_duration = Self.maximumProbe
    unsafe opened.pointee.max_streams = Self.maximumStreams
    // A movie may refer to other files or addresses; none is opened.
    unsafe opened.pointee.io_open = { _, _, _, _, _ in shoebox_averror_access() }
    // This frees the context on failure.
    let result = unsafe avformat_open_input(&context, nil, format, nil)
    guard result >= 0 else { throw AudioVideoError(code: result) }
    if readsPackets || demuxer.needsPackets || needsPackets {
      // A failure leaves values unknown.
      unsafe avformat_find_stream_info(context, nil)
      correctFrameRates()
    }
  }

  /// Replaces average frame rates that FFmpeg has measured wrongly: FFmpeg 7 takes each frame of DV for one unit of the
  /// time base, 60,000 a second. The rate that it finds in the times of the first frames is right.
  private func correctFrameRates() {
    for index in 0..<streamCount {
      guard let stream = unsafe context?.pointee.streams[index] else { continue }
      let (average, unit) = unsafe (stream.pointee.avg_frame_rate, stream.pointee.time_base)
      guard unsafe (stream.pointee.r_frame_rate.value ?? .infinity) < (average.value ?? 0),
        Int64(average.num) * Int64(unit.num) == Int64(average.den) * Int64(unit.den)
      else { continue }
      unsafe stream.pointee.avg_frame_rate = unsafe stream.pointee.r_frame_rate
    }
  }

  deinit {
    var context = unsafe self.context
    unsafe avformat_close_input(&context)
    // libavformat reads through it until here.
    extendLifetime(input)
  }

  /// Whether the header lacks a size, the duration, a frame rate or the shape of a pixel, or may lack the transfer
  /// function, which HEVC and AV1 store in their own headers.
  private var needsPackets: Bool {
    var hasDuration = unsafe (context?.pointee.duration ?? 0) > 0
    // The packets of ASF change the duration that its header records.
    let isWindowsMedia = demuxerName == "asf"
    for index in 0..<streamCount {
      guard let stream = unsafe context?.pointee.streams[index],
        let codec = unsafe stream.pointee.codecpar
      else { continue }
      if unsafe stream.pointee.duration > 0 { hasDuration = true }
      guard unsafe codec.pointee.codec_type == AVMEDIA_TYPE_VIDEO,
        unsafe codec.pointee.codec_id != AV_CODEC_ID_NONE,
        unsafe stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
      else { continue }
      if unsafe codec.pointee.width <= 0 { return true }
      if !isWindowsMedia {
        let (average, rate) = unsafe (stream.pointee.avg_frame_rate, stream.pointee.r_frame_rate)
        if average.num <= 0, rate.num <= 0 { return true }
        if unsafe av_guess_sample_aspect_ratio(context, stream, nil).num <= 0 { return true }
      }
      let hasOwnColor = unsafe [AV_CODEC_ID_HEVC, AV_CODEC_ID_AV1].contains(codec.pointee.codec_id)
      if hasOwnColor, unsafe codec.pointee.color_trc == AVCOL_TRC_UNSPECIFIED { return true }
    }
    return !hasDuration
  }

  var streamCount: Int {
    unsafe min(Int(context?.pointee.nb_streams ?? 0), Int(Self.maximumStreams))
  }

  /// The movie's streams and tags.
  package func movie() -> Movie {
    guard let context = unsafe context else {
      return Movie(duration: nil, streams: [], metadata: [])
    }
    let streams = (0..<streamCount).compactMap { index in
      unsafe context.pointee.streams[index].flatMap { unsafe MovieStream($0, context) }
    }
    let duration = unsafe context.pointee.duration
    return Movie(
      duration: duration > 0
        ? shoebox_seconds(duration) : streams.compactMap(\.duration).max(),
      streams: streams, metadata: unsafe MetadataEntry.list(context.pointee.metadata))
  }
}
