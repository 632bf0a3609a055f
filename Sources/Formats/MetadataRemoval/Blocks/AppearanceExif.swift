import ByteReading
import MediaFormats
import MediaModel

/// What EXIF records about a picture's appearance. A picture without metadata keeps only this of its EXIF.
struct AppearanceExif {
  private let orientation: Orientation
  private let isAdobeRGB: Bool

  /// - Parameters:
  ///   - exif: the picture's EXIF block; nil if it has none.
  ///   - hasProfile: whether the picture has an ICC profile, which overrides EXIF's mark.
  init(_ exif: [UInt8]?, hasProfile: Bool) {
    orientation = exif.flatMap(ExifBlockRedaction.orientation) ?? .up
    isAdobeRGB = !hasProfile && exif.map(InteroperabilityIndex.isAdobeRGB) == true
  }

  /// A little-endian EXIF block that records this and nothing else; nil if there is nothing to record.
  var block: [UInt8]? {
    guard orientation != .up || isAdobeRGB else { return nil }
    return Self.block(orientation, isAdobeRGB: isAdobeRGB)
  }

  /// A block without metadata, for a place that has to contain one.
  static let emptyBlock = block(.up, isAdobeRGB: false)

  private static func block(_ orientation: Orientation, isAdobeRGB: Bool) -> [UInt8] {
    func short(_ tag: UInt16, _ value: UInt16) -> CompactExifWriter.Entry {
      (tag, 3, 1, encoded(value, width: 2, .little))
    }
    func pointer(_ tag: UInt16) -> CompactExifWriter.Entry { (tag, 4, 1, [0, 0, 0, 0]) }
    var writer = CompactExifWriter(order: .little, limit: 1 << 10)
    let turned = short(TIFFTag.orientation, UInt16(orientation.rawValue))
    guard isAdobeRGB else {
      writer.reserve([turned])
      return writer.bytes
    }
    writer.reserve([turned, pointer(TIFFTag.exifIFD)])
    // “Uncalibrated”, which DCF 2.0 §4.2.2 requires beside the mark.
    writer.reserve([
      short(TIFFTag.colorSpace, 0xFFFF), pointer(TIFFTag.interoperabilityIFD),
    ])
    writer.reserve([(0x0001, 2, 4, InteroperabilityIndex.adobeRGB)])
    writer.link(TIFFTag.exifIFD, of: 0, to: 1)
    writer.link(TIFFTag.interoperabilityIFD, of: 1, to: 2)
    return writer.bytes
  }
}
