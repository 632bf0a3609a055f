import ByteReading

/// A GUID that names an object or a kind of stream (Advanced Systems Format Specification, section 10).
struct ASFIdentifier: Hashable {
  /// As stored: the first three parts in little-endian order.
  let bytes: [UInt8]

  static let header = ASFIdentifier(0x75B2_2630, 0x668E, 0x11CF, 0xA6D9_00AA_0062_CE6C)
  static let data = ASFIdentifier(0x75B2_2636, 0x668E, 0x11CF, 0xA6D9_00AA_0062_CE6C)
  static let fileProperties = ASFIdentifier(0x8CAB_DCA1, 0xA947, 0x11CF, 0x8EE4_00C0_0C20_5365)
  static let streamProperties = ASFIdentifier(0xB7DC_0791, 0xA9B7, 0x11CF, 0x8EE6_00C0_0C20_5365)
  static let headerExtension = ASFIdentifier(0x5FBF_03B5, 0xA92E, 0x11CF, 0x8EE3_00C0_0C20_5365)
  static let content = ASFIdentifier(0x75B2_2633, 0x668E, 0x11CF, 0xA6D9_00AA_0062_CE6C)
  static let extendedContent = ASFIdentifier(0xD2D0_A440, 0xE307, 0x11D2, 0x97F0_00A0_C95E_A850)
  static let extendedStream = ASFIdentifier(0x14E6_A5CB, 0xC672, 0x4332, 0x8399_A969_5206_5B5A)
  static let metadata = ASFIdentifier(0xC5F8_CBEA, 0x5BAF, 0x4877, 0x8467_AA8C_44FA_4CCA)
  static let metadataLibrary = ASFIdentifier(0x4423_1C94, 0x9498, 0x49D1, 0xA141_1D13_4E45_7054)

  static let audio = ASFIdentifier(0xF869_9E40, 0x5B4D, 0x11CF, 0xA8FD_0080_5F5C_442B)
  static let video = ASFIdentifier(0xBC19_EFC0, 0x5B4D, 0x11CF, 0xA8FD_0080_5F5C_442B)
  static let command = ASFIdentifier(0x59DA_CFC0, 0x59E6, 0x11D0, 0xA3AC_00A0_C903_48F6)

  private init(_ first: UInt32, _ second: UInt16, _ third: UInt16, _ rest: UInt64) {
    bytes =
      encoded(first, width: 4, .little) + encoded(second, width: 2, .little)
      + encoded(third, width: 2, .little) + encoded(rest, width: 8)
  }

  /// Nil if there are fewer than 16 bytes.
  init?(_ content: [UInt8], at offset: Int) {
    guard let bytes = content.bytes(at: offset, count: 16) else { return nil }
    self.bytes = bytes
  }
}

/// One object of an ASF file (§2.1): an identifier, a size of 64 bits that includes both, and the content.
struct ASFObject: Hashable {
  var identifier: ASFIdentifier
  /// Cut off at the end of the file.
  var content: Range<UInt64>
  /// The offset of the next object.
  var next: UInt64
}

extension ByteSource {
  /// The object at an offset; nil at the end, and if its size is smaller than its header.
  func asfObject(at position: UInt64, before end: UInt64) throws -> ASFObject? {
    let end = min(end, count)
    guard position < end, end - position >= 24 else { return nil }
    let header = try bytes(at: position, count: 24)
    guard let identifier = ASFIdentifier(header, at: 0), let size = header.u64(at: 16, .little),
      size >= 24, let next = position.adding(size)
    else { return nil }
    return ASFObject(
      identifier: identifier, content: (position + 24)..<min(next, end), next: next)
  }

  /// The objects in a range.
  func asfObjects(in range: Range<UInt64>, limit: Int) throws -> [ASFObject] {
    var found: [ASFObject] = []
    var position = range.lowerBound
    while found.count < limit, let object = try asfObject(at: position, before: range.upperBound) {
      found.append(object)
      position = object.next
    }
    return found
  }
}
