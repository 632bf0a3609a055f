package import ByteReading
package import MediaEdits
import MediaFormats
package import MediaModel

extension Redaction {
  /// What to change in a file, so that a copy of it keeps to itself what the policy says.
  ///
  /// - Throws: ``RedactionRefusal`` for a file that cannot be trusted to be silent without being encoded
  ///   anew; ``ContainerError`` for a damaged one; what the source throws.
  package static func of(
    _ type: UniformType, _ source: any ByteSource, _ policy: MetadataPolicy
  ) throws -> Redaction {
    switch policy {
    case .keep: Redaction()
    case .withoutLocation: try location(type, source)
    case .appearanceOnly: try appearance(type, source)
    }
  }

  private static func location(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> Redaction {
    switch type {
    case .jpeg: return try JPEGRedaction.location(in: source)
    case .heic, .heif, .heics, .avif: return try HEIFRedaction.find(.location, in: source)
    case .png: return try PNGRedaction.location(in: source)
    case .webP: return try WebPRedaction.location(in: source)
    case .gif: return try GIFRedaction.find(isAppearanceOnly: false, in: source)
    case .jpegXL: return try BoxRedaction.jpegXL(.location, in: source)
    case .jpeg2000: return try BoxRedaction.jpeg2000(.location, in: source)
    case .bmp: return try BMPRedaction.find(in: source)
    // RAW from before there was a receiver in a camera.
    case .canonCRW: return Redaction()
    case .dng: return try TIFFRedaction.location(in: TIFFFile(source), .digitalNegative)
    case let type where type.isTIFF:
      return try TIFFRedaction.location(in: TIFFFile(source), type.isRaw ? .raw : .open)
    case .fujiRAF: return try preview(RAFFile(source).embeddedJPEG, source)
    case .sigmaX3F: return try preview(X3FFile(source).embeddedJPEG, source)
    case .minoltaMRW: return try minolta(source)
    case .canonCR3, .quickTimeMovie, .mpeg4, .appleM4V, .threeGPP, .threeGPP2:
      return try ISORedaction.location(in: source)
    case .avi: return try AVIRedaction.find(.location, in: source)
    case .matroska, .webM: return try MatroskaRedaction.find(.location, in: source)
    default: throw refusal(type, "the location")
    }
  }

  private static func appearance(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> Redaction {
    switch type {
    case .jpeg: return try JPEGRedaction.appearance(in: source)
    case .heic, .heif, .heics, .avif: return try HEIFRedaction.find(.everything, in: source)
    case .png: return try PNGRedaction.appearance(in: source)
    case .webP: return try WebPRedaction.appearance(in: source)
    case .gif: return try GIFRedaction.find(isAppearanceOnly: true, in: source)
    case .jpegXL: return try BoxRedaction.jpegXL(.everything, in: source)
    case .jpeg2000: return try BoxRedaction.jpeg2000(.everything, in: source)
    case .bmp: return try BMPRedaction.find(in: source)
    case .tiff: return try TIFFRedaction.appearance(in: TIFFFile(source))
    case .quickTimeMovie, .mpeg4, .appleM4V, .threeGPP, .threeGPP2:
      return try ISORedaction.everything(in: source)
    case .avi: return try AVIRedaction.find(.everything, in: source)
    case .matroska, .webM: return try MatroskaRedaction.find(.everything, in: source)
    case let type where type.isRaw:
      throw RedactionRefusal(
        "A RAW file cannot be developed without its metadata; hand it out as a picture instead.")
    default: throw refusal(type, "the metadata")
    }
  }

  private static func refusal(_ type: UniformType, _ what: String) -> RedactionRefusal {
    let remedy =
      type.mediaType == .video ? "; the video preset `compatible` makes a new video without it" : ""
    return RedactionRefusal(
      "Of files of type \(type.rawValue), \(what) cannot be taken out of a copy\(remedy).")
  }

  /// Of a RAW file that keeps its EXIF in the JPEG inside.
  private static func preview(
    _ range: Range<UInt64>?, _ source: any ByteSource
  ) throws -> Redaction {
    var redaction = Redaction()
    guard let range else { return redaction }
    redaction.add(
      try JPEGRedaction.location(in: source.part(range), depth: 1, keepsLength: true),
      at: range.lowerBound)
    return redaction
  }

  private static func minolta(_ source: any ByteSource) throws -> Redaction {
    var redaction = Redaction()
    guard let range = try MRWFile(source).exifRange else { return redaction }
    redaction.add(
      try TIFFRedaction.location(in: TIFFFile(source.part(range)), depth: 1, .raw),
      at: range.lowerBound)
    return redaction
  }
}
