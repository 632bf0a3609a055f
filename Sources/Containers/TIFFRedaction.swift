/// Finds what tells a place in a TIFF file, an EXIF block or a RAW file that is TIFF, and what to write
/// over it. Nothing moves, so MakerNotes and all offsets stay what they were.
struct TIFFRedaction {
  private enum Tag {
    static let subdirectories: UInt16 = 0x014A
    static let exif: UInt16 = 0x8769
    static let gps: UInt16 = 0x8825
    static let interoperability: UInt16 = 0xA005
    static let makerNote: UInt16 = 0x927C
    static let xmp: UInt16 = 0x02BC
    static let iptc: UInt16 = 0x83BB
    static let photoshop: UInt16 = 0x8649
    static let stripOffsets: UInt16 = 0x0111
    static let stripCounts: UInt16 = 0x0117
    static let jpegOffset: UInt16 = 0x0201
    static let jpegLength: UInt16 = 0x0202
    static let panasonicJPEG: UInt16 = 0x002E
  }

  /// Tags whose values are places, or hold whole files that may tell one: GeoTIFF's, GDAL's, and the
  /// original RAW file inside a DNG with its digest.
  private static let tellingTags: Set<UInt16> = [
    Tag.gps, 0x830E, 0x8480, 0x8482, 0x85D8, 0x87AF, 0x87B0, 0x87B1, 0xA480, 0xA481, 0xC68B, 0xC68C,
    0xC71D,
  ]
  private static let maximumDirectories = 64

  private let tiff: TIFFFile
  /// How many pictures this one lies in.
  private let depth: Int
  private var seen: Set<UInt64> = []
  private(set) var redaction = Redaction()

  /// - Throws: what the source throws.
  static func location(in tiff: TIFFFile, depth: Int = 0) throws -> Redaction {
    var found = TIFFRedaction(tiff: tiff, depth: depth)
    for directory in try tiff.directories(limit: maximumDirectories) {
      try found.visit(directory)
    }
    return found.redaction
  }

  private init(tiff: TIFFFile, depth: Int) {
    self.tiff = tiff
    self.depth = depth
  }

  private mutating func visit(_ directory: TIFFDirectory) throws {
    guard seen.count < Self.maximumDirectories, seen.insert(directory.offset).inserted else {
      return
    }
    for entry in directory.entries {
      switch entry.tag {
      case Tag.gps: try eraseDirectories(entry)
      case Tag.xmp: try change(entry, XMPSurgery.withoutLocation)
      case Tag.iptc: try change(entry, IPTCRedaction.withoutLocation(_:))
      case Tag.photoshop: try change(entry, IPTCRedaction.withoutLocation(resources:))
      case Tag.makerNote: try visitMakerNote(entry)
      case Tag.panasonicJPEG where tiff.magic == 0x55: try visitPicture(entry.content)
      case let tag where Self.tellingTags.contains(tag): redaction.fill(entry.content)
      default: break
      }
    }
    try visitPreviews(of: directory)
    try rewriteTable(of: directory)
    for tag in [Tag.exif, Tag.interoperability, Tag.subdirectories] {
      guard let entry = directory[tag] else { continue }
      for offset in try tiff.unsignedList(entry, limit: 16) {
        guard let child = try tiff.directory(at: offset) else { continue }
        try visit(child)
      }
    }
  }

  /// Writes zeros over the directories that an entry points at, and over their values.
  private mutating func eraseDirectories(_ entry: TIFFEntry) throws {
    for offset in try tiff.unsignedList(entry, limit: 4) {
      guard let directory = try tiff.directory(at: offset), seen.insert(offset).inserted
      else { continue }
      let inline: UInt64 = tiff.isBig ? 8 : 4
      for entry in directory.entries where UInt64(entry.content.count) > inline {
        redaction.fill(entry.content)
      }
      if let table = try table(of: directory) {
        redaction.fill(offset..<(offset + UInt64(table.count)))
      }
    }
  }

  private mutating func change(_ entry: TIFFEntry, _ change: ([UInt8]) -> [UInt8]) throws {
    // Blocks of more than this are no metadata, and nobody knows what they are.
    guard let value = try tiff.bytes(of: entry, limit: 64 << 20) else {
      return redaction.fill(entry.content)
    }
    let changed = change(value)
    if changed != value { redaction.overwrite(at: entry.content.lowerBound, with: changed) }
  }

  /// A directory's bytes, its link to the next one included.
  private func table(of directory: TIFFDirectory) throws -> [UInt8]? {
    let (countWidth, entryWidth) = tiff.isBig ? (8, 20) : (2, 12)
    let head = try tiff.source.bytes(at: directory.offset, count: countWidth)
    guard let count = head.unsigned(at: 0, width: countWidth, tiff.order), count <= 4096
    else { return nil }
    return try tiff.source.bytes(
      at: directory.offset, count: countWidth + Int(count) * entryWidth + (tiff.isBig ? 8 : 4))
  }

  /// Takes the entries that tell a place out of a directory, even those whose values cannot be reached.
  private mutating func rewriteTable(of directory: TIFFDirectory) throws {
    let (countWidth, entryWidth) = tiff.isBig ? (8, 20) : (2, 12)
    guard let table = try table(of: directory) else { return }
    var kept: [UInt8] = []
    var position = countWidth
    var count = 0
    var isChanged = false
    while position + entryWidth <= table.count - (tiff.isBig ? 8 : 4) {
      let entry = table[position..<(position + entryWidth)]
      if let tag = table.u16(at: position, tiff.order), Self.tellingTags.contains(tag) {
        isChanged = true
      } else {
        kept += entry
        count += 1
      }
      position += entryWidth
    }
    guard isChanged else { return }
    let next = table[position...]
    let rewritten = encoded(count, width: countWidth, tiff.order) + kept + next
    redaction.overwrite(
      at: directory.offset,
      with: rewritten + [UInt8](repeating: 0, count: table.count - rewritten.count))
  }

  /// JPEGs inside have EXIF blocks of their own: previews of RAW files, thumbnails.
  private mutating func visitPreviews(of directory: TIFFDirectory) throws {
    for (offsets, lengths) in [
      (Tag.jpegOffset, Tag.jpegLength), (Tag.stripOffsets, Tag.stripCounts),
    ] {
      guard let places = directory[offsets], let sizes = directory[lengths], places.count == 1,
        let start = try tiff.unsigned(places), let length = try tiff.unsigned(sizes),
        let end = start.adding(length), end <= tiff.source.count
      else { continue }
      try visitPicture(start..<end)
    }
  }

  private mutating func visitPicture(_ range: Range<UInt64>) throws {
    guard depth < JPEGRedaction.maximumDepth,
      try tiff.source.bytes(at: range.lowerBound, count: 3) == [0xFF, 0xD8, 0xFF]
    else { return }
    let part = tiff.source.part(range)
    redaction.add(
      try JPEGRedaction.location(in: part, depth: depth + 1, keepsLength: true),
      at: range.lowerBound)
  }

  private mutating func visitMakerNote(_ entry: TIFFEntry) throws {
    guard let note = try tiff.bytes(of: entry, limit: 1 << 20) else { return }
    for place in MakerNotePlaces.find(in: note, at: entry.content.lowerBound, order: tiff.order) {
      redaction.fill(place.clamped(to: 0..<tiff.source.count))
    }
  }
}
