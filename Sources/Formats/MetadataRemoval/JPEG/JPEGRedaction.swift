import ByteReading
import MediaEdits
import MediaFormats
import MediaModel

extension JPEGFormat: RedactableFormat {
  static func redaction(
    _ policy: MetadataPolicy, _ type: UniformType, _ source: any ByteSource
  ) throws -> Redaction {
    policy == .appearanceOnly
      ? try JPEGRedaction.appearance(in: source) : try JPEGRedaction.find(policy, in: source)
  }
}

/// Finds what a policy removes from a JPEG: in its segments, and in the pictures, clips and trailers
/// that phones append to it.
struct JPEGRedaction {
  /// Levels of pictures inside of pictures that are visited.
  static let maximumDepth = 4
  /// Second packets of XMP that are searched for.
  private static let maximumExtended = 64

  private let source: any ByteSource
  private let policy: MetadataPolicy
  private let file: JPEGMetadata
  private let depth: Int
  private var redaction = Redaction()

  /// - Parameters:
  ///   - depth: the number of files that this picture is inside of.
  ///   - keepsLength: whether the length must stay, as for a picture inside of a file.
  /// - Throws: ``RedactionRefusal`` for a damaged picture; ``ContainerError`` for a file that is not a JPEG; what
  ///   the source throws.
  static func find(
    _ policy: MetadataPolicy, in source: any ByteSource, depth: Int = 0, keepsLength: Bool = false
  ) throws -> Redaction {
    guard depth < maximumDepth else {
      throw RedactionRefusal("The picture contains other pictures, nested too deeply.")
    }
    let file = try JPEGMetadata(source)
    guard let scan = file.scanOffset else {
      throw RedactionRefusal(
        "The JPEG is damaged, so Shoebox cannot find \(policy.removedText) in it.")
    }
    let scans = try JPEGScans(from: scan, in: source)
    var found = JPEGRedaction(source, policy, file, depth)
    try found.visitBlocks()
    for segment in file.segments { try found.visit(segment) }
    for segment in scans.segments { try found.visit(afterScan: segment) }
    let unused = try JPEGPixelData.unused(file.segments, scans, in: source)
    // Bytes 0xFF are allowed in front of any marker (ITU-T T.81 §B.1.1.2).
    for gap in file.gaps + scans.gaps + unused { found.redaction.fill(gap, with: 0xFF) }
    var trailer = JPEGTrailer(source, policy, file, depth: depth, keepsLength: keepsLength)
    found.redaction.add(try trailer.find(from: scans.end ?? scans.brokenAt), at: 0)
    return found.redaction
  }

  private init(
    _ source: any ByteSource, _ policy: MetadataPolicy, _ file: JPEGMetadata, _ depth: Int
  ) {
    self.source = source
    self.policy = policy
    self.file = file
    self.depth = depth
  }

  /// Visits the blocks that may be split into several segments.
  private mutating func visitBlocks() throws {
    if let exif = try file.joined(file.exifParts, source) {
      scatter(
        ExifBlockRedaction.removing(policy, from: exif, depth: depth + 1), exif, file.exifParts)
    }
    if let resources = try file.joined(file.photoshopParts, source) {
      scatter(
        IPTCRedaction.removing(policy, fromResources: resources, depth: depth + 1), resources,
        file.photoshopParts)
    }
    if let profile = try file.joined(file.profileParts, source) {
      scatter(ICCRedaction.removing(policy, from: profile), profile, file.profileParts)
    }
    let isSearched = file.xmpRange != nil && file.extendedParts.count <= Self.maximumExtended
    // No reader finds a second packet that no first one names, and a first one names one of them.
    if !isSearched {
      for part in file.extendedParts.values.flatMap(\.parts) { redaction.fill(part.range) }
    }
    guard let range = file.xmpRange else { return }
    let packet = try source.bytes(at: range.lowerBound, count: range.count)
    var changed = XMPRedaction.removing(policy, from: packet)
    for (name, extended) in file.extendedParts where isSearched {
      try visitExtended(name, extended.parts, in: &changed)
    }
    redaction.overwrite(at: range.lowerBound, packet, with: changed)
  }

  /// Visits a second packet. Each of its parts, and the first packet, contain its digest.
  private mutating func visitExtended(
    _ name: [UInt8], _ parts: [JPEGMetadata.Part], in main: inout [UInt8]
  ) throws {
    guard let packet = try file.joined(parts, source) else {
      for part in parts { redaction.fill(part.range) }
      return
    }
    let changed = XMPRedaction.removing(policy, from: packet)
    guard changed != packet else { return }
    scatter(changed, packet, parts)
    let newName = md5Text(changed)
    for part in parts {
      redaction.overwrite(at: part.range.lowerBound - 40, with: newName)
    }
    if let place = main.firstIndex(of: name) {
      main.replaceSubrange(place..<(place + name.count), with: newName)
    }
  }

