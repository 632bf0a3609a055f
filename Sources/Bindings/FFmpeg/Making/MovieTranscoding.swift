import CFFmpeg
import MediaEdits
import MediaModel

// What is needed to decode, filter and re-encode a source's tracks.

extension MovieFile {
  /// Creates the object that re-encodes a video track.
  func transcoding(
    _ stream: UnsafeMutablePointer<AVStream>, _ encoding: VideoEncoding, to muxer: MovieMuxer,
    threads: Int, origin: Int64, length: TimeSpan?, keepsTimes: Bool, display: MasteringDisplay?,
    toneTable: ToneTable
  ) throws -> TrackTranscoding {
    if unsafe DolbyVision(stream)?.hasBaseLayer == false { throw MovieMakingError.noBaseLayer }
    let input = unsafe try VideoFormat(stream)
    let filters = unsafe input.filters(stream, encoding, length: length)
    let timing = unsafe VideoTiming(
      base: length == nil ? stream.pointee.time_base : stream.pointee.time_base.fine,
      rate: av_guess_frame_rate(context, stream, nil))
    let table = filters.mapsTones ? filters.color.table(toneTable) : nil
    let graph = try input.graph(filters, timing, threads: threads, table: table)
    let encoder = try TrackEncoder.video(
      encoding, graph, color: filters.resultColor, threads: threads,
      display: display)
    return unsafe try TrackTranscoding(
      stream, to: muxer, encoder: encoder, graph: graph, graphBase: timing.base,
      origin: origin, threads: threads, length: length, keepsTimes: keepsTimes, display: display,
      isTurned: filters.orientation != .up
    ) { frame, shapeChange in
      let input = VideoFormat(frame)
      var filters = filters
      filters.size = input.size
      filters.shapeChange = shapeChange
      return try input.graph(filters, timing, threads: threads, table: table)
    }
  }

  /// Creates the object that re-encodes an audio track.
  func transcoding(
    _ stream: UnsafeMutablePointer<AVStream>, _ encoding: AudioEncoding, to muxer: MovieMuxer,
    origin: Int64, length: TimeSpan?, keepsTimes: Bool
  ) throws -> TrackTranscoding {
    let input = unsafe try AudioFormat(stream)
    let filters = input.filters(encoding, length: length)
    let base = AVRational(num: 1, den: input.sampleRate)
    let graph = try input.graph(filters.chain, base)
    let encoder = try TrackEncoder.audio(filters, graph)
    let joint = try AudioFormat(encoder).graph(
      filters.joiningChain, unsafe encoder.context.pointee.time_base)
    encoder.setFrameSize(of: joint)
    return unsafe try TrackTranscoding(
      stream, to: muxer, encoder: encoder, graph: graph, joint: joint, graphBase: base,
      origin: origin, threads: 1, length: length, keepsTimes: keepsTimes
    ) { frame, _ in
      // The output format stays the one that the encoder was opened for.
      try AudioFormat(frame).graph(filters.chain, base)
    }
  }
}

/// The time base and frame rate of decoded frames.
private struct VideoTiming {
  var base: AVRational
  var rate: AVRational
}

extension AVRational {
  /// A time base with the same moments and others between them, at most a tenth of a millisecond apart: a cut can be
  /// between the frames of an AVI, whose time base is a frame.
  fileprivate var fine: AVRational {
    guard num > 0, den > 0 else { return self }
    return AVRational(num: 1, den: den < 10_000 ? den * ((10_000 + den - 1) / den) : den)
  }
}

/// The size and pixel format of decoded frames.
private struct VideoFormat {
  var size: PixelSize
  var format: AVPixelFormat

  init(_ stream: UnsafeMutablePointer<AVStream>) throws(MovieMakingError) {
    guard let parameters = unsafe stream.pointee.codecpar else { throw .empty }
    size = unsafe PixelSize(
      width: Int(parameters.pointee.width), height: Int(parameters.pointee.height))
    format =
      unsafe CodedTransparency(stream)?.pixelFormat
      ?? AVPixelFormat(rawValue: unsafe parameters.pointee.format)
    guard size.width > 0, size.height > 0, format != AV_PIX_FMT_NONE else {
      throw .undecodable(unsafe String(cString: avcodec_get_name(parameters.pointee.codec_id)))
    }
  }

