package import ByteReading
package import MediaModel

/// The size and metadata of a JPEG XL file (ISO/IEC 18181-1 §D and 18181-2).
package struct JPEGXLFile {
  /// The stored size in pixels, before orientation.
  package private(set) var size: PixelSize
  /// The orientation in the codestream. It takes precedence over EXIF's in this format.
  package private(set) var orientation: Orientation?
  /// The EXIF block from its TIFF header on.
  package private(set) var exif: [UInt8]?
  package private(set) var xmp: [UInt8]?
  /// Whether a box with XMP is too long.
  private(set) var hasUnreadXMP = false
  package private(set) var warnings: [String] = []

  /// - Throws: ``ContainerError`` if the codestream's header is missing; the errors of the source.
  package init(_ source: any ByteSource) throws {
    size = PixelSize(width: 0, height: 0)
    let head = try source.bytes(at: 0, count: 64)
    var codestream = head
    if !head.hasBytes([0xFF, 0x0A]) {
      guard head.hasText("JXL ", at: 4) else { throw ContainerError.notThisFormat("JPEG XL file") }
      codestream = []
      for box in try source.boxes(in: 0..<source.count, limit: 4096) {
        try take(box, source, &codestream)
      }
    }
    guard codestream.hasBytes([0xFF, 0x0A]) else {
      throw ContainerError.damaged("has no JPEG XL codestream")
    }
    var bits = PackedBits(codestream.bytes(from: 2))
    guard let found = bits.jpegXLSize() else {
      throw ContainerError.damaged("ends before the JPEG XL size")
    }
    size = found
    // ImageMetadata: all_default, extra_fields, then the orientation.
    if bits.read(1) == 0, bits.read(1) == 1, let value = bits.read(3) {
      orientation = Orientation(rawValue: UInt8(value) + 1)
    } else {
      orientation = .up
    }
  }

  private mutating func take(
    _ box: ISOBox, _ source: any ByteSource, _ codestream: inout [UInt8]
  ) throws {
    switch box.type {
    case "jxlc":
      if codestream.isEmpty { codestream = try source.start(of: box, 64) }
    case "jxlp":
      if codestream.count < 64 { codestream += try source.start(of: box, 68).bytes(from: 4) }
    case "Exif", "xml ":
      takeMetadata(box.type, try source.content(of: box, limit: Self.maximumMetadata))
    case "brob":
      guard let type = try source.start(of: box, 4).fourCC(at: 0), ["Exif", "xml "].contains(type)
      else { return }
      guard let content = try source.content(of: box, limit: Self.maximumMetadata) else {
        return takeMetadata(type, nil)
      }
      guard let expanded = expandBrotli(content.bytes(from: 4), limit: Self.maximumMetadata) else {
        warnings.append("The compressed \(type.description.trimmed) metadata cannot be read.")
        return
      }
      takeMetadata(type, expanded)
    default: break
    }
  }

  private static let maximumMetadata = 4 << 20

  /// - Parameter content: nil if it is too long.
  private mutating func takeMetadata(_ type: FourCC, _ content: [UInt8]?) {
    if type == "Exif" {
      exif = content.flatMap(tiffBlock(inExifItem:)) ?? exif
    } else {
      xmp = content ?? xmp
      hasUnreadXMP = xmp == nil
    }
  }
}

extension PackedBits {
  /// `SizeHeader`.
  mutating func jpegXLSize() -> PixelSize? {
    guard let small = read(1), let height = side(isSmall: small == 1), let ratio = read(3)
    else { return nil }
    let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
    guard ratio > 0 else {
      guard let width = side(isSmall: small == 1) else { return nil }
      return PixelSize(width: width, height: height)
    }
    let (wide, high) = ratios[ratio - 1]
    return PixelSize(width: height * wide / high, height: height)
  }

  private mutating func side(isSmall: Bool) -> Int? {
    if isSmall { return read(5).map { ($0 + 1) * 8 } }
    guard let selector = read(2) else { return nil }
    return read([9, 13, 18, 30][selector]).map { $0 + 1 }
  }
}
