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
  /// Application extensions for the loop count.
  private static let loops = ["NETSCAPE2.0", "ANIMEXTS1.0"]

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
    case (_, let name?) where Self.loops.contains(name) && block.range.count <= 25: return
    case (_, "ICCRGBG1012"?): try visit(profile: block)
    case (_, GIFBlock.xmpApplication?) where policy != .appearanceOnly:
      // Some programs split the packet into sub-blocks.
      guard let packet = block.xmpPacket,
        try source.bytes(at: packet.upperBound, count: GIFBlock.xmpTrailer.count)
          == GIFBlock.xmpTrailer,
        let content = try source.bytes(in: packet, limit: 64 << 20)
      else { return redaction.replace(block.range) }
      redaction.overwrite(at: packet.lowerBound, with: XMPRedaction.removing(policy, from: content))
    case (0xFF, _): redaction.replace(block.range)
    // A comment, or text to draw over the picture (§25), which no viewer draws.
    case (0xFE, _), (0x01, _):
      if policy.removes(caption: try block.content(of: source)) { redaction.replace(block.range) }
    case (nil, _): try shortenPixels(of: block)
    // A graphic control block, with the duration of a frame, has 8 bytes (GIF89a §23).
    case (0xF9, _): if block.range.count > 8 { try shorten(block) }
    default: redaction.replace(block.range)
    }
  }

  /// Visits a colour profile. A very long one is removed.
  private mutating func visit(profile block: GIFBlock) throws {
    guard let profile = try block.content(of: source, limit: 64 << 20) else {
      return redaction.replace(block.range)
    }
    let changed = ICCRedaction.removing(policy, from: profile)
    guard changed != profile else { return }
    redaction.replace(
      (block.range.lowerBound + 14)..<block.range.upperBound, with: GIFBlock.subBlocks(changed))
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
