import ByteReading

/// The end of a GIF, read without its pictures. Their data is split into blocks of at most 255 bytes, so a walk through
/// them would read the whole file.
enum GIFTail {
  /// The number of bytes in which the end of a packet is searched.
  private static let length: UInt64 = 32 << 10
  /// The longest packet in bytes.
  private static let maximumPacket: UInt64 = 4 << 20
  /// The extension's introducer, its label, and the length and text of its name (GIF89a §26).
  private static let start: [UInt8] = [0x21, 0xFF, 11] + Array(GIFBlock.xmpApplication.utf8)
  /// The bytes after a packet (XMP specification part 3 §1.1.2): 1, then 255 down to 0, then 0.
  private static let trailer: [UInt8] = [1] + (0...255).reversed() + [0]

  /// The XMP packet in an extension at the end of the file, where exiftool writes it; nil if there is none.
  static func xmp(of source: any ByteSource) throws -> [UInt8]? {
    let from = source.count - min(length, source.count)
    let tail = try source.bytes(at: from, count: Int(length))
    guard let end = tail.lastRange(of: trailer)?.lowerBound else { return nil }
    // A long packet begins before these bytes.
    let packetEnd = from + UInt64(end)
    let earliest = packetEnd - min(maximumPacket, packetEnd)
    let content = tail.prefix(end).lastRange(of: start).map { Array(tail[$0.upperBound..<end]) }
    if let content { return content.isEmpty ? nil : content }
    let all = try source.bytes(at: earliest, count: Int(packetEnd - earliest))
    guard let begin = all[...].lastRange(of: start)?.upperBound, begin < all.count
    else { return nil }
    return Array(all[begin...])
  }
}

extension Collection<UInt8> where Index == Int {
  /// The last occurrence of other bytes.
  fileprivate func lastRange(of other: [UInt8]) -> Range<Int>? {
    guard let first = other.first, count >= other.count else { return nil }
    for position in (startIndex...(endIndex - other.count)).reversed()
    where self[position] == first {
      if self[position..<(position + other.count)].elementsEqual(other) {
        return position..<(position + other.count)
      }
    }
    return nil
  }
}
