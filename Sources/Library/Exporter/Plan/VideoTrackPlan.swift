import MediaEdits
import MediaModel
import Presets

/// Decides whether a video track is copied or re-encoded.
struct VideoTrackPlan {
  let track: TrackDescription
  let movie: MovieDescription
  var preset: VideoPreset

  /// Pixels: libx265 works in blocks of that size at least.
  private static let smallestHEVC = 16

  /// - Parameter isRewritten: whether the movie is made again even if its tracks are copied.
  func choice(isRewritten: Bool) throws(MovieRefusal) -> TrackChoice {
    var copy = TrackChoice(
      rendering: TrackRendering(index: track.index, work: .copy, substitute: substitute))
    guard case .encoded(let codec) = preset.codec else {
      guard isRewritten, let fault = copyFault(movie.container == .avi && reordersFrames) else {
        return copy
      }
      return try encodedAlike(because: [fault])
    }
    // Apple's players show HEVC only under the other name; the samples are the same.
    if codec == .hevc, track.tag == "hev1" { copy.change = "HEVC is tagged hev1: to hvc1" }
    let faults = faults(codec)
    return faults.isEmpty ? copy : try encoded(codec, preset.quality, because: faults)
  }

  /// What replaces a copy that would not play, as its packets show.
  private var substitute: TrackRendering.Work? {
    let choice =
      if case .encoded(let codec) = preset.codec {
        try? encoded(codec, preset.quality, because: [])
      } else {
        try? encodedAlike(because: [])
      }
    return choice?.rendering.work
  }

  /// The constant quality of what is encoded only to be cut (CRF): hardly distinguishable from the source.
  private static let exactQuality = 18.0

  /// The choice for a part that is cut exactly: a track that would be copied is re-encoded in its own codec, or in one
  /// for its dynamic range if that cannot be encoded here.
  func exactChoice() throws(MovieRefusal) -> TrackChoice {
    let choice = try choice(isRewritten: true)
    guard choice.rendering.work == .copy else { return choice }
    let faults = ["it is cut exactly"]
    if case .encoded(let codec) = preset.codec {
      return try encoded(codec, preset.quality, because: faults)
    }
    return try encodedAlike(because: faults)
  }

  /// The track in its own codec, where the preset keeps it but it cannot be copied.
  private func encodedAlike(because faults: [String]) throws(MovieRefusal) -> TrackChoice {
    var plan = self
    plan.preset.keepsDynamicRange = true
    return try plan.encoded(ownCodec, Self.exactQuality, because: faults)
  }

  /// Why a copy of the track is impossible or would not show the frames that the source shows; nil if it would.
  private func copyFault(_ lacksTimes: Bool) -> String? {
    if track.isEncrypted { return "the video track is encrypted" }
    if track.changesCodec { return "its codec changes midway" }
    if track.joinsParts { return "an edit list joins parts of it" }
    if !preset.places(track, of: movie) {
      return "the video track is \(track.codec?.codecName ?? "unknown")"
    }
    // AVI counts frames and does not say when they are shown.
    return lacksTimes ? "its frames have no timestamps" : nil
  }

  /// Whether frames may be stored in another order than they are shown.
  private var reordersFrames: Bool {
    ["h264", "hevc", "mpeg4", "mpeg2video", "mpeg1video", "vc1"].contains(track.codec)
  }

  private var ownCodec: VideoEncoding.Codec {
    switch track.codec {
    case "prores": return track.tag?.hasPrefix("ap4") == true ? .proRes4444 : .proRes422
    case "hevc": return .hevc
    // H.264 has eight bits here.
    default: return track.dynamicRange != .sdr || (track.bitDepth ?? 8) > 8 ? .hevc : .h264
    }
  }

  private func encoded(
    _ codec: VideoEncoding.Codec, _ quality: Double?, because faults: [String]
  ) throws(MovieRefusal) -> TrackChoice {
    guard track.isDecodable, let size = track.uprightSize else {
      throw MovieRefusal(sentence: obstacle)
    }
    let target = size.fitted(into: preset.maxSize)
    if codec == .hevc, min(target.width, target.height) < Self.smallestHEVC {
      throw MovieRefusal(
        sentence:
          "The video is \(target.width) × \(target.height), too small for HEVC, which needs "
          + "\(Self.smallestHEVC) pixels on each side.")
    }
    let encoding = VideoEncoding(
      codec: codec, quality: quality, maxBitRate: preset.maxBitRate, speed: preset.speed,
      size: target, maxFrameRate: preset.maxFrameRate, keyFrameInterval: preset.keyFrameInterval,
      keepsDynamicRange: keepsDynamicRange(codec))
    return TrackChoice(
      rendering: TrackRendering(index: track.index, work: .encodeVideo(encoding)),
      change: "\(faults.joined(separator: ", ")): to \(codec.name), "
        + "\(target.width) × \(target.height)")
  }

