import ByteReading
package import MediaModel

extension MatroskaFile {
  /// The streams and tags as FFmpeg's Matroska demuxer reports them, with FFmpeg's names.
  package var movie: Movie {
    let known = tracks.filter { [1, 2, 17, 33].contains($0.type) && !$0.codecID.isEmpty }
    var streams = known.map { track in
      var stream = track.stream
      let texts = tags.filter { $0.track != nil && $0.track == track.uid }
      stream.metadata += texts.map { MetadataEntry(key: $0.key, value: $0.value) }
      return stream
    }
    streams += attachments.map(\.stream)
    return Movie(duration: duration, streams: streams, metadata: containerTags)
  }

  private var containerTags: [MetadataEntry] {
    var entries: [MetadataEntry] = []
    /// Replaces an entry with the same key; the case of letters is ignored.
    func add(_ key: String, _ value: String?) {
      guard let value else { return }
      entries.removeAll { $0.key.lowercased() == key.lowercased() }
      entries.append(MetadataEntry(key: key, value: value))
    }
    add("title", title)
    add("encoder", writingLibrary)
    add("creation_time", date.flatMap(Self.text))
    for tag in tags where tag.track == nil {
      // FFmpeg translates these names only.
      switch tag.key {
      case "LEAD_PERFORMER": add("performer", tag.value)
      case "PART_NUMBER": add("track", tag.value)
      default: add(tag.key, tag.value)
      }
    }
    return entries
  }

  /// A date, such as `2018-01-05T23:02:37.000000Z`.
  ///
  /// - Parameter nanoseconds: since 2001-01-01 UTC (RFC 8794 §7.6).
  private static func text(_ nanoseconds: Int64) -> String? {
    let from1970To2001: Int64 = 978_307_200
    let micro = nanoseconds / 1000 + from1970To2001 * 1_000_000
    guard micro > 0 else { return nil }
    let fraction = String(micro % 1_000_000)
    return CivilTime(secondsSince1970: micro / 1_000_000).iso8601 + "."
      + String(repeating: "0", count: 6 - fraction.count) + fraction + "Z"
  }
}

extension MatroskaAttachment {
  /// Pictures are covers; other files are fonts and the like.
  fileprivate var stream: MovieStream {
    let codecs = [
      "image/gif": "gif", "image/jpeg": "mjpeg", "image/png": "png", "image/tiff": "tiff",
      "image/webp": "webp", "image/bmp": "bmp",
    ]
    let codec = mediaType.flatMap { codecs[$0] }
    var stream = MovieStream(kind: codec == nil ? .other : .video)
    stream.codec = codec
    stream.isAttachedPicture = codec != nil
    stream.metadata = [("filename", name), ("mimetype", mediaType)].compactMap { key, value in
      value.map { MetadataEntry(key: key, value: $0) }
    }
    return stream
  }
}

extension MatroskaTrack {
  fileprivate var stream: MovieStream {
    var stream = MovieStream(
      kind: type == 1 ? .video : type == 2 ? .audio : type == 17 ? .subtitle : .data)
    stream.codec = codec
    if codecID == "V_MS/VFW/FOURCC" {
      stream.tag = codecPrivate.fourCC(at: 16).flatMap { $0.isPlausible ? $0.description : nil }
    }
    // English is the default (RFC 9559 §5.1.4.1.19).
    if language ?? "eng" != "und" {
      stream.metadata.append(MetadataEntry(key: "language", value: language ?? "eng"))
    }
    if let name { stream.metadata.append(MetadataEntry(key: "title", value: name)) }
    guard type == 1 else { return stream }
    if let width = Int(exactly: width), let height = Int(exactly: height), width > 0, height > 0,
      width < 1 << 20, height < 1 << 20
    {
      stream.size = PixelSize(width: width, height: height)
    }
    stream.pixelAspect = pixelAspect
    stream.orientation = orientation
    stream.frameRate = frameRate
    let parameters: VideoParameters? =
      switch stream.codec {
      case "hevc": VideoParameters(hvcC: codecPrivate)
      case "av1": VideoParameters(av1C: codecPrivate)
      case "h264": VideoParameters(avcC: codecPrivate)
      default: nil
      }
    stream.dynamicRange =
      isDolbyVision
      ? .dolbyVision : DynamicRange(codec: stream.codec, container: transfer, parameters)
    return stream
  }

