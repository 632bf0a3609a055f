import ByteReading
import MediaEdits
import MediaFormats
import MediaModel

extension GIFFormat: RedactableFormat {
  static func redaction(
    _ policy: MetadataPolicy, _ type: UniformType, _ source: any ByteSource
  ) throws -> Redaction {
    try GIFRedaction.find(policy, in: source)
  }
}

/// Finds what a policy removes from a GIF: its XMP packet, comments, and unknown blocks.
struct GIFRedaction {
  /// Application extensions for the loop count and the colour profile.
  private static let appearance = ["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]

  private let source: any ByteSource
  private let policy: MetadataPolicy
  private var redaction = Redaction()

  static func find(_ policy: MetadataPolicy, in source: any ByteSource) throws -> Redaction {
    _ = try GIFFile(source)
    var found = GIFRedaction(source: source, policy: policy)
    try found.visitBlocks()
    return found.redaction
  }

  private init(source: any ByteSource, policy: MetadataPolicy) {
    self.source = source
    self.policy = policy
  }

  private mutating func visitBlocks() throws {
    var walk = try GIFBlockWalk(source)
    while let block = try walk.next() { try visit(block) }
    // The walk stops at the trailer or at damage. Viewers show nothing of what follows.
    if walk.position + 1 < source.count {
      redaction.replace((walk.position + 1)..<source.count)
    }
  }

  private mutating func visit(_ block: GIFBlock) throws {
    switch (block.label, block.application) {
    // Netscape's extension has a loop count of 3 bytes and a buffer size of 5.
    case (_, let name?)
    where Self.appearance.contains(name) && (block.range.count <= 25 || name == "ICCRGBG1012"):
      return
    case (_, GIFBlock.xmpApplication?) where policy != .appearanceOnly:
      guard let packet = block.xmpPacket,
        let content = try source.bytes(in: packet, limit: 64 << 20)
      else { return redaction.replace(block.range) }
      redaction.overwrite(at: packet.lowerBound, with: XMPRedaction.removing(policy, from: content))
    case (0xFF, _): redaction.replace(block.range)
    case (0xFE, _):
      let text = try source.bytes(in: block.range, limit: 1 << 20)
      if policy.removes(caption: text) {
        redaction.replace(block.range)
      }
    case (nil, _): try shortenPixels(of: block)
    // A graphic control block, with the duration of a frame, has 8 bytes (GIF89a §23).
    case (0xF9, _): if block.range.count > 8 { try shorten(block) }
    // Text to draw over the picture (§25). No viewer draws it.
    case (0x01, _):
      let text = try source.bytes(in: block.range, limit: 1 << 20)
      if policy.removes(caption: text) {
        redaction.replace(block.range)
      }
    default: redaction.replace(block.range)
    }
  }

  /// Drops the data after a picture's last pixel. Damaged data stays, since its end is not known.
  private mutating func shortenPixels(of block: GIFBlock) throws {
    guard let (range, pixels) = block.pixelData,
      let end = try GIFPixelData.end(in: source, range, pixels: pixels),
      range.upperBound - end.position != 1
    else { return }
    redaction.overwrite(at: end.block, with: [end.used])
    redaction.replace(end.position..<range.upperBound, with: [0])
  }

  /// Ends a block that has more than its 4 bytes of content.
  private mutating func shorten(_ block: GIFBlock) throws {
    guard block.head.u8(at: 2) == 4 else { return redaction.replace(block.range) }
    redaction.replace((block.range.lowerBound + 7)..<block.range.upperBound, with: [0])
  }
}