  /// Why the picture cannot be decoded.
  private var obstacle: String {
    if track.isEncrypted { return "The video track is encrypted." }
    if track.changesCodec {
      return "The codec of the video track changes midway, so that FFmpeg cannot read all of it."
    }
    if track.dynamicRange == .dolbyVision {
      return "The video track is Dolby Vision without a base layer that other decoders can show."
    }
    if track.isDecodable {
      return "The video is damaged: nothing in its video track shows how large its pictures are."
    }
    let name = track.codec?.codecName ?? track.tag ?? "of an unknown kind"
    return "The video track is \(name), which this FFmpeg cannot decode."
  }

  /// Ten bits are kept where the source has them and the codec can.
  private func keepsDynamicRange(_ codec: VideoEncoding.Codec) -> Bool {
    guard preset.keepsDynamicRange, codec != .h264 else { return false }
    return track.dynamicRange != .sdr || (track.bitDepth ?? 8) > 8
  }

  /// The differences between the track and the preset, a phrase each.
  private func faults(_ codec: VideoEncoding.Codec) -> [String] {
    var faults: [String] = []
    if track.isEncrypted {
      faults.append("the video track is encrypted")
    } else if !isCoded(codec) {
      faults.append("the video track is \(track.codec?.codecName ?? track.tag ?? "unknown")")
    } else if let format = track.pixelFormat, !codec.commonFormats.contains(format) {
      faults.append("its pixels are \(format)")
    }
    if track.dynamicRange != .sdr, !keepsDynamicRange(codec) { faults.append("HDR to SDR") }
    if track.isInterlaced { faults.append("it is interlaced") }
    if let box = preset.maxSize, let size = track.uprightSize, !size.fits(box) {
      faults.append("at most \(box.width) × \(box.height)")
    }
    if let limit = preset.maxFrameRate, let rate = track.frameRate, rate > limit * 1.02 {
      faults.append("at most \(Int(limit)) frames a second")
    }
    if let limit = preset.maxBitRate, let rate = track.bitRate, rate > limit + limit / 10 {
      faults.append("at most \(limit / 1000) kbit/s")
    }
    if let interval = preset.keyFrameInterval {
      faults.append(interval == 1 ? "key frames only" : "a key frame every \(interval) frames")
    }
    let isProRes = codec == .proRes422 || codec == .proRes4444
    if faults.isEmpty, let fault = copyFault(movie.container == .avi && !isProRes) {
      faults.append(fault)
    }
    return faults
  }

  private func isCoded(_ codec: VideoEncoding.Codec) -> Bool {
    switch codec {
    case .h264: track.codec == "h264"
    case .hevc: track.codec == "hevc"
    case .proRes422: track.codec == "prores" && track.tag?.hasPrefix("apc") == true
    case .proRes4444: track.codec == "prores" && track.tag?.hasPrefix("ap4") == true
    }
  }
}

/// Decides whether an audio track is copied or re-encoded.
struct AudioTrackPlan {
  let track: TrackDescription
  let preset: VideoPreset
  /// The channels of AAC where all of the source's stay.
  private static let mostChannels = 8

  /// - Parameter isPlaced: whether the result's container has a place for a copy.
  func choice(isPlaced: Bool = true) throws(MovieRefusal) -> TrackChoice {
    guard let codec = track.codec else {
      throw MovieRefusal(sentence: "The audio track has a codec that this FFmpeg does not know.")
    }
    guard case .encoded(let target) = preset.audioCodec else {
      func alike(_ faults: [String]) throws(MovieRefusal) -> TrackChoice {
        try encoded(codec, .aac, channels: Self.mostChannels, because: faults)
      }
      return isPlaced
        ? copy(else: try? alike([])) : try alike(["the audio track is \(codec.codecName)"])
    }
    func right(_ faults: [String]) throws(MovieRefusal) -> TrackChoice {
      try encoded(codec, target, channels: preset.maxAudioChannels, because: faults)
    }
    let faults = faults(codec, target)
    return faults.isEmpty ? copy(else: try? right([])) : try right(faults)
  }

  /// - Parameter other: what replaces a copy that would not play, as its packets show.
  private func copy(else other: TrackChoice?) -> TrackChoice {
    TrackChoice(
      rendering: TrackRendering(
        index: track.index, work: .copy, substitute: other?.rendering.work))
  }

