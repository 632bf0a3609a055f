import ByteReading

/// The header of a packet of an elementary stream (ISO/IEC 13818-1 §2.4.3.6; MPEG-1: ISO/IEC 11172-1 §2.4.3.3).
struct MPEGPacketHeader {
  /// Bytes up to the payload.
  private(set) var length: Int
  /// In units of 1/90,000 s, as the other time.
  private(set) var presentationTime: UInt64?
  private(set) var decodingTime: UInt64?

  /// An MPEG-1 header begins with at most this number of stuffing bytes.
  private static let maximumStuffing = 16

  /// Nil if the bytes do not begin with such a header.
  init?(_ bytes: ArraySlice<UInt8>) {
    let content = Array(bytes.prefix(64))
    guard content.hasBytes([0, 0, 1]), let first = content.u8(at: 6) else { return nil }
    length = 0
    guard first & 0xC0 == 0x80 else {
      guard read(mpeg1: content) else { return nil }
      return
    }
    guard let flags = content.u8(at: 7), let size = content.u8(at: 8) else { return nil }
    length = 9 + Int(size)
    guard flags & 0x80 != 0 else { return }
    presentationTime = Self.time(content, at: 9)
    if flags & 0x40 != 0 { decodingTime = Self.time(content, at: 14) }
  }

  /// Returns whether it is such a header.
  private mutating func read(mpeg1 content: [UInt8]) -> Bool {
    var position = 6
    while position < 6 + Self.maximumStuffing, content.u8(at: position) == 0xFF { position += 1 }
    // The size of the decoder's buffer.
    if let byte = content.u8(at: position), byte & 0xC0 == 0x40 { position += 2 }
    switch content.u8(at: position).map({ $0 >> 4 }) {
    case 0 where content.u8(at: position) == 0x0F: length = position + 1
    case 2:
      length = position + 5
      presentationTime = Self.time(content, at: position)
    case 3:
      length = position + 10
      presentationTime = Self.time(content, at: position)
      decodingTime = Self.time(content, at: position + 5)
    default: return false
    }
    return true
  }

  /// 33 bits in five bytes with markers.
  private static func time(_ bytes: [UInt8], at start: Int) -> UInt64? {
    guard let coded = bytes.unsigned(at: start, width: 5) else { return nil }
    return coded >> 3 & 0x1_C000_0000 | coded >> 2 & 0x3FFF_8000 | coded >> 1 & 0x7FFF
  }
}
