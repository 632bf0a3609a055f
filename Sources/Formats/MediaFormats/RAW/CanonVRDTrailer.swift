package import ByteReading

/// The trailer of Canon's program Digital Photo Professional, which other programs use for the XMP of a CRW (exiftool's
/// CanonVRD.pm): a header of 28 bytes, blocks, and a footer of 64 bytes at the end of the file.
package enum CanonVRDTrailer {
  private static let name = "CANON OPTIONAL DATA\0"
  private static let headerSize: UInt64 = 28
  private static let footerSize: UInt64 = 64
  private static let xmpBlock: UInt32 = 0xFFFF_00F6
  private static let maximumBlocks = 64

  /// The range of the XMP packet in the file; nil without one.
  package static func xmp(in source: any ByteSource) throws -> Range<UInt64>? {
    guard source.count > headerSize + footerSize,
      case let end = source.count - footerSize,
      case let footer = try source.bytes(at: end, count: 24), footer.hasText(name),
      let length = footer.u32(at: 20).map(UInt64.init), length <= end - headerSize,
      case let start = end - length,
      try source.bytes(at: start - headerSize, count: 20).hasText(name)
    else { return nil }
    var position = start
    for _ in 0..<maximumBlocks {
      let block = try source.bytes(at: position, count: 8)
      guard position < end, let type = block.u32(at: 0),
        let size = block.u32(at: 4).map(UInt64.init),
        size <= end - position - 8
      else { return nil }
      if type == xmpBlock { return (position + 8)..<(position + 8 + size) }
      position += 8 + size
    }
    return nil
  }
}
