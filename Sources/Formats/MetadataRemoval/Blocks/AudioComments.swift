import ByteReading
import MediaEdits
import MediaFormats

/// Finds what a policy removes from the headers of Vorbis, Theora and FLAC, which contain tags: names and texts
/// (Vorbis I specification §5, RFC 9639 §8). No byte moves.
struct AudioComments {
  /// Types of FLAC's blocks: padding, tags. Seek tables (3) and cue sheets (5) stay too.
  private static let padding: UInt8 = 1
  private static let tags: UInt8 = 4
  private static let kept: Set<UInt8> = [0, 1, 3, 5]
  private static let maximumTags = 100_000

  private let policy: MetadataPolicy
  private let bytes: [UInt8]
  private var redaction = Redaction()

  private init(_ policy: MetadataPolicy, _ bytes: [UInt8]) {
    (self.policy, self.bytes) = (policy, bytes)
  }

  /// The changes to the three headers of Vorbis or Theora as Matroska stores them: the number of further headers, their
  /// lengths in Xiph's form, and the headers (RFC 9559 §10.3.2).
  static func find(_ policy: MetadataPolicy, inXiphHeaders bytes: [UInt8]) -> Redaction {
    var found = AudioComments(policy, bytes)
    guard bytes.first == 2 else { return found.redaction }
    var position = 1
    var lengths: [Int] = []
    while lengths.count < 2 {
      var length = 0
      while let byte = bytes.u8(at: position) {
        position += 1
        length += Int(byte)
        if byte < 255 { break }
      }
      guard position < bytes.count else { return found.redaction }
      lengths.append(length)
    }
    // Its type and the codec's name, of six letters, precede the tags.
    found.visitTags(from: position + lengths[0] + 7, to: position + lengths[0] + lengths[1])
    return found.redaction
  }

  /// The changes to the blocks of FLAC.
  ///
  /// - Parameter start: the offset of the first block.
  static func find(
    _ policy: MetadataPolicy, inFLAC bytes: [UInt8], from start: Int
  ) -> Redaction {
    var found = AudioComments(policy, bytes)
    var position = start
    while let head = bytes.u32(at: position) {
      let (type, length) = (UInt8(head >> 24 & 0x7F), Int(head & 0xFF_FFFF))
      let content = (position + 4)..<min(position + 4 + length, bytes.count)
      if type == tags {
        found.visitTags(from: content.lowerBound, to: content.upperBound)
      } else if !kept.contains(type) || type == padding {
        // A picture, or data of another program.
        found.redaction.overwrite(
          at: UInt64(position), with: [UInt8(head >> 24) & 0x80 | padding])
        found.redaction.fill(UInt64(content.lowerBound)..<UInt64(content.upperBound))
      }
      if head >> 31 == 1 { break }
      position += 4 + length
    }
    return found.redaction
  }

  /// Writes spaces over the unwanted texts of a list of tags: the program, then names and texts with `=` between them, each
  /// after its length.
  private mutating func visitTags(from start: Int, to end: Int) {
    guard start <= end, end <= bytes.count, let length = bytes.u32(at: start, .little) else {
      return
    }
    var position = start + 4 + Int(length)
    visit(start + 4, position, end) { $0.policy == .appearanceOnly || $0.policy.removes(text: $1) }
    guard let count = bytes.u32(at: position, .little), position + 4 <= end else { return }
    position += 4
    for _ in 0..<min(Int(count), Self.maximumTags) {
      guard let length = bytes.u32(at: position, .little), position + 4 + Int(length) <= end else {
        return
      }
      let tag = position + 4
      position = tag + Int(length)
      let name = bytes[tag..<position].prefix { $0 != UInt8(ascii: "=") }
      let key = Array(name).text
      visit(min(tag + name.count + 1, position), position, end) {
        // A picture in Base64 is not searched.
        $0.policy == .appearanceOnly || key.uppercased() == "METADATA_BLOCK_PICTURE"
          || $0.policy.removes(key: key) || $0.policy.removes(text: $1, key: key)
      }
    }
  }

  private mutating func visit(
    _ start: Int, _ end: Int, _ limit: Int, _ isUnwanted: (AudioComments, [UInt8]) -> Bool
  ) {
    guard start < end, end <= limit, isUnwanted(self, Array(bytes[start..<end])) else { return }
    redaction.fill(UInt64(start)..<UInt64(end), with: 0x20)
  }
}
