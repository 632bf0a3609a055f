import ByteReading
import MediaEdits

/// The segments of a JPEG 2000 codestream (ISO/IEC 15444-1 annex A).
enum JPEG2000Codestream {
  /// Start Of Codestream.
  static let start: [UInt8] = [0xFF, 0x4F]

  private static let startOfTilePart: UInt16 = 0xFF90
  private static let startOfData: UInt16 = 0xFF93
  private static let endOfCodestream: UInt16 = 0xFFD9
  private static let comment: UInt16 = 0xFF64
  private static let maximumSegments = 1 << 20

  /// Clears comments, and everything after the codestream's end. Texts that the policy does not remove stay.
  ///
  /// - Throws: what the source throws.
  static func withoutComments(
    _ policy: MetadataPolicy, _ source: any ByteSource
  ) throws -> Redaction {
    var redaction = Redaction()
    var position: UInt64 = 2
    var tilePartEnd: UInt64?
    for _ in 0..<maximumSegments {
      let head = try source.bytes(at: position, count: 4)
      guard let marker = head.u16(at: 0) else { break }
      if marker == endOfCodestream {
        redaction.fill(min(position + 2, source.count)..<source.count)
        break
      }
      if marker == startOfData {
        // The tile-part's length counts from its first marker. 0 means that it extends to the end.
        guard let end = tilePartEnd, end > position else { break }
        position = end
        continue
      }
      guard marker >= 0xFF00, let length = head.u16(at: 2), length >= 2 else { break }
      let end = min(position + 2 + UInt64(length), source.count)
      if marker == startOfTilePart {
        let size = try source.bytes(at: position + 6, count: 4).u32(at: 0) ?? 0
        tilePartEnd = size == 0 ? nil : position + UInt64(size)
      } else if marker == comment {
        // The registration value, 1 for text, precedes the comment (§A.9.2).
        let content = (position + 6)..<max(position + 6, end)
        let text = try source.bytes(at: content.lowerBound, count: content.count)
        if head.count == 4,
          try source.bytes(at: position + 4, count: 2) != [0, 1]
            || policy.removes(caption: text)
        {
          redaction.fill(content, with: 0x20)
        }
      } else {
        try redaction.blankPlaces(
          in: min(position + 4, end)..<end, of: source, policy)
      }
      position = end
    }
    return redaction
  }
}
