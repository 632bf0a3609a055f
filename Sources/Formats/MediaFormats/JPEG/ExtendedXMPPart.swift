import ByteReading

/// One part of the XMP packet that is too long for one segment (XMP specification part 3 §1.1.3.1).
package struct ExtendedXMPPart {
  /// The packet's MD5 in 32 hexadecimal digits, by which the standard packet names it.
  var identifier: [UInt8]
  /// The length of the whole packet in bytes.
  var totalLength: Int
  /// Where in the packet this part belongs.
  var offset: Int
  /// The part's bytes in the file.
  var content: Range<UInt64>

  /// The longest packet in bytes that is read for a file's facts, and that is written. Longer ones contain depth maps.
  package static let maximumPacket = 4 << 20
  /// The number of payload bytes before the part: name, identifier, length and offset.
  package static let headerLength = JPEGSegmentName.extendedXMP.utf8.count + 40

  /// Nil for another kind of segment.
  ///
  /// - Parameter start: the payload's first bytes, at least ``headerLength`` of them.
  init?(start: [UInt8], payload: Range<UInt64>) {
    let nameLength = JPEGSegmentName.extendedXMP.utf8.count
    guard start.hasText(JPEGSegmentName.extendedXMP),
      let identifier = start.bytes(at: nameLength, count: 32),
      let total = start.u32(at: nameLength + 32), let offset = start.u32(at: nameLength + 36)
    else { return nil }
    self.identifier = identifier
    totalLength = Int(total)
    self.offset = Int(offset)
    content = payload.dropping(Self.headerLength)
  }

  func matches(_ other: Self) -> Bool {
    identifier == other.identifier && totalLength == other.totalLength
  }
}
