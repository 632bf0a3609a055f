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
    if let exif = exif(ofJPEG: picture.embeddedJPEG, in: source) { reading.exif = exif }
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
    reading.exif = exif(ofJPEG: file.embeddedJPEG, in: source)
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
    reading.exif = try file.exif.flatMap { try CompactExif.block(of: TIFFFile(ArraySource($0))) }
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
    reading.orientation = file.rotation.flatMap {
      Orientation(clockwiseQuarterTurns: ($0 % 360 + 360) % 360 / 90)
    }
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
    reading.exif = exif(ofJPEG: file.embeddedJPEG, in: source)
    reading.camera = Camera(
      make: file.properties["CAMMANUF"], model: file.properties["CAMMODEL"])
    reading.exposure = Exposure(file)
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

/// The EXIF of a JPEG in a RAW file; nil if the JPEG is damaged, because the picture can still be read.
private func exif(ofJPEG range: Range<UInt64>?, in source: any ByteSource) -> [UInt8]? {
  range.flatMap { try? JPEGFile(source.part($0)).exif }
}
