import CFFmpeg
package import MediaEdits
package import MediaModel

extension MovieFile {
  /// The movie's description for planning; open the movie with `readsPackets` to get all of it.
  ///
  /// It has no duration if timestamps jump: libavformat's is then wrong.
  ///
  /// - Parameter container: the type by content.
  package func description(_ container: UniformType) -> MovieDescription {
    let movie = movie()
    var tracks: [TrackDescription] = []
    let others = otherPrograms
    for index in 0..<streamCount {
      guard let stream = unsafe stream(index), let track = unsafe MovieStream(stream, context)
      else {
        continue
      }
      var description = unsafe TrackDescription(index: index, track, stream, context)
      if description.kind == .audio, others.contains(index) { description.kind = .other }
      tracks.append(description)
    }
    return MovieDescription(
      container: container, duration: hasSteadyTimes ? movie.duration : nil, tracks: tracks)
  }

  /// The stream with a number.
  func stream(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
    guard index >= 0, index < streamCount else { return nil }
    return unsafe context?.pointee.streams[index]
  }

  /// The number of the stream that libavformat made from a track; nil where it made none.
  ///
  /// - Parameter id: the track's ID, from its `tkhd` box.
  package func streamIndex(ofTrack id: UInt32) -> Int? {
    (0..<streamCount).first { index in
      unsafe stream(index)?.pointee.id == Int32(truncatingIfNeeded: id)
    }
  }
}

extension TrackDescription {
  fileprivate init(
    index: Int, _ track: MovieStream, _ stream: UnsafeMutablePointer<AVStream>,
    _ context: UnsafeMutablePointer<AVFormatContext>?
  ) {
    self.init(index: index, kind: Kind(track))
    // libavformat has already read QuickTime's chapters, and discards their track.
    if kind == .other, track.codec == "bin_data", unsafe stream.pointee.discard == AVDISCARD_ALL {
      kind = .chapters
    }
    codec = track.codec
    tag = track.tag
    guard let parameters = unsafe stream.pointee.codecpar else { return }
    let codecID = unsafe parameters.pointee.codec_id
    profile = unsafe avcodec_profile_name(codecID, parameters.pointee.profile)
      .map { unsafe String(cString: $0) }
    let hasDecoder = unsafe avcodec_find_decoder(codecID) != nil
    isDecodable =
      unsafe hasDecoder && DolbyVision(stream)?.hasBaseLayer != false
    let bits = unsafe parameters.pointee.bit_rate
    bitRate = bits > 0 ? Int(clamping: bits) : nil
    switch track.kind {
    case .video: unsafe describePicture(track, parameters, stream, context)
    case .audio:
      let count = unsafe Int(parameters.pointee.ch_layout.nb_channels)
      let rate = unsafe Int(parameters.pointee.sample_rate)
      channels = count > 0 ? count : nil
      sampleRate = rate > 0 ? rate : nil
    default: break
    }
  }

  private mutating func describePicture(
    _ track: MovieStream, _ parameters: UnsafeMutablePointer<AVCodecParameters>,
    _ stream: UnsafeMutablePointer<AVStream>, _ context: UnsafeMutablePointer<AVFormatContext>?
  ) {
    size = track.size
    orientation = track.orientation
    frameRate = track.frameRate
    dynamicRange = track.dynamicRange ?? .sdr
    let aspect = unsafe av_guess_sample_aspect_ratio(context, stream, nil).value
    pixelAspect = aspect == 1 ? nil : aspect
    let format =
      unsafe CodedTransparency(stream)?.pixelFormat
      ?? AVPixelFormat(rawValue: parameters.pointee.format)
    pixelFormat = unsafe av_get_pix_fmt_name(format).map { unsafe String(cString: $0) }
    bitDepth = unsafe av_pix_fmt_desc_get(format).map { unsafe Int($0.pointee.comp.0.depth) }
    isInterlaced = FieldOrder.isInterlaced(unsafe parameters.pointee.field_order)
  }
}

enum FieldOrder {
  /// Whether each frame is two fields.
  static func isInterlaced(_ order: AVFieldOrder) -> Bool {
    [AV_FIELD_TT, AV_FIELD_BB, AV_FIELD_TB, AV_FIELD_BT].contains(order)
  }

  /// Whether frames of a track may be two fields: as its header records, or as only its frames do, in DV and MPEG-4 outside
  /// of QuickTime.
  static func mayBeInterlaced(_ parameters: UnsafePointer<AVCodecParameters>) -> Bool {
    let (order, codec) = unsafe (parameters.pointee.field_order, parameters.pointee.codec_id)
    return isInterlaced(order)
      || order == AV_FIELD_UNKNOWN && [AV_CODEC_ID_DVVIDEO, AV_CODEC_ID_MPEG4].contains(codec)
  }
}

extension TrackDescription.Kind {
  fileprivate init(_ track: MovieStream) {
    switch track.kind {
    case .video where track.isAttachedPicture: self = .attachedPicture
    case .video where track.tag == "dish": self = .auxiliaryVideo
    case .video: self = .video
    case .audio: self = .audio
    case .subtitle: self = .subtitle
    case .other: self = .attachment
    case .data: self = .other
    }
  }
}

/// A Dolby Vision track's information on its base layer (Dolby Vision Streams Within the ISO Base Media
/// File Format 2.1.2 §3.2).
struct DolbyVision {
  /// Whether other decoders can show the base layer: that of profile 5 cannot be shown.
  var hasBaseLayer: Bool

  /// Nil for a track without Dolby Vision.
  init?(_ stream: UnsafeMutablePointer<AVStream>) {
    var size = 0
    guard let data = unsafe shoebox_find_side_data(stream, AV_PKT_DATA_DOVI_CONF, &size),
      size >= MemoryLayout<AVDOVIDecoderConfigurationRecord>.size
    else { return nil }
    let record = unsafe UnsafeRawBufferPointer(start: data, count: size)
      .loadUnaligned(as: AVDOVIDecoderConfigurationRecord.self)
    hasBaseLayer = record.dv_bl_signal_compatibility_id != 0
  }
}
