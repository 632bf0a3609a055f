import ByteReading

/// Pictures in XMP, in Base64: thumbnails (`xmp:Thumbnails`), depth maps (`GDepth:Data`), the original of an edited
/// picture (`GImage:Data`).
package enum XMPPicture {
  private static let jpeg = Array("/9j/".utf8)
  private static let png = Array("iVBORw0KGgo".utf8)
  /// WebP; TIFF in both byte orders, also after `Exif` and two zeros; a packet of XMP; Photoshop's resources.
  private static let others = [
    "UklGR", "SUkqA", "TU0AK", "RXhpZgAA", "PD94cGFja2V0", "PHg6eG1wbWV0", "OEJJT",
  ].map { Array($0.utf8) }

  /// Whether a value is a JPEG or PNG. A shorter one has no pixels.
  package static func isPicture(_ value: ArraySlice<UInt8>) -> Bool {
    guard let start = value.firstIndex(where: { $0 > 0x20 }), value.endIndex - start >= 64 else {
      return false
    }
    return value[start...].starts(with: jpeg) || value[start...].starts(with: png)
  }

  /// Whether a value is a picture with metadata, which may record a place: EXIF, XMP, IPTC, comments or texts. True for
  /// a damaged picture too, because its metadata cannot be checked, and for a block of metadata without a picture.
  package static func hasMetadata(in value: ArraySlice<UInt8>) -> Bool {
    guard let start = value.firstIndex(where: { $0 > 0x20 }) else { return false }
    let text = value[start...]
    // Lines can end with a reference to a line feed.
    if text.starts(with: jpeg) { return hasMetadata(jpeg: decodedBase64(text)) }
    if text.starts(with: png) { return hasMetadata(png: decodedBase64(text)) }
    if others.contains(where: text.starts) { return hasMetadata(other: decodedBase64(text)) }
    return false
  }

  private static func hasMetadata(jpeg bytes: [UInt8]) -> Bool {
    let source = ArraySource(bytes)
    guard let file = try? JPEGMetadata(source), let scan = file.scanOffset else { return true }
    // Another picture may follow.
    let end = try? endOfJPEGScans(from: scan, in: source)
    if let end, bytes.bytes(from: Int(end)).contains(where: { $0 != 0 }) { return true }
    // APP0 is JFIF, APP2 a profile, APP14 Adobe's colour coding. Tables and frames are not metadata.
    return file.segments.contains {
      $0.marker == JPEGMarker.comment
        || (0xE1...0xEF).contains($0.marker) && $0.marker != 0xEE
          && !bytes.hasText(JPEGSegmentName.profile, at: Int($0.payload.lowerBound))
    }
  }

  private static func hasMetadata(other bytes: [UInt8]) -> Bool {
    guard let file = try? WebPFile(ArraySource(bytes)) else { return true }
    return file.exif != nil || file.xmp != nil
  }

  private static func hasMetadata(png bytes: [UInt8]) -> Bool {
    guard let file = try? PNGFile(ArraySource(bytes)) else { return true }
    return file.exif != nil || file.xmp != nil || file.iptc != nil || !file.texts.isEmpty
  }
}

/// The bytes that Base64 encodes (RFC 4648 §4), up to its padding. Spaces, line ends and XML references are skipped.
func decodedBase64(_ text: ArraySlice<UInt8>) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.count / 4 * 3)
  var (bits, count): (UInt32, Int) = (0, 0)
  var isReference = false
  for character in text {
    if isReference {
      isReference = character != UInt8(ascii: ";")
      continue
    }
    let digit: UInt8
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = character - 0x41
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = character - 0x61 + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - 0x30 + 52
    case UInt8(ascii: "+"): digit = 62
    case UInt8(ascii: "/"): digit = 63
    case UInt8(ascii: "="): return bytes
    case UInt8(ascii: "&"):
      isReference = true
      continue
    default: continue
    }
    (bits, count) = (bits << 6 | UInt32(digit), count + 6)
    if count >= 8 {
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
  }
  return bytes
}
