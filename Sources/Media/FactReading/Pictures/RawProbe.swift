import ByteReading
import MediaFormats
import MediaModel

// TIFF, and the RAW formats: TIFF under other names, or containers of their own around a JPEG or a
// TIFF block that has the EXIF.

extension PictureReading {
  /// Reads a TIFF, or a RAW file that is one: DNG, NEF, CR2, ARW, ORF, RW2, PEF, IIQ.
  static func tiff(_ source: any ByteSource, type: UniformType) throws -> PictureReading {
    let file = try TIFFFile(source)
    let picture = try TIFFPicture(file, type: type)
    var reading = PictureReading()
    reading.size = picture.size
    reading.orientation = picture.orientation
    reading.exif = try CompactExif.block(of: file)
    reading.xmp = picture.xmp.flatMap { XMPPacket($0) }
    reading.iptc = picture.iptc
    // Panasonic keeps the whole EXIF in the JPEG inside.
    if let exif = try exif(ofJPEG: picture.embeddedJPEG, in: source) { reading.exif = exif }
    return reading
  }

  /// Reads Fujifilm's RAF.
  static func raf(_ source: any ByteSource) throws -> PictureReading {
    let file = try RAFFile(source)
    var reading = PictureReading()
    reading.size = file.size
    reading.exif = try exif(ofJPEG: file.embeddedJPEG, in: source)
    return reading
  }

  /// Reads Minolta's MRW.
  static func mrw(_ source: any ByteSource) throws -> PictureReading {
    let file = try MRWFile(source)
    var reading = PictureReading()
    reading.size = file.size
    reading.exif = try file.exif.flatMap { try CompactExif.block(of: TIFFFile(ArraySource($0))) }
    return reading
  }

  /// Reads Canon's CRW, which is older than EXIF in RAW files.
  static func crw(_ source: any ByteSource) throws -> PictureReading {
    let file = try CRWFile(source)
    var reading = PictureReading()
    reading.size = file.size
    reading.camera = Camera(make: file.make, model: file.model)
    reading.orientation = file.rotation.flatMap {
      Orientation(clockwiseQuarterTurns: ($0 % 360 + 360) % 360 / 90)
    }
    reading.captureTime = file.captureSeconds.flatMap {
      CaptureTime(wallSeconds: $0, source: "ciff:CapturedTime")
    }
    return reading
  }

  /// Reads Canon's CR3, an ISO base media file.
  static func cr3(_ source: any ByteSource) throws -> PictureReading {
    let boxes = try ISOMovie(source)
    var reading = PictureReading()
    reading.exif = try boxes.canonRaw.flatMap { try CompactExif.block(of: $0) }
    // The first track is the whole picture as the camera developed it; the RAW track has the sensor's
    // borders as well.
    reading.size = boxes.tracks.lazy.map { PixelSize(width: $0.width, height: $0.height) }
      .first { $0.width > 0 && $0.height > 0 }
    reading.xmp = try boxes.xmp.flatMap { try source.bytes(in: $0, limit: 4 << 20) }
      .flatMap { XMPPacket($0) }
    reading.warnings = boxes.warnings
    return reading
  }

  /// Reads Sigma's X3F.
  static func x3f(_ source: any ByteSource) throws -> PictureReading {
    let file = try X3FFile(source)
    var reading = PictureReading()
    reading.size = file.size
    reading.exif = try exif(ofJPEG: file.embeddedJPEG, in: source)
    reading.camera = Camera(
      make: file.properties["CAMMANUF"], model: file.properties["CAMMODEL"])
    reading.captureTime = file.properties["TIME"].flatMap { Int64($0) }.flatMap {
      CaptureTime(wallSeconds: $0, source: "x3f:TIME")
    }
    return reading
  }

  /// The EXIF of a JPEG inside a RAW file.
  private static func exif(
    ofJPEG range: Range<UInt64>?, in source: any ByteSource
  ) throws -> [UInt8]? {
    guard let range else { return nil }
    // A preview that is broken does not make the picture unreadable.
    return try? JPEGFile(source.part(range)).exif
  }
}
