import ByteReading
package import MediaFormats
import MetadataRemoval

/// Inserts metadata into a picture that an encoder has just made.
package enum PictureAssembly {
  private static let maximumPayload = JPEGSegment.maximumPayload
  static let exifName = Array("Exif\0\0".utf8)
  static let xmpName = Array(JPEGSegmentName.xmp.utf8)
  private static let photoshopName = Array(JPEGSegmentName.photoshop.utf8)
  private static let profileName = Array(JPEGSegmentName.profile.utf8)

  /// Inserts the metadata's segments into a JPEG, after its start marker and its JFIF segment.
  ///
  /// A profile in the metadata replaces the encoder's.
  ///
  /// - Parameter gainMap: a JPEG that ``UltraHDR`` has made; the result is followed by it.
  /// - Returns: the JPEG, and the metadata's notes with further ones about data that does not fit into a JPEG.
  package static func jpeg(
    _ encoded: [UInt8], with metadata: PictureMetadata, gainMap: [UInt8]? = nil
  ) -> (bytes: [UInt8], notes: [String]) {
    guard encoded.hasBytes([0xFF, 0xD8]) else { return (encoded, metadata.notes) }
    var fitting = metadata.fittedForJPEG()
    // Readers find a map that the packet does not announce by the index of pictures.
    if let gainMap, let packet = UltraHDR.packet(fitting.xmp, announcing: gainMap),
      fits(packet, with: fitting.extendedXMP)
    {
      fitting.xmp = packet
    }
    var position = 2
    while encoded.u16(at: position) == 0xFFE0, let length = encoded.u16(at: position + 2) {
      position = min(position + 2 + Int(length), encoded.count)
    }
    var segments: [UInt8] = []
    if let exif = fitting.exif { segments += segment(0xE1, exifName + exif) }
    if let xmp = fitting.xmp { segments += packets(xmp, fitting.extendedXMP) }
    if let icc = fitting.icc { segments += profileSegments(icc) }
    if let resources = fitting.imageResources {
      for part in parts(of: resources, maximumPayload - photoshopName.count) {
        segments += segment(0xED, photoshopName + part)
      }
    }
    for comment in fitting.comments {
      for part in parts(of: comment, maximumPayload) {
        segments += segment(JPEGMarker.comment, part)
      }
    }
    let rest = fitting.icc == nil ? encoded[position...] : withoutProfile(encoded, from: position)
    let start = withDensity(fitting.density, Array(encoded[..<position]))
    guard let gainMap else { return (start + segments + rest, fitting.notes) }
    return (UltraHDR.joined(head: start + segments, rest, gainMap), fitting.notes)
  }

  /// The start of a JPEG, with a density in its JFIF segment, if it has one.
  private static func withDensity(_ density: PixelDensity?, _ start: [UInt8]) -> [UInt8] {
    let fields = 13..<18
    guard let density = density?.jfif, start.u16(at: 2) == 0xFFE0, start.hasText("JFIF\0", at: 6),
      start.count >= fields.upperBound
    else { return start }
    var result = start
    result.replaceSubrange(fields, with: density)
    return result
  }

  /// - Parameter payload: at most ``JPEGSegment/maximumPayload`` bytes.
  static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker] + encoded(payload.count + 2, width: 2) + payload
  }

  private static func parts(of bytes: [UInt8], _ size: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0...].prefix(size)) }
  }

  /// Whether a packet fits into a segment, with the name of a second one if there is one.
  static func fits(_ xmp: [UInt8], with extended: [UInt8]?) -> Bool {
    guard extended != nil else { return JPEGPatch.fits(xmp: xmp) }
    let name = [UInt8](repeating: UInt8(ascii: "0"), count: 32)
    return JPEGPatch.fits(xmp: XMPPatch.naming(extended: name, in: xmp) ?? xmp)
  }

  /// The segments of one or two packets. A packet that is too long for one segment is split (XMP specification
  /// part 3 §1.1.3.1).
  private static func packets(_ xmp: [UInt8], _ extended: [UInt8]?) -> [UInt8] {
    // `joinLongXMP` has joined a packet that is too long with its second part.
    guard JPEGPatch.fits(xmp: xmp) else { return packets(nil, trimmedPacket(xmp)) }
    guard let extended else { return segment(0xE1, xmpName + xmp) }
    return packets(.some(xmp), extended)
  }

  /// The segments of two packets. The first fits into a segment; it is nil if it only names the second.
  static func packets(_ first: [UInt8]?, _ second: [UInt8]) -> [UInt8] {
    let name = md5Text(second)
    let main =
      first.map { XMPPatch.naming(extended: name, in: $0) ?? $0 } ?? XMPPatch.packet(naming: name)
    var segments = segment(0xE1, xmpName + main)
    let size = maximumPayload - ExtendedXMPPart.headerLength
    for (index, part) in parts(of: second, size).enumerated() {
      segments += segment(
        0xE1,
        Array(JPEGSegmentName.extendedXMP.utf8) + name + encoded(second.count, width: 4)
          + encoded(index * size, width: 4) + part)
    }
    return segments
  }

  /// A packet without its wrapper and the padding for edits in place.
  static func trimmedPacket(_ xmp: [UInt8]) -> [UInt8] {
    let start = xmp.firstIndex(of: "<x:xmpmeta") ?? xmp.firstIndex(of: "<rdf:RDF") ?? 0
    let end = xmp.firstIndex(of: "<?xpacket end", from: start) ?? xmp.count
    return Array(xmp[start..<end])
  }

  /// The longest part of a profile in bytes.
  private static let maximumProfilePart = maximumPayload - profileName.count - 2
  /// The longest profile in bytes: its parts are counted in one byte (ICC.1:2022 annex B.4).
  fileprivate static let maximumProfile = 255 * maximumProfilePart

  /// The segments of a profile; none for one that is too long.
  static func profileSegments(_ icc: [UInt8]) -> [UInt8] {
    guard icc.count <= maximumProfile else { return [] }
    let all = parts(of: icc, maximumProfilePart)
    return all.enumerated().flatMap { index, part in
      segment(0xE2, profileName + [UInt8(index + 1), UInt8(all.count)] + part)
    }
  }

  /// The rest of an encoded picture without the encoder's profile.
  private static func withoutProfile(_ encoded: [UInt8], from start: Int) -> ArraySlice<UInt8> {
    var position = start
    var kept: [UInt8] = []
    while encoded.u8(at: position) == 0xFF, let marker = encoded.u8(at: position + 1),
      marker != JPEGMarker.startOfScan, let length = encoded.u16(at: position + 2)
    {
      let end = min(position + 2 + max(2, Int(length)), encoded.count)
      if marker != 0xE2 || !encoded.hasBytes(profileName, at: position + 4) {
        kept += encoded[position..<end]
      }
      position = end
    }
    return ArraySlice(kept + encoded[position...])
  }
}

