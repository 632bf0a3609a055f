import ByteReading
import MediaModel

extension MPEGElementaryStream {
  /// - Parameters:
  ///   - type: `stream_type`.
  ///   - isBluRay: whether the program has the stream types of Blu-ray and AVCHD.
  init(identifier: Int, type: UInt8, _ descriptors: MPEGDescriptors, isBluRay: Bool) {
    let found =
      Self.standardTypes[type] ?? (isBluRay ? Self.bluRayTypes[type] : nil)
      ?? Self.privateType(type, descriptors) ?? Self.otherTypes[type]
    self.init(
      identifier: identifier, kind: found?.kind ?? .data, codec: found?.codec,
      tag: descriptors.registration, areFramesPackets: true)
  }

  /// Stream types of ISO/IEC 13818-1 table 2-34. Layers of MPEG audio are found in its frames.
  static let standardTypes: [UInt8: (kind: MovieStream.Kind, codec: String)] = [
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
}
