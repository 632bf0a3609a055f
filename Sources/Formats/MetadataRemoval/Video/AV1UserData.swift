import ByteReading
import MediaFormats

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
    AV1Unit.units(in: bytes)
      .filter { ($0.type == metadata || others.contains($0.type)) && !$0.content.isEmpty }
      .flatMap { unit in
        erasable(inUnit: Array(bytes[unit.content]), of: unit.type)
          .map {
            ($0.lowerBound + unit.content.lowerBound)..<($0.upperBound + unit.content.lowerBound)
          }
      }
  }

  /// The last byte that is not zero has the bit that ends the content, so it stays.
  private static func erasable(inUnit unit: [UInt8], of type: UInt8) -> [Range<Int>] {
    let end = unit.lastIndex { $0 != 0 } ?? 0
    guard type == metadata else { return end > 0 ? [0..<end] : [] }
    guard let (kind, start) = AV1Unit.number(unit, at: 0), start < end else { return [] }
    let payload = Array(unit[start..<end])
    if kind == 4, VideoMessages.keeps(registered: payload) { return [] }
    if numbers.contains(kind), payload.count <= maximumNumbers,
      !LocationDetection.recordsPlace(payload)
    {
      return []
    }
    return [start..<end]
  }
}
