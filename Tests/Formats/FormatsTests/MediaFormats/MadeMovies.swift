/// Small movies of formats that have their own readers, built after the specifications.
extension MadeFile {
  static let movies = [flashVideo, windowsMedia, programStream, dv]

  // MARK: Flash Video

  static let flashVideo = MadeFile(
    name: "FLV",
    bytes: flashHeader + flashTag(18, time: 0, flashScript)
      + flashTag(8, time: 0, [0x2E, 0xFF, 0xFB])
      + (0..<4).flatMap { (index: Int) -> [UInt8] in
        flashTag(9, time: index * 40, [0x22] + sorensonPicture)
      })

  /// Audio and video.
  static let flashHeader: [UInt8] = Array("FLV".utf8) + [1, 5] + be32(9) + be32(0)

  static func flashTag(_ kind: UInt8, time: Int, _ content: [UInt8]) -> [UInt8] {
    [kind] + be32(Int64(content.count))[1...] + be32(Int64(time))[1...] + zeros(4) + content
      + be32(Int64(content.count + 11))
  }

  static func flashText(_ text: String) -> [UInt8] { be16(text.utf8.count) + Array(text.utf8) }

  static func flashNumber(_ key: String, _ value: Double) -> [UInt8] {
    flashText(key) + [0] + be32(Int64(value.bitPattern >> 32))
      + be32(Int64(value.bitPattern & 0xFFFF_FFFF))
  }

  /// `onMetaData` with a list of three values.
  private static let flashScript: [UInt8] =
    [2] + flashText("onMetaData") + [8] + be32(4) + flashNumber("duration", 0.16)
    + flashNumber("framerate", 25) + flashText("title") + [2] + flashText("Lake")
    + flashText("marks") + [3] + flashText("inner") + [1, 1] + be16(0) + [9] + be16(0) + [9]

  /// The header of a picture of 320 × 240 in Sorenson H.263: a start code of 17 bits, five of the version, eight of the
  /// time, and size code 5.
  private static let sorensonPicture: [UInt8] = [0, 0, 0x80, 0b0000_0010, 0x80, 0, 0]

  // MARK: Windows Media

  static let windowsMedia = MadeFile(
    name: "ASF", bytes: windowsMediaBytes(fileProperties: asfProperties()))

  static func asfObject(_ identifier: [UInt8], _ content: [UInt8], size: Int? = nil) -> [UInt8] {
    identifier + le32(size ?? content.count + 24) + le32(0) + content
  }

  /// The identifiers in the specification, as stored.
  static let asfHeader = guid("3026B2758E66CF11A6D900AA0062CE6C")
  static let asfData = guid("3626B2758E66CF11A6D900AA0062CE6C")
  static let asfFileProperties = guid("A1DCAB8C47A9CF118EE400C00C205365")
  static let asfStreamProperties = guid("9107DCB7B7A9CF118EE600C00C205365")
  static let asfExtendedContent = guid("40A4D0D207E3D21197F000A0C95EA850")
  private static let asfContent = guid("3326B2758E66CF11A6D900AA0062CE6C")
  private static let asfVideo = guid("C0EF19BC4D5BCF11A8FD00805F5C442B")
  private static let asfAudio = guid("409E69F84D5BCF11A8FD00805F5C442B")

