import CFFmpeg

/// How to find parameter sets in a stream of H.264 or HEVC that its header does not contain.
package struct CodedParameterSets {
  /// Returns the search for a stream, given its header (FFmpeg's `extradata`): whether a packet contradicts the header.
  let search: (CodedUserData.Codec, [UInt8]) -> ([UInt8]) -> Bool

  package init(search: @escaping (CodedUserData.Codec, [UInt8]) -> ([UInt8]) -> Bool) {
    self.search = search
  }
}

/// Finds the packets of a track from which on its codec configuration is another one than its header has.
///
/// QuickTime, MP4 and Flash Video announce it, and libavformat passes it on as side data. Other containers have it only in
/// the packets. A track of the result has one configuration.
struct ConfigurationChanges {
  private let header: [UInt8]
  private let contradicts: (([UInt8]) -> Bool)?
  /// Whether each packet of AAC has a header of its own, which FFmpeg's muxers remove.
  private let hasADTS: Bool
  /// The fields of ADTS that make up the configuration, of the first packet.
  private var fixedHeader: [UInt8]?
  private var isOther = false

  init(_ parameters: UnsafePointer<AVCodecParameters>, _ sets: CodedParameterSets?) {
    header = unsafe Array(
      UnsafeBufferPointer(
        start: parameters.pointee.extradata, count: max(0, Int(parameters.pointee.extradata_size))))
    let codec = unsafe CodedUserData.Codec(parameters.pointee.codec_id)
    if let codec, let sets {
      contradicts = sets.search(codec, header)
    } else {
      contradicts = nil
    }
    hasADTS = unsafe parameters.pointee.codec_id == AV_CODEC_ID_AAC && header.isEmpty
  }

  /// Takes the track's next packet.
  ///
  /// - Returns: whether its configuration is another one.
  mutating func isOther(in packet: Packet) -> Bool {
    if let announced = packet.newConfiguration { isOther = announced != header }
    return isOther || contradicts?(packet.bytes) == true || hasADTS && hasOtherHeader(packet.bytes)
  }

  /// Whether the packet is the rest of a frame of AAC, without its header. Muxers refuse it.
  func isIncomplete(_ packet: Packet) -> Bool { hasADTS && !Self.hasHeader(packet.bytes) }

  /// Whether profile, sampling frequency or channels differ from those of the first packet (ISO/IEC 13818-7 §6.2.1).
  private mutating func hasOtherHeader(_ bytes: [UInt8]) -> Bool {
    guard Self.hasHeader(bytes) else { return false }
    let fields = [bytes[2] & 0xFD, bytes[3] & 0xC0]
    fixedHeader = fixedHeader ?? fields
    return fixedHeader != fields
  }

  /// Whether bytes begin with a header of ADTS and contain more than that (ISO/IEC 13818-7 §6.2).
  private static func hasHeader(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 7, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 else { return false }
    let hasChecksum = bytes[1] & 1 == 0
    let length = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5]) >> 5
    return bytes[2] >> 2 & 0xF < 13 && length >= 7 && (!hasChecksum || bytes.count > 9)
  }
}

extension CodedUserData.Codec {
  init?(_ codec: AVCodecID) {
    switch codec {
    case AV_CODEC_ID_H264: self = .h264
    case AV_CODEC_ID_HEVC: self = .hevc
    case AV_CODEC_ID_AV1: self = .av1
    case AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4: self = .mpeg
    default: return nil
    }
  }
}