extension PictureMetadata {
  /// The metadata that fits into a JPEG. An EXIF block that is too long, because of a preview in its MakerNote or
  /// after it, is rebuilt without its long parts, and a note is added. A profile that is too long is left out, with a note.
  func fittedForJPEG() -> PictureMetadata {
    var result = self
    result.joinLongXMP()
    if let icc, icc.count > PictureAssembly.maximumProfile {
      result.icc = nil
      result.notes.append("Its colour profile is too long for a JPEG and is left out.")
    }
    guard let block = exif, !JPEGPatch.fits(exif: block) else { return result }
    result.exif = (try? TIFFFile(ArraySource(block))).flatMap { try? CompactExif.block(of: $0) }
    if result.exif == nil {
      result.notes.append("Its EXIF is too long for a JPEG and is left out.")
    } else {
      result.notes.append(
        "Its EXIF is too long for a JPEG: previews, and a MakerNote that does not fit, are left out."
      )
    }
    return result
  }

  /// Joins two packets if the first, with the name of the second, is too long for a segment: a JPEG can contain one packet
  /// of any length and a short one, but not two long ones.
  private mutating func joinLongXMP() {
    guard let first = xmp, let second = extendedXMP, !PictureAssembly.fits(first, with: second)
    else { return }
    extendedXMP = nil
    if let joined = XMPPatch.joined(first, second) {
      xmp = joined
    } else {
      notes.append(
        "The second part of its XMP is left out: the first is too long for a JPEG to have both.")
    }
  }

  /// The texts that a JPEG stores as comments: those with PNG's keywords (PNG specification, third edition,
  /// §11.3.3.1) that neither EXIF nor XMP can store.
  var comments: [[UInt8]] {
    texts.compactMap { text in
      switch text.keyword {
      case PictureText.comment: Array(text.text.utf8)
      case "Disclaimer", "Warning", "Source": Array("\(text.keyword): \(text.text)".utf8)
      default: nil
      }
    }
  }
}
