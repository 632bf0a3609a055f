import ByteReading
package import MediaFormats

extension PictureAssembly {
  /// Inserts the metadata's chunks into a PNG, after its header.
  ///
  /// A profile in the metadata replaces the encoder's colour chunks.
  ///
  /// - Returns: the PNG, and the metadata's notes with further ones about data that a PNG cannot contain.
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
        "tEXt", Array("Raw profile type iptc\0".utf8) + PNGRawProfile.text("iptc", resources))
    }
    if let density = metadata.density { chunks += density.pHYs }
    for text in metadata.texts { chunks += text.chunk ?? [] }
    // The encoder writes a density of its own without knowing it.
    let replaced: Set<FourCC> =
      metadata.icc == nil ? ["pHYs"] : ["pHYs", "iCCP", "sRGB", "cICP"]
    let rest = rest(of: encoded, from: headerEnd, without: replaced)
    return (encoded[..<headerEnd] + chunks + rest, metadata.notes)
  }

  /// The rest of a PNG without some of the chunks that precede its pixels.
  private static func rest(
    of encoded: [UInt8], from start: Int, without replaced: Set<FourCC>
  ) -> [UInt8] {
    var kept: [UInt8] = []
    var position = start
    while let chunk = encoded.pngChunk(at: position), chunk.type != "IDAT" {
      let end = min(Int(chunk.end), encoded.count)
      if !replaced.contains(chunk.type) { kept += encoded[position..<end] }
      position = end
    }
    return kept + encoded[position...]
  }
}

extension PictureMetadata {
  /// The metadata that a PNG can contain: all of it, with the two packets of XMP joined.
  func fittedForPNG() -> PictureMetadata {
    guard let extendedXMP else { return self }
    var result = self
    result.extendedXMP = nil
    if let joined = xmp.flatMap({ XMPPatch.joined($0, extendedXMP) }) {
      result.xmp = joined
    } else {
      result.notes.append("The second part of its XMP is damaged and is left out.")
    }
    return result
  }
}
