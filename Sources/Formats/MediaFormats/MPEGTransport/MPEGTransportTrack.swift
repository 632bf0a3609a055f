import ByteReading
import MediaModel

/// One elementary stream of a transport stream.
struct MPEGTransportTrack: Sendable, Hashable {
  /// The number of its packets.
  var identifier: Int
  private(set) var kind: MovieStream.Kind
  /// FFmpeg's name; nil if it is unknown.
  private(set) var codec: String?
  private(set) var tag: FourCC?
  /// Of video.
  private(set) var parameters: VideoParameters?
  /// Of audio: samples of one frame, and samples a second.
  private(set) var frame: (samples: Int, rate: Int)? {
    get { frameSamples > 0 && sampleRate > 0 ? (frameSamples, sampleRate) : nil }
    set { (frameSamples, sampleRate) = (newValue?.samples ?? 0, newValue?.rate ?? 0) }
  }
  private var frameSamples = 0
  private var sampleRate = 0

  /// Presentation times of the first and of the latest packet, in units of 1/90,000 s.
  private(set) var first: UInt64?
  private(set) var last: UInt64?
  /// Decoding times of the first packets.
  private var times: [UInt64] = []
  /// The beginning of the stream, while its parameters are unknown.
  private var payload: [UInt8] = []
  private let limit: Int

  /// Times wrap to 0 at this number (ISO/IEC 13818-1 §2.4.3.6).
  private static let wrap: UInt64 = 1 << 33
  /// Frames over which the rate is measured.
  private static let measuredFrames = 12

  /// - Parameters:
  ///   - type: `stream_type`.
  ///   - isBluRay: whether the program has the stream types of Blu-ray and AVCHD.
  ///   - limit: bytes in which the parameters are searched.
  init(
    identifier: Int, type: UInt8, _ descriptors: MPEGDescriptors, isBluRay: Bool, limit: Int
  ) {
    self.identifier = identifier
    self.limit = limit
    tag = descriptors.registration
    let found =
      Self.standardTypes[type] ?? (isBluRay ? Self.bluRayTypes[type] : nil)
      ?? Self.privateType(type, descriptors) ?? Self.otherTypes[type]
    (kind, codec) = (found?.kind ?? .data, found?.codec)
  }

  /// Stream types of ISO/IEC 13818-1 table 2-34. Layers of MPEG audio are found in its frames.
  private static let standardTypes: [UInt8: (kind: MovieStream.Kind, codec: String)] = [
    0x01: (.video, "mpeg1video"), 0x02: (.video, "mpeg2video"), 0x03: (.audio, "mp3"),
    0x04: (.audio, "mp3"), 0x0F: (.audio, "aac"), 0x10: (.video, "mpeg4"),
    0x11: (.audio, "aac_latm"), 0x1B: (.video, "h264"), 0x20: (.video, "h264"),
    0x21: (.video, "jpeg2000"), 0x24: (.video, "hevc"), 0x33: (.video, "vvc"),
    0x42: (.video, "cavs"), 0xEA: (.video, "vc1"),
  ]
  private static let bluRayTypes: [UInt8: (kind: MovieStream.Kind, codec: String)] = [
    0x80: (.audio, "pcm_bluray"), 0x81: (.audio, "ac3"), 0x82: (.audio, "dts"),
    0x83: (.audio, "truehd"), 0x84: (.audio, "eac3"), 0x85: (.audio, "dts"),
    0x86: (.audio, "dts"), 0xA1: (.audio, "eac3"), 0xA2: (.audio, "dts"),
    0x90: (.subtitle, "hdmv_pgs_subtitle"), 0x92: (.subtitle, "hdmv_text_subtitle"),
  ]
  private static let otherTypes: [UInt8: (kind: MovieStream.Kind, codec: String)] = [
    0x81: (.audio, "ac3"), 0x8A: (.audio, "dts"), 0x87: (.audio, "eac3"),
  ]

  /// The codec of a stream of private data by its descriptors.
  private static func privateType(
    _ type: UInt8, _ descriptors: MPEGDescriptors
  ) -> (kind: MovieStream.Kind, codec: String)? {
    guard type == 0x06 else { return nil }
    switch descriptors.registration {
    case "AC-3": return (.audio, "ac3")
    case "EAC3": return (.audio, "eac3")
    case "Opus": return (.audio, "opus")
    case "HEVC": return (.video, "hevc")
    case "DTS1", "DTS2", "DTS3": return (.audio, "dts")
    default: break
    }
    if descriptors.tags.contains(0x6A) { return (.audio, "ac3") }
    if descriptors.tags.contains(0x7A) { return (.audio, "eac3") }
    if descriptors.tags.contains(0x7B) { return (.audio, "dts") }
    if descriptors.tags.contains(0x59) { return (.subtitle, "dvb_subtitle") }
    if descriptors.tags.contains(0x56) { return (.subtitle, "dvb_teletext") }
    return nil
  }

  /// Whether the start of the stream contained all that is searched there.
  var isComplete: Bool {
    switch kind {
    case .video: parameters != nil && times.count >= Self.measuredFrames
    case .audio: first != nil && (frame != nil || payload.count >= 4096)
    default: true
    }
  }

