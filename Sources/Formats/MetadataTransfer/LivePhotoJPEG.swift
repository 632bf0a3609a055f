package import ByteReading
package import MediaEdits
import MediaFormats
import MediaModel

/// Makes a JPEG one of the parts of a live photo. Only its segments of metadata change: every byte of its coded picture
/// stays as it is.
package struct LivePhotoJPEG {
  /// The longest content of a segment in bytes, without its length field.
  private static let maximumPayload = 65533
  private static let exifName = Array("Exif\0\0".utf8)
  private static let xmpName = Array(JPEGSegmentName.xmp.utf8)

  /// The bytes of a JPEG before its clip and Samsung's trailer; all of them if it has neither.
  package static func lengthWithoutClip(_ source: any ByteSource) throws -> UInt64 {
    let jpeg = try JPEGFile(source)
    let trailer = try SamsungTrailer(source)
    let found = try EmbeddedClipSearch.find(
      in: source, xmp: jpeg.xmp.flatMap { XMPPacket($0) }, trailer: trailer, jpeg: jpeg)
    var length = trailer?.start ?? source.count
    if case .clip(let clip) = found { length = min(length, clip.offset) }
    return length
  }

  private let bytes: [UInt8]
  private let file: JPEGMetadata
  /// Ranges with the bytes that replace them; empty ranges insert.
  private var changes: [(range: Range<Int>, bytes: [UInt8])] = []
  private var notes: [String] = []

  private init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    file = try JPEGMetadata(ArraySource(bytes))
  }

  /// Changes a JPEG's metadata as its part in a live photo requires.
  ///
  /// - Parameter bytes: the picture without a clip after it.
  /// - Returns: the JPEG, and notes about metadata that gave way, a sentence each.
  /// - Throws: ``ContainerError`` for a file that is not a JPEG or whose metadata leaves no room.
  package static func changed(
    _ bytes: [UInt8], to part: LivePhotoPart
  ) throws -> (bytes: [UInt8], notes: [String]) {
    var jpeg = try LivePhotoJPEG(bytes)
    switch part {
    case .paired(let identifier):
      try jpeg.changeExif(identifier)
      try jpeg.changeXMP(moment: nil)
    case .motionPhoto(let moment): try jpeg.changeXMP(moment: moment)
    }
    return (jpeg.applied(), jpeg.notes)
  }

  private mutating func changeExif(_ identifier: String) throws {
    guard let first = file.exifParts.first else {
      return insert(Self.exifName + LivePhotoExif.newBlock(identifier: identifier))
    }
    let range = Int(first.range.lowerBound)..<Int(first.range.upperBound)
    let old = Array(bytes[range])
    var block = LivePhotoExif.block(old, identifier: identifier)
    if file.exifParts.count > 1 { block = nil }
    guard let block, block.count + Self.exifName.count <= Self.maximumPayload else {
      throw ContainerError.damaged(
        "has EXIF that cannot get the identifier of a Live Photo without being rewritten")
    }
    guard block != old else { return }
    if hasNote(old) {
      notes.append("The camera's MakerNote gave way to the Live Photo's identifier.")
    }
    let segment = file.segments.first { $0.payload.contains(first.range.lowerBound) }
    replace(segment, Self.exifName + block)
  }

  private func hasNote(_ block: [UInt8]) -> Bool {
    guard let tiff = try? TIFFFile(ArraySource(block)),
      let main = try? tiff.directory(at: tiff.firstDirectoryOffset),
      let exif = try? tiff.directory(TIFFTag.exifIFD, of: main)
    else { return false }
    return exif[TIFFTag.makerNote] != nil
  }

  private mutating func changeXMP(moment: Int64?) throws {
    let packet = file.xmpRange.map { Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)]) }
    var items = packet.map(LivePhotoXMP.items) ?? []
    let end = try endOfJPEGScans(from: file.scanOffset ?? 0, in: ArraySource(bytes))
    let after = UInt64(bytes.count) - (end ?? UInt64(bytes.count))
    let listed = items.reduce(UInt64(0)) { $0.addingReportingOverflow($1.length).partialValue }
    // A directory that is wrong would be wrong for the clip too.
    if listed > after { items = [] }
    let padding = items.isEmpty ? after : after - listed
    guard let packet, let range = file.xmpRange else {
      guard let moment else { return }
      return insert(
        Self.xmpName + LivePhotoXMP.newPacket(items: items, padding: padding, moment: moment))
    }
    let changed = LivePhotoXMP.changed(packet, items: items, padding: padding, moment: moment)
    var result: [UInt8]
    if let changed {
      result = changed
    } else if let moment {
      notes.append("The picture's XMP is damaged and was replaced.")
      result = LivePhotoXMP.newPacket(items: items, padding: padding, moment: moment)
    } else {
      return
    }
    if result.count + Self.xmpName.count > Self.maximumPayload { result = Self.trimmed(result) }
    guard result.count + Self.xmpName.count <= Self.maximumPayload else {
      throw ContainerError.damaged("has XMP that leaves no room for a motion photo's")
    }
    if result != packet {
      replace(file.segments.first { $0.payload.contains(range.lowerBound) }, Self.xmpName + result)
    }
  }

  /// A packet without the padding for edits in place, which precedes its end.
  private static func trimmed(_ packet: [UInt8]) -> [UInt8] {
    guard let end = packet.firstIndex(of: "<?xpacket end") else { return packet }
    let last = packet[..<end].lastIndex { $0 > 0x20 } ?? -1
    return Array(packet[...last] + packet[end...])
  }

  private mutating func replace(_ segment: JPEGSegment?, _ payload: [UInt8]) {
    guard let segment else { return insert(payload) }
    let range = Int(segment.offset)..<Int(segment.payload.upperBound)
    changes.append((range, Self.segment(payload)))
  }

  /// Inserts a segment after the start marker and JFIF's.
  private mutating func insert(_ payload: [UInt8]) {
    var place = 2
    if let first = file.segments.first, first.marker == 0xE0 {
      place = Int(first.payload.upperBound)
    }
    changes.append((place..<place, Self.segment(payload)))
  }

  private static func segment(_ payload: [UInt8]) -> [UInt8] {
    [0xFF, JPEGMarker.app1] + encoded(payload.count + 2, width: 2) + payload
  }

  // MARK: Result

  private func applied() -> [UInt8] {
    var result = bytes
    // The index of further pictures has their offsets, and the length of the first.
    let name = Array(JPEGSegmentName.multiPicture.utf8)
    if let index = file.segments.first(where: {
      $0.marker == JPEGMarker.app2 && bytes.hasBytes(name, at: Int($0.payload.lowerBound))
    }) {
      adjust(&result, Int(index.payload.lowerBound) + name.count..<Int(index.payload.upperBound))
    }
    let ordered = changes.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) > ($1.element.range.lowerBound, $1.offset)
    }
    for (_, change) in ordered { result.replaceSubrange(change.range, with: change.bytes) }
    return result
  }

  /// Adapts a multi-picture index (CIPA DC-007 §5.2.3) to the new lengths of segments.
  private func adjust(_ result: inout [UInt8], _ range: Range<Int>) {
    let grown = changes.reduce(0) { $0 + $1.bytes.count - $1.range.count }
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