  init(_ frame: Frame) {
    let frame = unsafe frame.pointer
    size = unsafe PixelSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height))
    format = AVPixelFormat(rawValue: unsafe frame.pointee.format)
  }

  private var hasAlpha: Bool {
    let flags = unsafe av_pix_fmt_desc_get(format)?.pointee.flags ?? 0
    return flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
  }

  func filters(
    _ stream: UnsafeMutablePointer<AVStream>, _ encoding: VideoEncoding, length: TimeSpan?
  ) -> VideoFilters {
    let track = unsafe MovieStream(stream)
    let parameters = unsafe stream.pointee.codecpar
    var filters = VideoFilters(
      size: size, orientation: track?.orientation ?? .up,
      color: unsafe parameters.map { unsafe VideoColor($0) } ?? .bt709, encoding: encoding,
      pixelFormat: encoding.pixelFormat(hasAlpha: hasAlpha), length: length)
    filters.isInterlaced =
      unsafe parameters.map { unsafe FieldOrder.mayBeInterlaced($0) } ?? false
    filters.frameRate = track?.frameRate
    return filters
  }

  func graph(
    _ filters: VideoFilters, _ timing: VideoTiming, threads: Int, table: Raster?
  ) throws(MovieMakingError) -> FilterGraph {
    let name = unsafe av_get_pix_fmt_name(format).map { unsafe String(cString: $0) } ?? ""
    // Square pixels: the target size already accounts for other aspect ratios.
    let source =
      "video_size=\(size.width)x\(size.height):pix_fmt=\(name):time_base=\(timing.base.text)"
      + ":pixel_aspect=1/1" + (timing.rate.value == nil ? "" : ":frame_rate=\(timing.rate.text)")
    return try doing("set up its filters") { () throws(AudioVideoError) in
      try FilterGraph(
        source: source, filters: filters.chain, isVideo: true, threads: threads, table: table)
    }
  }
}

/// The format of decoded audio.
private struct AudioFormat {
  var sampleRate: Int32
  var layout: ChannelLayout
  var format: AVSampleFormat
  /// Whether samples have more than 16 bits.
  var isDeep = false

  init(_ stream: UnsafeMutablePointer<AVStream>) throws(MovieMakingError) {
    guard let parameters = unsafe stream.pointee.codecpar else { throw .empty }
    sampleRate = unsafe parameters.pointee.sample_rate
    layout = unsafe ChannelLayout(parameters.pointee.ch_layout)
    format = AVSampleFormat(rawValue: unsafe parameters.pointee.format)
    let bits = unsafe [
      parameters.pointee.bits_per_raw_sample, parameters.pointee.bits_per_coded_sample,
    ]
    isDeep = bits.contains { $0 > 16 }
    guard sampleRate > 0, layout.count > 0, format != AV_SAMPLE_FMT_NONE else {
      throw .undecodable(unsafe String(cString: avcodec_get_name(parameters.pointee.codec_id)))
    }
  }

  init(_ frame: Frame) {
    let frame = unsafe frame.pointer
    unsafe sampleRate = frame.pointee.sample_rate
    layout = unsafe ChannelLayout(frame.pointee.ch_layout)
    format = AVSampleFormat(rawValue: unsafe frame.pointee.format)
  }

  /// The format that an open encoder takes.
  init(_ encoder: TrackEncoder) {
    let context = unsafe encoder.context
    unsafe sampleRate = context.pointee.sample_rate
    layout = unsafe ChannelLayout(context.pointee.ch_layout)
    format = unsafe context.pointee.sample_fmt
  }

  func filters(_ encoding: AudioEncoding, length: TimeSpan?) -> AudioFilters {
    AudioFilters(
      layout: layout, sampleRate: Int(sampleRate), isDeep: isDeep, encoding: encoding,
      length: length)
  }

  /// A filter graph for frames of this format.
  ///
  /// - Parameter base: the time base of the input.
  func graph(
    _ chain: [String], _ base: AVRational
  ) throws(MovieMakingError) -> FilterGraph {
    let name = unsafe av_get_sample_fmt_name(format).map { unsafe String(cString: $0) } ?? ""
    let source =
      "sample_rate=\(sampleRate):sample_fmt=\(name):time_base=\(base.text)"
      + ":channel_layout=\(layout.name)"
    return try doing("set up its filters") { () throws(AudioVideoError) in
      try FilterGraph(source: source, filters: chain, isVideo: false, threads: 1)
    }
  }
}
