import ByteReading

/// User data in a stream of MPEG-1, MPEG-2 (ISO/IEC 13818-2 §6.2.2.2.2) or MPEG-4 Visual (ISO/IEC 14496-2 §6.2.2.1): any
/// bytes after a start code of their own.
///
/// Closed captions, the active format, and the versions of encoders, by which decoders work around their mistakes, stay.
enum MPEGUserData {
  private static let startCode: [UInt8] = [0, 0, 1]
  private static let userData: UInt8 = 0xB2

  /// Captions and format in ATSC's and DVB's form, captions of a DVD (ATSC A/53 part 4, ETSI TS 101 154 annex B).
  private static let kinds: [[UInt8]] = [
    Array("GA94".utf8), Array("DTG1".utf8), Array("CC".utf8) + [1, 0xF8],
  ]
  /// Names that FFmpeg's mpeg4videodec.c looks for.
  private static let encoders = ["DivX", "XviD", "Lavc", "FFmpe", "ffmpeg"]
  private static let versionCharacters = Set(" .,:/()-_".utf8)
  private static let longestVersion = 64

  /// The bytes of a packet or a decoder configuration to overwrite.
  static func erasable(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var position = 0
    while let start = bytes.firstIndex(of: startCode, from: position) {
      position = start + 3
      guard bytes.u8(at: position) == userData else { continue }
      let content = position + 1
      let next = bytes.firstIndex(of: startCode, from: content) ?? bytes.count
      // Zeros may precede a start code.
      let end = bytes[content..<next].lastIndex { $0 != 0 }.map { $0 + 1 } ?? content
      if !keeps(Array(bytes[content..<end])), content < end { found.append(content..<end) }
      position = next
    }
    return found
  }

  private static func keeps(_ content: [UInt8]) -> Bool {
    if kinds.contains(where: { content.hasBytes($0) }) {
      return !TextsInData.haveCoordinates(content)
    }
    return encoders.contains { content.hasText($0) } && content.count <= longestVersion
      && content.allSatisfy(isVersionCharacter) && !LocationDetection.recordsPlace(content)
  }

  private static func isVersionCharacter(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || versionCharacters.contains(byte)
  }
}
