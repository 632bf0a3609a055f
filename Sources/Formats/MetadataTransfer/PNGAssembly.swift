import ByteReading
package import MediaFormats

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
