import ByteReading

/// EXIF's record of the colour space of a camera's JPEG (EXIF 2.32 §4.6.6, table 13).
package enum InteroperabilityIndex {
  package static let sRGB: [UInt8] = Array("R98\0".utf8)
  package static let adobeRGB: [UInt8] = Array("R03\0".utf8)

  /// The four bytes of the index; nil if there is none.
  ///
  /// - Parameter directory: of EXIF.
  package static func entry(in directory: TIFFDirectory, _ tiff: TIFFFile) -> Range<UInt64>? {
    guard let interop = try? tiff.directory(TIFFTag.interoperabilityIFD, of: directory),
      let entry = interop[0x0001], entry.type == 2, entry.count == 4, entry.content.count == 4
    else { return nil }
    return entry.content
  }

  /// Whether an EXIF block marks the picture as Adobe RGB, as cameras do (DCF 2.0 §4.2.2, “optional colour space”).
  package static func isAdobeRGB(_ exif: [UInt8]) -> Bool {
    guard let tiff = try? TIFFFile(ArraySource(exif)), !tiff.isBig,
      let main = try? tiff.directory(at: tiff.firstDirectoryOffset),
      let directory = try? tiff.directory(TIFFTag.exifIFD, of: main),
      let entry = entry(in: directory, tiff)
    else { return false }
    return (try? tiff.source.bytes(at: entry.lowerBound, count: 4)) == adobeRGB
  }
}
