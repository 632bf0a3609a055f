import ByteReading
import MediaEdits
import MediaFormats

/// Finds what a policy removes in the trailer that Samsung's phones write.
///
/// Binary blocks of unknown types are zeroed, since they could contain anything.
enum SamsungRedaction {
  /// The mobile network's country.
  private static let networkCountry: UInt16 = 0x0AA1
  /// Blocks with audio, depth maps and their parameters (exiftool's Samsung.pm).
  private static let knownTypes: Set<UInt16> = [
    0x0100, 0x0800, 0x0AB0, 0x0AB1, 0x0AB3, 0x0B40, 0x0B41,
  ]
  /// The longest block, in bytes, that is searched for a text.
  private static let maximumText = 1 << 20

  /// - Parameter depth: the number of files that the picture with the trailer is inside of.
  /// - Throws: ``RedactionRefusal`` for blocks that overlap many times, and for a damaged picture or clip; what the source
  ///   throws.
  static func find(
    _ policy: MetadataPolicy, of trailer: SamsungTrailer, in source: any ByteSource, depth: Int
  ) throws -> Redaction {
    var redaction = Redaction()
    var coverage = ByteRanges()
    var uses = UseCount(of: source, depth: depth)
    coverage.insert(trailer.directory.lowerBound..<source.count)
    for block in trailer.blocks {
      let payload = block.payload
      coverage.insert(block.range)
      try uses.add(block.range, policy)
      if policy.removes(text: Array(block.name.utf8)) {
        redaction.fill(block.range.lowerBound + 8..<payload.lowerBound, with: 0x20)
      }
      let start = try source.bytes(at: payload.lowerBound, count: min(16, payload.count))
      let part = source.part(payload)
      if block.type == networkCountry {
        guard policy.removesLocation else { continue }
        redaction.fill(payload, with: UInt8(ascii: "0"))
      } else if start.hasBytes([0xFF, 0xD8, 0xFF]) {
        redaction.add(
          try JPEGRedaction.find(policy, in: part, depth: depth + 1, keepsLength: true),
          at: payload.lowerBound)
      } else if start.hasText("ftyp", at: 4) {
        redaction.add(
          try ISORedaction.find(policy, in: part, depth: depth + 1), at: payload.lowerBound)
      } else if try !isHarmless(block, source, policy) {
        redaction.addNote("Data of unknown kind in Samsung's trailer was left out.")
        redaction.fill(payload)
      }
    }
    // Some trailers have no block for the motion clip, only its offset.
    if let clip = try trailer.motionVideo(in: source) { coverage.insert(clip) }
    for gap in coverage.gaps(in: trailer.start..<source.count) { redaction.fill(gap) }
    return redaction
  }

  /// Whether a block that is not a picture or a clip can stay: a text without a place, a block of a known type,
  /// or one of at most 4 bytes.
  private static func isHarmless(
    _ block: SamsungTrailer.Block, _ source: any ByteSource, _ policy: MetadataPolicy
  ) throws -> Bool {
    let isKnown = knownTypes.contains(block.type)
    guard let content = try source.bytes(in: block.payload, limit: maximumText)
    else { return isKnown }
    if policy.removes(data: content) { return false }
    // A reference to the motion clip: its offset and its length.
    let isReference = block.type == 0x0A30 && content.count == 12 && content.hasText("mpv2")
    return isKnown || isReference || content.count <= 4
      || LocationDetection.isText(content)
  }
}
