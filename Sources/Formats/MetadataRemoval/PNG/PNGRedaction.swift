import ByteReading
import MediaEdits
import MediaFormats
import MediaModel

extension PNGFormat: RedactableFormat {
  static func redaction(
    _ policy: MetadataPolicy, _ type: UniformType, _ source: any ByteSource
  ) throws -> Redaction {
    try PNGRedaction.find(policy, in: source)
  }
}

/// Finds what a policy removes from a PNG, and replaces its chunks.
///
/// Chunks may change their length, because only Apple's `iDOT` refers to others by offset. It is a hint, which is
/// removed then.
struct PNGRedaction {
  private static let maximumChunks = 1_000_000
  private static let maximumChunk = 64 << 20
  /// Chunks with pixels, colours and animation.
  private static let appearance: Set<FourCC> = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI",
    "sBIT", "bKGD", "pHYs", "acTL", "fcTL", "fdAT",
  ]
  /// Further chunks that do not record a place.
  private static let harmless: Set<FourCC> = [
    "hIST", "tIME", "oFFs", "vpAg", "orNT",
  ]

  /// The longest content of chunks in bytes, for those with a fixed size or one that depends on the palette.
  private static let maximumContent: [FourCC: Int] = [
    "IEND": 0, "PLTE": 768, "tRNS": 256, "gAMA": 4, "cHRM": 32, "sRGB": 1, "cICP": 4, "mDCV": 24,
    "cLLI": 8, "sBIT": 4, "bKGD": 6, "pHYs": 9, "acTL": 8, "fcTL": 26, "hIST": 512, "tIME": 7,
    "oFFs": 9, "vpAg": 9, "orNT": 1,
  ]

  private let source: any ByteSource
  private let policy: MetadataPolicy
  private var redaction = Redaction()
  private var hint: Range<UInt64>?
  /// The EXIF that a picture without metadata keeps.
  private var exif: [UInt8]?
  /// The chunks of the first picture, and of a later frame of an animation.
  private var pixels = PNGPixelData(skipped: 0)
  private var frame = PNGPixelData(skipped: 4)
  private var isAnimated = false
  /// The bytes that all compressed texts together may still expand to.
  private var inflationLeft = 64 << 20

  static func find(_ policy: MetadataPolicy, in source: any ByteSource) throws -> Redaction {
    let file = try PNGFile(source)
    var found = PNGRedaction(source, policy)
    if policy == .appearanceOnly {
      found.exif =
        AppearanceExif(file.exif, hasProfile: file.isNamedColor || file.codedColor != nil).block
    }
    try found.visitChunks()
    return found.redaction
  }

  private init(_ source: any ByteSource, _ policy: MetadataPolicy) {
    self.source = source
    self.policy = policy
  }

  private mutating func visitChunks() throws {
    var walk = PNGChunkWalk(source, limit: Self.maximumChunks)
    while let chunk = try walk.next() {
      let end = min(chunk.end, source.count)
      try visit(chunk.type, chunk.offset..<end)
      try visitPixels(chunk.type, chunk.offset..<end, chunk.length)
      if chunk.type == "IHDR", let exif {
        redaction.replace(end..<end, with: PNGChunk.made("eXIf", exif))
      }
      if chunk.type == "IEND" { break }
    }
    try pixels.clearRest(in: source, &redaction)
    try frame.clearRest(in: source, &redaction)
    if walk.position < source.count { redaction.replace(walk.position..<source.count) }
  }

  /// Collects the chunks of each compressed stream: all `IDAT`, and the `fdAT` after each `fcTL`.
  private mutating func visitPixels(
    _ type: FourCC, _ range: Range<UInt64>, _ length: UInt32
  ) throws {
    switch type {
    // It is valid only before the pixels (PNG specification, third edition, §11.3.6.1).
    case "acTL": if pixels.isEmpty { isAnimated = true }
    case "IDAT": pixels.append(range, length: length)
    case "fcTL":
      try frame.clearRest(in: source, &redaction)
      frame = PNGPixelData(skipped: 4)
    case "fdAT":
      if isAnimated { frame.append(range, length: length) } else { replace(range) }
    default: return
    }
  }

  private mutating func visit(_ type: FourCC, _ range: Range<UInt64>) throws {
    if let most = Self.maximumContent[type], range.count > most + 12 {
      return type == "IEND" ? replace(range, with: PNGChunk.made(type, [])) : replace(range)
    }
    if type == "iCCP" { return try visit(profile: range) }
    if Self.appearance.contains(type) { return }
    if policy == .appearanceOnly { return replace(range) }
    if Self.harmless.contains(type) { return }
    guard range.count >= 12, range.count <= Self.maximumChunk else { return replace(range) }
    let content = try source.bytes(at: range.lowerBound + 8, count: range.count - 12)
    switch type {
    case "iDOT": hint = range
    case "sPLT", "sCAL": if policy.removes(text: content) { replace(range) }
    case "eXIf":
      replace(
        range, type, content, with: ExifBlockRedaction.removing(policy, from: content, depth: 1))
    case "tEXt", "zTXt": visit(text: content, type, range)
    case "iTXt": visit(internationalText: content, range)
    default: replace(range)
    }
  }

  private mutating func replace(
    _ range: Range<UInt64>, _ type: FourCC, _ content: [UInt8], with changed: [UInt8]
  ) {
    if changed != content { replace(range, with: PNGChunk.made(type, changed)) }
  }

  private mutating func replace(_ range: Range<UInt64>, with chunk: [UInt8] = []) {
    redaction.replace(range, with: chunk)
    guard let hint, chunk.count != range.count else { return }
    redaction.replace(hint)
    self.hint = nil
  }

  /// Visits a profile: its name, a byte for the method, and compressed data. A chunk that cannot be read is removed,
  /// since decoders ignore it.
  private mutating func visit(profile range: Range<UInt64>) throws {
    guard range.count >= 12, range.count <= Self.maximumChunk else { return replace(range) }
    let content = try source.bytes(at: range.lowerBound + 8, count: range.count - 12)
    guard let end = content.prefix(80).firstIndex(of: 0),
      let profile = inflated(content.bytes(from: end + 2))
    else { return replace(range) }
    let changed = ICCRedaction.removing(policy, from: profile)
    let isNamed = policy.removes(text: Array(content[..<end]))
    guard changed != profile || isNamed else { return }
    let name = isNamed ? Array("Profile".utf8) : Array(content[..<end])
    replace(range, with: PNGChunk.made("iCCP", name + [0, 0] + storedZlib(changed)))
  }

  /// Visits a text: a keyword, then the text. In `zTXt` a byte for the method and the compressed text follow.
  private mutating func visit(text content: [UInt8], _ type: FourCC, _ range: Range<UInt64>) {
    guard let end = content.prefix(80).firstIndex(of: 0) else { return replace(range) }
    let keyword = Array(content[..<end]).text
    let stored = content.bytes(from: end + 1)
    let text =
      type == "tEXt" ? stored : inflated(stored.bytes(from: 1))
    guard let text else { return replace(range) }
    if keyword == PNGChunk.xmpKeyword { return visit(packet: text, range) }
    if keyword.hasPrefix("Raw profile type ") {
      let kind = String(keyword.dropFirst(17))
      guard let profile = PNGRawProfile.block(in: text), let changed = changed(profile, kind)
      else { return replace(range) }
      if changed != profile {
        replace(
          range,
          with: PNGChunk.made(
            "tEXt", Array(content[...end]) + PNGRawProfile.text(kind, changed)))
      }
    } else if policy.removes(text: text, keyword: keyword) {
      replace(range)
    }
  }

  /// A raw profile without the metadata that the policy removes; nil for an unknown kind.
  private func changed(_ profile: [UInt8], _ kind: String) -> [UInt8]? {
    switch kind {
    case "icc", "icm": return ICCRedaction.removing(policy, from: profile)
    case "xmp": return XMPRedaction.removing(policy, from: profile)
    case "iptc", "8bim":
      if profile.first == 0x1C { return IPTCRedaction.removing(policy, from: profile) }
      return IPTCRedaction.removing(policy, fromResources: profile)
    case "exif", "APP1":
      if profile.hasText(JPEGSegmentName.xmp) {
        let length = JPEGSegmentName.xmp.utf8.count
        return profile.prefix(length)
          + XMPRedaction.removing(policy, from: profile.bytes(from: length))
      }
      return ExifBlockRedaction.removing(policy, fromNamed: profile)
    default: return nil
    }
  }

  private mutating func inflated(_ bytes: [UInt8]) -> [UInt8]? {
    let text = inflateZlib(bytes, limit: inflationLeft)
    // A damaged text costs half of the limit, so that a file with many of them ends soon.
    inflationLeft -= text?.count ?? inflationLeft / 2
    return text
  }

  private mutating func visit(packet: [UInt8], _ range: Range<UInt64>) {
    let changed = XMPRedaction.removing(policy, from: packet)
    if changed != packet {
      replace(range, with: PNGChunk.made("iTXt", PNGChunk.xmpStart + changed))
    }
  }

  /// Visits an international text: keyword, compression flag and method, language, translated keyword, text.
  private mutating func visit(internationalText content: [UInt8], _ range: Range<UInt64>) {
    var fields: [Int] = []
    var position = 0
    for field in 0..<3 {
      guard let end = content[min(position, content.count)...].firstIndex(of: 0)
      else { return replace(range) }
      fields.append(end)
      // Two bytes for the compression follow the keyword.
      position = end + (field == 0 ? 3 : 1)
    }
    let keyword = Array(content[..<fields[0]]).text
    let stored = content.bytes(from: position)
    let isCompressed = content.u8(at: fields[0] + 1) == 1
    guard let text = isCompressed ? inflated(stored) : stored
    else { return replace(range) }
    if keyword == PNGChunk.xmpKeyword {
      visit(packet: text, range)
    } else if policy.removes(text: text, keyword: keyword)
      || policy.removes(text: Array(content[(fields[1] + 1)..<fields[2]]))
    {
      replace(range)
    }
  }
}
