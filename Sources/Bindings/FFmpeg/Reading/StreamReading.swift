import CFFmpeg
import MediaModel

// Conversion of FFmpeg's structures to values.

extension MovieStream {
  /// - Parameter context: the movie's, which may know the pixel aspect ratio better than the stream.
  init?(
    _ stream: UnsafeMutablePointer<AVStream>,
    _ context: UnsafeMutablePointer<AVFormatContext>? = nil
  ) {
    guard let codec = unsafe stream.pointee.codecpar else { return nil }
    self.init(kind: Kind(unsafe codec.pointee.codec_type))
    let identifier = unsafe codec.pointee.codec_id
    self.codec =
      identifier == AV_CODEC_ID_NONE
      ? nil : unsafe String(cString: avcodec_get_name(identifier))
    tag = Self.fourCharacters(unsafe codec.pointee.codec_tag)
    let (width, height) = unsafe (codec.pointee.width, codec.pointee.height)
    size =
      kind == .video && width > 0 && height > 0
      ? PixelSize(width: Int(width), height: Int(height)) : nil
    let aspect = unsafe av_guess_sample_aspect_ratio(context, stream, nil).value
    pixelAspect = kind == .video && aspect != 1 ? aspect : nil
    orientation = unsafe Self.orientation(stream)
    frameRate = kind == .video ? unsafe Self.frameRate(stream) : nil
    dynamicRange = kind == .video ? unsafe Self.dynamicRange(stream, codec) : nil
    isAttachedPicture = unsafe stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
    isDefault = unsafe stream.pointee.disposition & AV_DISPOSITION_DEFAULT != 0
    let (length, base) = unsafe (stream.pointee.duration, stream.pointee.time_base)
    duration =
      length > 0 && base.den > 0 ? Double(length) * Double(base.num) / Double(base.den) : nil
    metadata = unsafe MetadataEntry.list(stream.pointee.metadata)
  }

  /// A codec tag's characters; nil where they are not printable.
  private static func fourCharacters(_ tag: UInt32) -> String? {
    let bytes = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: tag >> $0) }
    guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func frameRate(_ stream: UnsafeMutablePointer<AVStream>) -> Double? {
    for rate in unsafe [stream.pointee.avg_frame_rate, stream.pointee.r_frame_rate]
    where rate.num > 0 && rate.den > 0 {
      return Double(rate.num) / Double(rate.den)
    }
    return nil
  }

  private static func dynamicRange(
    _ stream: UnsafeMutablePointer<AVStream>, _ codec: UnsafeMutablePointer<AVCodecParameters>
  ) -> DynamicRange {
    var size = 0
    if unsafe shoebox_find_side_data(stream, AV_PKT_DATA_DOVI_CONF, &size) != nil {
      return .dolbyVision
    }
    switch unsafe codec.pointee.color_trc {
    case AVCOL_TRC_SMPTE2084: return .pq
    case AVCOL_TRC_ARIB_STD_B67: return .hlg
    default: return .sdr
    }
  }

  /// The orientation for a stream's display matrix: nine 32-bit numbers, of which the four that rotate and
  /// mirror are used (libavutil/display.h: x' = a·x + c·y, y' = b·x + d·y).
  private static func orientation(_ stream: UnsafeMutablePointer<AVStream>) -> Orientation? {
    var size = 0
    guard let data = unsafe shoebox_find_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size),
      size >= 36
    else { return nil }
    let matrix = unsafe UnsafeRawBufferPointer(start: data, count: size)
    let element = { (index: Int) in
      unsafe matrix.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)
    }
    return Orientation(a: element(0), b: element(1), c: element(3), d: element(4))
  }
}

extension MovieStream.Kind {
  fileprivate init(_ type: AVMediaType) {
    switch type {
    case AVMEDIA_TYPE_VIDEO: self = .video
    case AVMEDIA_TYPE_AUDIO: self = .audio
    case AVMEDIA_TYPE_SUBTITLE: self = .subtitle
    case AVMEDIA_TYPE_DATA: self = .data
    default: self = .other
    }
  }
}

extension MetadataEntry {
  /// Longer values are cut, and further entries are ignored.
  private static let maximumLength = 64 << 10
  private static let maximumCount = 1000

  static func list(_ dictionary: OpaquePointer?) -> [MetadataEntry] {
    var entries: [MetadataEntry] = []
    var entry = unsafe av_dict_get(dictionary, "", nil, AV_DICT_IGNORE_SUFFIX)
    while let found = unsafe entry, entries.count < maximumCount {
      if let key = unsafe found.pointee.key, let value = unsafe found.pointee.value {
        entries.append(
          MetadataEntry(
            key: unsafe String(cString: key),
            value: String(unsafe String(cString: value).prefix(maximumLength))))
      }
      unsafe entry = unsafe av_dict_get(dictionary, "", found, AV_DICT_IGNORE_SUFFIX)
    }
    return entries
  }
}