  /// Writes a changed block back into its parts.
  private mutating func scatter(
    _ changed: [UInt8], _ block: [UInt8], _ parts: [JPEGMetadata.Part]
  ) {
    guard changed != block else { return }
    for part in parts {
      guard let bytes = changed.bytes(at: part.offset, count: part.range.count) else { continue }
      redaction.overwrite(at: part.range.lowerBound, with: bytes)
    }
  }

  /// Visits a segment between scans or after them. No picture needs metadata there, and most readers ignore it.
  private mutating func visit(afterScan segment: JPEGSegment) throws {
    switch segment.marker {
    case 0xE0...0xEF, JPEGMarker.comment:
      redaction.addNote("Metadata between the picture's scans was left out.")
      redaction.fill(segment.payload, with: segment.marker == JPEGMarker.comment ? 0x20 : 0)
    default: try visit(table: segment)
    }
  }

  /// Visits a segment. Unknown ones are cleared.
  private mutating func visit(_ segment: JPEGSegment) throws {
    let start = try segment.start(40, from: source)
    func begins(_ names: String...) -> Bool { names.contains { start.hasText($0) } }
    switch segment.marker {
    case 0xE0: try visitApp0(segment, start)
    case 0xE1:
      if begins(JPEGSegmentName.exif) {
        try visitFurtherExif(segment)
      } else if begins(JPEGSegmentName.xmp) {
        try visitFurtherXMP(segment)
      } else if begins("FLIR\0"), !policy.removesLocation {
        return
      } else if JPEGFrame.isIndex(start) {
        redaction.fill(segment.payload.dropping(JPEGFrame.indexSize))
      } else if !isExtendedXMP(segment) {
        redaction.fill(segment.payload)
      }
    case 0xE2:
      if begins(JPEGSegmentName.multiPicture) {
        try visitMultiPictureIndex(segment)
      } else if begins(JPEGSegmentName.profile) {
        // Another part has the same number, and readers use that one.
        let part = segment.payload.dropping(14)
        if !file.profileParts.contains(where: { $0.range == part }) { redaction.fill(part) }
      } else if !begins("urn:iso:std:iso:ts:21496") {
        redaction.fill(segment.payload)
      }
    case 0xE6 where begins("GoPro\0"):
      if policy.removes(text: try segment.payload(from: source)) {
        redaction.fill(segment.payload)
      }
    case 0xEA where begins("AROT"): return
    case 0xEC where begins("Ducky"): try visitSavedForWeb(segment)
    case 0xED where begins(JPEGSegmentName.photoshop):
      // What is beyond the limit of a block was not visited.
      let part = segment.payload.dropping(14)
      if !file.photoshopParts.contains(where: { $0.range == part }) { redaction.fill(part) }
    case 0xEE where begins("Adobe"): redaction.fill(segment.payload.dropping(12))
    case 0xE3...0xEF: redaction.fill(segment.payload)
    case JPEGMarker.comment:
      let comment = try segment.payload(from: source)
      if !JPEGFrame.isParameter(comment), policy.removes(caption: comment) {
        redaction.fill(segment.payload, with: 0x20)
      }
    default: try visit(table: segment)
    }
  }

  /// Whether a segment is a part of a second packet that was visited.
  private func isExtendedXMP(_ segment: JPEGSegment) -> Bool {
    let content = segment.payload.dropping(ExtendedXMPPart.headerLength)
    return !content.isEmpty
      && file.extendedParts.values.contains { $0.parts.contains { $0.range == content } }
  }

  /// Visits JFIF's header (ITU-T T.871 §10.1), which has a thumbnail of 3 bytes a pixel, its extension, which has
  /// one of another kind, and the records of older cameras and programs.
  private mutating func visitApp0(_ segment: JPEGSegment, _ start: [UInt8]) throws {
    if start.hasText("JFIF\0") {
      let pixels = Int(start.u8(at: 12) ?? 0) * Int(start.u8(at: 13) ?? 0)
      return redaction.fill(segment.payload.dropping(14 + 3 * pixels))
    }
    if start.hasText("JFXX\0"), let kind = start.u8(at: 5) {
      let pixels = Int(start.u8(at: 6) ?? 0) * Int(start.u8(at: 7) ?? 0)
      switch kind {
      case 0x11: return redaction.fill(segment.payload.dropping(8 + 768 + pixels))
      case 0x13: return redaction.fill(segment.payload.dropping(8 + 3 * pixels))
      default:
        let picture = segment.payload.dropping(6)
        guard kind == 0x10,
          let found = try? JPEGRedaction.find(
            policy, in: source.part(picture), depth: depth + 1, keepsLength: true)
        else { return redaction.fill(picture) }
        return redaction.add(found, at: picture.lowerBound)
      }
    }
    // Motion JPEG, and records of Canon's cameras that had no GPS receiver.
    if start.hasText("AVI1") { return redaction.fill(segment.payload.dropping(16)) }
    if !start.hasText("HEAPJPGM", at: 6) { redaction.fill(segment.payload) }
  }

