import ByteReading
package import MediaEdits
package import MediaFormats
package import MediaModel

extension PictureMetadata {
  /// Adds facts of the catalog to EXIF and XMP.
  package mutating func add(_ facts: CatalogFacts) {
    guard !facts.isEmpty else { return }
    if CatalogExif.holds(facts) {
      if let block = CatalogExif.block(exif, adding: facts) {
        setExif(block, with: facts)
      } else {
        notes.append("Its EXIF is damaged, so that facts of the catalog are only in its XMP.")
      }
    }
    guard let packet = xmp else {
      xmp = CatalogXMP.packet(facts)
      return
    }
    if let merged = CatalogXMP.merged(facts, into: packet) {
      xmp = merged
    } else {
      notes.append(Self.damagedXMP)
    }
  }

  /// Sets the block with facts, without their description if a segment of a JPEG, which is also what libexif reads, has no
  /// room for it.
  private mutating func setExif(_ block: [UInt8], with facts: CatalogFacts) {
    var others = facts
    others.caption = nil
    guard facts.caption != nil, !JPEGPatch.fits(exif: block), JPEGPatch.fits(exif: exif ?? []),
      let shorter = CatalogExif.holds(others) ? CatalogExif.block(exif, adding: others) : exif ?? []
    else {
      exif = block
      return
    }
    exif = shorter.isEmpty ? nil : shorter
    notes.append("Its description is too long for EXIF, so that it is only in its XMP.")
  }

  fileprivate static let damagedXMP =
    "Its XMP is damaged or too long, so that facts of the catalog are only in its EXIF."
}

