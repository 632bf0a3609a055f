import ByteReading

/// An open bitstream unit of AV1 (AV1 Bitstream & Decoding Process Specification §5.3).
package struct AV1Unit {
  /// `obu_type` (§6.2.2): 1 is a sequence header, 5 metadata, 15 padding.
  package var type: UInt8
  /// Where its content is among the bytes, without its header and size.
  package var content: Range<Int>

  /// The units in some bytes, up to the first one whose size is damaged.
  package static func units(in bytes: [UInt8]) -> [AV1Unit] {
    var units: [AV1Unit] = []
    var position = 0
    while let header = bytes.u8(at: position) {
      position += header & 4 == 0 ? 1 : 2
      var length = bytes.count - position
      if header & 2 != 0 {
        guard let (size, width) = number(bytes, at: position) else { break }
        position += width
        length = min(size, bytes.count - position)
      }
      guard length >= 0 else { break }
      units.append(AV1Unit(type: header >> 3 & 15, content: position..<(position + length)))
      position += length
    }
    return units
  }

  /// A number in `leb128` and its length in bytes (§4.10.5); nil if it does not fit into 32 bits.
  package static func number(_ bytes: [UInt8], at start: Int) -> (value: Int, width: Int)? {
    var value = 0
    for index in 0..<5 {
      guard let byte = bytes.u8(at: start + index) else { return nil }
      value |= Int(byte & 0x7F) << (7 * index)
      if byte & 0x80 == 0 { return (value, index + 1) }
    }
    return nil
  }
}
