import ByteReading
import MediaEdits
import MediaFormats
import MediaModel

extension BMPFormat: RedactableFormat {
  static func redaction(
    _ policy: MetadataPolicy, _ type: UniformType, _ source: any ByteSource
  ) throws -> Redaction {
    try BMPRedaction.find(policy, in: source)
  }
}

/// Finds bytes of a BMP that are not part of its headers, palette, pixels or profile
/// ([MS-WMF] §2.2.2, Windows' BITMAPV5HEADER, OS/2's header).
enum BMPRedaction {
  private static let fileHeader: UInt64 = 14
  private static let longHeader: UInt64 = 14 + 40

  /// - Throws: ``ContainerError`` for what is not a BMP; what the source throws.
  static func find(_ policy: MetadataPolicy, in source: any ByteSource) throws -> Redaction {
    let head = try source.bytes(at: 0, count: 14 + 124)
    guard head.hasText("BM"), let pixels = head.u32(at: 10, .little),
      let headerSize = head.u32(at: 14, .little)
    else { throw ContainerError.notThisFormat("BMP") }
    var redaction = Redaction()
    var coverage = ByteRanges()
    coverage.insert(0..<6)
    coverage.insert(10..<(fileHeader + UInt64(headerSize)))
    let isCore = headerSize == 12
    let bits = UInt64((isCore ? head.u16(at: 24, .little) : head.u16(at: 28, .little)) ?? 0)
    let compression = isCore ? 0 : head.u32(at: 30, .little) ?? 0
    guard compression <= 3 || compression == 6 else {
      throw RedactionRefusal(
        "The BMP contains a picture of another format, which Shoebox does not change.")
    }
    // Masks of three or four colours precede the palette.
    let masks: UInt64 = headerSize == 40 ? (compression == 3 ? 12 : compression == 6 ? 16 : 0) : 0
    let named = isCore ? 0 : UInt64(head.u32(at: 46, .little) ?? 0)
    let colors = bits <= 8 ? (named == 0 ? 1 << bits : min(named, 256)) : min(named, 256)
    let tables = fileHeader + UInt64(headerSize)
    coverage.insert(tables..<(tables + masks + colors * (isCore ? 3 : 4)))
    // The fields after BITMAPINFOHEADER's are numbers about colours.
    try redaction.blankPlaces(in: min(longHeader, tables)..<tables, of: source, policy)
    let start = UInt64(pixels)
    coverage.insert(
      start..<(start.adding(pixelSize(head, bits, compression, isCore) ?? .max) ?? .max))
    if headerSize >= 124, let offset = head.u32(at: 14 + 112, .little),
      let size = head.u32(at: 14 + 116, .little), head.u32(at: 14 + 56, .little) == profileEmbedded
    {
      let profile = fileHeader + UInt64(offset)
      coverage.insert(profile..<(profile + UInt64(size)))
      redaction.add(
        try ICCRedaction.find(policy, inProfileAt: profile..<(profile + UInt64(size)), of: source),
        at: 0)
    }
    for gap in coverage.gaps(in: 0..<source.count) {
      if gap.upperBound == source.count { redaction.replace(gap) } else { redaction.fill(gap) }
    }
    return redaction
  }

  /// `PROFILE_EMBEDDED`.
  private static let profileEmbedded: UInt32 = 0x4D42_4544

  /// The length of the pixels in bytes, with rows padded to 32 bits; nil if only decoding would show it.
  private static func pixelSize(
    _ head: [UInt8], _ bits: UInt64, _ compression: UInt32, _ isCore: Bool
  ) -> UInt64? {
    if compression == 1 || compression == 2 {
      let size = UInt64(head.u32(at: 34, .little) ?? 0)
      return size == 0 ? nil : size
    }
    let width =
      isCore ? UInt64(head.u16(at: 18, .little) ?? 0) : magnitude(head.i32(at: 18, .little))
    let height =
      isCore ? UInt64(head.u16(at: 20, .little) ?? 0) : magnitude(head.i32(at: 22, .little))
    return width.times(bits)?.adding(31).map { $0 / 32 * 4 }?.times(height)
  }

  private static func magnitude(_ value: Int32?) -> UInt64 {
    UInt64(value?.magnitude ?? 0)
  }
}
