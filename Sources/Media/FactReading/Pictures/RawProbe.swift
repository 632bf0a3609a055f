package import ByteReading
package import MediaFormats
package import MediaModel

// TIFF and the RAW formats, which are TIFFs or have containers of their own around a JPEG or a TIFF block with the
// EXIF.

extension TIFFFormat: ReadablePicture {
  package static func reading(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureReading {
    let file = try TIFFFile(source)
    let picture = try TIFFPicture(file, type: type)
    var reading = PictureReading()
    reading.size = picture.size
    reading.orientation = picture.orientation
    reading.exif = try CompactExif.block(of: file)
    reading.xmp = picture.xmp.flatMap { XMPPacket($0) }
    reading.iptc = picture.iptc
    if let data = try PhaseOneData(file) {
      reading.exposure = data.exposure
      reading.camera.lens = data.lens
    }
    // Panasonic stores the whole EXIF in the embedded JPEG.
    if let range = picture.embeddedJPEG, let jpeg = try? JPEGFile(source.part(range)) {
      reading.exif = jpeg.exif ?? reading.exif
      reading.xmp = reading.xmp ?? jpeg.xmp.flatMap { XMPPacket($0) }
    }
    return reading
  }
}

extension FujifilmRAWFormat: ReadablePicture {
  package static func reading(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureReading {
    let file = try RAFFile(source)
    var reading = PictureReading()
    reading.size = file.size
    try reading.takeMetadata(ofJPEG: file.embeddedJPEG, in: source)
    return reading
  }
}

extension MinoltaRAWFormat: ReadablePicture {
  package static func reading(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureReading {
    let file = try MRWFile(source)
    var reading = PictureReading()
    reading.size = file.size
    if let block = file.exif { try reading.takeMetadata(ofTIFF: block) }
    return reading
  }
}

extension CanonCRWFormat: ReadablePicture {
  package static func reading(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureReading {
    let file = try CRWFile(source)
    var reading = PictureReading()
    reading.size = file.size
    reading.camera = Camera(make: file.make, model: file.model)
    reading.exposure = file.exposure
    reading.orientation = file.rotation.flatMap { Orientation(clockwiseDegrees: $0) }
    reading.captureTime = file.captureSeconds.flatMap {
      CaptureTime(wallSeconds: $0, source: "ciff:CapturedTime")
    }
    reading.xmp = try CanonVRDTrailer.xmp(in: source).flatMap {
      try source.bytes(in: $0, limit: 4 << 20)
    }.flatMap { XMPPacket($0) }
    return reading
  }
}

extension CanonCR3Format: ReadablePicture {
  package static func reading(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureReading {
    let boxes = try ISOMovie(source)
    var reading = PictureReading()
    reading.exif = try boxes.canonRaw.flatMap { try CompactExif.block(of: $0) }
    // The first track is the picture as the camera developed it; the RAW track includes the sensor's borders.
    reading.size = boxes.tracks.lazy.map { PixelSize(width: $0.width, height: $0.height) }
      .first { $0.width > 0 && $0.height > 0 }
    reading.xmp = try boxes.xmp.flatMap { try source.bytes(in: $0, limit: 4 << 20) }
      .flatMap { XMPPacket($0) }
    reading.warnings = boxes.warnings
    return reading
  }
}

extension SigmaRAWFormat: ReadablePicture {
  package static func reading(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureReading {
    let file = try X3FFile(source)
    var reading = PictureReading()
    reading.size = file.size
    if let range = file.embeddedJPEG { try reading.takeMetadata(ofJPEG: range, in: source) }
    reading.camera = Camera(
      make: file.properties["CAMMANUF"], model: file.properties["CAMMODEL"])
    reading.exposure = Exposure(file)
    reading.orientation = file.rotation.flatMap { Orientation(clockwiseDegrees: $0) }
    reading.captureTime = file.properties["TIME"].flatMap { Int64($0) }.flatMap {
      CaptureTime(wallSeconds: $0, source: "x3f:TIME")
    }
    return reading
  }
}

extension Exposure {
  /// The values in the properties of an X3F.
  fileprivate init(_ file: X3FFile) {
    func positive(_ name: String) -> Double? {
      file.properties[name].flatMap { Double($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
    self.init(
      time: positive("SHUTTER"), fNumber: positive("APERTURE"),
      iso: positive("ISO").flatMap { Int(exactly: $0) }, focalLength: positive("FLENGTH"))
  }
}

// The blocks that the exports of a RAW file carry are also its facts. The picture can be read without them, so a damaged
// block is a warning.

extension PictureReading {
  fileprivate mutating func takeMetadata(
    ofJPEG range: Range<UInt64>, in source: any ByteSource
  ) throws {
    let jpeg = source.part(range)
    do {
      try take(JPEGFile(jpeg), in: jpeg)
    } catch is ContainerError {
      warnings.append("The embedded JPEG with the metadata is damaged.")
    }
  }

  fileprivate mutating func takeMetadata(ofTIFF block: [UInt8]) throws {
    do {
      let file = try TIFFFile(ArraySource(block))
      exif = try CompactExif.block(of: file)
      let picture = try TIFFPicture(file, type: .minoltaMRW)
      xmp = picture.xmp.flatMap { XMPPacket($0) }
      iptc = picture.iptc
    } catch is ContainerError {
      warnings.append("The block with the metadata is damaged.")
    }
  }
}
