package import ByteReading
package import MediaFormats
package import MediaModel

/// A format whose pictures' facts can be read.
package protocol ReadablePicture: PictureFormat {
  /// Reads what the file's structure records about the picture, without decoding pixels.
  ///
  /// - Throws: ``ContainerError`` for damaged structure; ``NeedsCodec``; `ProbeFailure`; the errors of the source.
  static func reading(_ type: UniformType, _ source: any ByteSource) throws -> PictureReading
}

extension PictureReading {
  /// Reads a picture of a type that was recognised by content; nil for other types.
  ///
  /// - Parameter readers: used where our own readers do not suffice.
  /// - Throws: as ``ReadablePicture/reading(_:_:)``; ``NeedsCodec`` without `readers`.
  package static func read(
    _ type: UniformType, _ source: any ByteSource, readers: CodecReaders? = nil
  ) throws -> PictureReading? {
    do {
      return try (type.format as? any ReadablePicture.Type)?.reading(type, source)
    } catch let error as NeedsCodec {
      guard let readers else { throw error }
      return try readers.picture(type, source)
    }
  }
}

extension JPEGFormat: ReadablePicture {
  /// Reads the segments, and the trailers that phones append.
  package static func reading(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureReading {
    let file = try JPEGFile(source)
    var reading = PictureReading()
    reading.size = file.size
    try reading.take(file, in: source)
    if let data = try file.flirData(from: source) {
      reading.camera = Camera(model: data.model, lens: data.lens)
      reading.location = data.location
    }
    reading.captureTime = file.casioDate.flatMap(DateText.init(dotted:))?.captureTime(
      "qvci:DateTimeOriginal")
    reading.warnings = file.warnings
    reading.clues += try file.auxiliaryClues(in: source)
    if !reading.clues.contains(Clue(.jpegGainMap)), let xmp = reading.xmp {
      reading.clues += try xmp.gainMapClue(in: source).map { [$0] } ?? []
    }
    let trailer = try SamsungTrailer(source)
    try reading.take(trailer, in: source)
    reading.take(
      try EmbeddedClipSearch.find(in: source, xmp: reading.xmp, trailer: trailer, jpeg: file))
    if trailer == nil, reading.embeddedClip == nil, let scan = file.scanOffset,
      try JPEGTail.isInCodedPixels(of: source, scan: scan)
    {
      reading.warnings.append("The file is cut off: it ends within coded pixels.")
    }
    return reading
  }
}

extension PictureReading {
  /// Takes the metadata blocks of a JPEG.
  mutating func take(_ file: JPEGFile, in source: any ByteSource) throws {
    exif = file.exif
    xmp = file.xmp.flatMap { XMPPacket($0) }
    if let rest = try file.extendedXMP(from: source), let packet = XMPPacket(rest) {
      xmp?.merge(packet)
    }
    iptc = file.iptc
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
      warnings.append("The motion clip after the picture is cut off.")
      clues.append(Clue(.missingClip, "the clip after the picture is cut off"))
    case .none: break
    }
  }
}

extension PNGFormat: ReadablePicture {
  package static func reading(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureReading {
    let file = try PNGFile(source)
    var reading = PictureReading()
    reading.size = file.size
    reading.duration = file.duration
    reading.exif = file.exif
    reading.xmp = file.xmp.flatMap { XMPPacket($0) }
    reading.iptc = file.iptc
    reading.texts = file.texts
    reading.warnings = file.warnings
    // Samsung's phones append their trailer to PNGs too.
    try reading.take(try SamsungTrailer(source), in: source)
    let range = DynamicRange(transfer: file.codedColor?.transfer)
    if range != .sdr { reading.clues.append(Clue(.pngTransfer, range.rawValue)) }
    return reading
  }
}

extension WebPFormat: ReadablePicture {
  package static func reading(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureReading {
    let file = try WebPFile(source)
    var reading = PictureReading()
    reading.size = file.size
    reading.duration = file.duration
    reading.exif = file.exif
    reading.xmp = file.xmp.flatMap { XMPPacket($0) }
    return reading
  }
}

extension GIFFormat: ReadablePicture {
  package static func reading(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureReading {
    let file = try GIFFile(source, extent: .description)
    var reading = PictureReading()
    reading.size = file.size
    reading.duration = file.duration
    reading.xmp = file.xmp.flatMap { XMPPacket($0) }
    return reading
  }
}

extension BMPFormat: ReadablePicture {
  package static func reading(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureReading {
    PictureReading(size: try BMPFile(source).size)
  }
}

extension JPEGXLFormat: ReadablePicture {
  /// The orientation comes from the codestream; EXIF does not count (ISO/IEC 18181-2).
  package static func reading(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureReading {
    let file = try JPEGXLFile(source)
    var reading = PictureReading()
    reading.size = (file.orientation ?? .up).upright(file.size)
    reading.isUpright = true
    reading.exif = file.exif
    reading.xmp = file.xmp.flatMap { XMPPacket($0) }
    reading.warnings = file.warnings
    return reading
  }
}

extension JPEG2000Format: ReadablePicture {
  package static func reading(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureReading {
    let file = try JPEG2000File(source)
    var reading = PictureReading()
    reading.size = file.size
    reading.exif = file.exif
    reading.xmp = file.xmp.flatMap { XMPPacket($0) }
    reading.iptc = file.iptc
    return reading
  }
}
