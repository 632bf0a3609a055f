package import ByteReading

/// Marker codes of JPEG files: the byte after 0xFF (ITU-T T.81 table B.1).
package enum JPEGMarker {
  package static let startOfScan: UInt8 = 0xDA
  static let endOfImage: UInt8 = 0xD9
  package static let comment: UInt8 = 0xFE
  /// JFIF.
  static let app0: UInt8 = 0xE0
  /// EXIF and XMP.
  package static let app1: UInt8 = 0xE1
  /// ICC profiles, multi-picture indexes and gain maps.
  package static let app2: UInt8 = 0xE2
  /// Photoshop's image resources.
  package static let app13: UInt8 = 0xED

  /// SOF0–SOF15 without DHT (C4), JPG (C8) and DAC (CC).
  package static func isStartOfFrame(_ marker: UInt8) -> Bool {
    (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
  }

  /// Markers without a meaning in any edition of the standard (ITU-T T.81 table B.1, "RES").
  package static func isReserved(_ marker: UInt8) -> Bool {
    (0x02...0xBF).contains(marker)
  }

  /// Markers without a length after them: TEM, RST0–7, SOI, EOI.
  static func standsAlone(_ marker: UInt8) -> Bool {
    marker == 0x01 || (0xD0...0xD9).contains(marker)
  }
}

/// The texts with which the payloads of application segments begin.
package enum JPEGSegmentName {
  /// Two zeros follow in files that conform to the standard (Exif 2.32 §4.7.2); only one of them is checked.
  package static let exif = "Exif\0"
  /// XMP specification part 3 §1.1.3.
  package static let xmp = "http://ns.adobe.com/xap/1.0/\0"
  /// As some programs write it: with `XMP` and a zero over the beginning.
  static let overwrittenXMP = "XMP\0://ns.adobe.com/xap/1.0/\0"
  package static let extendedXMP = "http://ns.adobe.com/xmp/extension/\0"
  /// ICC.1:2022 annex B.4. The part's number and the number of parts follow, in a byte each.
  package static let profile = "ICC_PROFILE\0"
  /// CIPA DC-007 §5.2.
  package static let multiPicture = "MPF\0"
  package static let photoshop = "Photoshop 3.0\0"
  /// exiftool's FLIR.pm and Casio.pm.
  static let flir = "FLIR\0"
  static let casio = "QVCI\0"
  /// ISO 21496-1 annex C: the description in a gain map, and the version in the picture that it belongs to.
  static let gainMap = "urn:iso:std:iso:ts:21496:-1\0"
}

/// One segment: its marker, and the range of its payload.
package struct JPEGSegment {
  package var marker: UInt8
  /// The offset of the 0xFF before the marker.
  package var offset: UInt64
  /// The bytes after the length field.
  package var payload: Range<UInt64>

  /// The longest payload in bytes: the length field, of 2 bytes, counts itself (ITU-T T.81 §B.1.1.4).
  package static let maximumPayload = 65533

  /// Up to ``maximumPayload`` bytes.
  package func payload(from source: any ByteSource) throws -> [UInt8] {
    try source.bytes(at: payload.lowerBound, count: payload.count)
  }

  /// The first bytes of the payload, fewer if it is shorter.
  package func start(_ count: Int, from source: any ByteSource) throws -> [UInt8] {
    try source.bytes(at: payload.lowerBound, count: min(count, payload.count))
  }
}

/// Steps from segment to segment by their lengths.
struct JPEGSegmentWalk {
  private static let maximumSegments = 20_000
  private static let maximumStrayBytes = 64 << 10

  private let source: any ByteSource
  private var position: UInt64 = 0
  private var count = 0
  /// Where a run of markers without a segment begins.
  private var openGap: UInt64?
  /// Whether bytes other than fill bytes were found between two segments.
  private(set) var hasSkippedBytes = false
  /// Ranges between segments, with fill bytes and markers without a segment.
  private(set) var gaps: [Range<UInt64>] = []

  init(_ source: any ByteSource) {
    self.source = source
  }

  /// Moves past the Start Of Image marker; false if there is none.
  mutating func begin() throws -> Bool {
    guard try source.bytes(at: 0, count: 2) == [0xFF, 0xD8] else { return false }
    position = 2
    return true
  }

  /// The next segment with a payload; nil at the end of the picture or of the file.
  mutating func next() throws -> JPEGSegment? {
    while count < Self.maximumSegments {
      count += 1
      let gapStart = openGap ?? position
      guard let marker = try nextMarker() else { return nil }
      openGap = JPEGMarker.standsAlone(marker) ? gapStart : nil
      if marker == JPEGMarker.endOfImage { return nil }
      if JPEGMarker.standsAlone(marker) { continue }
      let start = position
      if gapStart < start - 2 { gaps.append(gapStart..<(start - 2)) }
      guard let length = try source.bytes(at: start, count: 2).u16(at: 0), length >= 2
      else { return nil }
      let end = min(start + UInt64(length), source.count)
      position = end
      return JPEGSegment(marker: marker, offset: start - 2, payload: min(start + 2, end)..<end)
    }
    return nil
  }

  /// Moves past the next marker, over fill bytes and a bounded number of stray ones.
  private mutating func nextMarker() throws -> UInt8? {
    var strayBytes = 0
    while strayBytes < Self.maximumStrayBytes {
      let pair = try source.bytes(at: position, count: 2)
      guard pair.count == 2 else { return nil }
      if pair[0] == 0xFF, pair[1] != 0xFF, pair[1] != 0 {
        position += 2
        return pair[1]
      }
      if pair[0] != 0xFF { hasSkippedBytes = true }
      position += 1
      strayBytes += 1
    }
    return nil
  }
}

/// The offset after the End Of Image marker that ends the scans beginning at `offset`; nil if there is none.
/// Segments between scans are skipped by their lengths.
package func endOfJPEGScans(from offset: UInt64, in source: any ByteSource) throws -> UInt64? {
  try JPEGScans(from: offset, in: source).end
}
