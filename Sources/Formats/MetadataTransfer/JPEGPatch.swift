import ByteReading
import MediaFormats

/// Changes the metadata of a JPEG. Every byte of its coded picture stays as it is.
struct JPEGPatch {
  let bytes: [UInt8]
  let file: JPEGMetadata
  /// Ranges with the bytes that replace them; empty ranges insert.
  private var changes: [(range: Range<Int>, bytes: [UInt8])] = []

  /// - Throws: `ContainerError` for a file that is not a JPEG.
  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    file = try JPEGMetadata(ArraySource(bytes))
  }

  /// Whether an EXIF block fits into a segment.
  static func fits(exif: [UInt8]) -> Bool {
    exif.count + PictureAssembly.exifName.count <= JPEGSegment.maximumPayload
  }

  /// Whether a packet fits into a segment.
  static func fits(xmp: [UInt8]) -> Bool {
    xmp.count + PictureAssembly.xmpName.count <= JPEGSegment.maximumPayload
  }

  /// A packet, without the padding for edits in place if it would be too long with it.
  static func fitted(xmp: [UInt8]) -> [UInt8] { fits(xmp: xmp) ? xmp : trimmed(xmp) }

  /// Gives the JPEG this EXIF block in place of its own, which must not continue in a second segment.
  mutating func set(exif: [UInt8]) {
    let own = file.exifParts.first.flatMap { segment(at: $0.range.lowerBound) }
    replace(own, PictureAssembly.segment(JPEGMarker.app1, PictureAssembly.exifName + exif))
  }

  /// Gives the JPEG this packet in place of its own.
  mutating func set(xmp: [UInt8]) {
    replace(ownPacket, PictureAssembly.segment(JPEGMarker.app1, PictureAssembly.xmpName + xmp))
  }

  /// Gives the JPEG two packets in place of its own. The first is nil if it only names the second.
  mutating func set(xmp first: [UInt8]?, second: [UInt8]) {
    for part in file.extendedParts.values.flatMap(\.parts) {
      guard let segment = segment(at: part.range.lowerBound) else { continue }
      changes.append((range(of: segment), []))
    }
    replace(ownPacket, PictureAssembly.packets(first, PictureAssembly.trimmedPacket(second)))
  }

  private var ownPacket: JPEGSegment? { file.xmpRange.flatMap { segment(at: $0.lowerBound) } }

  private func segment(at offset: UInt64) -> JPEGSegment? {
    file.segments.first { $0.payload.contains(offset) }
  }

  /// A packet without the padding for edits in place, which precedes its end.
  private static func trimmed(_ packet: [UInt8]) -> [UInt8] {
    guard let end = packet.firstIndex(of: "<?xpacket end") else { return packet }
    let last = packet[..<end].lastIndex { $0 > 0x20 } ?? -1
    return Array(packet[...last] + packet[end...])
  }

  private func range(of segment: JPEGSegment) -> Range<Int> {
    Int(segment.offset)..<Int(segment.payload.upperBound)
  }

  private mutating func replace(_ segment: JPEGSegment?, _ segments: [UInt8]) {
    guard let segment else { return insert(segments) }
    changes.append((range(of: segment), segments))
  }

  /// Inserts segments after the start marker and JFIF's, and after an EXIF block there.
  private mutating func insert(_ segments: [UInt8]) {
    var place = 2
    if let first = file.segments.first, first.marker == 0xE0 {
      place = Int(first.payload.upperBound)
    }
    if let exif = file.exifParts.first.flatMap({ segment(at: $0.range.lowerBound) }),
      Int(exif.offset) == place
    {
      place = Int(exif.payload.upperBound)
    }
    changes.append((place..<place, segments))
  }

  // MARK: Result

  /// The JPEG with the changes.
  func applied() -> [UInt8] {
    var result = bytes
    if let range = pictureIndex { adjust(&result, range) }
    let ordered = changes.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) > ($1.element.range.lowerBound, $1.offset)
    }
    for (_, change) in ordered { result.replaceSubrange(change.range, with: change.bytes) }
    adjustClip(&result)
    return result
  }

  /// The bytes that all changes add.
  private var grown: Int { changes.reduce(0) { $0 + $1.bytes.count - $1.range.count } }

  /// Adapts the offset of the clip in Samsung's trailer. Both come after all segments.
  private func adjustClip(_ result: inout [UInt8]) {
    let source = ArraySource(bytes)
    guard grown != 0, let trailer = try? SamsungTrailer(source),
      let reference = try? trailer.clipReference(in: source),
      reference.offset >= file.scanOffset ?? .max,
      let offset = UInt32(exactly: Int(reference.offset) + grown)
    else { return }
    let place = Int(reference.place) + grown
    result.replaceSubrange(place..<(place + 4), with: encoded(offset, width: 4))
  }

  /// The multi-picture index from its TIFF header on. It has the offsets of further pictures, and the length of the first.
  private var pictureIndex: Range<Int>? {
    let name = Array(JPEGSegmentName.multiPicture.utf8)
    return file.segments.lazy.filter { $0.marker == JPEGMarker.app2 }
      .map { Int($0.payload.lowerBound)..<Int($0.payload.upperBound) }
      // A shorter segment would have its name in the next one.
      .first { $0.count >= name.count && bytes.hasBytes(name, at: $0.lowerBound) }
      .map { $0.dropFirst(name.count) }
  }

  /// Adapts a multi-picture index (CIPA DC-007 §5.2.3) to the new lengths of segments.
  private func adjust(_ result: inout [UInt8], _ range: Range<Int>) {
    let grown = grown
    let grownAfter = changes.filter { $0.range.lowerBound >= range.upperBound }
      .reduce(0) { $0 + $1.bytes.count - $1.range.count }
    guard grown != 0, let tiff = try? TIFFFile(ArraySource(Array(bytes[range]))),
      let directory = try? tiff.directory(at: tiff.firstDirectoryOffset),
      let entries = directory[0xB002], entries.content.upperBound <= UInt64(range.count)
    else { return }
    for start in stride(from: 0, to: entries.content.count - 15, by: 16) {
      let position = range.lowerBound + Int(entries.content.lowerBound) + start
      guard let length = bytes.u32(at: position + 4, tiff.order),
        let offset = bytes.u32(at: position + 8, tiff.order)
      else { return }
      let (field, value) = offset == 0 ? (position + 4, length) : (position + 8, offset)
      let new = Int(value) + (offset == 0 ? grown : grownAfter)
      result.replaceSubrange(field..<(field + 4), with: encoded(new, width: 4, tiff.order))
    }
  }
}
