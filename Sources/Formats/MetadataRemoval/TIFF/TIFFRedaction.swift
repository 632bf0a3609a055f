import ByteReading
import MediaEdits
import MediaFormats
import MediaModel

extension TIFFFormat: RedactableFormat {
  static func redaction(
    _ policy: MetadataPolicy, _ type: UniformType, _ source: any ByteSource
  ) throws -> Redaction {
    let form: TIFFRedaction.Form = type == .dng ? .digitalNegative : type.isRaw ? .raw : .open
    return try TIFFRedaction.find(
      policy, in: TIFFFile(source), policy == .appearanceOnly ? .open : form)
  }
}

/// Finds what a policy removes from a TIFF file, an EXIF block or a RAW file in TIFF form.
///
/// No byte moves, so MakerNotes and all offsets stay right. Bytes that no directory uses are zeroed, because
/// programs that change a TIFF in place leave old directories and values there.
struct TIFFRedaction {
  /// The extent to which a file's structure is public.
  enum Form {
    /// TIFF files and EXIF blocks: everything is known.
    case open
    /// Digital Negatives: tags refer to all data, and makers add tags that programs need.
    case digitalNegative
    /// RAW files: MakerNotes and private tags refer to data in ways that only the maker knows. In bytes that
    /// seem unused, only the coordinates of the file's GPS directory are removed.
    case raw
  }

  private static let maximumDirectories = 8192
  private static let maximumPreviews = 8
  /// Strips or tiles of a directory that are visited.
  private static let maximumPieces = 1 << 16
  /// The longest text in bytes that is searched; microscopes describe a picture in megabytes of XML.
  private static let maximumText = 64 << 20
  /// The longest maker note in bytes that is searched.
  private static let maximumNote = 64 << 20

  private let tiff: TIFFFile
  private let policy: MetadataPolicy
  /// The number of files that this one is inside of.
  private let depth: Int
  /// The camera's maker, on which the form of its MakerNote depends.
  private let make: String
  private let form: Form
  private var seen: Set<UInt64> = []
  /// The offsets of GPS directories that stay. Tags below 0x20 have other meanings there.
  private var placeDirectories: Set<UInt64> = []
  private var coverage: TIFFCoverage
  /// The stored bytes of the latitudes and longitudes that are removed.
  private var places: [[UInt8]] = []
  /// The maker notes, which may contain copies of them.
  private var notes: [Range<UInt64>] = []
  private(set) var redaction = Redaction()
  private var uses: UseCount
  /// The pictures that were visited. Writers let equal strips or tiles share their bytes.
  private var pictures: Set<Range<UInt64>> = []

  /// - Parameter depth: the number of files that the picture is inside of.
  /// - Throws: ``RedactionRefusal``, also for a picture whose parts overlap many times; what the source throws.
  static func find(
    _ policy: MetadataPolicy, in tiff: TIFFFile, depth: Int = 0, _ form: Form = .open
  ) throws -> Redaction {
    guard depth < 2 * JPEGRedaction.maximumDepth else {
      throw RedactionRefusal("The picture contains other pictures, nested too deeply.")
    }
    var found = try TIFFRedaction(tiff: tiff, policy, depth: depth, form)
    let directories = try tiff.directories(limit: maximumDirectories)
    for directory in directories { try found.visit(directory) }
    if let next = directories.last?.nextOffset, !found.seen.contains(next),
      try tiff.directory(at: next) != nil
    {
      throw RedactionRefusal("The TIFF has more pages than Shoebox checks.")
    }
    try found.visitGaps()
    return found.redaction
  }

  private init(tiff: TIFFFile, _ policy: MetadataPolicy, depth: Int, _ form: Form) throws {
    self.tiff = tiff
    self.form = form
    coverage = TIFFCoverage(tiff)
    let main = try tiff.directory(at: tiff.firstDirectoryOffset)
    make = try main.flatMap { try tiff.text(TIFFTag.make, in: $0) } ?? ""
    self.policy = policy
    self.depth = depth
    uses = UseCount(of: tiff.source, depth: depth)
  }

