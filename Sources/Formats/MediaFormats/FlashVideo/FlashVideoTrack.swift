import ByteReading
import MediaModel

/// The video stream of a Flash Video, by the first bytes of its tags (Adobe Flash Video File Format Specification 10.1
/// §E.4.3).
struct FlashVideoTrack: Sendable, Hashable {
  /// FFmpeg's name; nil if it is unknown.
  private(set) var codec: String?
  private(set) var parameters: VideoParameters?
  /// Whether its codec is not one of the specification, so that FFmpeg may know it.
  private(set) var isUnknown = false

  private static let codecs: [UInt8: String] = [
    2: "flv1", 3: "flashsv", 4: "vp6f", 5: "vp6a", 6: "flashsv2", 7: "h264", 9: "mpeg4",
  ]

  /// Whether a tag contains a frame: tags of H.264 and MPEG-4 may contain a decoder's configuration, or an end mark.
  static func isFrame(_ content: [UInt8]) -> Bool {
    guard let first = content.first else { return false }
    return first & 15 != 7 && first & 15 != 9 || content.u8(at: 1) == 1
  }

  /// Takes the content of a video tag.
  mutating func take(_ content: [UInt8]) {
    guard let first = content.first, parameters == nil else { return }
    // Bit 7 marks a header of Enhanced RTMP.
    guard first & 0x80 == 0, let name = Self.codecs[first & 15] else {
      isUnknown = true
      return
    }
    codec = codec ?? name
    let data = content.bytes(from: 1)
    switch codec {
    case "flv1": parameters = VideoParameters(sorensonH263: data)
    case "flashsv", "flashsv2": parameters = VideoParameters(screenVideo: data)
    case "vp6f": parameters = VideoParameters(flashVP6: data, skip: 0)
    // The offset of the alpha channel is before the frame.
    case "vp6a": parameters = VideoParameters(flashVP6: data, skip: 3)
    case "h264":
      // The type of packet 0 is the decoder's configuration, after a composition time.
      if data.first == 0 { parameters = VideoParameters(avcC: data.bytes(from: 4)) }
    case "mpeg4":
      if data.first == 0 { parameters = VideoParameters(mpeg4Visual: data.bytes(from: 4)) }
    default: break
    }
  }
}

/// FFmpeg's name of the audio codec in the first byte of an audio tag (§E.4.2.1); nil if it is unknown.
func flashAudioCodec(_ first: UInt8) -> String? {
  let hasTwoBytes = first & 2 != 0
  return switch first >> 4 {
  case 0, 3: hasTwoBytes ? "pcm_s16le" : "pcm_u8"
  case 1: "adpcm_swf"
  case 2, 14: "mp3"
  case 4, 5, 6: "nellymoser"
  case 7: "pcm_alaw"
  case 8: "pcm_mulaw"
  case 10: "aac"
  case 11: "speex"
  default: nil
  }
}

extension VideoParameters {
  /// Widths and heights by the picture size codes 2 to 6 of Sorenson H.263.
  private static let sorensonSizes = [(352, 288), (176, 144), (128, 96), (320, 240), (160, 120)]

  /// Reads a picture header of Sorenson H.263 (§E.4.3, `H263VIDEOPACKET`); nil for damaged data.
  fileprivate init?(sorensonH263 bytes: [UInt8]) {
    var bits = BitstreamReader(Array(bytes.prefix(16)))
    guard bits.read(17) == 1, bits.read(5) <= 1 else { return nil }
    bits.skip(8)
    let code = bits.read(3)
    let (width, height): (Int, Int) =
      switch code {
      case 0: (bits.read(8), bits.read(8))
      case 1: (bits.read(16), bits.read(16))
      case 2...6: Self.sorensonSizes[code - 2]
      default: (0, 0)
      }
    guard !bits.isAtEnd, width > 0, height > 0 else { return nil }
    size = PixelSize(width: width, height: height)
  }

  /// Reads a packet of screen video (§E.4.3, `SCREENVIDEOPACKET`): four bits for the size of blocks before each number.
  fileprivate init?(screenVideo bytes: [UInt8]) {
    guard let width = bytes.u16(at: 0), let height = bytes.u16(at: 2), width & 0xFFF > 0,
      height & 0xFFF > 0
    else { return nil }
    size = PixelSize(width: Int(width & 0xFFF), height: Int(height & 0xFFF))
  }

  /// Reads a key frame of VP6 after the byte that names the columns and rows to crop, and `skip` bytes (VP6 Bitstream &
  /// Decoder Specification §9.1; libavcodec/vp6.c); nil for another frame.
  fileprivate init?(flashVP6 bytes: [UInt8], skip: Int) {
    let frame = bytes.bytes(from: 1 + skip)
    guard let crop = bytes.first, let first = frame.u8(at: 0), let second = frame.u8(at: 1),
      first & 0x80 == 0
    else { return nil }
    // The offset of the second partition.
    let start = first & 1 != 0 || second & 6 == 0 ? 4 : 2
    guard let rows = frame.u8(at: start), let columns = frame.u8(at: start + 1) else { return nil }
    let width = 16 * Int(columns) - Int(crop >> 4)
    let height = 16 * Int(rows) - Int(crop & 15)
    guard width > 0, height > 0 else { return nil }
    size = PixelSize(width: width, height: height)
  }
}
