package import ByteReading
package import MediaModel

/// The recording time of an AVCHD video. Camcorders write it only into user data of H.264 ("MDPM", AVCHD specification
/// book 1 annex H; the tags are those in exiftool's H264 module).
package struct AVCHDRecording: Sendable, Hashable {
  package private(set) var time: CivilTime
  /// Minutes east of UTC; nil if the camcorder's time zone was not set.
  package private(set) var offsetMinutes: Int?

  /// The number of bytes that are searched. The data precedes the first picture.
  private static let maximumSearch = 512 << 10
  /// 17EE8C60-F84D-11D9-8CD6-0800200C9A66, then the name.
  private static let marker: [UInt8] =
    [
      0x17, 0xEE, 0x8C, 0x60, 0xF8, 0x4D, 0x11, 0xD9, 0x8C, 0xD6, 0x08, 0x00, 0x20, 0x0C, 0x9A,
      0x66,
    ] + Array("MDPM".utf8)

  /// Nil if no such data is found.
  package init?(_ source: any ByteSource) throws {
    let head = try source.bytes(at: 0, count: Self.maximumSearch)
    // AVCHD writes a timestamp of four bytes before each packet of a transport stream.
    let packetSize = head.u8(at: 4) == 0x47 && head.u8(at: 196) == 0x47 ? 192 : 188
    let video = Self.videoPayload(head, packetSize: packetSize)
    guard let start = video.firstIndex(of: Self.marker) else { return nil }
    let data = withoutEmulationPrevention(video[start...].prefix(1024)).bytes(
      from: Self.marker.count)
    var calendar: [UInt8]?
    var clock: [UInt8]?
    for index in 0..<Int(data.u8(at: 0) ?? 0) {
      guard let value = data.bytes(at: 2 + index * 5, count: 4) else { break }
      if data[1 + index * 5] == 0x18 { calendar = value }
      if data[1 + index * 5] == 0x19 { clock = value }
    }
    guard let calendar, let clock else { return nil }
    let fields = (calendar[1...] + clock).map(Self.decimal)
    guard fields.allSatisfy({ $0 != nil }), case let known = fields.compactMap({ $0 }),
      let time = CivilTime(
        year: known[0] * 100 + known[1], month: known[2], day: known[3], hour: known[4],
        minute: known[5], second: known[6])
    else { return nil }
    self.time = time
    offsetMinutes = Self.offset(calendar[0])
  }

  /// The number in two decimal digits of one byte.
  private static func decimal(_ byte: UInt8) -> Int? {
    byte >> 4 < 10 && byte & 15 < 10 ? Int(byte >> 4) * 10 + Int(byte & 15) : nil
  }

  /// The time zone: bit 7 is set if there is none, bit 6 for daylight saving time, which the other bits include, bit
  /// 5 for west. Four bits are hours, one is half an hour.
  private static func offset(_ byte: UInt8) -> Int? {
    guard byte & 0x80 == 0 else { return nil }
    let minutes = Int(byte >> 1 & 15) * 60 + Int(byte & 1) * 30
    return byte & 0x20 == 0 ? minutes : -minutes
  }

  /// The payloads of the video's packets, joined (ISO/IEC 13818-1 §2.4.3).
  private static func videoPayload(_ head: [UInt8], packetSize: Int) -> [UInt8] {
    var payload: [UInt8] = []
    var videoIdentifier: UInt16?
    for packet in stride(from: packetSize - 188, through: head.count - 188, by: packetSize) {
      guard head[packet] == 0x47, let flags = head.u16(at: packet + 1),
        let control = head.u8(at: packet + 3), control & 0x10 != 0
      else { continue }
      let skip = control & 0x20 == 0 ? 4 : 5 + Int(head[packet + 4])
      guard skip < 188 else { continue }
      let content = head[(packet + skip)..<(packet + 188)]
      // A packetised stream of video begins 00 00 01 En.
      if flags & 0x4000 != 0, content.starts(with: [0, 0, 1]), content.count > 3,
        content[content.startIndex + 3] & 0xF0 == 0xE0
      {
        videoIdentifier = flags & 0x1FFF
      }
      if flags & 0x1FFF == videoIdentifier { payload += content }
    }
    return payload
  }
}
