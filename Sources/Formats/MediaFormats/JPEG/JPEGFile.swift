package import ByteReading
package import MediaModel

/// The size and metadata of a JPEG by the segments before its first scan (ITU-T T.81 annex B, Exif 2.32 §4.7).
///
/// ``JPEGMetadata`` returns the same blocks with their places in the file, joined from all their segments.
package struct JPEGFile {
  /// The stored size, before orientation; nil if the frame header is missing or leaves the height to a later DNL
  /// segment.
  package private(set) var size: PixelSize?
  /// Bits per sample.
  package private(set) var precision: Int
  /// Whether the pixels are coded without loss: SOF3, 7, 11 and 15 (ITU-T T.81 annex H).
  package private(set) var isLossless = false
  /// 1 grey, 3 colour, 4 CMYK.
  package private(set) var componentCount: Int
  /// The EXIF block from its TIFF header on.
  package private(set) var exif: [UInt8]?
  /// The standard XMP packet.
  package private(set) var xmp: [UInt8]?
  /// IPTC-IIM datasets from Photoshop's resource 0x0404.
  package private(set) var iptc: [UInt8]?
  /// The date in the segment of Casio's QV-7000SX, as written: `1998.10.24.12.08.57`.
  package private(set) var casioDate: String?
  /// The ranges of FLIR's data by their numbers.
  private var flirParts: [UInt8: Range<UInt64>] = [:]
  /// Whether the segment of ISO 21496-1 exists. A gain map has it, and so does the picture that it belongs to.
  package private(set) var hasGainMapSegment = false
  /// The pictures of a multi-picture file (CIPA DC-007), the primary one first.
  package private(set) var pictures: [MultiPicture] = []
  package private(set) var warnings: [String] = []
  /// The offset of the first scan's header, which entropy-coded data follows.
  package private(set) var scanOffset: UInt64?

  private var extendedXMPParts: [ExtendedXMPPart] = []

  /// Reads the segments up to the first scan.
  ///
  /// - Throws: ``ContainerError`` if there is neither a frame header nor metadata; the errors of the source.
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
      warnings.append("The JPEG has no frame header: it contains metadata but no picture.")
    }
    iptc = PhotoshopResource.data(PhotoshopResource.iptc, in: photoshop)
  }

  private mutating func take(
    _ segment: JPEGSegment, from source: any ByteSource, photoshop: inout [UInt8]
  ) throws {
    switch segment.marker {
    case let marker where JPEGMarker.isStartOfFrame(marker):
      try takeFrame(segment, from: source)
    case JPEGMarker.app1:
      try takeApp1(segment, from: source)
    case JPEGMarker.app2:
      try takeApp2(segment, from: source)
    case JPEGMarker.app13:
      guard photoshop.count < 4 << 20 else { return }
      let payload = try segment.payload(from: source)
      if payload.hasText(JPEGSegmentName.photoshop) { photoshop += payload.bytes(from: 14) }
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
    isLossless = [0xC3, 0xC7, 0xCB, 0xCF].contains(segment.marker)
    componentCount = Int(components)
  }

  private mutating func takeApp1(_ segment: JPEGSegment, from source: any ByteSource) throws {
    let start = try segment.start(76, from: source)
    if let offset = Self.exifOffset(start) {
      guard exif == nil else { return warnings.append("There is a second EXIF block.") }
      let block = try segment.payload(from: source).bytes(from: offset)
      // Like exiftool, without the number 42, which damaged blocks lack.
      guard block.hasText("II") || block.hasText("MM") || tiffBlock(in: block, at: 0) != nil else {
        return warnings.append("An EXIF segment contains no EXIF block.")
      }
      exif = block
    } else if start.hasText(JPEGSegmentName.xmp) || start.hasText(JPEGSegmentName.overwrittenXMP) {
      guard xmp == nil else { return }
      xmp = try segment.payload(from: source).bytes(from: JPEGSegmentName.xmp.utf8.count)
    } else if start.hasText(JPEGSegmentName.flir), let number = start.u8(at: 6) {
      // The name, a version, the part's number, and that of the last part.
      flirParts[number] = flirParts[number] ?? segment.payload.dropping(8)
    } else if start.hasText(JPEGSegmentName.casio) {
      casioDate = try segment.payload(from: source).bytes(at: 0x4D, count: 20)?.trimmedText
    } else if let part = ExtendedXMPPart(start: start, payload: segment.payload),
      extendedXMPParts.count < 4096
    {
      extendedXMPParts.append(part)
    }
  }

  /// The offset of the TIFF header in an EXIF segment; nil for other segments. Some programs write up to four bytes
  /// before the name, or write it in capitals (exiftool's `ProcessJPEG`).
  private static func exifOffset(_ start: [UInt8]) -> Int? {
    (0...4).first { skip in
      start.hasText("\0", at: skip + 4)
        && (start.hasText("Exif", at: skip) || start.hasText("EXIF", at: skip))
    }.map { $0 + 6 }
  }

  private mutating func takeApp2(_ segment: JPEGSegment, from source: any ByteSource) throws {
    let start = try segment.start(JPEGSegmentName.gainMap.utf8.count, from: source)
    if start.hasText(JPEGSegmentName.gainMap) {
      hasGainMapSegment = true
    } else if start.hasText(JPEGSegmentName.multiPicture), pictures.isEmpty {
      let payload = try segment.payload(from: source)
      pictures = multiPictures(
        index: payload.bytes(from: 4), at: segment.payload.lowerBound + 4, fileSize: source.count)
    }
  }

  /// The extended XMP packet (XMP specification part 3 §1.1.3.1), joined from its parts; nil if the standard packet
  /// does not name one, or if parts are missing.
  ///
  /// - Parameter limit: the longest packet in bytes.
  package func extendedXMP(
    from source: any ByteSource, limit: Int = ExtendedXMPPart.maximumPacket
  ) throws -> [UInt8]? {
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

  /// The data of a FLIR camera; nil if there is none, or if parts are missing.
  package func flirData(from source: any ByteSource) throws -> FLIRData? {
    let parts = flirParts.sorted { $0.key < $1.key }
    guard let last = parts.last, Int(last.key) == parts.count - 1 else { return nil }
    return try FLIRData(JoinedSource(source, parts.map(\.value)))
  }

  /// The offset after the End Of Image marker of the primary picture; nil if there is none.
  ///
  /// This reads all entropy-coded data, so call it only if data may follow the picture.
  package func end(in source: any ByteSource) throws -> UInt64? {
    guard let scanOffset else { return nil }
    return try endOfJPEGScans(from: scanOffset, in: source)
  }
}
