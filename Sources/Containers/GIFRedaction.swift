/// Finds what tells a place, or all metadata, in a GIF: its XMP packet, and what nobody knows.
struct GIFRedaction {
  private static let imageSeparator: UInt8 = 0x2C
  private static let extensionIntroducer: UInt8 = 0x21
  /// That it is repeated, and its colours.
  private static let appearance = ["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]
  private static let xmp = "XMP DataXMP"
  /// Bytes behind an XMP packet that lead a reader of blocks to its end.
  private static let trailer: UInt64 = 258

  private let source: any ByteSource
  private let isAppearanceOnly: Bool
  private var redaction = Redaction()

  static func find(
    isAppearanceOnly: Bool, in source: any ByteSource
  ) throws -> Redaction {
    _ = try GIFFile(source)
    var found = GIFRedaction(source: source, isAppearanceOnly: isAppearanceOnly)
    try found.visitBlocks()
    return found.redaction
  }

  private init(source: any ByteSource, isAppearanceOnly: Bool) {
    self.source = source
    self.isAppearanceOnly = isAppearanceOnly
  }

  private mutating func visitBlocks() throws {
    var position = 13 + colorTableSize(try source.bytes(at: 10, count: 1).first ?? 0)
    while position < source.count {
      let head = try source.bytes(at: position, count: 16)
      switch head.first {
      case Self.imageSeparator:
        position = try endOfBlocks(position + 11 + colorTableSize(head.u8(at: 9) ?? 0))
      case Self.extensionIntroducer:
        let end = try endOfBlocks(position + 2)
        try visit(head, position..<end)
        position = end
      default:
        // The end, or damage: nothing that a viewer shows follows.
        if position + 1 < source.count { redaction.replace((position + 1)..<source.count) }
        return
      }
    }
  }

  private func colorTableSize(_ flags: UInt8) -> UInt64 {
    flags & 0x80 == 0 ? 0 : 3 << UInt64(flags & 7 + 1)
  }

  private func endOfBlocks(_ start: UInt64) throws -> UInt64 {
    var position = start
    while let length = try source.bytes(at: position, count: 1).first {
      position += UInt64(length) + 1
      if length == 0 { break }
    }
    return min(position, source.count)
  }

  private mutating func visit(_ head: [UInt8], _ range: Range<UInt64>) throws {
    let name = head.bytes(at: 3, count: 11)?.text ?? ""
    switch head.u8(at: 1) {
    case 0xFF where Self.appearance.contains(name): return
    case 0xFF where name == Self.xmp && !isAppearanceOnly:
      // Behind the introducer, the label and the name with its length.
      guard range.count > 14 + Int(Self.trailer),
        case let packet = (range.lowerBound + 14)..<(range.upperBound - Self.trailer),
        let content = try source.bytes(in: packet, limit: 64 << 20)
      else { return redaction.replace(range) }
      redaction.overwrite(at: packet.lowerBound, with: XMPSurgery.withoutLocation(content))
    case 0xFF: redaction.replace(range)
    case 0xFE:
      let text = try source.bytes(in: range, limit: 1 << 20)
      if isAppearanceOnly || text.map({ LocationNames.isTold(in: $0) }) ?? true {
        redaction.replace(range)
      }
    default: return
    }
  }
}
