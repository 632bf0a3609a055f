import ByteReading
import MediaEdits
import MediaFormats
import MediaModel

// RAW formats with a structure of their own. Only the location and captions are removed from RAW files.

extension FujifilmRAWFormat: RedactableFormat {
  static func redaction(
    _ policy: MetadataPolicy, _ type: UniformType, _ source: any ByteSource
  ) throws -> Redaction {
    try Redaction(policy, inJPEG: RAFFile(source).embeddedJPEG, of: source)
  }
}

extension SigmaRAWFormat: RedactableFormat {
  static func redaction(
    _ policy: MetadataPolicy, _ type: UniformType, _ source: any ByteSource
  ) throws -> Redaction {
    try X3FFile(source).embeddedJPEG.map { try Redaction(policy, inJPEG: $0, of: source) }
      ?? Redaction()
  }
}

extension MinoltaRAWFormat: RedactableFormat {
  static func redaction(
    _ policy: MetadataPolicy, _ type: UniformType, _ source: any ByteSource
  ) throws -> Redaction {
    var redaction = Redaction()
    guard let range = try MRWFile(source).exifRange else { return redaction }
    redaction.add(
      try TIFFRedaction.find(policy, in: TIFFFile(source.part(range)), depth: 1, .raw),
      at: range.lowerBound)
    return redaction
  }
}

extension CanonCRWFormat: RedactableFormat {
  /// The format is older than cameras with GPS receivers, but programs add XMP.
  static func redaction(
    _ policy: MetadataPolicy, _ type: UniformType, _ source: any ByteSource
  ) throws -> Redaction {
    var redaction = Redaction()
    guard let range = try CanonVRDTrailer.xmp(in: source),
      let packet = try source.bytes(in: range, limit: Int(clamping: source.count))
    else { return redaction }
    let changed = XMPRedaction.removing(policy, from: packet)
    redaction.overwrite(at: range.lowerBound, packet, with: changed)
    return redaction
  }
}

extension CanonCR3Format: RedactableFormat {
  static func redaction(
    _ policy: MetadataPolicy, _ type: UniformType, _ source: any ByteSource
  ) throws -> Redaction {
    try ISORedaction.find(policy, in: source)
  }
}

extension Redaction {
  /// Removes metadata from the JPEG in a RAW file that contains its EXIF.
  fileprivate init(
    _ policy: MetadataPolicy, inJPEG range: Range<UInt64>, of source: any ByteSource
  ) throws {
    self.init()
    add(
      try JPEGRedaction.find(policy, in: source.part(range), depth: 1, keepsLength: true),
      at: range.lowerBound)
  }
}