  /// Visits what Photoshop's “Save for Web” writes: fields with a tag and a length of 16 bits, the last of which has
  /// tag 0 (exiftool's APP12.pm). The comment (2) and the copyright (3) are UTF-16 after its length in 32 bits.
  private mutating func visitSavedForWeb(_ segment: JPEGSegment) throws {
    let payload = try segment.payload(from: source)
    var position = 5
    while let tag = payload.u16(at: position), tag != 0, let length = payload.u16(at: position + 2),
      let content = payload.bytes(at: position + 4, count: Int(length))
    {
      let start = segment.payload.lowerBound + UInt64(position + 4)
      let text = content.bytes(from: 4)
      switch tag {
      // The quality.
      case 1: redaction.fill((start + UInt64(min(4, length)))..<(start + UInt64(length)))
      case 2 where !policy.removes(caption: text): break
      case 3 where !policy.removes(text: text): break
      case 2, 3:
        redaction.overwrite(
          at: start + UInt64(length) - UInt64(text.count),
          with: text.indices.map { $0 % 2 == 0 ? 0 : 0x20 })
      default: redaction.fill(start..<(start + UInt64(length)))
      }
      position += 4 + Int(length)
    }
    redaction.fill(segment.payload.dropping(position))
  }

  /// Visits the index of further pictures, a TIFF block of its own (CIPA DC-007 §5.2).
  private mutating func visitMultiPictureIndex(_ segment: JPEGSegment) throws {
    let content = segment.payload.dropping(4)
    let block = try source.bytes(at: content.lowerBound, count: content.count)
    let changed = ExifBlockRedaction.removing(policy, from: block, depth: depth + 1)
    redaction.overwrite(at: content.lowerBound, block, with: changed)
  }

  /// Clears the rest of a segment after its table, frame or scan header.
  private mutating func visit(table segment: JPEGSegment) throws {
    // JPEG-LS's frame and parameters (ITU-T T.87 §C.1).
    if segment.marker == 0xF7 || segment.marker == 0xF8 { return }
    guard segment.marker < 0xE0 else { return redaction.fill(segment.payload) }
    let content = try segment.payload(from: source)
    redaction.fill(segment.payload.dropping(usedBytes(ofTable: content, segment.marker)))
  }

  /// The number of bytes of a segment that decoders read (ITU-T T.81 §B.2).
  private func usedBytes(ofTable content: [UInt8], _ marker: UInt8) -> Int {
    var position = 0
    switch marker {
    case 0xDB:
      while let kind = content.u8(at: position) {
        let next = position + (kind >> 4 == 0 ? 65 : 129)
        guard next <= content.count else { break }
        position = next
      }
      return position
    case 0xC4:
      while let counts = content.bytes(at: position + 1, count: 16) {
        let next = counts.reduce(position + 17) { $0 + Int($1) }
        guard next <= content.count else { break }
        position = next
      }
      return position
    case 0xDA: return 4 + 2 * Int(content.u8(at: 0) ?? 0)
    case 0xDC, 0xDD: return 2
    case _ where marker == 0xDE || JPEGMarker.isStartOfFrame(marker):
      return 6 + 3 * Int(content.u8(at: 5) ?? 0)
    case 0xDF: return 1
    case 0xCC: return content.count
    default: return 0
    }
  }

  /// Visits a second block. Programs that ignore the first one write it.
  private mutating func visitFurtherExif(_ segment: JPEGSegment) throws {
    let content = segment.payload.dropping(6)
    if file.exifParts.contains(where: { $0.range == content }) { return }
    let block = try source.bytes(at: content.lowerBound, count: content.count)
    redaction.overwrite(
      at: content.lowerBound,
      with: ExifBlockRedaction.removing(policy, from: block, depth: depth + 1))
  }

  private mutating func visitFurtherXMP(_ segment: JPEGSegment) throws {
    let content = segment.payload.dropping(JPEGSegmentName.xmp.utf8.count)
    if content == file.xmpRange { return }
    let packet = try source.bytes(at: content.lowerBound, count: content.count)
    redaction.overwrite(at: content.lowerBound, with: XMPRedaction.removing(policy, from: packet))
  }
}

