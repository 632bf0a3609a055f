import ByteReading

/// A data packet of an ASF file (Advanced Systems Format Specification §5.2).
struct ASFPacket {
  /// Milliseconds, which include the preroll.
  private(set) var sendTime: UInt32
  /// Milliseconds.
  private(set) var duration: UInt16
  /// The media objects that begin in the packet: the number of their stream, and their presentation time in
  /// milliseconds, which includes the preroll.
  private(set) var starts: [(stream: Int, time: UInt32)] = []

  private var position = 0
  private static let maximumPayloads = 64

  /// Nil for damaged bytes.
  init?(_ bytes: [UInt8]) {
    (sendTime, duration) = (0, 0)
    guard var flags = bytes.u8(at: 0) else { return nil }
    if flags & 0x80 != 0 {
      // Error correction data, whose length is in the low bits.
      position = 1 + Int(flags & 15)
      guard let next = bytes.u8(at: position) else { return nil }
      flags = next
    }
    guard let properties = bytes.u8(at: position + 1) else { return nil }
    position += 2
    // The packet's length, its sequence and its padding.
    for type in [flags >> 5, flags >> 1, flags >> 3] {
      guard number(type, bytes) != nil else { return nil }
    }
    guard let time = bytes.u32(at: position, .little),
      let length = bytes.u16(at: position + 4, .little)
    else { return nil }
    (sendTime, duration) = (time, length)
    position += 6
    var count = 1
    var lengthType: UInt8 = 0
    if flags & 1 != 0 {
      guard let payloads = bytes.u8(at: position) else { return nil }
      (count, lengthType) = (Int(payloads & 0x3F), payloads >> 6)
      position += 1
    }
    for _ in 0..<min(count, Self.maximumPayloads) {
      guard readPayload(bytes, properties, lengthType: lengthType) else { break }
    }
  }

  /// Reads the header of a payload and skips its data.
  ///
  /// - Parameter lengthType: the width of the payload's length; 0 if it extends to the packet's end.
  /// - Returns: whether another payload may follow.
  private mutating func readPayload(
    _ bytes: [UInt8], _ properties: UInt8, lengthType: UInt8
  ) -> Bool {
    guard let stream = bytes.u8(at: position) else { return false }
    position += 1
    guard number(properties >> 4, bytes) != nil, let offset = number(properties >> 2, bytes),
      let replicated = number(properties, bytes)
    else { return false }
    if replicated == 1 {
      // Several whole objects. The offset is the time of the first.
      starts.append((Int(stream & 0x7F), offset))
    } else if offset == 0, replicated >= 8, let time = bytes.u32(at: position + 4, .little) {
      starts.append((Int(stream & 0x7F), time))
    }
    position += Int(replicated)
    guard lengthType & 3 != 0, let length = number(lengthType, bytes) else { return false }
    position += Int(length)
    return true
  }

  /// Reads a number whose width is in the two low bits of `type`: none, which is 0, or a byte, two, or four.
  private mutating func number(_ type: UInt8, _ bytes: [UInt8]) -> UInt32? {
    let width = [0, 1, 2, 4][Int(type & 3)]
    guard width > 0 else { return 0 }
    guard let value = bytes.unsigned(at: position, width: width, .little) else { return nil }
    position += width
    return UInt32(truncatingIfNeeded: value)
  }
}