  private static func guid(_ text: String) -> [UInt8] {
    let digits = Array(text.utf8).map { $0 < 0x41 ? $0 - 0x30 : $0 - 0x37 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  static let asfVideoStream: [UInt8] = {
    let bitmap = le32(40) + le32(320) + le32(240) + le16(1) + le16(24) + Array("WMV2".utf8)
    return asfObject(
      asfStreamProperties,
      asfVideo + zeros(32) + le16(1) + zeros(4) + le32(320) + le32(240) + [2] + le16(40) + bitmap
        + zeros(20))
  }()

  static let asfAudioStream = asfObject(
    asfStreamProperties,
    asfAudio + zeros(32) + le16(2) + zeros(4) + le16(0x161) + le16(2) + le32(44100) + le32(4000)
      + le16(4) + le16(16))

  /// - Parameters:
  ///   - seconds: with a preroll of one second.
  ///   - flags: 1 for a file that was never finished.
  static func asfProperties(
    size: Int = 0, seconds: Int = 3, flags: Int = 2, packet: Int = 128
  ) -> [UInt8] {
    asfObject(
      asfFileProperties,
      zeros(16) + le32(size) + zeros(4) + le32(0x0E80_B000) + le32(0x01C4_BD11) + zeros(8)
        + le32(seconds * 10_000_000) + zeros(12) + le32(1000) + zeros(4) + le32(flags)
        + le32(packet) + le32(packet) + zeros(4))
  }

  /// A packet with one whole frame at a time, which includes the preroll.
  static func asfPacket(time: Int) -> [UInt8] {
    let head: [UInt8] = [0x82, 0, 0, 0x08, 0x5D, 0] + le32(time) + le16(40)
    let payload = [0x81, 1] + le32(0) + [8] + le32(4) + le32(time) + [1, 2, 3, 4]
    return head + payload + zeros(128 - head.count - payload.count)
  }

  static func windowsMediaBytes(fileProperties: [UInt8], more: [UInt8] = []) -> [UInt8] {
    let title = "Lake\0".utf16.flatMap { le16(Int($0)) }
    let content = asfObject(asfContent, le16(title.count) + zeros(8) + title)
    let objects = fileProperties + asfVideoStream + asfAudioStream + content + more
    let packets = (0..<4).flatMap { (index: Int) -> [UInt8] in asfPacket(time: 1000 + index * 40) }
    return asfObject(asfHeader, le32(5) + [1, 2] + objects)
      + asfObject(asfData, zeros(16) + le32(4) + zeros(4) + [1, 1] + packets)
  }

  // MARK: MPEG program stream

  /// A pack, a packet of MPEG-2 video with a sequence header of 320 × 240 at 25 frames a second, one of MPEG audio.
  static let programStream = MadeFile(
    name: "MPEG",
    bytes: pack + programPacket(0xE0, time: 9000, sequenceHeader)
      + programPacket(0xC0, time: 9000, [0xFF, 0xFD, 0x80, 0] + zeros(28))
      + pack + programPacket(0xE0, time: 90_000, sequenceHeader) + [0, 0, 1, 0xB9])

  static let pack: [UInt8] = [0, 0, 1, 0xBA, 0x44] + zeros(8) + [0xF8]

  static func programPacket(_ identifier: UInt8, time: Int, _ payload: [UInt8]) -> [UInt8] {
    let clock =
      [UInt8(0x21 | time >> 29 & 0x0E)] + be16(time >> 14 & 0xFFFE | 1)
      + be16(time << 1 & 0xFFFE | 1)
    let header: [UInt8] = [0x80, 0x80, 5] + clock
    return [0, 0, 1, identifier] + be16(header.count + payload.count) + header + payload
  }

  /// With a sequence extension, a picture's start code after it.
  static let sequenceHeader: [UInt8] =
    [0, 0, 1, 0xB3, 0x14, 0x00, 0xF0, 0x23, 0xFF, 0xFF, 0xE0, 0x18]
    + [0, 0, 1, 0xB5, 0x14, 0x8A, 0x00, 0x01, 0x00, 0x00] + [0, 0, 1, 0] + zeros(8)

  // MARK: DV

  /// The first blocks of a frame of 625 lines, with a date in the video's auxiliary data.
  static let dv = MadeFile(name: "DV", bytes: dvBytes(signal: 0))

  static func dvBytes(signal: UInt8) -> [UInt8] {
    var bytes: [UInt8] = [0x1F, 0x07, 0, 0xBF, 0] + zeros(6 * 80 - 5)
    for index in 3..<6 { bytes[index * 80] = 0x56 }
    bytes.replaceSubrange(3 * 80 + 3..<3 * 80 + 8, with: [0x62, 0xFF, 0x17, 0x08, 0x03])
    bytes.replaceSubrange(3 * 80 + 8..<3 * 80 + 13, with: [0x63, 0xFF, 0x45, 0x30, 0x12])
    // The packs of the signal and of the shape: 16:9.
    bytes.replaceSubrange(448..<453, with: [0x60, 0xFF, 0xFF, signal | 0xE0, 0xFF])
    bytes.replaceSubrange(453..<458, with: [0x61, 0, 0xCA, 0xFC, 0xFF])
    return bytes
  }
}
