import ByteReading

/// The packets of an MPEG-2 transport stream, of which bytes may be damaged, or missing anywhere (ISO/IEC 13818-1
/// §2.4.3.2).
struct MPEGTransportPackets {
  /// Bytes of one packet, without what may precede or follow it.
  static let size = 188
  private static let syncByte: UInt8 = 0x47

  /// Bytes from one packet to the next: 188; 192 with the timestamp that AVCHD and Blu-ray write before each packet; 204
  /// with the error correction that DVB writes after it.
  let stride: Int

  /// The packets of a file with this beginning; nil for a file of another format.
  init?(head: [UInt8]) {
    if Self.isWhole(head, first: 4, every: 192) {
      stride = 192
    } else if Self.isWhole(head, first: 0, every: 188) {
      stride = 188
    } else if let found = [188, 192, 204].first(where: { Self.hasRun(head, every: $0) }) {
      stride = found
    } else {
      return nil
    }
  }

  /// Whether headers follow one another through the whole head, at least three.
  private static func isWhole(_ head: [UInt8], first: Int, every size: Int) -> Bool {
    let positions = Swift.stride(from: first, to: min(head.count - 3, size * 8), by: size)
    let headers = positions.map { header(head, at: $0) }
    return headers.count >= 3 && !headers.contains(nil) && differ(headers.compactMap(\.self))
  }

  /// Packets that follow one another in a damaged head. Fewer could be chance.
  private static let run = 8

  /// Whether as many headers follow one another anywhere, of packets that are not scrambled.
  private static func hasRun(_ head: [UInt8], every size: Int) -> Bool {
    (0..<size).contains { first in
      var headers: [UInt32] = []
      for position in Swift.stride(from: first, to: head.count - 3, by: size) {
        if let header = header(head, at: position), header & 0xC0 == 0 {
          headers.append(header)
          if headers.count >= run, differ(headers) { return true }
        } else {
          headers = []
        }
      }
      return false
    }
  }

  /// What may be a packet's header; nil for other bytes, such as those of a text. The adaptation field's control is not 0.
  private static func header(_ head: [UInt8], at position: Int) -> UInt32? {
    guard head[position] == syncByte else { return nil }
    return head.u32(at: position).flatMap { $0 & 0x30 != 0 ? $0 : nil }
  }

  /// Whether the headers are not those of a table of equal bytes: at least the counters of packets differ.
  private static func differ(_ headers: [UInt32]) -> Bool {
    headers.contains { $0 != headers.first }
  }

  /// Packets after a place that confirm that one begins there, if the bytes contain that many.
  private static let confirming = 5
  private static let leastConfirming = 3

  private func isStart(_ position: Int, in bytes: [UInt8]) -> Bool {
    guard bytes[position] == Self.syncByte else { return false }
    let end = min(bytes.count, position + Self.confirming * stride)
    let places = Array(Swift.stride(from: position, to: end, by: stride))
    return places.count >= Self.leastConfirming
      && places.allSatisfy { bytes[$0] == Self.syncByte }
  }

  /// Visits the packets in a part of a file, which may begin inside one. Where one does not follow the previous one, the
  /// next place is taken from which several follow one another.
  ///
  /// - Returns: the number of bytes up to the first packet that is cut off.
  func visit(in bytes: [UInt8], _ take: (ArraySlice<UInt8>) -> Void) -> Int {
    var position = 0
    // The end of the packet before.
    var searched = 0
    var isAligned = false
    while position + Self.size <= bytes.count {
      if isAligned, bytes[position] == Self.syncByte {
        take(bytes[position..<(position + Self.size)])
        searched = position + 1
        position += stride
      } else if let found = (searched..<bytes.count).first(where: { isStart($0, in: bytes) }) {
        isAligned = true
        position = found
      } else {
        return max(searched, bytes.count - Self.confirming * stride)
      }
    }
    return position
  }
}
