package import ByteReading
package import MediaModel

/// When, where and how an AVCHD video was recorded. Camcorders write it only into user data of H.264 ("MDPM", AVCHD
/// specification book 1 annex H; the tags are those in exiftool's H264 module).
package struct AVCHDRecording: Sendable, Hashable {
  package private(set) var time: CivilTime
  /// Minutes east of UTC; nil if the camcorder's time zone was not set.
  package private(set) var offsetMinutes: Int?
  package private(set) var make: String?
  package private(set) var model: String?
  package private(set) var exposure: Exposure
  package private(set) var location: Location?

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
    guard let packets = MPEGTransportPackets(head: head),
      case let video = Self.videoPayload(head, packets),
      let start = video.firstIndex(of: Self.marker)
    else { return nil }
    let data = withoutEmulationPrevention(video[start...].prefix(1024)).bytes(
      from: Self.marker.count)
    // Entries of a tag and four bytes; the first one of a repeated tag.
    var entries: [UInt8: [UInt8]] = [:]
    for index in 0..<Int(data.u8(at: 0) ?? 0) {
      guard let value = data.bytes(at: 2 + index * 5, count: 4) else { break }
      entries[data[1 + index * 5]] = entries[data[1 + index * 5]] ?? value
    }
    guard let calendar = entries[0x18], let clock = entries[0x19] else { return nil }
    let fields = (calendar[1...] + clock).map(Self.decimal)
    guard fields.allSatisfy({ $0 != nil }), case let known = fields.compactMap({ $0 }),
      let time = CivilTime(
        year: known[0] * 100 + known[1], month: known[2], day: known[3], hour: known[4],
        minute: known[5], second: known[6])
    else { return nil }
    self.time = time
    offsetMinutes = Self.offset(calendar[0])
    make = entries[0xE0]?.u16(at: 0).flatMap { Self.makers[$0] }
    if make == "Sony" {
      let parts = [0xE4, 0xE5, 0xE6].compactMap { entries[$0] }
      model = parts.flatMap(\.self).trimmedText
    }
    exposure = Self.exposure(entries)
    location = Self.location(entries)
  }

  private static let makers: [UInt16: String] = [
    0x0103: "Panasonic", 0x0108: "Sony", 0x1011: "Canon", 0x1104: "JVC",
  ]

  /// A fraction of two 16-bit numbers; nil without one.
  private static func fraction(_ entry: [UInt8]?) -> Double? {
    guard let entry, let numerator = entry.u16(at: 0), let denominator = entry.u16(at: 2),
      denominator > 0
    else { return nil }
    return Double(numerator) / Double(denominator)
  }

  private static func exposure(_ entries: [UInt8: [UInt8]]) -> Exposure {
    func positive(_ tag: UInt8) -> Double? { fraction(entries[tag]).flatMap { $0 > 0 ? $0 : nil } }
    // The shutter's number has 15 bits, which are all set if the time is unknown.
    let shutter = entries[0x7F]?.u16(at: 2, .little).map { $0 & 0x7FFF }
    let shutterTime = shutter.flatMap { $0 > 0 && $0 < 0x7FFF ? Double($0) / 28_125 : nil }
    return Exposure(time: positive(0xA0) ?? shutterTime, fNumber: positive(0xA1))
  }

  /// The place by degrees, minutes and seconds, as in EXIF.
  private static func location(_ entries: [UInt8: [UInt8]]) -> Location? {
    func degrees(_ first: UInt8, reference: UInt8, negative: UInt8) -> Double? {
      guard let hemisphere = entries[reference]?.first, hemisphere > 0,
        let whole = fraction(entries[first])
      else { return nil }
      let minutes = fraction(entries[first + 1]) ?? 0
      let seconds = fraction(entries[first + 2]) ?? 0
      let value = whole + minutes / 60 + seconds / 3600
      return hemisphere == negative ? -value : value
    }
    guard let latitude = degrees(0xB2, reference: 0xB1, negative: UInt8(ascii: "S")),
      let longitude = degrees(0xB6, reference: 0xB5, negative: UInt8(ascii: "W"))
    else { return nil }
    let isBelow = entries[0xB9]?.contains { $0 > 0 } == true
    return Location(
      latitude: latitude, longitude: longitude,
      altitude: fraction(entries[0xBA]).map { isBelow ? -$0 : $0 })
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
  private static func videoPayload(_ head: [UInt8], _ packets: MPEGTransportPackets) -> [UInt8] {
    var payload: [UInt8] = []
    var videoIdentifier: UInt16?
    _ = packets.visit(in: head) { packet in
      let first = packet.startIndex
      guard let flags = head.u16(at: first + 1), let control = head.u8(at: first + 3),
        control & 0x10 != 0
      else { return }
      let skip = control & 0x20 == 0 ? 4 : 5 + Int(head[first + 4])
      guard skip < MPEGTransportPackets.size else { return }
      let content = packet[(first + skip)...]
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
