package import ByteReading

/// The metadata of a JPEG as whole blocks, put together from the segments that each is spread over.
package struct JPEGMetadata {
  /// A part of a block: where in the file, and where in the block.
  package struct Part {
    package var range: Range<UInt64>
    package var offset: Int
  }

  /// The EXIF block's, from its TIFF header on; more than one where it is longer than a segment.
  package private(set) var exifParts: [Part] = []
  package private(set) var xmpRange: Range<UInt64>?
  /// The extended packets' parts by the digest that names them, with the packets' lengths.
  package private(set) var extendedParts: [[UInt8]: (length: Int, parts: [Part])] = [:]
  package private(set) var photoshopParts: [Part] = []
  /// By their numbers, from 1.
  private var profileSegments: [UInt8: Range<UInt64>] = [:]
  package private(set) var pictures: [MultiPicture] = []
  private(set) var density: PixelDensity?
  /// Segments up to the first scan.
  package private(set) var segments: [JPEGSegment] = []
  package private(set) var scanOffset: UInt64?
  /// Bytes between those segments that belong to none.
  package private(set) var gaps: [Range<UInt64>] = []

  package static let extensionName = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
  private static let maximumBlock = 64 << 20

  /// - Throws: ``ContainerError`` for what is no JPEG; what the source throws.
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
      case 0xE0: density = try density ?? PixelDensity(jfif: segment.start(14, from: source))
      case 0xE1: try takeApp1(segment, source)
      case 0xE2: try takeApp2(segment, source)
      case 0xED:
        guard try segment.start(14, from: source).hasText("Photoshop 3.0\0") else { continue }
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
    if start.hasText("Exif\0") {
      let isHeader = tiffBlock(in: Array(start.bytes(from: 6).prefix(10)), at: 0) != nil
      // Blocks longer than a segment go on in the next one; a second header is another block, and what
      // has none before the first is no block.
      if exifParts.isEmpty == isHeader { append(segment.payload.dropping(6), to: &exifParts) }
    } else if start.hasText(JPEGMarker.xmpName) {
      xmpRange = xmpRange ?? segment.payload.dropping(JPEGMarker.xmpName.utf8.count)
    } else if start.hasBytes(Self.extensionName),
      let identifier = start.bytes(at: Self.extensionName.count, count: 32),
      let length = start.u32(at: Self.extensionName.count + 32),
      let offset = start.u32(at: Self.extensionName.count + 36)
    {
      let content = segment.payload.dropping(Self.extensionName.count + 40)
      extendedParts[identifier, default: (Int(length), [])].parts
        .append(Part(range: content, offset: Int(offset)))
    }
  }

  private mutating func takeApp2(_ segment: JPEGSegment, _ source: any ByteSource) throws {
    let start = try segment.start(14, from: source)
    if start.hasText("ICC_PROFILE\0"), let number = start.u8(at: 12) {
      profileSegments[number] = segment.payload.dropping(14)
    } else if start.hasText("MPF\0"), pictures.isEmpty {
      pictures = multiPictures(
        index: try segment.payload(from: source).bytes(from: 4),
        at: segment.payload.lowerBound + 4, fileSize: source.count)
    }
  }

  /// A block's parts as one; nil where they leave gaps.
  package func joined(_ parts: [Part], _ source: any ByteSource) throws -> [UInt8]? {
    var block: [UInt8] = []
    for part in parts.sorted(by: { $0.offset < $1.offset }) {
      guard part.offset == block.count, block.count + part.range.count <= Self.maximumBlock
      else { return nil }
      block += try source.bytes(at: part.range.lowerBound, count: part.range.count)
    }
    return block.isEmpty ? nil : block
  }

  /// The extended packet that the packet names, if it is whole and has the digest by which it is named.
  func extendedXMP(namedBy xmp: [UInt8], _ source: any ByteSource) throws -> [UInt8]? {
    for (identifier, extended) in extendedParts where xmp.firstIndex(of: identifier) != nil {
      guard let packet = try joined(extended.parts, source), packet.count == extended.length,
        md5Text(packet) == identifier.map({ (0x61...0x66).contains($0) ? $0 - 0x20 : $0 })
      else { continue }
      return packet
    }
    return nil
  }

  /// Where the profile's parts are, in the order of their numbers, whether or not one is missing.
  package var profileParts: [Part] {
    var offset = 0
    return profileSegments.sorted { $0.key < $1.key }.map { _, range in
      defer { offset += range.count }
      return Part(range: range, offset: offset)
    }
  }

  /// The profile, its parts in the order of their numbers.
  func profile(_ source: any ByteSource) throws -> [UInt8]? {
    var profile: [UInt8] = []
    for (index, part) in profileSegments.sorted(by: { $0.key < $1.key }).enumerated() {
      guard Int(part.key) == index + 1 else { return nil }
      profile += try source.bytes(at: part.value.lowerBound, count: part.value.count)
    }
    return profile.isEmpty ? nil : profile
  }
}

extension Range<UInt64> {
  /// Without its first bytes.
  package func dropping(_ count: Int) -> Range<UInt64> {
    Swift.min(lowerBound + UInt64(count), upperBound)..<upperBound
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
