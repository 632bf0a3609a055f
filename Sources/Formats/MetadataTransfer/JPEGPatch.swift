import ByteReading
import MediaFormats

/// Changes the metadata of a JPEG and what follows it. Every byte of its coded picture stays as it is.
struct JPEGPatch {
  let bytes: [UInt8]
  let file: JPEGMetadata
  /// Ranges with the bytes that replace them; empty ranges insert.
  private var changes: [(range: Range<Int>, bytes: [UInt8])] = []
  /// The offset after the first picture's End Of Image marker, where the index of pictures is to get the right length even
  /// if its own is wrong.
  var pictureEnd: Int?

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

  /// Removes the JPEG's own packet.
  mutating func removePacket() {
    if let packet = ownPacket { changes.append((range(of: packet), [])) }
  }

  /// Removes the segments with a marker whose payloads begin with a name.
  mutating func removeSegments(_ marker: UInt8, named name: [UInt8]) {
    for segment in file.segments
    where segment.marker == marker && segment.payload.count >= name.count
      && bytes.hasBytes(name, at: Int(segment.payload.lowerBound))
    {
      changes.append((range(of: segment), []))
    }
  }

  /// Removes bytes after the first picture. Pictures there are also removed from the index.
  mutating func remove(_ range: Range<Int>) {
    changes.append((range, []))
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
    var patch = self
    patch.adaptPictureIndex()
    var result = bytes
    let ordered = patch.changes.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) > ($1.element.range.lowerBound, $1.offset)
    }
    for (_, change) in ordered { result.replaceSubrange(change.range, with: change.bytes) }
    patch.adjustClip(&result)
    return result
  }

  /// The bytes that the changes before an offset add.
  private func grown(before offset: Int) -> Int {
    changes.reduce(0) { sum, change in
      change.range.upperBound <= offset ? sum + change.bytes.count - change.range.count : sum
    }
  }

  /// The offset in the result of a byte; nil for one that is removed.
  private func moved(_ offset: Int) -> Int? {
    changes.contains { $0.bytes.isEmpty && $0.range.contains(offset) }
      ? nil : offset + grown(before: offset)
  }

  /// Adapts the offset of the clip in Samsung's trailer. Both come after all segments.
  private func adjustClip(_ result: inout [UInt8]) {
    let source = ArraySource(bytes)
    guard !changes.isEmpty, let trailer = try? SamsungTrailer(source),
      let reference = try? trailer.clipReference(in: source),
      reference.offset >= file.scanOffset ?? .max,
      let offset = moved(Int(reference.offset)).flatMap(UInt32.init(exactly:)),
      let place = moved(Int(reference.place))
    else { return }
    result.replaceSubrange(place..<(place + 4), with: encoded(offset, width: 4))
  }

  /// The segment of the multi-picture index, and the index from its TIFF header on. It has the offsets of further
  /// pictures, and the length of the first.
  private var pictureIndex: (segment: JPEGSegment, content: Range<Int>)? {
    let name = Array(JPEGSegmentName.multiPicture.utf8)
    return file.segments.lazy.filter { $0.marker == JPEGMarker.app2 }
      .map { ($0, Int($0.payload.lowerBound)..<Int($0.payload.upperBound)) }
      // A shorter segment would have its name in the next one.
      .first { $1.count >= name.count && bytes.hasBytes(name, at: $1.lowerBound) }
      .map { ($0, $1.dropFirst(name.count)) }
  }

  /// Adapts the multi-picture index to the other changes. It is removed if only the first of several pictures is left.
  private mutating func adaptPictureIndex() {
    guard !changes.isEmpty, let index = pictureIndex else { return }
    let start = index.content.lowerBound
    let newStart = start + grown(before: start)
    let end = pictureEnd.map { $0 + grown(before: $0) }
    let scan = file.scanOffset.map { Int($0) } ?? bytes.count
    let old = Array(bytes[index.content])
    let made = PictureIndexPatch(
      old, length: { end ?? $0 + grown(before: scan) },
      offset: { moved(start + $0).map { $0 - newStart } })
    guard let made else { return }
    if made.isShorter, made.count <= 1 {
      changes.append((range(of: index.segment), []))
    } else if made.bytes != old {
      changes.append((index.content, made.bytes))
    }
  }
}
