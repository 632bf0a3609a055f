package import ByteReading
package import MediaModel

/// The size, colours and metadata of a PNG (PNG specification, third edition). Pixels are not read, CRCs not
/// checked.
package struct PNGFile {
  package private(set) var size: PixelSize
  package private(set) var bitDepth: Int
  package private(set) var colorType: Int
  /// From the TIFF header on: the `eXIf` chunk, or a `Raw profile type exif` text.
  package private(set) var exif: [UInt8]?
  package private(set) var xmp: [UInt8]?
  /// Whether a text with XMP is too long or damaged.
  package private(set) var hasUnreadXMP = false
  /// IPTC-IIM datasets, from a `Raw profile type iptc` text.
  package private(set) var iptc: [UInt8]?
  /// Keyword and text of every `tEXt`, `zTXt` and `iTXt` chunk.
  package private(set) var texts: [(keyword: String, text: String)] = []
  /// `tIME`: the last change, UTC.
  package private(set) var modified: CivilTime?
  /// The number of frames of an animated PNG; nil for others.
  package private(set) var frameCount: Int?
  /// The seconds that an animation lasts; nil for one picture, and for an animation that is not read to its end.
  package private(set) var duration: Double?
  /// `cICP`: primaries and transfer of ITU-T H.273.
  package private(set) var codedColor: (primaries: Int, transfer: Int)?
  /// `gAMA`: the exponent of the transfer function.
  package private(set) var gamma: Double?
  /// `cHRM`: CIE x and y of white, red, green and blue.
  package private(set) var chromaticities: [Double]?
  /// Whether `sRGB` or `iCCP` defines the colours. Both take precedence over `gAMA` and `cHRM`.
  package private(set) var isNamedColor = false
  /// `pHYs`.
  package private(set) var density: PixelDensity?
  package private(set) var warnings: [String] = []

  private static let maximumChunks = 100_000
  private static let maximumChunk = 4 << 20
  /// The bytes that all compressed texts together may still expand to.
  private var inflationLeft = 4 << 20
  /// For each denominator of seconds, the sum of the frames' delays.
  private var delays: [UInt16: Int] = [:]

  package func text(_ keyword: String) -> String? {
    texts.first { $0.keyword == keyword }?.text
  }

  /// - Throws: ``ContainerError`` if the signature or the header is missing; the errors of the source.
  package init(_ source: any ByteSource) throws {
    let head = try source.bytes(at: 0, count: 33)
    guard head.hasBytes(PNGChunk.signature) else { throw ContainerError.notThisFormat("PNG") }
    guard head.hasText("IHDR", at: 12), let width = head.u32(at: 16), let height = head.u32(at: 20),
      let depth = head.u8(at: 24), let color = head.u8(at: 25)
    else { throw ContainerError.damaged("ends before the PNG header") }
    size = PixelSize(width: Int(width), height: Int(height))
    (bitDepth, colorType) = (Int(depth), Int(color))
    var walk = PNGChunkWalk(source, from: UInt64(head.count), limit: Self.maximumChunks)
    var pixelChunks = 0
    while let chunk = try walk.next() {
      if chunk.type == "IEND" {
        // In a fixed order, for the same result each time.
        let seconds = delays.sorted { $0.key < $1.key }
          .reduce(0) { $0 + Double($1.value) / Double($1.key) }
        if frameCount ?? 0 > 1, seconds > 0 { duration = seconds }
        return
      }
      try take(chunk, source)
      pixelChunks = chunk.type == "IDAT" ? pixelChunks + 1 : 0
      if pixelChunks == PNGTail.patience, frameCount == nil,
        let last = try PNGTail.lastPixels(of: source, from: walk.position, chunk: chunk.length)
      {
        walk.skip(to: last)
      }
    }
    if walk.isCutOff { warnings.append("The file is cut off before its IEND chunk.") }
  }

  private mutating func take(_ chunk: PNGChunk, _ source: any ByteSource) throws {
    switch chunk.type {
    case "IDAT", "fdAT", "PLTE": return
    case "fcTL": return try takeFrame(chunk, source)
    case "eXIf", "iTXt", "tEXt", "zTXt", "tIME", "acTL", "cICP", "pHYs", "gAMA", "cHRM": break
    case "sRGB", "iCCP": isNamedColor = true
    default: return
    }
    guard let content = try source.bytes(in: chunk.content, limit: Self.maximumChunk) else {
      let keyword = try source.bytes(at: chunk.content.lowerBound, count: 80).prefix { $0 != 0 }
      if ["iTXt", "tEXt", "zTXt"].contains(chunk.type) { noteUnread(Array(keyword).text) }
      return
    }
    switch chunk.type {
    case "eXIf": exif = tiffBlock(in: content, at: 0) ?? exif
    case "tEXt": takeText(content)
    case "zTXt": takeCompressedText(content)
    case "iTXt": takeInternationalText(content)
    case "tIME": modified = time(content)
    case "pHYs": density = PixelDensity(pHYs: content)
    case "gAMA": gamma = content.u32(at: 0).map { Double($0) / 100_000 }
    case "cHRM":
      chromaticities = (0..<8).compactMap { content.u32(at: $0 * 4) }.map { Double($0) / 100_000 }
    case "acTL": frameCount = content.u32(at: 0).map(Int.init)
    case "cICP":
      guard let primaries = content.u8(at: 0), let transfer = content.u8(at: 1) else { return }
      codedColor = (Int(primaries), Int(transfer))
    default: return
    }
  }

  /// Takes how long a frame is shown (PNG specification, third edition, §11.3.6.2).
  private mutating func takeFrame(_ chunk: PNGChunk, _ source: any ByteSource) throws {
    let fields = try source.header(at: chunk.content.lowerBound + 20, count: 4)
    guard chunk.length >= 24, let delay = fields.u16(at: 0), let divisor = fields.u16(at: 2)
    else { return }
    delays[divisor == 0 ? 100 : divisor, default: 0] += Int(delay)
  }

  private mutating func takeText(_ content: [UInt8]) {
    guard let end = content.prefix(80).firstIndex(of: 0) else { return }
    take(Array(content[..<end]).text, content.bytes(from: end + 1))
  }

  /// Takes a keyword, a zero for the only compression method, and the compressed text.
  private mutating func takeCompressedText(_ content: [UInt8]) {
    guard let end = content.prefix(80).firstIndex(of: 0) else { return }
    let keyword = Array(content[..<end]).text
    guard content.u8(at: end + 1) == 0,
      let value = inflated(content.bytes(from: end + 2), keyword)
    else { return }
    take(keyword, value)
  }

  private mutating func inflated(_ bytes: [UInt8], _ keyword: String) -> [UInt8]? {
    guard let value = inflateZlib(bytes, limit: inflationLeft) else {
      // A damaged text costs half of the limit, so that a file with many of them ends soon.
      inflationLeft /= 2
      noteUnread(keyword)
      if warnings.count < 8 { warnings.append("The text \(keyword) cannot be decompressed.") }
      return nil
    }
    inflationLeft -= value.count
    return value
  }

  /// Records that a text cannot be read.
  private mutating func noteUnread(_ keyword: String) {
    if [PNGChunk.xmpKeyword, "Raw profile type xmp"].contains(keyword) { hasUnreadXMP = true }
  }

  private mutating func take(_ keyword: String, _ value: [UInt8]) {
    switch keyword {
    case "Raw profile type exif", "Raw profile type APP1":
      guard let profile = PNGRawProfile.block(in: value) else { return }
      if profile.hasText(JPEGSegmentName.xmp) {
        xmp = xmp ?? profile.bytes(from: JPEGSegmentName.xmp.utf8.count)
      } else {
        exif = exif ?? tiffBlock(in: profile, at: profile.hasText("Exif\0\0") ? 6 : 0)
      }
    case "Raw profile type xmp": xmp = xmp ?? PNGRawProfile.block(in: value)
    // XMP belongs in iTXt, but libvips writes it compressed into zTXt.
    case PNGChunk.xmpKeyword: xmp = xmp ?? value
    case "Raw profile type iptc", "Raw profile type 8bim":
      iptc =
        iptc
        ?? PNGRawProfile.block(in: value).flatMap { block in
          // Older programs write the datasets without a resource around them.
          block.first == IPTCRecords.marker
            ? block : PhotoshopResource.data(PhotoshopResource.iptc, in: block)
        }
    default: texts.append((keyword, value.text))
    }
  }

  /// Takes a keyword, the compression flag and method, a language, a translated keyword and UTF-8 text.
  private mutating func takeInternationalText(_ content: [UInt8]) {
    let fields = content.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    guard fields.count == 2, let flag = fields[1].first else { return }
    let keyword = Array(fields[0]).text
    let rest = fields[1].dropFirst(2)
      .split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    guard rest.count == 3 else { return }
    let stored = Array(rest[2])
    guard let text = flag == 0 ? stored : inflated(stored, keyword) else { return }
    if keyword == PNGChunk.xmpKeyword {
      xmp = text
    } else {
      texts.append((keyword, String(decoding: text, as: UTF8.self)))
    }
  }

  private func time(_ content: [UInt8]) -> CivilTime? {
    guard content.count == 7, let year = content.u16(at: 0) else { return nil }
    return CivilTime(
      year: Int(year), month: Int(content[2]), day: Int(content[3]), hour: Int(content[4]),
      minute: Int(content[5]), second: Int(content[6]))
  }
}

extension PNGFile {
  /// Whether a palette entry or one colour is declared transparent: a `tRNS` chunk, which precedes the pixels
  /// (PNG specification, third edition, §5.6).
  package static func hasTransparencyChunk(_ source: any ByteSource) throws -> Bool {
    try PNGChunk.beforePixels("tRNS", in: source, limit: 1000) != nil
  }

  /// The level that is transparent in grey of 1, 2 or 4 bits, in 8 bits; nil for other pictures. libavcodec does not
  /// apply it.
  package func narrowGreyKey(in source: any ByteSource) throws -> UInt8? {
    guard colorType == 0, [1, 2, 4].contains(bitDepth),
      let chunk = try PNGChunk.beforePixels("tRNS", in: source, limit: 1000),
      let key = try source.bytes(at: chunk.content.lowerBound, count: 2).u16(at: 0)
    else { return nil }
    // Only the low bits of the key count (§11.3.1.1).
    let largest = 1 << bitDepth - 1
    return UInt8(clamping: (Int(key) & largest) * 255 / largest)
  }
}
