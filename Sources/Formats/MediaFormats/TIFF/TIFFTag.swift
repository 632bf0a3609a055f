/// The numbers of TIFF and EXIF tags, under the names of their specifications (TIFF 6.0, Exif 3.0 §4.6, DNG 1.7,
/// XMP specification part 3 §1.1.4).
package enum TIFFTag {
  // The pixels of a directory's picture.

  package static let newSubfileType: UInt16 = 0x00FE
  package static let imageWidth: UInt16 = 0x0100
  package static let imageLength: UInt16 = 0x0101
  package static let bitsPerSample: UInt16 = 0x0102
  package static let compression: UInt16 = 0x0103
  package static let photometricInterpretation: UInt16 = 0x0106
  package static let stripOffsets: UInt16 = 0x0111
  package static let samplesPerPixel: UInt16 = 0x0115
  package static let stripByteCounts: UInt16 = 0x0117
  package static let tileOffsets: UInt16 = 0x0144
  package static let tileByteCounts: UInt16 = 0x0145
  package static let extraSamples: UInt16 = 0x0152
  package static let sampleFormat: UInt16 = 0x0153
  package static let jpegInterchangeFormat: UInt16 = 0x0201
  package static let jpegInterchangeFormatLength: UInt16 = 0x0202
  package static let jpegQTables: UInt16 = 0x0207
  package static let jpegDCTables: UInt16 = 0x0208
  package static let jpegACTables: UInt16 = 0x0209

  // The description of the picture.

  package static let imageDescription: UInt16 = 0x010E
  package static let make: UInt16 = 0x010F
  package static let model: UInt16 = 0x0110
  package static let orientation: UInt16 = 0x0112
  package static let xResolution: UInt16 = 0x011A
  package static let yResolution: UInt16 = 0x011B
  package static let resolutionUnit: UInt16 = 0x0128
  /// Windows' rating, 0–5, and the same in per cent.
  package static let rating: UInt16 = 0x4746
  package static let ratingPercent: UInt16 = 0x4749
  package static let dateTimeOriginal: UInt16 = 0x9003
  package static let offsetTimeOriginal: UInt16 = 0x9011
  package static let makerNote: UInt16 = 0x927C
  package static let userComment: UInt16 = 0x9286
  package static let subSecTimeOriginal: UInt16 = 0x9291
  /// Written by Windows, as the next one.
  package static let xpComment: UInt16 = 0x9C9C
  package static let xpKeywords: UInt16 = 0x9C9E
  package static let colorSpace: UInt16 = 0xA001
  package static let pixelXDimension: UInt16 = 0xA002
  package static let focalPlaneXResolution: UInt16 = 0xA20E
  package static let focalPlaneYResolution: UInt16 = 0xA20F
  package static let pixelYDimension: UInt16 = 0xA003
  package static let subjectArea: UInt16 = 0x9214
  package static let subjectLocation: UInt16 = 0xA214

  // In the GPS directory.

  package static let gpsLatitude: UInt16 = 0x0002
  package static let gpsLongitude: UInt16 = 0x0004

  // Offsets of other directories.

  package static let subIFDs: UInt16 = 0x014A
  package static let globalParametersIFD: UInt16 = 0x0190
  package static let exifIFD: UInt16 = 0x8769
  package static let gpsIFD: UInt16 = 0x8825
  package static let interoperabilityIFD: UInt16 = 0xA005

  // Metadata blocks of other specifications.

  package static let xmp: UInt16 = 0x02BC
  /// IPTC-IIM datasets.
  package static let iptc: UInt16 = 0x83BB
  /// Photoshop's image resources.
  package static let imageResources: UInt16 = 0x8649
  package static let iccProfile: UInt16 = 0x8773
  /// Photoshop's layers (`ImageSourceData`).
  package static let imageSourceData: UInt16 = 0x935C

  // RAW files.

  /// The whole JPEG in a Panasonic RW2 (`JpgFromRaw`, exiftool's PanasonicRaw.pm).
  package static let panasonicJPEG: UInt16 = 0x002E
  package static let dngVersion: UInt16 = 0xC612
  package static let defaultCropSize: UInt16 = 0xC620
  /// Camera profiles of a DNG: offsets of files that have no recorded length.
  package static let privateData: UInt16 = 0xC634
  package static let extraCameraProfiles: UInt16 = 0xC6F5
}