  /// Takes the payload of a packet.
  mutating func take(_ bytes: ArraySlice<UInt8>, isStart: Bool, isTail: Bool) {
    var content = bytes
    if isStart {
      guard let header = PacketHeader(bytes) else { return }
      content = bytes.dropFirst(header.length)
      if let time = header.presentationTime {
        if first == nil { first = time }
        let isLater = last.map { (time &- $0) & (Self.wrap - 1) < Self.wrap / 2 } ?? true
        if isLater { last = time }
      }
      if !isTail, let time = header.decodingTime ?? header.presentationTime,
        times.count < 4 * Self.measuredFrames
      {
        times.append(time)
      }
    }
    // Nothing is known before the first start of a packet.
    guard !isTail, first != nil, payload.count < limit else { return }
    if kind == .video, parameters == nil {
      // A unit is complete where the next one begins.
      payload += content
      if isStart || payload.count % (16 << 10) < content.count { readVideo() }
    } else if kind == .audio, frame == nil {
      payload += content
      if payload.count >= 16 { readAudio() }
    }
  }

  private mutating func readVideo() {
    switch codec {
    case "h264":
      parameters = unit { $0 & 0x1F == 7 }.flatMap { VideoParameters(h264: $0) }
    case "hevc":
      parameters = unit { $0 >> 1 & 0x3F == 33 }.flatMap { VideoParameters(hevc: $0) }
    case "mpeg1video", "mpeg2video": parameters = VideoParameters(mpeg2: payload)
    default: return
    }
    if parameters != nil { payload = [] }
  }

  /// The first unit with a matching first byte, without its start code; nil if its end is not read yet.
  private func unit(_ matches: (UInt8) -> Bool) -> ArraySlice<UInt8>? {
    guard let start = VideoParameters.startCode(in: payload, matches),
      let end = payload.firstIndex(of: [0, 0, 1], from: start + 3)
    else { return nil }
    return payload[(start + 3)..<end]
  }

  /// Reads the first frame header that follows a sync word.
  private mutating func readAudio() {
    for position in 0..<min(payload.count - 8, 4096) where frame == nil {
      guard let sync = payload.u16(at: position) else { return }
      switch codec {
      case "aac" where sync & 0xFFF6 == 0xFFF0:
        let rates = [
          96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
        ]
        let index = Int(payload[position + 2] >> 2 & 15)
        if index < rates.count { frame = (1024, rates[index]) }
      case "ac3" where sync == 0x0B77:
        let index = Int(payload[position + 4] >> 6)
        if index < 3 { frame = (1536, [48000, 44100, 32000][index]) }
      case "mp3" where sync & 0xFFE0 == 0xFFE0: readMPEGAudio(sync, payload[position + 2])
      default: break
      }
    }
  }

  /// Reads a frame's header (ISO/IEC 11172-3 §2.4.1.3): the layer decides on the codec.
  private mutating func readMPEGAudio(_ sync: UInt16, _ third: UInt8) {
    let (version, layer, index) = (sync >> 3 & 3, sync >> 1 & 3, Int(third >> 2 & 3))
    guard version != 1, layer != 0, index < 3, third >> 4 != 15 else { return }
    codec = layer == 1 ? "mp3" : layer == 2 ? "mp2" : "mp1"
    let rate = [44100, 48000, 32000][index] / (version == 3 ? 1 : version == 2 ? 2 : 4)
    frame = (layer == 3 ? 384 : layer == 1 && version != 3 ? 576 : 1152, rate)
  }

  /// Frames a second; nil if the stream's header has no rate, or another one than its times.
  var frameRate: Double? {
    guard let rate = parameters?.frameRate, times.count > 1 else { return nil }
    let ordered = times.map { ($0 &- times[0]) & (Self.wrap - 1) }.sorted()
    guard let span = ordered.last, span > 0, span < Self.wrap / 2 else { return nil }
    let measured = Double(ordered.count - 1) * 90_000 / Double(span)
    // A packet contains one frame, or one field.
    let isFrame = abs(measured / rate - 1) < 0.05
    let isField = parameters?.mayHaveFields == true && abs(measured / rate - 2) < 0.1
    return isFrame || isField ? rate : nil
  }

  /// When the stream ends after its start, in units of 1/90,000 s: with the last frame.
  var length: UInt64? {
    guard let first, let last else { return nil }
    let rest: Double =
      switch kind {
      case .video: frameRate.map { (90_000 / $0).rounded(.down) } ?? 0
      case .audio: frame.map { (Double($0.samples) * 90_000 / Double($0.rate)).rounded(.down) } ?? 0
      default: 0
      }
    return ((last &- first) & (Self.wrap - 1)) + UInt64(rest)
  }
}

/// The header of a packet of an elementary stream (ISO/IEC 13818-1 §2.4.3.6).
private struct PacketHeader {
  var length: Int
  var presentationTime: UInt64?
  var decodingTime: UInt64?

  init?(_ bytes: ArraySlice<UInt8>) {
    let content = Array(bytes.prefix(64))
    guard content.hasBytes([0, 0, 1]), let flags = content.u8(at: 7), let size = content.u8(at: 8),
      content[6] & 0xC0 == 0x80
    else { return nil }
    length = 9 + Int(size)
    guard flags & 0x80 != 0 else { return }
    presentationTime = Self.time(content, at: 9)
    if flags & 0x40 != 0 { decodingTime = Self.time(content, at: 14) }
  }

  /// 33 bits in five bytes with markers.
  private static func time(_ bytes: [UInt8], at start: Int) -> UInt64? {
    guard let coded = bytes.unsigned(at: start, width: 5) else { return nil }
    return coded >> 3 & 0x1_C000_0000 | coded >> 2 & 0x3FFF_8000 | coded >> 1 & 0x7FFF
  }
}
