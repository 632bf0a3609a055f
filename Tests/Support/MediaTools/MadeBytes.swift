// Parts of files by their specifications, for files that no program makes.

/// A number in big-endian bytes, as most media formats store it.
///
/// - Parameter width: in bytes.
package func bigEndian(_ number: Int, _ width: Int = 4) -> [UInt8] {
  (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
}

/// A PNG chunk with its length and checksum (PNG specification, third edition, §5.3, §D.2).
package func pngChunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
  var crc = UInt32.max
  for byte in Array(type.utf8) + content {
    crc ^= UInt32(byte)
    for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
  }
  return bigEndian(content.count) + Array(type.utf8) + content + bigEndian(Int(~crc))
}
