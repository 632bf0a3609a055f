package import ByteReading
package import MediaModel

/// What a JPEG's segments tell before its first scan (ITU-T T.81 annex B, Exif 2.32 §4.7).
package struct JPEGFile {
  /// As stored, before orientation; nil where the frame header is missing or leaves the height to a
  /// later DNL segment.
  package private(set) var size: PixelSize?
  /// Bits a sample.
  package private(set) var precision: Int
  /// 1 grey, 3 colour, 4 CMYK.
  package private(set) var componentCount: Int
  /// The EXIF block from its TIFF header on.
  package private(set) var exif: [UInt8]?
  /// The standard XMP packet.
  package private(set) var xmp: [UInt8]?
  /// IPTC-IIM datasets from Photoshop's resource 0x0404.
  package private(set) var iptc: [UInt8]?
  /// Whether it has the segment of ISO 21496-1, which a gain map and the picture it belongs to both have.
  package private(set) var hasGainMapSegment = false
  /// The pictures of a multi-picture file (CIPA DC-007), the primary one first.
  package private(set) var pictures: [MultiPicture] = []
  package private(set) var warnings: [String] = []
  /// Where the first scan's header begins; entropy-coded data follows it.
  package private(set) var scanOffset: UInt64?

  private var extendedXMPParts: [ExtendedXMPPart] = []

  /// Walks the segments up to the first scan.
  ///
  /// - Throws: ``ContainerError`` where there is neither a frame header nor metadata; what the source
  ///   throws.
  package init(_ source: any ByteSource) throws {
    var walk = JPEGSegmentWalk(source)
    guard try walk.begin() else { throw ContainerError.notThisFormat("JPEG") }
    (precision, componentCount) = (0, 0)
    var photoshop: [UInt8] = []
    while let segment = try walk.next() {
      if segment.marker == JPEGMarker.startOfScan {
        scanOffset = segment.offset
        break
      }
      try take(segment, from: source, photoshop: &photoshop)
    }
    if walk.hasSkippedBytes { warnings.append("There are stray bytes between JPEG segments.") }
    if componentCount == 0 {
      guard exif != nil || xmp != nil else {
        throw ContainerError.damaged("ends before the JPEG frame header")
      }
      warnings.append("The JPEG has no frame header: it holds metadata but no picture.")
    }
    iptc = PhotoshopResource.data(PhotoshopResource.iptc, in: photoshop)
  }

  private mutating func take(
    _ segment: JPEGSegment, from source: any ByteSource, photoshop: inout [UInt8]
  ) throws {
    switch segment.marker {
    case let marker where JPEGMarker.isStartOfFrame(marker):
      try takeFrame(segment, from: source)
    case 0xE1:
      try takeApp1(segment, from: source)
    case 0xE2:
      try takeApp2(segment, from: source)
    case 0xED:
      guard photoshop.count < 4 << 20 else { return }
      let payload = try segment.payload(from: source)
      if payload.hasText("Photoshop 3.0\0") { photoshop += payload.bytes(from: 14) }
    default: break
    }
  }

  private mutating func takeFrame(_ segment: JPEGSegment, from source: any ByteSource) throws {
    let header = try segment.start(6, from: source)
    guard componentCount == 0, let bits = header.u8(at: 0), let height = header.u16(at: 1),
      let width = header.u16(at: 3), let components = header.u8(at: 5)
    else { return }
    if width > 0, height > 0 { size = PixelSize(width: Int(width), height: Int(height)) }
    precision = Int(bits)
    componentCount = Int(components)
  }

  private mutating func takeApp1(_ segment: JPEGSegment, from source: any ByteSource) throws {
    let start = try segment.start(76, from: source)
    if start.hasText("Exif\0") {
      guard exif == nil else { return warnings.append("There is a second EXIF block.") }
      let payload = try segment.payload(from: source)
      guard tiffBlock(in: payload.bytes(from: 6), at: 0) != nil else {
        return warnings.append("There is a segment for EXIF without EXIF in it.")
      }
      exif = payload.bytes(from: 6)
    } else if start.hasText(JPEGMarker.xmpName) {
      guard xmp == nil else { return }
      xmp = try segment.payload(from: source).bytes(from: JPEGMarker.xmpName.utf8.count)
    } else if let part = ExtendedXMPPart(start: start, payload: segment.payload),
      extendedXMPParts.count < 4096
    {
      extendedXMPParts.append(part)
    }
  }

  private mutating func takeApp2(_ segment: JPEGSegment, from source: any ByteSource) throws {
    let start = try segment.start(JPEGMarker.gainMapName.utf8.count, from: source)
    if start.hasText(JPEGMarker.gainMapName) {
      hasGainMapSegment = true
    } else if start.hasText("MPF\0"), pictures.isEmpty {
      let payload = try segment.payload(from: source)
      pictures = multiPictures(
        index: payload.bytes(from: 4), at: segment.payload.lowerBound + 4, fileSize: source.count)
    }
  }

  /// The XMP packet that was too long for one segment (XMP specification part 3 §1.1.3.1), put
  /// together from its parts, if the standard packet names it.
  ///
  /// - Parameter limit: bytes that it may have; longer ones, which hold depth maps, are left alone.
  package func extendedXMP(from source: any ByteSource, limit: Int = 2 << 20) throws -> [UInt8]? {
    guard let xmp else { return nil }
    let named = extendedXMPParts.filter { xmp.firstIndex(of: $0.identifier) != nil }
    guard let first = named.first, first.totalLength <= limit else { return nil }
    var packet: [UInt8] = []
    for part in named.sorted(by: { $0.offset < $1.offset }) where part.matches(first) {
      guard part.offset == packet.count,
        let bytes = try source.bytes(in: part.content, limit: 1 << 16)
      else { return nil }
      packet += bytes
    }
    return packet.count == first.totalLength ? packet : nil
  }

  /// The offset behind the End Of Image marker of the primary picture, or nil if there is none.
  ///
  /// This reads the whole entropy-coded data: ask only where something may follow.
  package func end(in source: any ByteSource) throws -> UInt64? {
    guard let scanOffset else { return nil }
    return try endOfJPEGScans(from: scanOffset, in: source)
  }
}

/// One part of an extended XMP packet.
private struct ExtendedXMPPart {
  private static let name = "http://ns.adobe.com/xmp/extension/\0"

  /// The packet's MD5 in 32 hexadecimal digits, by which the standard packet names it.
  var identifier: [UInt8]
  var totalLength: Int
  /// Where in the packet this part belongs.
  var offset: Int
  /// Where in the file it lies.
  var content: Range<UInt64>

  init?(start: [UInt8], payload: Range<UInt64>) {
    let nameLength = Self.name.utf8.count
    guard start.hasText(Self.name), let identifier = start.bytes(at: nameLength, count: 32),
      let total = start.u32(at: nameLength + 32), let offset = start.u32(at: nameLength + 36)
    else { return nil }
    let begin = payload.lowerBound + UInt64(nameLength + 40)
    guard begin <= payload.upperBound else { return nil }
    self.identifier = identifier
    totalLength = Int(total)
    self.offset = Int(offset)
    content = begin..<payload.upperBound
  }

  func matches(_ other: Self) -> Bool {
    identifier == other.identifier && totalLength == other.totalLength
  }
}