  /// The choice for a part that is cut exactly, between two samples: a track that would be copied is re-encoded with all of
  /// its channels.
  func exactChoice(in container: UniformType) throws(MovieRefusal) -> TrackChoice {
    let choice = try choice()
    guard choice.rendering.work == .copy, let codec = track.codec else { return choice }
    let isPCM = codec.hasPrefix("pcm_") && container == .quickTimeMovie
    return try encoded(
      codec, isPCM ? .pcm : .aac, channels: Self.mostChannels,
      because: ["it is cut exactly"])
  }

  private func encoded(
    _ codec: String, _ target: AudioEncoding.Codec, channels most: Int, because faults: [String]
  ) throws(MovieRefusal) -> TrackChoice {
    guard !track.changesCodec else {
      throw MovieRefusal(
        sentence:
          "The codec of the audio track changes midway, so that FFmpeg cannot read all of it.")
    }
    guard !track.isEncrypted else { throw MovieRefusal(sentence: "The audio track is encrypted.") }
    guard track.isDecodable else {
      throw MovieRefusal(
        sentence: "The audio track is \(codec.codecName), which this FFmpeg cannot decode.")
    }
    let channels = min(track.channels ?? 2, most)
    let encoding = AudioEncoding(
      codec: target, bitRate: bitRate(target, channels), maxChannels: most)
    return TrackChoice(
      rendering: TrackRendering(index: track.index, work: .encodeAudio(encoding)),
      change: "\(faults.joined(separator: ", ")): to \(target.name)")
  }

  /// Where the preset says nothing: 96 kbit/s for one channel, 160 for two, 416 for six.
  private func bitRate(_ codec: AudioEncoding.Codec, _ channels: Int) -> Int? {
    codec == .pcm ? nil : preset.audioBitRate ?? 64_000 * channels + 32_000
  }

  private func faults(_ codec: String, _ target: AudioEncoding.Codec) -> [String] {
    var faults: [String] = []
    let isRight =
      switch target {
      case .aac: codec == "aac"
      case .pcm: codec.isQuickTimePCM
      }
    if !isRight { faults.append("the audio track is \(codec.codecName)") }
    if track.isEncrypted { faults.append("it is encrypted") }
    if track.changesCodec { faults.append("its codec changes midway") }
    if let channels = track.channels, channels > preset.maxAudioChannels {
      faults.append("\(channels) channels to \(preset.maxAudioChannels)")
    }
    if target == .aac, let limit = preset.audioBitRate, let rate = track.bitRate,
      rate > limit + limit / 4
    {
      faults.append("audio of at most \(limit / 1000) kbit/s")
    }
    return faults
  }
}

extension TrackDescription {
  /// Whether its samples are encrypted (ISO/IEC 14496-12 §8.12).
  var isEncrypted: Bool { tag == "encv" || tag == "enca" }

  /// As a person sees it, with square pixels.
  var uprightSize: PixelSize? {
    guard var size else { return nil }
    if let pixelAspect, pixelAspect > 0.1, pixelAspect < 10 {
      // The side that is too short grows, so that nothing is lost.
      if pixelAspect > 1 {
        size.width = Int(Double(size.width) * pixelAspect + 0.5)
      } else {
        size.height = Int(Double(size.height) / pixelAspect + 0.5)
      }
    }
    return (orientation ?? .up).upright(size)
  }
}

extension PixelSize {
  /// The box in the orientation of `self`, landscape or portrait.
  private func turned(_ box: PixelSize) -> PixelSize {
    (width >= height) == (box.width >= box.height) ? box : box.transposed
  }

  func fits(_ box: PixelSize) -> Bool {
    let box = turned(box)
    return width <= box.width && height <= box.height
  }

  /// The largest size of the same shape within a box, but not larger than this one; even, as encoders for
  /// 4:2:0 need it.
  func fitted(into box: PixelSize?) -> PixelSize {
    var scale = 1.0
    if let box = box.map(turned) {
      scale = min(1, Double(box.width) / Double(width), Double(box.height) / Double(height))
    }
    let even = { (side: Int) in max(2, Int(Double(side) * scale / 2 + 0.5) * 2) }
    let target = PixelSize(width: even(width), height: even(height))
    // Half a pixel may not make it larger than it was.
    return PixelSize(
      width: min(target.width, max(2, width / 2 * 2)),
      height: min(target.height, max(2, height / 2 * 2)))
  }
}
