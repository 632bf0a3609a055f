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
    let header = Array("II".utf8) + encoded(42, width: 2, .little) + encoded(8, width: 4, .little)
    let turned = entry(TIFFTag.orientation, type: 3, orientation.rawValue)
    guard isAdobeRGB else { return header + directory([turned]) }
    let mainEnd = UInt32(header.count + directoryLength(2))
    let exifEnd = mainEnd + UInt32(directoryLength(2))
    let main = directory([turned, entry(TIFFTag.exifIFD, type: 4, mainEnd)])
    let exif = directory([
      // “Uncalibrated”, which DCF 2.0 §4.2.2 requires beside the mark.
      entry(TIFFTag.colorSpace, type: 3, 0xFFFF as UInt16),
      entry(TIFFTag.interoperabilityIFD, type: 4, exifEnd),
    ])
    let text = encoded(0x0001, width: 2, .little) + encoded(2, width: 2, .little)
    let interop = directory([text + encoded(4, width: 4, .little) + InteroperabilityIndex.adobeRGB])
    return header + main + exif + interop
  }

  /// An entry with one number, padded on the right as TIFF requires, which is the same for all little-endian widths.
  private static func entry(
    _ tag: UInt16, type: UInt16, _ value: some FixedWidthInteger & UnsignedInteger
  ) -> [UInt8] {
    let field = encoded(tag, width: 2, .little) + encoded(type, width: 2, .little)
    return field + encoded(1, width: 4, .little) + encoded(value, width: 4, .little)
  }

  /// A directory that no other one follows.
  private static func directory(_ entries: [[UInt8]]) -> [UInt8] {
    encoded(entries.count, width: 2, .little) + entries.joined() + [0, 0, 0, 0]
  }

  private static func directoryLength(_ entries: Int) -> Int { 2 + entries * 12 + 4 }
}
