import ByteReading
import MediaEdits
import MediaFormats
import MediaModel

extension WebPFormat: RedactableFormat {
  static func redaction(
    _ policy: MetadataPolicy, _ type: UniformType, _ source: any ByteSource
  ) throws -> Redaction {
    policy == .appearanceOnly
      ? try WebPRedaction.appearance(in: source) : try WebPRedaction.find(policy, in: source)
  }
}

/// Finds what a policy removes from a WebP (RFC 9649).
enum WebPRedaction {
  private static let picture: Set<FourCC> = [
    "VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP",
  ]

  /// Finds what a policy other than ``MetadataPolicy/appearanceOnly`` removes. Chunks are overwritten in place.
  static func find(_ policy: MetadataPolicy, in source: any ByteSource) throws -> Redaction {
    var redaction = Redaction()
    let (chunks, end) = try chunks(of: source)
    for chunk in chunks {
      if picture.contains(chunk.type) {
        try visit(picture: chunk, policy, source, &redaction)
        continue
      }
      guard chunk.type == "EXIF" || chunk.type == "XMP ",
        let content = try source.bytes(in: chunk.payload, limit: 64 << 20)
      else {
        redaction.fill(chunk.payload)
        continue
      }
      let changed =
        chunk.type == "XMP "
        ? XMPRedaction.removing(policy, from: content)
        : ExifBlockRedaction.removing(policy, fromNamed: content)
      redaction.overwrite(at: chunk.payload.lowerBound, content, with: changed)
    }
    for gap in gaps(between: chunks, end) { redaction.fill(gap) }
    if end < source.count { redaction.replace(end..<source.count) }
    return redaction
  }

  /// Clears parts of a chunk that no decoder reads: bytes after fields of a fixed size, and chunks of unknown kinds
  /// in the frames of an animation.
  private static func visit(
    picture chunk: RIFFChunk, _ policy: MetadataPolicy, _ source: any ByteSource,
    _ redaction: inout Redaction
  ) throws {
    switch chunk.type {
    case "ICCP":
      redaction.add(try ICCRedaction.find(policy, inProfileAt: chunk.payload, of: source), at: 0)
    case "VP8X": redaction.fill(chunk.payload.dropping(10))
    case "ANIM": redaction.fill(chunk.payload.dropping(6))
    case "ALPH": try redaction.blankPlaces(in: chunk.payload, of: source, policy)
    case "ANMF":
      let content = chunk.payload.dropping(16)
      let parts = try source.chunks(in: content, limit: 1000)
      for part in parts {
        switch part.type {
        case "ALPH": try redaction.blankPlaces(in: part.payload, of: source, policy)
        case "VP8 ", "VP8L": continue
        default: redaction.fill(part.payload)
        }
      }
      for gap in gaps(between: parts, content.upperBound) where gap.lowerBound > 0 {
        redaction.fill(gap)
      }
    default: return
    }
  }

  /// The bytes between chunks and after the last one: single bytes of padding, and a rest too short for a chunk.
  private static func gaps(between chunks: [RIFFChunk], _ end: UInt64) -> [Range<UInt64>] {
    zip(
      chunks,
      chunks.dropFirst().map(\.start) + [end]
    )
    .compactMap { chunk, next in
      chunk.payload.upperBound < next ? chunk.payload.upperBound..<next : nil
    }
  }

  /// Finds all metadata. Chunks are removed, and the sizes and flags in the header are corrected.
  static func appearance(in source: any ByteSource) throws -> Redaction {
    var redaction = Redaction()
    let (chunks, _) = try chunks(of: source)
    let hasProfile = chunks.contains { $0.type == "ICCP" }
    let exif = AppearanceExif(try WebPFile(source).exif, hasProfile: hasProfile).block
    var size: UInt64 = 4
    var last: UInt64 = 12
    for chunk in chunks {
      let chunkEnd = min(chunk.payload.upperBound + UInt64(chunk.payload.count % 2), source.count)
      if picture.contains(chunk.type) {
        size += chunkEnd - chunk.start
        try visit(picture: chunk, .appearanceOnly, source, &redaction)
        redaction.fill(chunk.payload.upperBound..<chunkEnd)
      } else {
        redaction.replace(chunk.start..<chunkEnd)
      }
      last = chunkEnd
      if chunk.type == "VP8X",
        let flags = try source.bytes(at: chunk.payload.lowerBound, count: 1).first
      {
        let kept = flags & ~0x0C | (exif == nil ? 0 : 0x08)
        redaction.overwrite(at: chunk.payload.lowerBound, with: [kept])
      }
    }
    // Only a file with an extended header may contain an EXIF chunk. A picture with EXIF has had one.
    if let exif, chunks.contains(where: { $0.type == "VP8X" }) {
      let chunk = Array("EXIF".utf8) + encoded(exif.count, width: 4, .little) + exif
      redaction.replace(last..<last, with: chunk)
      size += UInt64(chunk.count)
    }
    if last < source.count { redaction.replace(last..<source.count) }
    redaction.overwrite(at: 4, with: encoded(size, width: 4, .little))
    return redaction
  }

  /// The file's chunks, and the end of the file by its header.
  private static func chunks(
    of source: any ByteSource
  ) throws -> ([RIFFChunk], end: UInt64) {
    let head = try source.bytes(at: 0, count: 12)
    guard head.hasText("RIFF"), head.hasText("WEBP", at: 8), let size = head.u32(at: 4, .little)
    else { throw ContainerError.notThisFormat("WebP") }
    let end = max(12, min(8 + UInt64(size), source.count))
    return (try source.chunks(in: 12..<end, limit: WebPFile.maximumChunks), end)
  }
}
