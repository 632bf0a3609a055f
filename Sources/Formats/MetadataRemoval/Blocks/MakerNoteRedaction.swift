import ByteReading
import MediaEdits
import MediaFormats

/// Finds the few entries of MakerNotes that record a place: those of the camera's receiver, and the city to which
/// its clock was set; and the title that Panasonic's cameras store.
///
/// In the note's directory, a copy of a neighbouring entry replaces each of them. No other byte of the note changes
/// or moves. The tags are those that exiftool describes.
struct MakerNoteRedaction {
  /// Where a maker's directory is, and which of its tags record places.
  private struct Layout {
    /// The first bytes of the note.
    var start: [UInt8]
    /// The start of the maker's name in capitals, for notes that do not begin with a signature.
    var make = ""
    /// The offset of the directory in the note.
    var directory: Int
    /// Where offsets count from in the note; 0 if they count from the start of the EXIF block or of the note.
    var base = 0
    /// The offset of two letters that give the byte order; nil for the block's byte order.
    var order: Int?
    var tags: Set<UInt16>
    /// Which of its tags are captions.
    var captions: Set<UInt16> = []
    /// The part of their values that records the place, if the rest stays.
    var part: Range<Int>?
  }

  private static let panasonicPlaces: Set<UInt16> = [
    0x67, 0x69, 0x6B, 0x6D, 0x6F, 0x80, 0x81, 0x82, 0x83,
  ]
  private static let layouts = [
    Layout(
      start: Array("Panasonic\0\0\0".utf8), directory: 12, tags: panasonicPlaces, captions: [0x65]),
    // Leica's cameras that Panasonic makes. The tags do not occur in other notes of Leica.
    Layout(
      start: Array("LEICA CAMERA AG\0".utf8), directory: 18, tags: panasonicPlaces,
      captions: [0x65]),
    Layout(start: Array("LEICA\0".utf8), directory: 8, tags: panasonicPlaces, captions: [0x65]),
    Layout(
      start: Array("Nikon\0\u{2}".utf8), directory: 18, base: 10, order: 10, tags: [0x39, 0xC3]),
    Layout(start: Array("PENTAX \0".utf8), directory: 10, order: 8, tags: [0x23, 0x24, 0x6B]),
    Layout(start: Array("AOC\0".utf8), directory: 6, order: 4, tags: [0x23, 0x24, 0x6B]),
    // Ricoh's cameras that are like Pentax's.
    Layout(start: Array("RICOH\0II".utf8), directory: 8, order: 6, tags: [0x23, 0x24, 0x6B]),
    Layout(start: Array("RICOH\0MM".utf8), directory: 8, order: 6, tags: [0x23, 0x24, 0x6B]),
    Layout(start: Array("QVC\0".utf8), directory: 6, tags: [0x3006]),
    Layout(start: Array("DCI\0".utf8), directory: 6, tags: [0x3006]),
    Layout(start: [], make: "CANON", directory: 0, tags: [0x35], part: 8..<12),
    Layout(start: [], make: "SAMSUNG", directory: 0, tags: [0x2F, 0x30, 0x31]),
  ]
  private static let nikonCaptureData: UInt16 = 0x0E01
  private static let maximumEntries = 512

  private let note: [UInt8]
  /// The offset of the note in the block.
  private let offset: UInt64
  /// The offset that the note had in the block that its offsets count in.
  private let origin: UInt64
  private let layout: Layout
  private let policy: MetadataPolicy
  /// The tags to remove.
  private let tags: Set<UInt16>
  private let order: ByteOrder
  /// Where offsets count from, in the note; negative for the block's header.
  private var base = 0
  private var redaction = Redaction()
  /// The bytes of the records of Nikon's editor that were visited.
  private var captureBytes = 0

  /// - Parameters:
  ///   - offset: the offset of the note in its block.
  ///   - origin: the offset that it had before it was moved, by which programs have not changed the offsets in it.
  ///   - order: the byte order of the block.
  static func find(
    _ policy: MetadataPolicy, in note: [UInt8], at offset: UInt64, origin: UInt64? = nil,
    make: String, order: ByteOrder
  ) -> Redaction {
    var redaction = texts(policy, in: note, at: offset)
    let layout = layouts.first {
      note.hasBytes($0.start) && make.uppercased().hasPrefix($0.make)
    }
    guard let layout else { return redaction }
    var found = MakerNoteRedaction(policy, note, offset, origin ?? offset, layout, order)
    found.visitDirectory()
    redaction.add(found.redaction, at: 0)
    return redaction
  }

  /// Spaces over the texts of any maker's note that contain coordinates.
  private static func texts(
    _ policy: MetadataPolicy, in note: [UInt8], at offset: UInt64
  ) -> Redaction {
    var redaction = Redaction()
    guard policy.removesLocation else { return redaction }
    for text in TextsInData.withCoordinates(in: note) {
      redaction.fill(
        (offset + UInt64(text.lowerBound))..<(offset + UInt64(text.upperBound)),
        with: UInt8(ascii: " "))
    }
    return redaction
  }