  private func isUnwanted(_ entry: TIFFEntry, of directory: TIFFDirectory) throws -> Bool {
    if placeDirectories.contains(directory.offset), entry.tag < 0x20 { return false }
    if isUnwanted(entry.tag) { return true }
    guard policy != .appearanceOnly, form != .raw, entry.content.count > 4,
      !Self.locationTags.contains(entry.tag),
      !Self.knownTags.contains(where: { $0.contains(entry.tag) })
    else { return false }
    if form == .digitalNegative { return try isText(entry) { policy.removes(text: $0) } }
    // Texts in ASCII or UTF-8 that do not record a place stay, unless they could be captions.
    guard entry.type == 2 || entry.type == 129, let text = try tiff.bytes(of: entry)
    else { return true }
    return policy.removes(caption: text)
  }

  /// Whether a value is a text, also one that is stored as bytes, and fulfils a condition.
  private func isText(_ entry: TIFFEntry, _ isWanted: ([UInt8]) -> Bool) throws -> Bool {
    guard [1, 2, 7, 129].contains(entry.type), let bytes = try tiff.bytes(of: entry) else {
      return false
    }
    // In other data, a short word would occur by chance.
    return (entry.type == 2 || String(validating: bytes, as: UTF8.self) != nil) && isWanted(bytes)
  }

  /// Whether a tag's entries are removed, whatever their values are.
  private func isUnwanted(_ tag: UInt16) -> Bool {
    if policy == .appearanceOnly { return !Self.appearanceTags.contains(tag) }
    return policy.removesLocation && Self.locationTags.contains(tag)
      || policy.removesCaptions && Self.captionTags.contains(tag)
  }

  private mutating func visit(_ directory: TIFFDirectory) throws {
    guard seen.insert(directory.offset).inserted else { return }
    guard seen.count < 2 * Self.maximumDirectories else {
      throw RedactionRefusal("The TIFF has more directories than Shoebox checks.")
    }
    try countTable(of: directory)
    for entry in directory.entries {
      try uses.add(entry.content, policy)
      if try isUnwanted(entry, of: directory) {
        try erase(entry)
        continue
      }
      switch entry.tag {
      case TIFFTag.xmp: try change(entry) { XMPRedaction.removing($0, from: $1) }
      case TIFFTag.iccProfile: try change(entry) { ICCRedaction.removing($0, from: $1) }
      case TIFFTag.iptc:
        let inner = depth + 1
        try change(entry) { IPTCRedaction.removing($0, from: $1, depth: inner) }
      case TIFFTag.imageResources:
        let inner = depth + 1
        try change(entry) { IPTCRedaction.removing($0, fromResources: $1, depth: inner) }
      case TIFFTag.userComment, TIFFTag.xpComment:
        if policy.removes(caption: try tiff.bytes(of: entry)) { redaction.fill(entry.content) }
      case let tag where Self.titleTags.contains(tag):
        let text = try tiff.bytes(of: entry, limit: Self.maximumText)
        if text.map({ policy.removes(title: $0) }) ?? policy.removesLocation {
          redaction.fill(entry.content)
        }
      case TIFFTag.xpKeywords where policy.removesLocation:
        try change(entry) { LocationDetection.withoutPlaces(inKeywords: $1) }
      case TIFFTag.makerNote: try visitMakerNote(entry)
      case TIFFTag.privateData: try visitPrivateData(entry)
      case TIFFTag.imageSourceData where policy != .appearanceOnly: try visitLayers(entry)
      case TIFFTag.panasonicJPEG where tiff.magic == 0x55: try visitPicture(entry.content)
      case let tag where [1, 2, 7, 129].contains(entry.type) && !Self.lensTags.contains(tag):
        try redaction.blankPlaces(in: entry.content, of: tiff.source, policy)
      default: break
      }
    }
    try visitPreviews(of: directory)
    let unwanted = Set(try directory.entries.filter { try isUnwanted($0, of: directory) })
    try rewriteTable(of: directory, without: unwanted)
    if let table = try table(of: directory) {
      try coverage.add(
        directory, table: table.count, entries: directory.entries.filter { !unwanted.contains($0) })
    }
    for entry in directory.entries where Self.isLink(entry) && !unwanted.contains(entry) {
      for offset in try tiff.unsignedList(entry, limit: 1024) {
        guard !seen.contains(offset), let child = try tiff.directory(at: offset) else { continue }
        if entry.tag == TIFFTag.gpsIFD { placeDirectories.insert(offset) }
        try visit(child)
      }
    }
  }

