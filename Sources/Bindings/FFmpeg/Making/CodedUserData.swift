/// How user data is found in video that is copied, and what replaces it.
package struct CodedUserData {
  package enum Codec: Sendable, Hashable {
    case h264, hevc
  }

  /// Which bytes of a stream's header, FFmpeg's `extradata`, are to be overwritten.
  let inHeader: (Codec, [UInt8]) -> [Range<Int>]
  /// Which bytes of a packet are to be overwritten, by the stream's header and the packet's bytes.
  let inPacket: (Codec, [UInt8], [UInt8]) -> [Range<Int>]
  let filler: UInt8

  package init(
    filler: UInt8, inHeader: @escaping (Codec, [UInt8]) -> [Range<Int>],
    inPacket: @escaping (Codec, [UInt8], [UInt8]) -> [Range<Int>]
  ) {
    self.filler = filler
    self.inHeader = inHeader
    self.inPacket = inPacket
  }
}
