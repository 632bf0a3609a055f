package import ByteReading

/// The metadata blocks of a JPEG, and the segments over which each block is spread.
package struct JPEGMetadata {
  /// A part of a block: its range in the file and its offset in the block.
  package struct Part {
    package var range: Range<UInt64>
    package var offset: Int
  }

  /// The parts of the EXIF block, from its TIFF header on. A block longer than a segment has several.
  package private(set) var exifParts: [Part] = []
  package private(set) var xmpRange: Range<UInt64>?
  /// The extended XMP packets by the digests that name them: length in bytes, and parts.
  package private(set) var extendedParts: [[UInt8]: (length: Int, parts: [Part])] = [:]
  package private(set) var photoshopParts: [Part] = []
  /// The segments of the ICC profile by their numbers, from 1.
  private var profileSegments: [UInt8: Range<UInt64>] = [:]
  package private(set) var pictures: [MultiPicture] = []
  private(set) var density: PixelDensity?
  /// The segments before the first scan.
  package private(set) var segments: [JPEGSegment] = []
  package private(set) var scanOffset: UInt64?
  /// The ranges between those segments.
  package private(set) var gaps: [Range<UInt64>] = []

  private static let maximumBlock = 64 << 20

  /// - Throws: ``ContainerError`` for a file that is not a JPEG; the errors of the source.
  package init(_ source: any ByteSource) throws {
    var walk = JPEGSegmentWalk(source)
    guard try walk.begin() else { throw ContainerError.notThisFormat("JPEG") }
    while let segment = try walk.next() {
      if segment.marker == JPEGMarker.startOfScan {
        scanOffset = segment.offset
        gaps = walk.gaps
        break
      }
      segments.append(segment)
      switch segment.marker {
      case JPEGMarker.app0:
        density = try density ?? PixelDensity(jfif: segment.start(14, from: source))
      case JPEGMarker.app1: try takeApp1(segment, source)
      case JPEGMarker.app2: try takeApp2(segment, source)
      case JPEGMarker.app13:
        guard try segment.start(14, from: source).hasText(JPEGSegmentName.photoshop) else {
          continue
        }
        append(segment.payload.dropping(14), to: &photoshopParts)
      default: break
      }
    }
  }

  private func append(_ range: Range<UInt64>, to parts: inout [Part]) {
    let end = parts.last.map { $0.offset + $0.range.count } ?? 0
    if end + range.count <= Self.maximumBlock { parts.append(Part(range: range, offset: end)) }
  }

  private mutating func takeApp1(_ segment: JPEGSegment, _ source: any ByteSource) throws {
    let start = try segment.start(76, from: source)
    if start.hasText(JPEGSegmentName.exif) {
      let isHeader = tiffBlock(in: Array(start.bytes(from: 6).prefix(10)), at: 0) != nil
      // A block longer than a segment continues in the next one. A second header starts another block, and a segment
      // without a header before the first one does not belong to a block. Both are ignored.
      if exifParts.isEmpty == isHeader { append(segment.payload.dropping(6), to: &exifParts) }
    } else if start.hasText(JPEGSegmentName.xmp) || start.hasText(JPEGSegmentName.overwrittenXMP) {
      xmpRange = xmpRange ?? segment.payload.dropping(JPEGSegmentName.xmp.utf8.count)
    } else if let part = ExtendedXMPPart(start: start, payload: segment.payload) {
      extendedParts[part.identifier, default: (part.totalLength, [])].parts
        .append(Part(range: part.content, offset: part.offset))
    }
  }

  private mutating func takeApp2(_ segment: JPEGSegment, _ source: any ByteSource) throws {
    let start = try segment.start(14, from: source)
    if start.hasText(JPEGSegmentName.profile), let number = start.u8(at: 12) {
      profileSegments[number] = segment.payload.dropping(14)
    } else if start.hasText(JPEGSegmentName.multiPicture), pictures.isEmpty {
      pictures = multiPictures(
        index: try segment.payload(from: source).bytes(from: 4),
        at: segment.payload.lowerBound + 4, fileSize: source.count)
    }
  }

  /// The block of these parts; nil if parts are missing.
  package func joined(_ parts: [Part], _ source: any ByteSource) throws -> [UInt8]? {
    var block: [UInt8] = []
    for part in parts.sorted(by: { $0.offset < $1.offset }) {
      guard part.offset == block.count, block.count + part.range.count <= Self.maximumBlock
      else { return nil }
      block += try source.bytes(at: part.range.lowerBound, count: part.range.count)
    }
    return block.isEmpty ? nil : block
  }

  /// The extended packet that the standard packet names; nil if parts are missing or its digest differs.
  func extendedXMP(namedBy xmp: [UInt8], _ source: any ByteSource) throws -> [UInt8]? {
    for (identifier, extended) in extendedParts where xmp.firstIndex(of: identifier) != nil {
      guard let packet = try joined(extended.parts, source), packet.count == extended.length,
        md5Text(packet) == identifier.map({ (0x61...0x66).contains($0) ? $0 - 0x20 : $0 })
      else { continue }
      return packet
    }
    return nil
  }

  /// The parts of the ICC profile in the order of their numbers. Parts can be missing.
  package var profileParts: [Part] {
    var offset = 0
    return profileSegments.sorted { $0.key < $1.key }.map { _, range in
      defer { offset += range.count }
      return Part(range: range, offset: offset)
    }
  }

  /// The ICC profile; nil if it has none, or if a part is missing.
  func profile(_ source: any ByteSource) throws -> [UInt8]? {
    var profile: [UInt8] = []
    for (index, part) in profileSegments.sorted(by: { $0.key < $1.key }).enumerated() {
      guard Int(part.key) == index + 1 else { return nil }
      profile += try source.bytes(at: part.value.lowerBound, count: part.value.count)
    }
    return profile.isEmpty ? nil : profile
  }
}

extension PictureMetadata {
  /// The blocks of a JPEG.
  package static func jpeg(_ source: any ByteSource) throws -> PictureMetadata {
    let file = try JPEGMetadata(source)
    var metadata = PictureMetadata()
    metadata.exif = try file.joined(file.exifParts, source)
    metadata.xmp = try file.xmpRange.map {
      try source.bytes(at: $0.lowerBound, count: $0.count)
    }
    if let xmp = metadata.xmp, !file.extendedParts.isEmpty {
      metadata.extendedXMP = try file.extendedXMP(namedBy: xmp, source)
      if metadata.extendedXMP == nil {
        metadata.notes.append("The second part of its XMP is damaged and is left out.")
      }
    }
    metadata.imageResources = try file.joined(file.photoshopParts, source)
    metadata.icc = try file.profile(source)
    metadata.texts = try PictureText.comments(file.segments, source)
    metadata.density = file.density
    return metadata
  }
}