  /// Whether an entry refers to directories, by its tag or by its type (IFD or IFD8).
  private static func isLink(_ entry: TIFFEntry) -> Bool {
    [
      TIFFTag.exifIFD, TIFFTag.gpsIFD, TIFFTag.interoperabilityIFD, TIFFTag.subIFDs,
      TIFFTag.globalParametersIFD,
    ].contains(entry.tag)
      || entry.type == 13 || entry.type == 18
  }

  /// Visits Photoshop's layers, which contain whole files that were placed into the picture. Other programs show
  /// the same picture without them.
  private mutating func visitLayers(_ entry: TIFFEntry) throws {
    let content = try tiff.bytes(of: entry, limit: 256 << 20)
    let isPlain = content.map { content in
      ["Exif", "<x:xmpmeta", "8BIM\u{4}\u{4}"].allSatisfy { content.firstIndex(of: $0) == nil }
    }
    guard isPlain != true else { return }
    redaction.addNote("Photoshop's layers, which contain metadata of their own, were left out.")
    redaction.fill(entry.content)
  }

  /// Writes zeros over an entry's value, and over the directories that it refers to.
  private mutating func erase(_ entry: TIFFEntry) throws {
    if entry.content.count > (tiff.isBig ? 8 : 4) { redaction.fill(entry.content) }
    guard [TIFFTag.gpsIFD, TIFFTag.exifIFD, TIFFTag.interoperabilityIFD].contains(entry.tag) else {
      return
    }
    for offset in try tiff.unsignedList(entry, limit: 4) {
      guard seen.count < Self.maximumDirectories, !seen.contains(offset),
        let directory = try tiff.directory(at: offset), seen.insert(offset).inserted
      else { continue }
      try countTable(of: directory)
      if [TIFFTag.gpsLatitude, TIFFTag.gpsLongitude].allSatisfy({ directory[$0] != nil }) {
        for tag in [TIFFTag.gpsLatitude, TIFFTag.gpsLongitude] {
          try addPlace(directory[tag])
        }
      }
      for entry in directory.entries { try erase(entry) }
      if let table = try table(of: directory) {
        redaction.fill(offset..<(offset + UInt64(table.count)))
      }
    }
  }

  private mutating func change(
    _ entry: TIFFEntry, _ change: (MetadataPolicy, [UInt8]) -> [UInt8]
  ) throws {
    // A longer block is not metadata, and could record anything.
    guard let value = try tiff.bytes(of: entry, limit: 64 << 20) else {
      return redaction.fill(entry.content)
    }
    let changed = change(policy, value)
    redaction.overwrite(at: entry.content.lowerBound, value, with: changed)
  }

  private mutating func countTable(of directory: TIFFDirectory) throws {
    let count = try table(of: directory)?.count ?? 0
    try uses.add(directory.offset..<(directory.offset + UInt64(count)), policy)
  }

  /// A directory's bytes, with its link to the next one.
  private func table(of directory: TIFFDirectory) throws -> [UInt8]? {
    let (countWidth, entryWidth) = tiff.isBig ? (8, 20) : (2, 12)
    let head = try tiff.source.bytes(at: directory.offset, count: countWidth)
    guard let count = head.unsigned(at: 0, width: countWidth, tiff.order), count <= 4096
    else { return nil }
    return try tiff.source.bytes(
      at: directory.offset, count: countWidth + Int(count) * entryWidth + (tiff.isBig ? 8 : 4))
  }

