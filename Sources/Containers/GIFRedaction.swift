/// Finds what tells a place, or all metadata, in a GIF: its XMP packet, and what nobody knows.
struct GIFRedaction {
  /// That it is repeated, and its colours.
  private static let appearance = ["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]

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
    var walk = try GIFBlockWalk(source)
    while let block = try walk.next() { try visit(block) }
    // The end, or damage: nothing that a viewer shows follows.
    if walk.position + 1 < source.count {
      redaction.replace((walk.position + 1)..<source.count)
    }
  }

  private mutating func visit(_ block: GIFBlock) throws {
    switch (block.label, block.application) {
    case (_, let name?) where Self.appearance.contains(name): return
    case (_, GIFBlock.xmpApplication?) where !isAppearanceOnly:
      guard let packet = block.xmpPacket,
        let content = try source.bytes(in: packet, limit: 64 << 20)
      else { return redaction.replace(block.range) }
      redaction.overwrite(at: packet.lowerBound, with: XMPSurgery.withoutLocation(content))
    case (0xFF, _): redaction.replace(block.range)
    case (0xFE, _):
      let text = try source.bytes(in: block.range, limit: 1 << 20)
      if isAppearanceOnly || text.map({ LocationNames.isTold(in: $0) }) ?? true {
        redaction.replace(block.range)
      }
    default: return
    }
  }
}
