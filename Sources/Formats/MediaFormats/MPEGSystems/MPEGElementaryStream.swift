import ByteReading
import MediaModel

/// One elementary stream of a transport stream or a program stream.
struct MPEGElementaryStream: Sendable, Hashable {
  /// The number in its packets.
  let identifier: Int
  let kind: MovieStream.Kind
  /// FFmpeg's name; nil if it is unknown.
  private(set) var codec: String?
  let tag: FourCC?
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
  /// Whether the end of the file contained a time of the stream.
  private(set) var hasTimeInTail = false
  /// Decoding times of the first packets.
  private var times: [UInt64] = []
  /// The beginning of the stream, while its parameters are unknown.
  private var payload: [UInt8] = []
  /// Bytes of ``payload`` in which the parameters of video were not found.
  private var searched = 0
  private let areFramesPackets: Bool

  /// Times wrap to 0 at this number (ISO/IEC 13818-1 §2.4.3.6).
  private static let wrap: UInt64 = 1 << 33
  /// Frames over which the rate is measured.
  private static let measuredFrames = 12

  /// Bytes that are kept to find the parameters.
  private static let maximumPayload = 256 << 10
  /// The same for audio, whose frames are short.
  private static let maximumAudio = 4096 + 8

  /// - Parameters:
  ///   - codec: FFmpeg's name; nil if it is unknown. That of video is then searched in the stream.
  ///   - areFramesPackets: whether each packet begins with a frame.
  init(
    identifier: Int, kind: MovieStream.Kind, codec: String?, tag: FourCC? = nil,
    areFramesPackets: Bool
  ) {
    (self.identifier, self.kind, self.codec, self.tag) = (identifier, kind, codec, tag)
    self.areFramesPackets = areFramesPackets
  }

  /// Whether the start of the stream contained all that is searched there.
  var isComplete: Bool {
    switch kind {
    case .video:
      parameters != nil && (times.count >= Self.measuredFrames || !areFramesPackets)
    case .audio: first != nil && (frame != nil || payload.count >= 4096)
    default: true
    }
  }

  /// Takes the payload of a packet, which begins with the header of a packetised stream if `isStart` is set.
  mutating func take(_ bytes: ArraySlice<UInt8>, isStart: Bool, isTail: Bool) {
    guard isStart else { return take(bytes, nil, isTail: isTail) }
    guard let header = MPEGPacketHeader(bytes) else { return }
    take(bytes.dropFirst(header.length), header, isTail: isTail)
  }

  /// Takes a part of the stream.
  ///
  /// - Parameters:
  ///   - header: of the packet that begins here; nil if none does.
  ///   - isTail: whether it is from the end of the file, of which only the times are read.
  mutating func take(_ content: ArraySlice<UInt8>, _ header: MPEGPacketHeader?, isTail: Bool) {
    if let time = header?.presentationTime {
      if first == nil { first = time }
      let isLater = last.map { (time &- $0) & (Self.wrap - 1) < Self.wrap / 2 } ?? true
      if isLater { last = time }
      if isTail { hasTimeInTail = true }
    }
    if !isTail, let time = header?.decodingTime ?? header?.presentationTime,
      times.count < 4 * Self.measuredFrames
    {
      times.append(time)
    }
    if codec == "pcm_dvd", header?.presentationTime != nil { readDVDAudio(content) }
    // Nothing is known before the first start of a packet.
    guard !isTail, first != nil, payload.count < Self.maximumPayload else { return }
    if kind == .video, parameters == nil {
      // A unit is complete where the next one begins. Each search begins at the start, so the next one waits until the
      // payload has grown by an eighth: packets may have a few bytes.
      payload += content
      let isDue = header != nil || payload.count % (16 << 10) < content.count
      if isDue, payload.count >= searched + searched / 8 {
        searched = payload.count
        readVideo()
      }
    } else if kind == .audio, frame == nil, payload.count < Self.maximumAudio {
      payload += content
      if payload.count >= 16 { readAudio() }
    }
  }

  private mutating func readVideo() {
    codec = codec ?? VideoParameters.codec(of: payload)
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
      case "mp2",
        "mp3" where sync & 0xFFE0 == 0xFFE0:
        readMPEGAudio(sync, payload[position + 2])
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

  /// Reads the header of a packet of linear PCM on a DVD: emphasis, then two bits each for the sample's size and rate,
  /// then the number of channels, then the dynamic range (libavcodec/pcm-dvd.c).
  private mutating func readDVDAudio(_ packet: ArraySlice<UInt8>) {
    guard let format = packet.dropFirst().first else { return }
    let (size, rate, channels) = (Int(format >> 6), Int(format >> 4 & 3), Int(format & 7) + 1)
    // Two samples are stored together, as their parts of 16 bits and then the others.
    guard size < 3, packet.count > 3 else { return }
    let pair = (16 + 4 * size) * 2 / 8 * channels
    frame = (2 * ((packet.count - 3) / pair), [48000, 96000, 44100, 32000][rate])
  }

  /// Frames a second; nil if the stream's header has no rate, or another one than its times.
  var frameRate: Double? {
    guard let rate = parameters?.frameRate else { return nil }
    // One frame has no distance from another. In a program stream, not all frames have times.
    guard times.count > 1, areFramesPackets else { return rate }
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