  /// Width over height of one pixel; nil for square pixels.
  private var pixelAspect: Double? {
    guard displayUnit < 4, width > 0, height > 0, width < 1 << 20, height < 1 << 20 else {
      return nil
    }
    var shown = (width: Double(displayWidth ?? width), height: Double(displayHeight ?? height))
    guard shown.width > 0, shown.height > 0 else { return nil }
    // Two pictures in one frame, next to each other or one below the other (§5.1.4.1.28.3).
    if [1, 4, 5, 11].contains(stereoMode) { shown.width *= 2 }
    if [2, 3, 6, 7].contains(stereoMode) { shown.height *= 2 }
    let aspect = Double(height) * shown.width / (Double(width) * shown.height)
    return aspect == 1 ? nil : aspect
  }

  private var orientation: Orientation? {
    guard isRectangular, let roll, roll != 0, roll.remainder(dividingBy: 90) == 0, abs(roll) <= 360
    else { return nil }
    return Orientation(clockwiseQuarterTurns: ((-Int(roll / 90)) % 4 + 4) % 4)
  }

  private var frameRate: Double? {
    guard let defaultDuration, defaultDuration > 0, let nanoseconds = Int(exactly: defaultDuration)
    else { return nil }
    // The duration is rounded to nanoseconds; the fraction with small numbers is the exact rate.
    let rate = nearestFraction(1_000_000_000, nanoseconds, limit: 30_000)
    return rate.denominator == 0 ? nil : Double(rate.numerator) / Double(rate.denominator)
  }

  /// FFmpeg's names by the start of the codec ID (the Matroska codec registry).
  private static let codecs: [(start: String, name: String)] = [
    ("A_AAC", "aac"), ("A_AC3", "ac3"), ("A_ALAC", "alac"), ("A_DTS", "dts"), ("A_EAC3", "eac3"),
    ("A_FLAC", "flac"), ("A_MLP", "mlp"), ("A_MPEG/L2", "mp2"), ("A_MPEG/L1", "mp1"),
    ("A_MPEG/L3", "mp3"), ("A_OPUS", "opus"), ("A_TRUEHD", "truehd"), ("A_TTA1", "tta"),
    ("A_VORBIS", "vorbis"), ("A_WAVPACK4", "wavpack"),
    ("V_AV1", "av1"), ("V_DIRAC", "dirac"), ("V_FFV1", "ffv1"), ("V_MJPEG", "mjpeg"),
    ("V_MPEG1", "mpeg1video"), ("V_MPEG2", "mpeg2video"), ("V_MPEG4/ISO/ASP", "mpeg4"),
    ("V_MPEG4/ISO/AP", "mpeg4"), ("V_MPEG4/ISO/SP", "mpeg4"), ("V_MPEG4/ISO/AVC", "h264"),
    ("V_MPEGH/ISO/HEVC", "hevc"), ("V_MPEGI/ISO/VVC", "vvc"), ("V_MPEG4/MS/V3", "msmpeg4v3"),
    ("V_PRORES", "prores"), ("V_REAL/RV10", "rv10"), ("V_REAL/RV20", "rv20"),
    ("V_REAL/RV30", "rv30"), ("V_REAL/RV40", "rv40"), ("V_SNOW", "snow"), ("V_THEORA", "theora"),
    ("V_UNCOMPRESSED", "rawvideo"), ("V_VP8", "vp8"), ("V_VP9", "vp9"),
    ("S_TEXT/UTF8", "subrip"), ("S_TEXT/ASCII", "subrip"), ("S_TEXT/ASS", "ass"),
    ("S_TEXT/SSA", "ass"), ("S_ASS", "ass"), ("S_SSA", "ass"), ("S_VOBSUB", "dvd_subtitle"),
    ("S_DVBSUB", "dvb_subtitle"), ("S_HDMV/PGS", "hdmv_pgs_subtitle"),
    ("S_TEXT/WEBVTT", "webvtt"), ("D_WEBVTT", "webvtt"),
  ]

  private var codec: String? {
    switch codecID {
    case "V_MS/VFW/FOURCC": return codecPrivate.fourCC(at: 16).flatMap(windowsVideoCodec)
    case "A_MS/ACM":
      return codecPrivate.u16(at: 0, .little).flatMap {
        windowsAudioCodec(Int($0), bits: Int(codecPrivate.u16(at: 14, .little) ?? 16))
      }
    case "A_PCM/INT/LIT", "A_PCM/INT/BIG":
      let order = codecID.hasSuffix("LIT") ? "le" : "be"
      return bitDepth == 8
        ? "pcm_u8" : "pcm_s\([24, 32].contains(bitDepth) ? bitDepth : 16)\(order)"
    case "A_PCM/FLOAT/IEEE": return bitDepth == 64 ? "pcm_f64le" : "pcm_f32le"
    default: return Self.codecs.first { codecID.hasPrefix($0.start) }?.name
    }
  }
}
