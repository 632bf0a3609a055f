import MediaModel

/// Finds what tells a place in a JPEG, and what to write over it: in its own segments, and in the
/// pictures, clips and trailers that phones put behind its end.
struct JPEGRedaction {
  /// Pictures inside of pictures that are looked into.
  static let maximumDepth = 4

  private let source: any ByteSource
  private let file: JPEGMetadata
  private let depth: Int
  private var redaction = Redaction()

  /// - Parameters:
  ///   - depth: how many files this picture lies in.
  ///   - keepsLength: whether nothing may be cut off, as in a picture inside of a file.
  /// - Throws: ``RedactionRefusal`` for a picture whose parts cannot be told apart; ``ContainerError``
  ///   for what is no JPEG; what the source throws.
  static func location(
    in source: any ByteSource, depth: Int = 0, keepsLength: Bool = false
  ) throws -> Redaction {
    guard depth < maximumDepth else {
      throw RedactionRefusal("The picture has too many pictures inside of each other.")
    }
    let file = try JPEGMetadata(source)
    guard let scan = file.scanOffset else {
      throw RedactionRefusal(
        "The JPEG is damaged, so nobody can tell where in it the location stands.")
    }
    var found = JPEGRedaction(source, file, depth)
    try found.visitBlocks()
    for segment in file.segments { try found.visit(segment) }
    var tail = JPEGTail(source, file, depth: depth, keepsLength: keepsLength)
    found.redaction.add(
      try tail.location(from: try endOfJPEGScans(from: scan, in: source)), at: 0)
    return found.redaction
  }

  private init(_ source: any ByteSource, _ file: JPEGMetadata, _ depth: Int) {
    self.source = source
    self.file = file
    self.depth = depth
  }

  /// The blocks that may be spread over several segments.
  private mutating func visitBlocks() throws {
    if let exif = try file.joined(file.exifParts, source) {
      scatter(ExifBlockSurgery.withoutLocation(exif, depth: depth + 1), exif, file.exifParts)
    }
    if let resources = try file.joined(file.photoshopParts, source) {
      scatter(
        IPTCRedaction.withoutLocation(resources: resources, depth: depth + 1), resources,
        file.photoshopParts)
    }
    guard let range = file.xmpRange else { return }
    let packet = try source.bytes(at: range.lowerBound, count: range.count)
    var changed = XMPSurgery.withoutLocation(packet)
    for (name, extended) in file.extendedParts {
      try visitExtended(name, extended.parts, in: &changed)
    }
    if changed != packet { redaction.overwrite(at: range.lowerBound, with: changed) }
  }

  /// A second packet is named by its digest, in each of its parts and in the first packet.
  private mutating func visitExtended(
    _ name: [UInt8], _ parts: [JPEGMetadata.Part], in main: inout [UInt8]
  ) throws {
    guard let packet = try file.joined(parts, source) else {
      for part in parts { redaction.fill(part.range) }
      return
    }
    let changed = XMPSurgery.withoutLocation(packet)
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

  /// Writes a block back into the parts that it was put together from.
  private mutating func scatter(
    _ changed: [UInt8], _ block: [UInt8], _ parts: [JPEGMetadata.Part]
  ) {
    guard changed != block else { return }
    for part in parts {
      guard let bytes = changed.bytes(at: part.offset, count: part.range.count) else { continue }
      redaction.overwrite(at: part.range.lowerBound, with: bytes)
    }
  }

  /// A segment that is no part of a known block: what is not known to tell no place is blanked.
  private mutating func visit(_ segment: JPEGSegment) throws {
    let start = try segment.start(40, from: source)
    func begins(_ names: String...) -> Bool { names.contains { start.hasText($0) } }
    switch segment.marker {
    case 0xE0, 0xEE: return
    case 0xE1:
      if begins("Exif\0") {
        try visitFurtherExif(segment)
      } else if begins(JPEGMarker.xmpName) {
        try visitFurtherXMP(segment)
      } else if !start.hasBytes(JPEGMetadata.extensionName.prefix(start.count)) {
        redaction.fill(segment.payload)
      }
    case 0xE2:
      if !begins("ICC_PROFILE\0", "MPF\0", "urn:iso:std:iso:ts:21496") {
        redaction.fill(segment.payload)
      }
    case 0xE6 where begins("GoPro\0"):
      if LocationNames.isTold(in: try segment.payload(from: source)) {
        redaction.fill(segment.payload)
      }
    case 0xEA where begins("AROT"): return
    case 0xEC where begins("Ducky"): return
    case 0xED where begins("Photoshop 3.0\0"): return
    case 0xE3...0xEF: redaction.fill(segment.payload)
    case 0xFE:
      if LocationNames.isTold(in: try segment.payload(from: source)) {
        redaction.fill(segment.payload, with: 0x20)
      }
    default: return
    }
  }

  /// Second blocks are written by programs that did not see the first.
  private mutating func visitFurtherExif(_ segment: JPEGSegment) throws {
    let content = segment.payload.dropping(6)
    if file.exifParts.contains(where: { $0.range == content }) { return }
    let block = try source.bytes(at: content.lowerBound, count: content.count)
    redaction.overwrite(
      at: content.lowerBound, with: ExifBlockSurgery.withoutLocation(block, depth: depth + 1))
  }

  private mutating func visitFurtherXMP(_ segment: JPEGSegment) throws {
    let content = segment.payload.dropping(JPEGMarker.xmpName.utf8.count)
    if content == file.xmpRange { return }
    let packet = try source.bytes(at: content.lowerBound, count: content.count)
    redaction.overwrite(at: content.lowerBound, with: XMPSurgery.withoutLocation(packet))
  }
}

extension JPEGRedaction {
  /// Takes everything out but what the picture looks like: how it is turned, its colours.
  static func appearance(in source: any ByteSource) throws -> Redaction {
    let file = try JPEGMetadata(source)
    guard let scan = file.scanOffset else {
      throw RedactionRefusal("The JPEG is damaged: it has no picture without its metadata.")
    }
    var redaction = Redaction()
    var start: UInt64 = 2
    let orientation =
      try file.joined(file.exifParts, source)
      .flatMap(ExifBlockSurgery.orientation) ?? .up
    if let first = file.segments.first, try first.start(5, from: source).hasText("JFIF\0") {
      start = first.payload.upperBound
    }
    if orientation != .up {
      let payload = Array("Exif\0\0".utf8) + ExifBlockSurgery.orientationBlock(orientation)
      redaction.replace(
        start..<start, with: [0xFF, 0xE1] + encoded(payload.count + 2, width: 2) + payload)
    }
    for segment in file.segments where segment.offset >= start {
      let name = try segment.start(12, from: source)
      let isKept =
        switch segment.marker {
        case 0xE2: name.hasText("ICC_PROFILE\0")
        case 0xEE: name.hasText("Adobe")
        case 0xE0...0xEF, 0xFE: false
        default: true
        }
      if !isKept { redaction.replace(segment.offset..<segment.payload.upperBound) }
    }
    if let end = try endOfJPEGScans(from: scan, in: source), end < source.count {
      redaction.replace(end..<source.count)
    }
    return redaction
  }
}
