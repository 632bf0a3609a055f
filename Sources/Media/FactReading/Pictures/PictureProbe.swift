package import ByteReading
import MediaFormats
package import MediaModel

// One reader for each family of picture formats; all end in a PictureReading.

extension PictureReading {
  /// Reads the segments of a JPEG, and looks for what phones hide behind it.
  static func jpeg(_ source: any ByteSource) throws -> PictureReading {
    let file = try JPEGFile(source)
    var reading = PictureReading()
    reading.size = file.size
    reading.exif = file.exif
    reading.xmp = file.xmp.flatMap { XMPPacket($0) }
    if let rest = try file.extendedXMP(from: source), let packet = XMPPacket(rest) {
      reading.xmp?.merge(packet)
    }
    reading.iptc = file.iptc
    reading.warnings = file.warnings
    reading.clues += try file.auxiliaryClues(in: source)
    if !reading.clues.contains(Clue(.jpegGainMap)), let xmp = reading.xmp {
      reading.clues += try xmp.gainMapClue(in: source).map { [$0] } ?? []
    }
    let trailer = try SamsungTrailer(source)
    try reading.take(trailer, in: source)
    reading.take(
      try EmbeddedClipSearch.find(in: source, xmp: reading.xmp, trailer: trailer, jpeg: file))
    return reading
  }

  mutating func take(_ trailer: SamsungTrailer?, in source: any ByteSource) throws {
    guard let trailer else { return }
    clues += Clue.list(trailer)
    samsungUTC = try trailer.captureMilliseconds(in: source)
    if let info = try trailer.captureInfo(in: source) {
      clues.append(Clue(.samsungCaptureInfo, info))
    }
  }

  mutating func take(_ clip: EmbeddedClipResult) {
    switch clip {
    case .clip(let clip): embeddedClip = clip
    case .missing(let why):
      warnings.append("The picture says that it has a motion clip, but \(why).")
      clues.append(Clue(.missingClip, why))
    case .cutOff:
      warnings.append("Behind the picture begins a motion clip that is cut off.")
      clues.append(Clue(.missingClip, "the clip behind the picture is cut off"))
    case .none: break
    }
  }
}

extension PictureReading {
  /// Reads the chunks of a PNG.
  static func png(_ source: any ByteSource) throws -> PictureReading {
    let file = try PNGFile(source)
    var reading = PictureReading()
    reading.size = file.size
    reading.exif = file.exif
    reading.xmp = file.xmp.flatMap { XMPPacket($0) }
    reading.iptc = file.iptc
    reading.texts = file.texts
    reading.warnings = file.warnings
    // Samsung's phones write their trailer behind a PNG as well.
    try reading.take(try SamsungTrailer(source), in: source)
    let range = DynamicRange(transfer: file.codedColor?.transfer)
    if range != .sdr { reading.clues.append(Clue(.pngTransfer, range.rawValue)) }
    return reading
  }
}

extension PictureReading {
  /// Reads the chunks of a WebP.
  static func webP(_ source: any ByteSource) throws -> PictureReading {
    let file = try WebPFile(source)
    var reading = PictureReading()
    reading.size = file.size
    reading.exif = file.exif
    reading.xmp = file.xmp.flatMap { XMPPacket($0) }
    return reading
  }

  /// Reads the blocks of a GIF.
  static func gif(_ source: any ByteSource) throws -> PictureReading {
    let file = try GIFFile(source, extent: .description)
    var reading = PictureReading()
    reading.size = file.size
    reading.xmp = file.xmp.flatMap { XMPPacket($0) }
    return reading
  }

  /// Reads the header of a Windows bitmap.
  static func bmp(_ source: any ByteSource) throws -> PictureReading {
    PictureReading(size: try BMPFile(source).size)
  }

  /// Reads the boxes of a JPEG XL; its codestream alone says how the picture is turned.
  static func jpegXL(_ source: any ByteSource) throws -> PictureReading {
    let file = try JPEGXLFile(source)
    var reading = PictureReading()
    reading.size = (file.orientation ?? .up).upright(file.size)
    reading.isUpright = true
    reading.exif = file.exif
    reading.xmp = file.xmp.flatMap { XMPPacket($0) }
    reading.warnings = file.warnings
    return reading
  }

  /// Reads the boxes of a JPEG 2000.
  static func jpeg2000(_ source: any ByteSource) throws -> PictureReading {
    let file = try JPEG2000File(source)
    var reading = PictureReading()
    reading.size = file.size
    reading.exif = file.exif
    reading.xmp = file.xmp.flatMap { XMPPacket($0) }
    reading.iptc = file.iptc
    return reading
  }

  /// Reads a picture of a type that the sniffer has told by content; nil for what is no picture.
  package static func read(_ type: UniformType, _ source: any ByteSource) throws -> PictureReading?
  {
    switch type {
    case .jpeg: try jpeg(source)
    case .heic, .heif, .heics, .avif: try heif(source)
    case .png: try png(source)
    case .gif: try gif(source)
    case .webP: try webP(source)
    case .bmp: try bmp(source)
    case .jpegXL: try jpegXL(source)
    case .jpeg2000: try jpeg2000(source)
    case .fujiRAF: try raf(source)
    case .minoltaMRW: try mrw(source)
    case .canonCRW: try crw(source)
    case .canonCR3: try cr3(source)
    case .sigmaX3F: try x3f(source)
    case let type where type.isTIFF: try tiff(source, type: type)
    default: nil
    }
  }
}
