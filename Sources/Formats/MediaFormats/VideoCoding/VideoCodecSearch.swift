import ByteReading

extension VideoParameters {
  /// FFmpeg's name of the codec of a video stream without a description, by its first start codes; nil if it is unknown
  /// yet, or not one of MPEG-1, MPEG-2, H.264 and HEVC.
  static func codec(of bytes: [UInt8]) -> String? {
    if let start = startCode(in: bytes, { $0 == 0xB3 }) {
      // MPEG-2 has an extension after each sequence header (ISO/IEC 13818-2 §6.2.2).
      let next = startCode(in: bytes.bytes(from: start + 4)) { _ in true }
      return next.map { bytes.u8(at: start + 4 + $0 + 3) == 0xB5 ? "mpeg2video" : "mpeg1video" }
    }
    guard let first = startCode(in: bytes, { _ in true }), let kind = bytes.u8(at: first + 3)
    else { return nil }
    // An access unit delimiter or a parameter set (ITU-T H.264 table 7-1, H.265 table 7-1).
    if [0x09, 0x67, 0x27, 0x47].contains(kind) { return "h264" }
    return [0x40, 0x42, 0x46].contains(kind) && bytes.u8(at: first + 4) == 1 ? "hevc" : nil
  }
}