  private init(
    _ policy: MetadataPolicy, _ note: [UInt8], _ offset: UInt64, _ origin: UInt64,
    _ layout: Layout, _ order: ByteOrder
  ) {
    self.policy = policy
    self.origin = origin
    tags = (policy.removesLocation ? layout.tags : [])
      .union(policy.removesCaptions ? layout.captions : [])
    self.note = note
    self.offset = offset
    self.layout = layout
    let own = layout.order.map { note.hasText("MM", at: $0) ? ByteOrder.big : .little }
    // Some cameras write the note in the other order than the block. In the wrong one, its count is too high.
    let other: ByteOrder = order == .big ? .little : .big
    let isOther =
      (note.u16(at: layout.directory, order) ?? 0) > (note.u16(at: layout.directory, other) ?? 0)
    self.order = own ?? (isOther ? other : order)
  }

  private mutating func visitDirectory() {
    guard let count = note.u16(at: layout.directory, order), count <= Self.maximumEntries
    else { return }
    let start = layout.directory + 2
    let end = start + Int(count) * 12
    guard end <= note.count else { return }
    base = findBase(start, end)
    let entries = stride(from: start, to: end, by: 12).compactMap { position in
      note.u16(at: position, order).map { (position: position, tag: $0) }
    }
    let others = entries.filter { !tags.contains($0.tag) }
    for entry in entries {
      let value = value(at: entry.position)
      if tags.contains(entry.tag), let part = layout.part {
        guard let value, part.upperBound <= value.count else { continue }
        let place = value.lowerBound + part.lowerBound
        redaction.fill(absolute(place..<(place + part.count)))
      } else if tags.contains(entry.tag) {
        if let value { redaction.fill(absolute(value)) }
        // The directory must not get shorter, because readers use its end to guess where offsets count from.
        let other = others.last { $0.position < entry.position } ?? others.first
        redaction.overwrite(
          at: offset + UInt64(entry.position),
          with: other.flatMap { note.bytes(at: $0.position, count: 12) }
            ?? [UInt8](repeating: 0, count: 12))
      } else if layout.base == 10, entry.tag == Self.nikonCaptureData, let value {
        captureBytes += value.count
        // More bytes than the note has: values overlap, which no program writes.
        if captureBytes <= note.count {
          visitCapture(value)
        } else {
          redaction.fill(absolute(value))
        }
      }
    }
  }

  private func absolute(_ range: Range<Int>) -> Range<UInt64> {
    (offset + UInt64(range.lowerBound))..<(offset + UInt64(range.upperBound))
  }

  /// The start of offsets: makers, and programs that have moved notes, do not agree on it. Values follow the
  /// directory, so the right base is the one by which the first value is closest to the directory's end.
  private func findBase(_ start: Int, _ end: Int) -> Int {
    let fields = stride(from: start, to: end, by: 12).compactMap { field(at: $0)?.offset }
    guard layout.base == 0, let first = fields.min() else { return layout.base }
    // The last one is that of a camera of Panasonic, the DC-FT7 (exiftool's MakerNotes.pm).
    let candidates = [-Int(clamping: origin), 0, 12 - Int(clamping: origin)]
      .filter { first + $0 >= end }
    return candidates.min { first + $0 < first + $1 } ?? 0
  }

  /// The offset and size of a value that is too long for the entry itself.
  private func field(at entry: Int) -> (offset: Int, size: Int)? {
    guard let type = note.u16(at: entry + 2, order), let count = note.u32(at: entry + 4, order),
      let unit = TIFFEntry.unitWidth(of: type), let offset = note.u32(at: entry + 8, order),
      case let size = Int(count) * unit, size > 4, size <= note.count
    else { return nil }
    return (Int(offset), size)
  }

  /// The range of such a value in the note.
  private func value(at entry: Int) -> Range<Int>? {
    guard let field = field(at: entry), case let start = field.offset + base, start >= 0,
      start <= note.count - field.size
    else { return nil }
    return start..<(start + field.size)
  }

  /// Visits the records that Nikon's editor stores in a RAW file. Each has a header of 22 bytes, whose size field
  /// counts its own four bytes, and data. One of them is IPTC.
  private mutating func visitCapture(_ range: Range<Int>) {
    let iptc: UInt32 = 0x9EF5_F6E0
    var position = range.lowerBound + 22
    while position + 22 < range.upperBound, let tag = note.u32(at: position, .little),
      let length = note.u32(at: position + 18, .little), length >= 4,
      case let start = position + 22, case let end = start + Int(length) - 4,
      end <= range.upperBound
    {
      if tag == iptc {
        redaction.overwrite(
          at: offset + UInt64(start),
          with: IPTCRedaction.removing(policy, from: Array(note[start..<end])))
      }
      position = end
    }
  }
}
