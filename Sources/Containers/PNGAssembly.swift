extension PictureAssembly {
  /// A PNG with the metadata's chunks behind its header.
  ///
  /// The profile takes the place of what the encoder said of colour.
  ///
  /// - Returns: also the metadata's notes, with one for whatever a PNG has no room for.
  package static func png(
    _ encoded: [UInt8], with metadata: PictureMetadata
  ) -> (bytes: [UInt8], notes: [String]) {
    let headerEnd = 33
    guard encoded.hasBytes(PNGChunk.signature), encoded.hasText("IHDR", at: 12),
      encoded.count >= headerEnd
    else { return (encoded, metadata.notes) }
    let metadata = metadata.fittedForPNG()
    var chunks: [UInt8] = []
    if let icc = metadata.icc {
      chunks += PNGChunk.made("iCCP", Array("icc\0\0".utf8) + storedZlib(icc))
    }
    if let exif = metadata.exif { chunks += PNGChunk.made("eXIf", exif) }
    if let xmp = metadata.xmp {
      chunks += PNGChunk.made("iTXt", PNGChunk.xmpStart + xmp)
    }
    if let resources = metadata.imageResources {
      chunks += PNGChunk.made(
        "tEXt", Array("Raw profile type iptc\0".utf8) + rawProfileText("iptc", resources))
    }
    if let density = metadata.density { chunks += density.pHYs }
    for text in metadata.texts { chunks += text.chunk ?? [] }
    // The encoder says of the density that it knows none.
    let replaced: Set<FourCC> =
      metadata.icc == nil ? ["pHYs"] : ["pHYs", "iCCP", "sRGB", "cICP"]
    let rest = rest(of: encoded, from: headerEnd, without: replaced)
    return (encoded[..<headerEnd] + chunks + rest, metadata.notes)
  }

  /// The rest of a PNG without some of the chunks that stand before its pixels.
  private static func rest(
    of encoded: [UInt8], from start: Int, without replaced: Set<FourCC>
  ) -> [UInt8] {
    var kept: [UInt8] = []
    var position = start
    while let length = encoded.u32(at: position), let type = encoded.fourCC(at: position + 4),
      type != "IDAT"
    {
      let end = min(position + 12 + Int(length), encoded.count)
      if !replaced.contains(type) { kept += encoded[position..<end] }
      position = end
    }
    return kept + encoded[position...]
  }
}

/// The chunks of a PNG file.
enum PNGChunk {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  /// Keyword, no compression, no language, no translated keyword.
  static let xmpStart = Array((xmpKeyword + "\0\0\0\0\0").utf8)
  static let xmpKeyword = "XML:com.adobe.xmp"

  /// A whole chunk, its length and check sum included.
  static func made(_ type: FourCC, _ content: [UInt8]) -> [UInt8] {
    encoded(content.count, width: 4) + type.bytes + content
      + encoded(crc32(type.bytes + content), width: 4)
  }
}

/// A profile as ImageMagick writes it into text; see ``rawProfile(_:)``.
func rawProfileText(_ name: String, _ profile: [UInt8]) -> [UInt8] {
  var text = Array("\n\(name)\n\(profile.count)\n".utf8)
  for (index, byte) in profile.enumerated() {
    for digit in [byte >> 4, byte & 15] { text.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
    if index % 36 == 35 { text.append(0x0A) }
  }
  return text + [0x0A]
}