  /// Removes the unwanted entries from a directory, even those whose values are outside of the file.
  private mutating func rewriteTable(
    of directory: TIFFDirectory, without unwanted: Set<TIFFEntry>
  ) throws {
    let unwantedTags = Set(unwanted.map(\.tag))
    let (countWidth, entryWidth) = tiff.isBig ? (8, 20) : (2, 12)
    guard let table = try table(of: directory) else { return }
    var kept: [UInt8] = []
    var position = countWidth
    var count = 0
    var isChanged = false
    while position + entryWidth <= table.count - (tiff.isBig ? 8 : 4) {
      let entry = table[position..<(position + entryWidth)]
      if let tag = table.u16(at: position, tiff.order),
        unwantedTags.contains(tag) || isUnwanted(tag)
      {
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

  /// Visits thumbnails and previews of RAW files, and strips and tiles: JPEGs that may have metadata of their own.
  private mutating func visitPreviews(of directory: TIFFDirectory) throws {
    for (offsets, lengths) in [
      (TIFFTag.jpegInterchangeFormat, TIFFTag.jpegInterchangeFormatLength),
      (TIFFTag.stripOffsets, TIFFTag.stripByteCounts),
      (TIFFTag.tileOffsets, TIFFTag.tileByteCounts),
    ] {
      guard let places = directory[offsets], let sizes = directory[lengths] else { continue }
      let starts = try tiff.unsignedList(places, limit: Self.maximumPieces)
      let counts = try tiff.unsignedList(sizes, limit: Self.maximumPieces)
      for (start, length) in zip(starts, counts) {
        guard let end = start.adding(length), end <= tiff.source.count, try isPicture(at: start),
          pictures.insert(start..<end).inserted
        else { continue }
        try uses.add(start..<end, policy)
        do {
          try visitPicture(start..<end)
        } catch is RedactionRefusal where offsets == TIFFTag.jpegInterchangeFormat {
          // A damaged thumbnail is not worth a refusal.
          redaction.fill(start..<end)
        } catch is RedactionRefusal where starts.count > 1 {
          // Neither is one of many strips or tiles.
          continue
        }
      }
    }
  }

  private func isPicture(at start: UInt64) throws -> Bool {
    try tiff.source.bytes(at: start, count: 3) == [0xFF, 0xD8, 0xFF]
  }

  private mutating func visitPicture(_ range: Range<UInt64>) throws {
    guard try isPicture(at: range.lowerBound) else { return }
    let part = tiff.source.part(range)
    redaction.add(
      try JPEGRedaction.find(policy, in: part, depth: depth + 1, keepsLength: true),
      at: range.lowerBound)
  }

  private mutating func visitMakerNote(_ entry: TIFFEntry) throws {
    guard let note = try tiff.bytes(of: entry, limit: Self.maximumNote) else { return }
    notes.append(entry.content)
    redaction.add(
      MakerNoteRedaction.find(
        policy, in: note, at: entry.content.lowerBound, make: make, order: tiff.order),
      at: 0)
    try visitPictures(in: note, at: entry.content.lowerBound)
  }

  /// Visits the maker note that Adobe's converter has moved into the private data of a DNG (exiftool's DNG.pm): after
  /// `Adobe` and a zero follow records with a name and a length. The note's record, `MakN`, contains the byte order and
  /// the offset that the note had.
  private mutating func visitPrivateData(_ entry: TIFFEntry) throws {
    guard let data = try tiff.bytes(of: entry, limit: Self.maximumNote), data.hasText("Adobe\0")
    else { return try redaction.blankPlaces(in: entry.content, of: tiff.source, policy) }
    notes.append(entry.content)
    var position = 6
    while let name = data.fourCC(at: position), let length = data.u32(at: position + 4),
      let record = data.bytes(at: position + 8, count: Int(length))
    {
      if name == "MakN", let origin = record.u32(at: 2) {
        let note = record.bytes(from: 6)
        let start = entry.content.lowerBound + UInt64(position) + 14
        redaction.add(
          MakerNoteRedaction.find(
            policy, in: note, at: start, origin: UInt64(origin), make: make,
            order: record.hasText("MM") ? .big : .little),
          at: 0)
        try visitPictures(in: note, at: start)
      }
      // Records have an even length.
      position += 8 + Int(length) + Int(length) % 2
    }
  }

  /// Visits the previews that makers store in their notes. Only whole JPEGs are changed.
  private mutating func visitPictures(in note: [UInt8], at offset: UInt64) throws {
    for (range, found) in previews(in: note) {
      redaction.add(found, at: offset + UInt64(range.lowerBound))
    }
  }

  /// The whole JPEGs in some bytes, each with its changes.
  private func previews(in bytes: [UInt8]) -> [(range: Range<Int>, redaction: Redaction)] {
    var pictures: [(range: Range<Int>, redaction: Redaction)] = []
    var position = 0
    for _ in 0..<Self.maximumPreviews {
      guard let start = bytes.firstIndex(of: [0xFF, 0xD8, 0xFF], from: position) else { break }
      position = start + 3
      let rest = ArraySource(bytes.bytes(from: start))
      guard let scan = try? JPEGMetadata(rest).scanOffset,
        let end = try? endOfJPEGScans(from: scan, in: rest),
        let found = try? JPEGRedaction.find(
          policy, in: rest.part(0..<end), depth: depth + 1, keepsLength: true)
      else { continue }
      pictures.append((start..<(start + Int(end)), found))
      position = start + Int(end)
    }
    return pictures
  }
}

// MARK: Unused bytes

extension TIFFRedaction {
  private static let maximumGap = 16 << 20
  /// Coordinates that are searched for in maker notes and gaps.
  private static let maximumPlaces = 64

  /// Stores a coordinate's three fractions, if other data is unlikely to contain the same bytes.
  private mutating func addPlace(_ entry: TIFFEntry?) throws {
    guard let entry, let bytes = try tiff.bytes(of: entry, limit: 24), bytes.count == 24,
      Set(bytes).count > 4, !places.contains(bytes)
    else { return }
    places.append(bytes)
  }

  private mutating func visitGaps() throws {
    for note in notes { try removePlaces(from: note) }
    for gap in coverage.gaps() {
      if form == .raw {
        try removePlaces(from: gap)
      } else {
        try visit(gap: gap)
      }
    }
  }

  /// Zeroes a gap, except for the previews in it, to which MakerNotes refer.
  private mutating func visit(gap: Range<UInt64>) throws {
    var position = gap.lowerBound
    if policy != .appearanceOnly,
      let content = try tiff.source.bytes(in: gap, limit: Self.maximumGap)
    {
      for (range, found) in previews(in: content) {
        let start = gap.lowerBound + UInt64(range.lowerBound)
        redaction.fill(position..<start)
        redaction.add(found, at: start)
        position = gap.lowerBound + UInt64(range.upperBound)
      }
    }
    redaction.fill(position..<gap.upperBound)
  }

  /// Removes the coordinates of the file's GPS directories from a gap.
  private mutating func removePlaces(from gap: Range<UInt64>) throws {
    guard !places.isEmpty else { return }
    guard places.count <= Self.maximumPlaces else {
      throw RedactionRefusal("The TIFF records more places than Shoebox searches for.")
    }
    var position = gap.lowerBound
    while position < gap.upperBound {
      let count = Int(min(1 << 20, gap.upperBound - position))
      let content = try tiff.source.bytes(at: position, count: count)
      for place in places {
        var start = 0
        while let found = content.firstIndex(of: place, from: start) {
          let offset = position + UInt64(found)
          redaction.fill(offset..<(offset + UInt64(place.count)))
          start = found + place.count
        }
      }
      guard content.count == count, position + UInt64(count) < gap.upperBound else { return }
      // A coordinate may begin in one block and end in the next one.
      position += UInt64(count - 23)
    }
  }
}
