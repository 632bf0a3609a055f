package import ByteReading
package import MediaModel

/// What a PNG's chunks tell (PNG specification, third edition), without its pixels or their CRCs.
package struct PNGFile {
  package private(set) var size: PixelSize
  package private(set) var bitDepth: Int
  package private(set) var colorType: Int
  /// From the TIFF header on: the `eXIf` chunk, or a `Raw profile type exif` text.
  package private(set) var exif: [UInt8]?
  package private(set) var xmp: [UInt8]?
  /// IPTC-IIM datasets, from a `Raw profile type iptc` text.
  package private(set) var iptc: [UInt8]?
  /// Keyword and text of every `tEXt`, `zTXt` and `iTXt` chunk.
  package private(set) var texts: [(keyword: String, text: String)] = []
  /// `tIME`: the last change, UTC.
  package private(set) var modified: CivilTime?
  /// Of an animated PNG.
  package private(set) var frameCount: Int?
  /// `cICP`: primaries and transfer of ITU-T H.273.
  package private(set) var codedColor: (primaries: Int, transfer: Int)?
  /// `gAMA`: what light was raised to.
  package private(set) var gamma: Double?
  /// `cHRM`: CIE x and y of white, red, green and blue.
  package private(set) var chromaticities: [Double]?
  /// Whether `sRGB` or `iCCP` says what its colours are, beside which the last two do not count.
  package private(set) var isNamedColor = false
  /// `pHYs`.
  package private(set) var density: PixelDensity?
  package private(set) var warnings: [String] = []

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let maximumChunks = 100_000
  private static let maximumChunk = 4 << 20
  /// Bytes that all compressed texts together may become.
  private var inflationLeft = 4 << 20

  package func text(_ keyword: String) -> String? {
    texts.first { $0.keyword == keyword }?.text
  }

  /// - Throws: ``ContainerError`` without signature and header; what the source throws.
  package init(_ source: any ByteSource) throws {
    let head = try source.bytes(at: 0, count: 33)
    guard head.hasBytes(Self.signature) else { throw ContainerError.notThisFormat("PNG") }
    guard head.hasText("IHDR", at: 12), let width = head.u32(at: 16), let height = head.u32(at: 20),
      let depth = head.u8(at: 24), let color = head.u8(at: 25)
    else { throw ContainerError.damaged("ends before the PNG header") }
    size = PixelSize(width: Int(width), height: Int(height))
    (bitDepth, colorType) = (Int(depth), Int(color))
    var position: UInt64 = 33
    var pixelChunks = 0
    for _ in 0..<Self.maximumChunks {
      let header = try source.header(at: position, count: 8)
      guard let length = header.u32(at: 0), let type = header.fourCC(at: 4) else {
        warnings.append("The file is cut off before its IEND chunk.")
        return
      }
      if type == "IEND" { return }
      let start = position + 8
      try take(type, start..<(start + UInt64(length)), source)
      position = start + UInt64(length) + 4
      pixelChunks = type == "IDAT" ? pixelChunks + 1 : 0
      if pixelChunks == PNGTail.patience, frameCount == nil {
        position = try PNGTail.lastPixels(of: source, from: position, chunk: length) ?? position
      }
    }
  }

  private mutating func take(
    _ type: FourCC, _ range: Range<UInt64>, _ source: any ByteSource
  ) throws {
    switch type {
    case "IDAT", "fdAT", "fcTL", "PLTE": return
    case "eXIf", "iTXt", "tEXt", "zTXt", "tIME", "acTL", "cICP", "pHYs", "gAMA", "cHRM": break
    case "sRGB", "iCCP": isNamedColor = true
    default: return
    }
    guard let content = try source.bytes(in: range, limit: Self.maximumChunk) else { return }
    switch type {
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

  private mutating func takeText(_ content: [UInt8]) {
    guard let end = content.prefix(80).firstIndex(of: 0) else { return }
    take(Array(content[..<end]).text, content.bytes(from: end + 1))
  }

  /// Keyword, a zero for the only method there is, then the compressed text.
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
      // Damage is not tried again and again: the time that it costs is bounded, too.
      inflationLeft /= 2
      if warnings.count < 8 { warnings.append("The text \(keyword) cannot be decompressed.") }
      return nil
    }
    inflationLeft -= value.count
    return value
  }

  private mutating func take(_ keyword: String, _ value: [UInt8]) {
    switch keyword {
    case "Raw profile type exif", "Raw profile type APP1":
      guard let profile = rawProfile(value) else { return }
      if profile.hasText(JPEGMarker.xmpName) {
        xmp = xmp ?? profile.bytes(from: JPEGMarker.xmpName.utf8.count)
      } else {
        exif = exif ?? tiffBlock(in: profile, at: profile.hasText("Exif\0\0") ? 6 : 0)
      }
    case "Raw profile type xmp": xmp = xmp ?? rawProfile(value)
    // It belongs into iTXt, but libvips compresses it.
    case PNGChunk.xmpKeyword: xmp = xmp ?? value
    case "Raw profile type iptc", "Raw profile type 8bim":
      iptc =
        iptc ?? rawProfile(value).flatMap { PhotoshopResource.data(PhotoshopResource.iptc, in: $0) }
    default: texts.append((keyword, value.text))
    }
  }

  /// Keyword, compression flag and method, language, translated keyword, then UTF-8 text.
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

/// A profile as ImageMagick writes it into text: a line with a name, one with the length in decimal,
/// then hexadecimal digits.
package func rawProfile(_ text: [UInt8]) -> [UInt8]? {
  let fields = text.split(maxSplits: 2, omittingEmptySubsequences: true) {
    $0 == 0x0A || $0 == 0x0D
  }
  guard fields.count == 3, let length = Int(String(decoding: fields[1], as: UTF8.self).trimmed),
    length > 0, length <= text.count
  else { return nil }
  var bytes: [UInt8] = []
  var high: UInt8?
  for character in fields[2] {
    guard let digit = Character(Unicode.Scalar(character)).hexDigitValue else { continue }
    if let first = high {
      bytes.append(first << 4 | UInt8(digit))
      high = nil
    } else {
      high = UInt8(digit)
    }
  }
  return bytes.count >= length ? Array(bytes.prefix(length)) : nil
}

extension PNGFile {
  /// Whether one colour of its palette or one of its colours is declared transparent: a `tRNS` chunk,
  /// which stands before the pixels (PNG 3rd edition §5.6).
  package static func hasTransparencyChunk(_ source: any ByteSource) throws -> Bool {
    var position: UInt64 = 8
    for _ in 0..<1000 {
      let header = try source.bytes(at: position, count: 8)
      guard let length = header.u32(at: 0), let type = header.fourCC(at: 4), type != "IDAT"
      else { return false }
      if type == "tRNS" { return true }
      position += UInt64(length) + 12
    }
    return false
  }
}
