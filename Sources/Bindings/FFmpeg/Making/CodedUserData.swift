/// How to find user data in video that is copied, and the byte that replaces it; and how to change frames that are
/// pictures with metadata of their own.
package struct CodedUserData {
  package enum Codec: Sendable, Hashable {
    case h264, hevc, av1
    /// MPEG-1, MPEG-2 and MPEG-4 Visual.
    case mpeg
  }

  /// Returns the byte ranges of a stream's header (FFmpeg's `extradata`) to overwrite.
  let inHeader: (Codec, [UInt8]) -> [Range<Int>]
  /// Returns the byte ranges of a packet to overwrite; takes the stream's header and the packet's bytes.
  let inPacket: (Codec, [UInt8], [UInt8]) -> [Range<Int>]
  let filler: UInt8
  /// Returns a frame with other metadata, of the same length; nil if it stays as it is.
  let inPicture: ([UInt8]) throws -> [UInt8]?

  package init(
    filler: UInt8, inHeader: @escaping (Codec, [UInt8]) -> [Range<Int>],
    inPacket: @escaping (Codec, [UInt8], [UInt8]) -> [Range<Int>],
    inPicture: @escaping ([UInt8]) throws -> [UInt8]?
  ) {
    self.filler = filler
    self.inHeader = inHeader
    self.inPacket = inPacket
    self.inPicture = inPicture
  }
}