/// Writes facts of the catalog into the metadata of a picture, whose pixels stay as they are.
package enum PictureFacts {
  /// A picture with facts in its EXIF and XMP, and notes about them.
  ///
  /// - Parameter bytes: the file.
  /// - Returns: nil for a file whose structure does not allow it, or whose own XMP cannot be read.
  /// - Throws: `ContainerError` for a damaged file.
  package static func adding(
    _ facts: CatalogFacts, to bytes: [UInt8], _ type: UniformType
  ) throws -> (bytes: [UInt8], notes: [String])? {
    if type == .tiff { return try tiff(bytes, facts) }
    let own = try PictureMetadata.read(type, ArraySource(bytes))
    guard !own.hasUnreadXMP else { return nil }
    var metadata = own
    metadata.notes = []
    metadata.add(facts)
    let exif = metadata.exif == own.exif ? nil : metadata.exif
    let xmp = metadata.xmp == own.xmp ? nil : metadata.xmp
    var made: [UInt8]?
    switch type {
    case .jpeg: return try jpeg(bytes, exif, xmp, second: own.extendedXMP, metadata.notes)
    case .png: made = png(bytes, exif, xmp)
    case .webP: made = try webP(bytes, exif, xmp)
    case .heic, .heif, .avif: made = try HEIFPatch(bytes)?.setting(exif: exif, xmp: xmp)
    default: made = nil
    }
    return made.map { ($0, metadata.notes) }
  }

  private static func jpeg(
    _ bytes: [UInt8], _ exif: [UInt8]?, _ xmp: [UInt8]?, second: [UInt8]?, _ notes: [String]
  ) throws -> (bytes: [UInt8], notes: [String])? {
    var notes = notes
    var patch = try JPEGPatch(bytes)
    var isChanged = false
    if let exif {
      if patch.file.exifParts.count <= 1, JPEGPatch.fits(exif: exif) {
        patch.set(exif: exif)
        isChanged = true
      } else {
        notes.append("Its EXIF is too long, so that facts of the catalog are only in its XMP.")
      }
    }
    if let xmp = xmp.map(JPEGPatch.fitted) {
      if JPEGPatch.fits(xmp: xmp) {
        patch.set(xmp: xmp)
        isChanged = true
      } else if let packets = packets(xmp, second, in: patch.file) {
        patch.set(xmp: packets.first, second: packets.second)
        isChanged = true
      } else {
        notes.append("Its XMP is too long, so that facts of the catalog are only in its EXIF.")
      }
    }
    return isChanged ? (patch.applied(), notes) : nil
  }

  /// A packet that is too long for a segment as two: the second one has its description, or all of it for a JPEG that had
  /// no packet. Programs read the properties of a motion photo or a gain map from the first one only.
  ///
  /// - Parameter second: the second packet that the JPEG has.
  private static func packets(
    _ xmp: [UInt8], _ second: [UInt8]?, in file: JPEGMetadata
  ) -> (first: [UInt8]?, second: [UInt8])? {
    // A damaged second packet would be lost.
    guard second != nil || file.extendedParts.isEmpty else { return nil }
    if let moved = CatalogXMP.movingDescription(from: xmp, to: second),
      PictureAssembly.fits(moved.first, with: moved.second),
      moved.second.count <= ExtendedXMPPart.maximumPacket
    {
      return moved
    }
    return file.xmpRange == nil && xmp.count <= ExtendedXMPPart.maximumPacket ? (nil, xmp) : nil
  }

  /// A PNG with new chunks after its header, in place of those that it has anywhere.
  private static func png(_ bytes: [UInt8], _ exif: [UInt8]?, _ xmp: [UInt8]?) -> [UInt8]? {
    let headerEnd = 33
    guard bytes.hasBytes(PNGChunk.signature), bytes.hasText("IHDR", at: 12),
      bytes.count > headerEnd
    else { return nil }
    var chunks: [UInt8] = []
    if let exif { chunks += PNGChunk.made("eXIf", exif) }
    if let xmp { chunks += PNGChunk.made("iTXt", PNGChunk.xmpStart + xmp) }
    var rest: [UInt8] = []
    var position = headerEnd
    while let chunk = bytes.pngChunk(at: position) {
      let end = min(Int(chunk.end), bytes.count)
      let content = bytes[min(position + 8, end)..<end]
      if !isReplaced(chunk.type, content, exif: exif != nil, xmp: xmp != nil) {
        rest += bytes[position..<end]
      }
      position = end
      if chunk.type == "IEND" { break }
    }
    return bytes[..<headerEnd] + chunks + rest + bytes[position...]
  }

  /// Whether a chunk contains metadata for which there is a new chunk.
  private static func isReplaced(
    _ type: FourCC, _ content: ArraySlice<UInt8>, exif: Bool, xmp: Bool
  ) -> Bool {
    switch type {
    case "eXIf": return exif
    case "iTXt", "tEXt", "zTXt":
      let keyword = Array(content.prefix(80).prefix { $0 != 0 }).text
      if keyword == PNGChunk.xmpKeyword || keyword == "Raw profile type xmp" { return xmp }
      return exif && keyword == "Raw profile type exif"
    default: return false
    }
  }

  /// A WebP in the extended form with chunks of metadata after its picture (RFC 9649 §2.7).
  private static func webP(_ bytes: [UInt8], _ exif: [UInt8]?, _ xmp: [UInt8]?) throws -> [UInt8]? {
    let source = ArraySource(bytes)
    let file = try WebPFile(source)
    var features = bytes.hasText("VP8X", at: 12) ? bytes.u8(at: 20) ?? 0 : 0
    if try WebPFile.hasAlpha(source) { features |= 0x10 }
    var content: [UInt8] = []
    for chunk in try source.webPChunks() {
      let isReplaced =
        chunk.type == "VP8X" || chunk.type == "EXIF" && exif != nil
        || chunk.type == "XMP " && xmp != nil
      guard !isReplaced else { continue }
      content += Self.chunk(
        chunk.type, Array(bytes[Int(chunk.payload.lowerBound)..<Int(chunk.payload.upperBound)]))
    }
    if let exif {
      features |= 0x08
      content += chunk("EXIF", exif)
    }
    if let xmp {
      features |= 0x04
      content += chunk("XMP ", xmp)
    }
    guard (1...(1 << 24)).contains(file.size.width), (1...(1 << 24)).contains(file.size.height)
    else { return nil }
    let header = chunk(
      "VP8X",
      [features, 0, 0, 0] + encoded(file.size.width - 1, width: 3, .little)
        + encoded(file.size.height - 1, width: 3, .little))
    let body = Array("WEBP".utf8) + header + content
    let end = bytes.u32(at: 4, .little).map { min(bytes.count, Int($0) + 8) } ?? bytes.count
    return Array("RIFF".utf8) + encoded(body.count, width: 4, .little) + body + bytes[end...]
  }

  private static func chunk(_ type: FourCC, _ content: [UInt8]) -> [UInt8] {
    type.bytes + encoded(content.count, width: 4, .little) + content
      + [UInt8](repeating: 0, count: content.count & 1)
  }

  /// A TIFF file with new directories after its end. The first one has the facts.
  private static func tiff(
    _ bytes: [UInt8], _ facts: CatalogFacts
  ) throws -> (bytes: [UInt8], notes: [String])? {
    let tiff = try TIFFFile(ArraySource(bytes))
    let entry = try tiff.directory(at: tiff.firstDirectoryOffset)?[TIFFTag.xmp]
    let packet = try entry.flatMap {
      try tiff.bytes(of: $0, limit: PictureMetadata.maximumBlock)
    }
    guard (packet == nil) == (entry == nil) else { return nil }
    let merged =
      packet.map { CatalogXMP.merged(facts, into: $0) } ?? .some(CatalogXMP.packet(facts))
    let notes = merged == nil ? [PictureMetadata.damagedXMP] : []
    return CatalogExif.block(bytes, adding: facts, merged.map { [(TIFFTag.xmp, $0)] } ?? [])
      .map { ($0, notes) }
  }
}
