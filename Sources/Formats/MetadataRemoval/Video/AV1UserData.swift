import ByteReading

/// User data in a stream of AV1: metadata units, padding, and units of reserved types (AV1 Bitstream & Decoding Process
/// Specification §5.8 and §6.4).
enum AV1UserData {
  /// Types of units: metadata and padding; 0 and 9 to 14 are reserved.
  private static let metadata: UInt8 = 5
  private static let others: Set<UInt8> = [0, 9, 10, 11, 12, 13, 14, 15]
  /// Types of metadata with numbers only: light level, mastering display, scalability, time code.
  private static let numbers: Set<Int> = [1, 2, 3, 5]
  /// Longer metadata of these types has more than its fields.
  private static let maximumNumbers = 1 << 10

  /// The bytes of a list of units to overwrite.
  static func erasable(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var position = 0
    while let header = bytes.u8(at: position) {
      position += header & 4 == 0 ? 1 : 2
      var length = bytes.count - position
      if header & 2 != 0 {
        guard let (size, width) = number(bytes, at: position) else { break }
        position += width
        length = min(size, bytes.count - position)
      }
      guard length > 0 else { continue }
      let type = header >> 3 & 15
      let content = position..<(position + length)
      if type == metadata || others.contains(type) {
        found += erasable(inUnit: Array(bytes[content]), of: type)
          .map { ($0.lowerBound + position)..<($0.upperBound + position) }
      }
      position += length
    }
    return found
  }

  /// The last byte that is not zero has the bit that ends the content, so it stays.
  private static func erasable(inUnit unit: [UInt8], of type: UInt8) -> [Range<Int>] {
    let end = unit.lastIndex { $0 != 0 } ?? 0
    guard type == metadata else { return end > 0 ? [0..<end] : [] }
    guard let (kind, start) = number(unit, at: 0), start < end else { return [] }
    let payload = Array(unit[start..<end])
    if kind == 4, VideoMessages.keeps(registered: payload) { return [] }
    if numbers.contains(kind), payload.count <= maximumNumbers,
      !LocationDetection.recordsPlace(payload)
    {
      return []
    }
    return [start..<end]
  }

  /// A number in `leb128` and its length in bytes (§4.10.5); nil if it does not fit into 32 bits.
  private static func number(_ bytes: [UInt8], at start: Int) -> (value: Int, width: Int)? {
    var value = 0
    for index in 0..<5 {
      guard let byte = bytes.u8(at: start + index) else { return nil }
      value |= Int(byte & 0x7F) << (7 * index)
      if byte & 0x80 == 0 { return (value, index + 1) }
    }
    return nil
  }
}