extension JPEGRedaction {
  /// Removes everything that the picture's appearance does not need. Its orientation and colours stay.
  ///
  /// - Parameter keepsLength: whether the length must stay, as for a picture inside of a HEIF, which records the
  ///   orientation itself. Then segments are cleared, and EXIF is among them.
  /// - Throws: as ``find(_:in:depth:keepsLength:)``.
  static func appearance(in source: any ByteSource, keepsLength: Bool = false) throws -> Redaction {
    let file = try JPEGMetadata(source)
    guard let scan = file.scanOffset else {
      throw RedactionRefusal("The JPEG is damaged: it has no scan.")
    }
    var found = JPEGRedaction(source, .appearanceOnly, file, 0)
    let scans = try JPEGScans(from: scan, in: source)
    if keepsLength {
      try found.clearMetadata(file.segments, scans)
    } else {
      try found.keepAppearance(file.segments, scans)
    }
    for gap in file.gaps + scans.gaps {
      // Bytes 0xFF are allowed in front of any marker (ITU-T T.81 §B.1.1.2).
      keepsLength ? found.redaction.fill(gap, with: 0xFF) : found.redaction.replace(gap)
    }
    for unused in try JPEGPixelData.unused(file.segments, scans, in: source) {
      found.redaction.fill(unused, with: 0xFF)
    }
    if let end = scans.end ?? scans.brokenAt, end < source.count {
      let rest = end..<source.count
      keepsLength ? found.redaction.fill(rest) : found.redaction.replace(rest)
    }
    return found.redaction
  }

  /// Does the same as ``keepAppearance(_:_:)``, but clears what that removes, and keeps no orientation.
  private mutating func clearMetadata(_ segments: [JPEGSegment], _ scans: JPEGScans) throws {
    if let profile = try file.joined(file.profileParts, source) {
      scatter(ICCRedaction.removing(policy, from: profile), profile, file.profileParts)
    }
    for segment in segments {
      let name = try segment.start(14, from: source)
      switch segment.marker {
      case 0xE0 where name.hasText("JFIF\0") && name.count == 14:
        // The thumbnail's width and height are the last two of 14 bytes (ITU-T T.871 §10.1).
        redaction.fill(segment.payload.dropping(12))
      case 0xE0 where name.hasText("AVI1"), 0xE1 where JPEGFrame.isIndex(name),
        0xE2 where name.hasText(JPEGSegmentName.profile), 0xEE where name.hasText("Adobe"):
        try visit(segment)
      case JPEGMarker.comment where JPEGFrame.isParameter(try segment.payload(from: source)):
        continue
      case 0xE0...0xEF, JPEGMarker.comment: redaction.fill(segment.payload)
      default: try visit(table: segment)
      }
    }
    for segment in scans.segments { try visit(afterScan: segment) }
  }

  /// Removes the segments that decoders do not need, and clears what they do not read in the others.
  private mutating func keepAppearance(_ segments: [JPEGSegment], _ scans: JPEGScans) throws {
    var rest = segments[...]
    var start: UInt64 = 2
    if let first = segments.first, first.payload.count >= 14,
      try first.start(5, from: source).hasText("JFIF\0")
    {
      removeThumbnail(fromJFIF: first)
      start = first.payload.upperBound
      rest.removeFirst()
    }
    let profile = try file.joined(file.profileParts, source)
    let exif = try file.joined(file.exifParts, source)
    if let block = AppearanceExif(exif, hasProfile: profile != nil).block {
      let payload = Array("Exif\0\0".utf8) + block
      redaction.replace(
        start..<start, with: [0xFF, 0xE1] + encoded(payload.count + 2, width: 2) + payload)
    }
    if let profile {
      scatter(ICCRedaction.removing(policy, from: profile), profile, file.profileParts)
    }
    for segment in rest {
      let name = try segment.start(12, from: source)
      switch segment.marker {
      case 0xE2 where name.hasText(JPEGSegmentName.profile): try visit(segment)
      case 0xEE where name.hasText("Adobe"): try visit(segment)
      default: try keepTable(segment)
      }
    }
    for segment in scans.segments { try keepTable(segment) }
  }

  /// Keeps a segment with tables or parameters, without the bytes after them. Others are removed.
  private mutating func keepTable(_ segment: JPEGSegment) throws {
    let isJPEGLS = segment.marker == 0xF7 || segment.marker == 0xF8
    if segment.marker >= 0xE0 && !isJPEGLS || JPEGMarker.isReserved(segment.marker) {
      redaction.replace(segment.offset..<segment.payload.upperBound)
    } else {
      try visit(table: segment)
    }
  }

  /// Shortens JFIF's header to its 14 bytes about the whole picture (ITU-T T.871 §10.1).
  private mutating func removeThumbnail(fromJFIF segment: JPEGSegment) {
    redaction.overwrite(at: segment.payload.lowerBound - 2, with: encoded(16, width: 2))
    redaction.overwrite(at: segment.payload.lowerBound + 12, with: [0, 0])
    redaction.replace(segment.payload.dropping(14))
  }
}
