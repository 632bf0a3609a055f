/// The lowest `width` bytes of a whole number.
package func encoded(_ value: some BinaryInteger, width: Int, _ order: ByteOrder = .big) -> [UInt8]
{
  (0..<width).map { index in
    let shift = (order == .big ? width - 1 - index : index) * 8
    return UInt8(truncatingIfNeeded: value >> shift)
  }
}

extension FourCC {
  /// The four characters as bytes.
  package var bytes: [UInt8] { encoded(rawValue, width: 4) }
}

/// The CRC-32 of PNG's chunks and of gzip (ISO/IEC 3309).
package func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
  var crc = UInt32.max
  for byte in bytes {
    crc = crcTable[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ crc >> 8
  }
  return ~crc
}

private let crcTable: [UInt32] = (0..<256).map { index in
  (0..<8).reduce(UInt32(index)) { value, _ in
    value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
  }
}

/// A zlib stream (RFC 1950) with the bytes in stored blocks, without compression. Profiles and packets are small, and
/// every reader accepts such a stream.
package func storedZlib(_ bytes: [UInt8]) -> [UInt8] {
  var stream: [UInt8] = [0x78, 0x01]
  var position = 0
  repeat {
    let block = bytes[position..<min(position + 0xFFFF, bytes.count)]
    position += block.count
    stream.append(position == bytes.count ? 1 : 0)
    stream += encoded(block.count, width: 2, .little)
    stream += encoded(~block.count, width: 2, .little)
    stream += block
  } while position < bytes.count
  return stream + encoded(adler32(bytes), width: 4)
}

private func adler32(_ bytes: [UInt8]) -> UInt32 {
  var (low, high): (UInt32, UInt32) = (1, 0)
  for byte in bytes {
    low = (low + UInt32(byte)) % 65521
    high = (high + low) % 65521
  }
  return high << 16 | low
}
