import ByteReading
import MediaFormats

// Lists of boxes that must be read to their end, since what is not read would stay.
extension ByteSource {
  /// All boxes in a range.
  ///
  /// - Throws: ``RedactionRefusal`` for more than `limit` boxes; what the source throws.
  func allBoxes(in range: Range<UInt64>, limit: Int) throws -> [ISOBox] {
    let found = try boxes(in: range, limit: limit + 1)
    guard found.count <= limit else {
      throw RedactionRefusal("The file has too many parts to check.")
    }
    return found
  }

  /// All boxes inside another one, after `skip` bytes of its own fields.
  ///
  /// - Throws: ``RedactionRefusal`` for more than `limit` boxes; what the source throws.
  func allBoxes(inside box: ISOBox, skip: UInt64 = 0, limit: Int = 65_536) throws -> [ISOBox] {
    guard let start = box.payload.lowerBound.adding(skip), start <= box.end else { return [] }
    return try allBoxes(in: start..<box.end, limit: limit)
  }
}
