import ByteReading
import MediaFormats

/// EXIF blocks with a place in data that is not known to contain them, such as a text or a sample of metadata.
enum ExifInData {
  private static let headers: [[UInt8]] = [[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A]]
  /// Latitude and longitude, if the first directory is that of GPS (§4.6.6), as in Canon's `CMT4`.
  private static let position = [TIFFTag.gpsLatitude, TIFFTag.gpsLongitude]
  private static let rational: UInt16 = 5
  /// Data with more headers is not searched further, and counts as a place.
  private static let maximumBlocks = 1000

  /// Whether data contains a TIFF block whose first directory refers to GPS fields or consists of them.
  static func recordsPlace(_ data: [UInt8]) -> Bool {
    var count = 0
    for header in headers {
      var next = data.firstIndex(of: header)
      while let start = next {
        count += 1
        if count > maximumBlocks || isPlace(blockAt: start, of: data) { return true }
        next = data.firstIndex(of: header, from: start + 1)
      }
    }
    return false
  }

  private static func isPlace(blockAt start: Int, of data: [UInt8]) -> Bool {
    let block = ArraySource(data).part(from: UInt64(start))
    guard let tiff = try? TIFFFile(block),
      let first = try? tiff.directory(at: tiff.firstDirectoryOffset)
    else { return false }
    return first[TIFFTag.gpsIFD] != nil
      || first.entries.contains {
        position.contains($0.tag) && $0.type == rational && $0.count == 3
      }
  }
}
