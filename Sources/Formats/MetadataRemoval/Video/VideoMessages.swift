import ByteReading

/// Decides which SEI messages of H.264 (ITU-T H.264 annex D) and HEVC (ITU-T H.265 annex D) stay: those of known types
/// with numbers that decoders and players need, and known kinds of user data.
///
/// Everything else could contain a position: user data of other kinds, messages of reserved types, and messages inside
/// other messages.
enum VideoMessages {
  /// Types of H.264 (table D-1). 3 is filler; 30, 37 and 48 contain other messages.
  private static let h264: [ClosedRange<Int>] = [
    0...2, 6...29, 31...36, 38...47, 49...54, 56...56, 137...137, 142...142, 144...144, 147...151,
    154...156, 181...181, 200...200, 202...202, 205...205,
  ]
  /// Types of HEVC (table D.1). 133, 158 and 162 contain other messages.
  private static let hevc: [ClosedRange<Int>] = [
    0...2, 6...6, 9...9, 15...17, 19...19, 22...23, 45...45, 47...47, 56...56, 128...132,
    134...152, 154...157, 160...161, 163...168, 176...181, 200...200, 202...202, 205...205,
  ]
  /// A longer payload of these types has more than its fields.
  private static let maximumPayload = 4096

  /// Version texts of x264 and x265.
  private static let encoders: [[UInt8]] = [
    [
      0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7, 0x96, 0x2C, 0xD8, 0x20, 0xD9, 0x23, 0xEE,
      0xEF,
    ],
    [
      0x2C, 0xA2, 0xDE, 0x09, 0xB5, 0x17, 0x47, 0xDB, 0xBB, 0x55, 0xA4, 0xFE, 0x7F, 0xC2, 0xFC,
      0x4E,
    ],
  ]
  /// Country and provider codes (ITU-T T.35): HDR10+, HDR Vivid, SL-HDR, LCEVC, captions.
  private static let providers: [[UInt8]] = [
    [0xB5, 0, 0x3C], [0x26, 0, 0x04], [0xB5, 0, 0x3A], [0xB4, 0, 0x50],
    [0xB5, 0, 0x31] + Array("GA94".utf8), [0xB5, 0, 0x31] + Array("DTG1".utf8),
  ]

  /// Whether user data stays that is registered by ITU-T T.35.
  static func keeps(registered payload: [UInt8]) -> Bool {
    providers.contains { payload.hasBytes($0) } && !TextsInData.haveCoordinates(payload)
  }

  /// Whether a message stays.
  ///
  /// - Parameter payload: without emulation prevention.
  static func keeps(_ type: Int, _ payload: [UInt8], of codec: VideoUserData.Codec) -> Bool {
    switch type {
    case 4: return keeps(registered: payload)
    case 5:
      guard encoders.contains(where: { payload.hasBytes($0) }) else { return false }
      let text = payload.bytes(from: 16)
      return (text.last == 0 ? text.dropLast() : text[...])
        .allSatisfy { (0x20...0x7E).contains($0) } && !LocationDetection.recordsPlace(text)
    default:
      return (codec == .h264 ? h264 : hevc).contains { $0.contains(type) }
        && payload.count <= maximumPayload && !TextsInData.haveCoordinates(payload)
    }
  }
}
