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
    static let userComment: UInt16 = 0x9286
    static let windowsComment: UInt16 = 0x9C9C
  }

  /// Tags whose values are places, or hold whole files that may tell one: GeoTIFF's, GDAL's, and the
  /// original RAW file inside a DNG with its digest.
  private static let tellingTags: Set<UInt16> = [
    Tag.gps, 0x830E, 0x8480, 0x8482, 0x85D8, 0x87AF, 0x87B0, 0x87B1, 0xA480, 0xA481, 0xC68C,
    0xC71D,
  ]
  /// Tags of how pixels are stored and shown (TIFF 6.0, Adobe's technical notes), and the profile.
  private static let appearanceTags: Set<UInt16> = Set(
    [
      0x00FE, 0x00FF, 0x0106, 0x0107, 0x0108, 0x0109, 0x010A, 0x0140, 0x0141, 0x014A, 0x0151,
      0x0152,
    ]
      + [0x8773, 0x828D, 0x828E, 0x0129] + Array(0x0100...0x0103) + Array(0x0111...0x0112)
      + Array(0x0115...0x011C) + Array(0x011E...0x0128) + [0x012D, 0x013D, 0x013E, 0x013F]
      + Array(0x0142...0x0145) + Array(0x014C...0x014E) + Array(0x0153...0x015B)
      + Array(0x0200...0x0214))
  private static let maximumDirectories = 64
  private static let maximumPreviews = 8

  private let tiff: TIFFFile
  private let aim: ISORedaction.Aim
  /// How many pictures this one lies in.
  private let depth: Int
  /// The camera's maker, which tells how its note is to be read.
  private let make: String
  private var seen: Set<UInt64> = []
  private(set) var redaction = Redaction()

  /// - Throws: what the source throws.
  static func location(in tiff: TIFFFile, depth: Int = 0) throws -> Redaction {
    guard depth < 2 * JPEGRedaction.maximumDepth else {
      throw RedactionRefusal("The picture has too many pictures inside of each other.")
    }
    return try find(.location, in: tiff, depth)
  }

  /// Takes everything out but what the picture looks like.
  static func appearance(in tiff: TIFFFile) throws -> Redaction {
    try find(.everything, in: tiff, 0)
  }

  private static func find(
    _ aim: ISORedaction.Aim, in tiff: TIFFFile, _ depth: Int
  ) throws -> Redaction {
    var found = try TIFFRedaction(tiff: tiff, aim: aim, depth: depth)
    for directory in try tiff.directories(limit: maximumDirectories) {
      try found.visit(directory)
    }
    return found.redaction
  }

  private init(tiff: TIFFFile, aim: ISORedaction.Aim, depth: Int) throws {
    self.tiff = tiff
    let main = try tiff.directory(at: tiff.firstDirectoryOffset)
    make = try main.flatMap { try tiff.text(0x010F, in: $0) } ?? ""
    self.aim = aim
    self.depth = depth
  }

  private func isUnwanted(_ tag: UInt16) -> Bool {
    switch aim {
    case .location: Self.tellingTags.contains(tag)
    case .everything: !Self.appearanceTags.contains(tag)
    }
  }

  private mutating func visit(_ directory: TIFFDirectory) throws {
    guard seen.count < Self.maximumDirectories, seen.insert(directory.offset).inserted else {
      return
    }
    for entry in directory.entries {
      if isUnwanted(entry.tag) {
        try erase(entry)
        continue
      }
      switch entry.tag {
      case Tag.xmp: try change(entry, XMPSurgery.withoutLocation)
      case Tag.iptc: try change(entry, IPTCRedaction.withoutLocation(_:))
      case Tag.photoshop:
        let inner = depth + 1
        try change(entry) { IPTCRedaction.withoutLocation(resources: $0, depth: inner) }
      case Tag.userComment, Tag.windowsComment:
        // Of UTF-16 the same characters are left.
        let text = try tiff.bytes(of: entry)?.filter { $0 != 0 }
        if text.map({ LocationNames.isTold(in: $0) }) ?? true { redaction.fill(entry.content) }
      case Tag.makerNote: try visitMakerNote(entry)
      case Tag.panasonicJPEG where tiff.magic == 0x55: try visitPicture(entry.content)
      default: break
      }
    }
    try visitPreviews(of: directory)
    try rewriteTable(of: directory)
    for tag in [Tag.exif, Tag.interoperability, Tag.subdirectories] {
      guard !isUnwanted(tag), let entry = directory[tag] else { continue }
      for offset in try tiff.unsignedList(entry, limit: 16) {
        guard let child = try tiff.directory(at: offset) else { continue }
        try visit(child)
      }
    }
  }

  /// Writes zeros over an entry's value, and over the directories that it points at.
  private mutating func erase(_ entry: TIFFEntry) throws {
    if entry.content.count > (tiff.isBig ? 8 : 4) { redaction.fill(entry.content) }
    guard [Tag.gps, Tag.exif, Tag.interoperability].contains(entry.tag) else { return }
    for offset in try tiff.unsignedList(entry, limit: 4) {
      guard seen.count < Self.maximumDirectories, let directory = try tiff.directory(at: offset),
        seen.insert(offset).inserted
      else { continue }
      for entry in directory.entries { try erase(entry) }
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
      if let tag = table.u16(at: position, tiff.order), isUnwanted(tag) {
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
      do {
        try visitPicture(start..<end)
      } catch is RedactionRefusal where offsets == Tag.jpegOffset {
        // A thumbnail that is damaged is no loss.
        redaction.fill(start..<end)
      }
    }
  }

  private mutating func visitPicture(_ range: Range<UInt64>) throws {
    guard try tiff.source.bytes(at: range.lowerBound, count: 3) == [0xFF, 0xD8, 0xFF]
    else { return }
    let part = tiff.source.part(range)
    redaction.add(
      try JPEGRedaction.location(in: part, depth: depth + 1, keepsLength: true),
      at: range.lowerBound)
  }

  private mutating func visitMakerNote(_ entry: TIFFEntry) throws {
    guard let note = try tiff.bytes(of: entry, limit: 1 << 20) else { return }
    redaction.add(
      MakerNoteRedaction.location(
        in: note, at: entry.content.lowerBound, make: make, order: tiff.order),
      at: 0)
    try visitPictures(in: note, at: entry.content.lowerBound)
  }

  /// Previews that makers keep in their notes. Only what is a whole JPEG is touched.
  private mutating func visitPictures(in note: [UInt8], at offset: UInt64) throws {
    var position = 0
    for _ in 0..<Self.maximumPreviews {
      guard let start = note.firstIndex(of: [0xFF, 0xD8, 0xFF], from: position) else { return }
      position = start + 3
      let rest = ArraySource(note.bytes(from: start))
      guard let scan = try? JPEGMetadata(rest).scanOffset,
        let end = try endOfJPEGScans(from: scan, in: rest),
        let found = try? JPEGRedaction.location(
          in: rest.part(0..<end), depth: depth + 1, keepsLength: true)
      else { continue }
      redaction.add(found, at: offset + UInt64(start))
      position = start + Int(end)
    }
  }
}
