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
/// removed then. In a frame of a video, whose length must stay, a private chunk of zeros takes the room of what is
/// removed.
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

  private static let headerLength = 13

  /// The longest content of chunks in bytes, for those with a fixed size or one that depends on the palette.
  private static let maximumContent: [FourCC: Int] = [
    "IEND": 0, "PLTE": 768, "tRNS": 256, "gAMA": 4, "cHRM": 32, "sRGB": 1, "cICP": 4, "mDCV": 24,
    "cLLI": 8, "sBIT": 4, "bKGD": 6, "pHYs": 9, "acTL": 8, "fcTL": 26, "hIST": 512, "tIME": 7,
    "oFFs": 9, "vpAg": 9, "orNT": 1,
  ]

  private let source: any ByteSource
  private let policy: MetadataPolicy
  /// Whether the length must stay, as for a picture inside of a file.
  private let keepsLength: Bool
  private var redaction = Redaction()
  private var hint: Range<UInt64>?
  /// The EXIF that a picture without metadata keeps.
  private var exif: [UInt8]?
  /// The chunks of the first picture, and of a later frame of an animation.
  private var pixels = PNGPixelData(skipped: 0)
  private var frame = PNGPixelData(skipped: 4)
  private var isAnimated = false
  /// The form of colours by the header (PNG specification, third edition, §11.2.1); nil before it.
  private var colorType: UInt8?
  /// The number of colours of the palette; nil before it.
  private var paletteCount: Int?
  /// The bytes that all compressed texts together may still expand to.
  private var inflationLeft: Int

  static func find(
    _ policy: MetadataPolicy, in source: any ByteSource, keepsLength: Bool = false
  ) throws -> Redaction {
    let file = try PNGFile(source)
    var found = PNGRedaction(source, policy, keepsLength: keepsLength)
    if policy == .appearanceOnly, !keepsLength {
      found.exif =
        AppearanceExif(file.exif, hasProfile: file.isNamedColor || file.codedColor != nil).block
    }
    try found.visitChunks()
    return found.redaction
  }

  private init(_ source: any ByteSource, _ policy: MetadataPolicy, keepsLength: Bool) {
    self.source = source
    self.policy = policy
    self.keepsLength = keepsLength
    // Zlib compresses by up to 1:1032, but metadata compresses less, and a movie may have thousands of frames.
    inflationLeft = (64 << 10) + 64 * Int(min(source.count, 256 << 10))
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
    guard walk.position < source.count else { return }
    let rest = walk.position..<source.count
    keepsLength ? redaction.fill(rest) : redaction.replace(rest)
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
    if try !isExpected(type, range) { return replace(range) }
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
    case "tEXt", "zTXt": try visit(text: content, type, range)
    case "iTXt": try visit(internationalText: content, range)
    default: replace(range)
    }
  }

  /// Whether a chunk of numbers may be at its place in the file and has no more of them than the colours allow (PNG
  /// specification, third edition, §5.6, §11.3.1 and §11.3.4), and is not a text with coordinates.
  ///
  /// - Throws: ``RedactionRefusal`` for a header with more than its fields; what the source throws.
  private mutating func isExpected(_ type: FourCC, _ range: Range<UInt64>) throws -> Bool {
    guard range.count >= 12 else { return true }
    let length = range.count - 12
    switch type {
    case "IHDR":
      guard colorType == nil else { return false }
      guard length <= Self.headerLength else {
        throw RedactionRefusal(
          "The PNG is damaged: its header is too long, so \(policy.removedText) in it cannot be found."
        )
      }
      colorType = try source.bytes(at: range.lowerBound + 17, count: 1).first ?? 0
      return true
    case "PLTE":
      guard paletteCount == nil else { return false }
      paletteCount = length / 3
      return true
    case "tRNS" where length > maximumTransparency, "hIST" where length > 2 * (paletteCount ?? 0):
      return false
    default:
      guard length >= TextsInData.shortest, let most = Self.maximumContent[type] else {
        return true
      }
      return try !policy.removes(
        data: source.bytes(at: range.lowerBound + 8, count: min(length, most)))
    }
  }

  /// The bytes of the transparent colour, or of the opacities of the palette's colours.
  private var maximumTransparency: Int {
    switch colorType {
    case 0: 2
    case 2: 6
    case 3: paletteCount ?? 0
    default: 0
    }
  }

  private mutating func replace(
    _ range: Range<UInt64>, _ type: FourCC, _ content: [UInt8], with changed: [UInt8]
  ) {
    if changed != content { replace(range, with: PNGChunk.made(type, changed)) }
  }

  private mutating func replace(_ range: Range<UInt64>, with chunk: [UInt8] = []) {
    guard !keepsLength else { return overwrite(range, with: chunk) }
    redaction.replace(range, with: chunk)
    guard let hint, chunk.count != range.count else { return }
    redaction.replace(hint)
    self.hint = nil
  }

  /// Overwrites a chunk with another one, or none, and with a private chunk of zeros in the rest of its room. A chunk
  /// that is too long for the room is left out.
  private mutating func overwrite(_ range: Range<UInt64>, with chunk: [UInt8]) {
    redaction.fill(range)
    let fits = chunk.count == range.count || chunk.count + 12 <= range.count
    let made = fits ? chunk : []
    redaction.overwrite(at: range.lowerBound, with: made)
    let room = range.count - made.count
    // Nothing follows the last chunk.
    guard room >= 12, made.isEmpty || !made.hasText("IEND", at: 4) else { return }
    redaction.overwrite(
      at: range.lowerBound + UInt64(made.count),
      with: PNGChunk.made(Self.blank, [UInt8](repeating: 0, count: room - 12)))
  }

  /// A type that no program knows: ancillary, private, and safe to copy (PNG specification, third edition, §5.4).
  private static let blank: FourCC = "noNe"

  /// Visits a profile: its name, a byte for the method, and compressed data. A chunk that cannot be read is removed,
  /// since decoders ignore it.
  private mutating func visit(profile range: Range<UInt64>) throws {
    guard range.count >= 12, range.count <= Self.maximumChunk else { return replace(range) }
    let content = try source.bytes(at: range.lowerBound + 8, count: range.count - 12)
    guard let end = content.prefix(80).firstIndex(of: 0),
      case let stored = content.bytes(from: end + 2), let profile = inflated(stored)
    else { return replace(range) }
    let changed = ICCRedaction.removing(policy, from: profile)
    let isNamed = policy.removes(text: Array(content[..<end]))
    guard changed != profile || isNamed else {
      return try dropRest(after: stored, of: content, "iCCP", range)
    }
    let name = isNamed ? Array("Profile".utf8) : Array(content[..<end])
    replace(range, with: PNGChunk.made("iCCP", name + [0, 0] + storedZlib(changed)))
  }

  /// Visits a text: a keyword, then the text. In `zTXt` a byte for the method and the compressed text follow.
  private mutating func visit(
    text content: [UInt8], _ type: FourCC, _ range: Range<UInt64>
  ) throws {
    guard let end = content.prefix(80).firstIndex(of: 0) else { return replace(range) }
    let stored = content.bytes(from: type == "tEXt" ? end + 1 : end + 2)
    let text = type == "tEXt" ? stored : inflated(stored)
    guard let text else { return replace(range) }
    if !visit(text, keyword: Array(content[..<end]), range), type == "zTXt" {
      try dropRest(after: stored, of: content, type, range)
    }
  }

  /// Visits a text under a keyword.
  ///
  /// - Returns: whether the chunk is replaced.
  private mutating func visit(
    _ text: [UInt8], keyword: [UInt8], _ range: Range<UInt64>
  ) -> Bool {
    let name = keyword.text
    if name == PNGChunk.xmpKeyword { return visit(packet: text, range) }
    if let kind = PNGRawProfile.kind(ofKeyword: name) {
      guard let profile = PNGRawProfile.block(in: text), let changed = changed(profile, kind) else {
        replace(range)
        return true
      }
      // Other characters between the digits, and digits after the length, could contain anything.
      if changed == profile, PNGRawProfile.isPlain(text) { return false }
      replace(
        range, with: PNGChunk.made("tEXt", keyword + [0] + PNGRawProfile.text(kind, changed)))
      return true
    }
    guard policy.removes(text: text, keyword: name) || policy.removes(text: keyword) else {
      return false
    }
    replace(range)
    return true
  }

  /// Removes the bytes after a compressed stream that ends before its chunk.
  private mutating func dropRest(
    after stored: [UInt8], of content: [UInt8], _ type: FourCC, _ range: Range<UInt64>
  ) throws {
    let length = try zlibLength(in: ArraySource(stored), [0..<UInt64(stored.count)])
    guard let length, length < stored.count else { return }
    replace(range, with: PNGChunk.made(type, content.dropLast(stored.count - Int(length))))
  }

  /// A raw profile without the metadata that the policy removes; nil for an unknown kind.
  private func changed(_ profile: [UInt8], _ kind: String) -> [UInt8]? {
    switch kind {
    case "icc", "icm": return ICCRedaction.removing(policy, from: profile)
    case "xmp": return XMPRedaction.removing(policy, from: profile)
    case "iptc", "8bim":
      if profile.first == IPTCRecords.marker {
        return IPTCRedaction.removing(policy, from: profile)
      }
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

  /// - Returns: whether the chunk is replaced.
  private mutating func visit(packet: [UInt8], _ range: Range<UInt64>) -> Bool {
    let changed = XMPRedaction.removing(policy, from: packet)
    guard changed != packet else { return false }
    replace(range, with: PNGChunk.made("iTXt", PNGChunk.xmpStart + changed))
    return true
  }

  /// Visits an international text: keyword, compression flag and method, language, translated keyword, text.
  private mutating func visit(internationalText content: [UInt8], _ range: Range<UInt64>) throws {
    var fields: [Int] = []
    var position = 0
    for field in 0..<3 {
      guard let end = content[min(position, content.count)...].firstIndex(of: 0)
      else { return replace(range) }
      fields.append(end)
      // Two bytes for the compression follow the keyword.
      position = end + (field == 0 ? 3 : 1)
    }
    let stored = content.bytes(from: position)
    // Other values are not defined (§11.3.3.4).
    guard let flag = content.u8(at: fields[0] + 1), flag <= 1 else { return replace(range) }
    let isCompressed = flag == 1
    guard let text = isCompressed ? inflated(stored) : stored
    else { return replace(range) }
    // The language and the translated keyword are texts too.
    let others = Array(content[min(fields[0] + 3, fields[2])..<fields[2]])
    if policy.removes(text: others) {
      replace(range)
    } else if !visit(text, keyword: Array(content[..<fields[0]]), range), isCompressed {
      try dropRest(after: stored, of: content, "iTXt", range)
    }
  }
}
