import ByteReading
package import MediaModel

/// MPEG-2 transport streams, as broadcast and as AVCHD camcorders write them.
package enum MPEGTransportStreamFormat: MediaFormat {
  package static let uniformTypes: Set<UniformType> = [.mpeg2TransportStream, .avchd]

  package static func recognize(_ head: FileHead) -> UniformType? {
    if hasSyncBytes(head.bytes, first: 4, every: 192) { return .avchd }
    return hasSyncBytes(head.bytes, first: 0, every: 188) ? .mpeg2TransportStream : nil
  }

  /// Whether the sync byte repeats with the size of a packet through the whole head, at least three times.
  private static func hasSyncBytes(_ head: [UInt8], first: Int, every size: Int) -> Bool {
    let positions = stride(from: first, to: min(head.count, size * 8), by: size)
    var count = 0
    for position in positions {
      guard head[position] == 0x47 else { return false }
      count += 1
    }
    return count >= 3
  }
}
