package import ByteReading
package import MediaModel

/// The size and metadata of a JPEG 2000 file (ISO/IEC 15444-1 annex I) or a bare codestream.
package struct JPEG2000File {
  package private(set) var size: PixelSize
  package private(set) var bitsPerComponent: Int?
  package private(set) var componentCount: Int
  /// Whether the components are cyan, magenta, yellow and black: by the profile, or by its number in ISO/IEC 15444-2.
  package private(set) var isCMYK = false
  /// The ICC profile.
  package private(set) var profile: [UInt8]?
  /// The EXIF block from its TIFF header on.
  package private(set) var exif: [UInt8]?
  package private(set) var xmp: [UInt8]?
  /// Whether a box with XMP is too long.
  private(set) var hasUnreadXMP = false
  /// IPTC-IIM datasets.
  package private(set) var iptc: [UInt8]?

  /// `JpgTiffExif->JP2`.
  package static let exifIdentifier = Array("JpgTiffExif->JP2".utf8)
  /// 33C7A4D2-B81D-4723-A0BA-F1A3E097AD38.
  package static let iptcIdentifier: [UInt8] = [
    0x33, 0xC7, 0xA4, 0xD2, 0xB8, 0x1D, 0x47, 0x23, 0xA0, 0xBA, 0xF1, 0xA3, 0xE0, 0x97, 0xAD, 0x38,
  ]

  /// - Throws: ``ContainerError`` if the signature or the size is missing; the errors of the source.
  package init(_ source: any ByteSource) throws {
    let head = try source.bytes(at: 0, count: 64)
    if head.hasBytes([0xFF, 0x4F, 0xFF, 0x51]) {
      guard let right = head.u32(at: 8), let bottom = head.u32(at: 12), let left = head.u32(at: 16),
        let top = head.u32(at: 20), right > left, bottom > top, let components = head.u16(at: 40)
      else { throw ContainerError.damaged("ends before the JPEG 2000 size marker") }
      size = PixelSize(width: Int(right - left), height: Int(bottom - top))
      componentCount = Int(components)
      bitsPerComponent = head.u8(at: 42).map { Int($0 & 0x7F) + 1 }
      return
    }
    guard head.hasText("jP  ", at: 4) else { throw ContainerError.notThisFormat("JPEG 2000 file") }
    let top = try source.boxes(in: 0..<source.count, limit: 256)
    guard let header = top.first(where: { $0.type == "jp2h" }),
      let box = try source.child("ihdr", of: header),
      case let content = try source.start(of: box, 14), let height = content.u32(at: 0),
      let width = content.u32(at: 4), let components = content.u16(at: 8)
    else { throw ContainerError.damaged("has no JPEG 2000 image header") }
    size = PixelSize(width: Int(width), height: Int(height))
    componentCount = Int(components)
    // 255 means that the components differ.
    bitsPerComponent = content.u8(at: 10).flatMap { $0 == 255 ? nil : Int($0 & 0x7F) + 1 }
    for box in try source.boxes(inside: header) where box.type == "colr" {
      try takeColor(box, source)
    }
    for box in top { try takeMetadata(box, source) }
  }

  private static let maximumProfile = 64 << 20

  /// A file may describe its colours several times, for readers of different editions (ISO/IEC 15444-2 §M.11.7.3). The
  /// first profile counts, else the first number.
  private mutating func takeColor(_ box: ISOBox, _ source: any ByteSource) throws {
    let head = try source.start(of: box, 7)
    switch head.u8(at: 0) {
    case 1: if profile == nil { isCMYK = isCMYK || head.u32(at: 3) == 12 }
    case 2, 3:
      guard profile == nil, let content = try source.content(of: box, limit: Self.maximumProfile)
      else { return }
      profile = content.bytes(from: 3)
      isCMYK = content.hasText("CMYK", at: 3 + 16)
    default: break
    }
  }

  /// The picture alone: the boxes that libavcodec needs. It looks for the codestream in the first ten boxes only, and the
  /// files of Adobe's programs have more.
  ///
  /// - Parameter content: the whole file. A bare codestream is returned unchanged.
  package static func decodable(_ content: [UInt8]) -> [UInt8] {
    let source = ArraySource(content)
    guard content.hasText("jP  ", at: 4),
      let boxes = try? source.boxes(in: 0..<source.count, limit: 256),
      let header = boxes.first(where: { $0.type == "jp2h" }),
      let codestream = boxes.first(where: { $0.type == "jp2c" })
    else { return content }
    func bytes(_ range: Range<UInt64>) -> ArraySlice<UInt8> {
      content[Int(range.lowerBound)..<Int(range.upperBound)]
    }
    var result = Array(content.prefix(12))
    result.reserveCapacity(content.count)
    result += bytes(header.offset..<header.end)
    result += encoded(codestream.payload.count + 8, width: 4)
    result += encoded(codestream.type.rawValue, width: 4)
    return result + bytes(codestream.payload)
  }

  /// Whether the codestream uses the block coder of ISO/IEC 15444-15.
  package static func isHighThroughput(_ source: any ByteSource) throws -> Bool {
    var start: UInt64 = 0
    if try !source.bytes(at: 0, count: 4).hasBytes([0xFF, 0x4F, 0xFF, 0x51]) {
      let boxes = try source.boxes(in: 0..<source.count, limit: 256)
      guard let codestream = boxes.first(where: { $0.type == "jp2c" }) else { return false }
      start = codestream.payload.lowerBound
    }
    // SIZ has its length and `Rsiz`, whose bit 14 declares the marker CAP. CAP follows with its length and `Pcap`, whose
    // bit 15 from the highest one on is part 15 (ISO/IEC 15444-15 annex A).
    let head = try source.bytes(at: start, count: 8)
    guard let length = head.u16(at: 4), let capabilities = head.u16(at: 6),
      capabilities & 0x4000 != 0
    else { return false }
    let next = try source.bytes(at: start + 4 + UInt64(length), count: 8)
    return next.hasBytes([0xFF, 0x50]) && next.u32(at: 4).map { $0 & 1 << 17 != 0 } ?? false
  }

  private mutating func takeMetadata(_ box: ISOBox, _ source: any ByteSource) throws {
    guard let identifier = box.extendedType else { return }
    guard let content = try source.content(of: box, limit: 4 << 20) else {
      if identifier == ISOMovie.xmpIdentifier { hasUnreadXMP = true }
      return
    }
    switch identifier {
    case Self.exifIdentifier: exif = tiffBlock(in: content, at: 0) ?? exif
    case ISOMovie.xmpIdentifier: xmp = xmp ?? content
    case Self.iptcIdentifier: iptc = iptc ?? content
    default: break
    }
  }
}
