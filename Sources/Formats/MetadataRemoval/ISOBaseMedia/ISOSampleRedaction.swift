import ByteReading
import MediaEdits
import MediaFormats

extension ISORedaction {
  /// Handlers of tracks that stay: video, audio, time codes, hints and closed captions.
  private static let media: Set<FourCC> = [
    "vide", "soun", "auxv", "pict", "tmcd", "hint", "clcp", "sdsm", "odsm", "crsm", "ocsm",
  ]
  private static let texts: Set<FourCC> = ["text", "sbtl", "subt", "subp"]
  /// Handlers of tracks whose samples are coded video or audio. Samples of other tracks are searched for texts.
  private static let coded: Set<FourCC> = ["vide", "soun", "auxv", "pict"]
  /// Handlers of tracks whose samples are coded pictures.
  private static let pictures: Set<FourCC> = ["vide", "auxv", "pict"]
  private static let informationLevel: Set<FourCC> = [
    "vmhd", "smhd", "hmhd", "nmhd", "sthd", "gmhd",
  ]
  private static let baseHeaders: Set<FourCC> = ["gmin", "text", "tmcd", "mebx"]
  private static let tableLevel: Set<FourCC> = [
    "cslg", "stz2", "stsh", "padb", "stdp", "sdtp", "sbgp", "sgpd", "subs", "saiz", "saio", "senc",
  ]
  /// Tables of equal entries, and the bytes of an entry.
  private static let strides: [FourCC: UInt64] = [
    "stts": 8, "ctts": 8, "stsc": 12, "stco": 4, "co64": 8, "stss": 4, "stps": 4,
  ]
  /// Samples of texts and metadata that are visited one by one.
  private static let maximumSamples: UInt64 = 1_000_000
  /// Sample descriptions of a track.
  static let maximumDescriptions = 4096
  private static let maximumText = 64 << 10
  /// Canon's cameras store EXIF with maker notes in a sample of metadata.
  private static let maximumData = 4 << 20
  /// How often a byte of the file may be part of a text, on average.
  private static let maximumTextUses: UInt64 = 8
  /// Parts of the media data that are stored.
  static let maximumParts = 4_000_000

  /// Decides by a track's samples whether it stays, since cameras record their positions in tracks of their own.
  mutating func visit(media mdia: ISOBox, of track: ISOBox) throws {
    let boxes = try children(of: mdia)
    let stbl = try boxes.first { $0.type == "minf" }.flatMap { try source.child("stbl", of: $0) }
    let header = boxes.first { $0.type == "hdlr" }
    let handler = try header.flatMap { try source.start(of: $0, 12).fourCC(at: 8) }
    let entries = try stbl.map(sampleEntries) ?? []
    let samples = try stbl.map { try table($0, handler) }
    let id = try number(of: track)
    let isErased = try samples.map { try mustErase(id, handler, entries, $0) } ?? false
    if isErased, let samples {
      erasedTracks.insert(id)
      try eraseSamples(samples, isBoxes: entries.contains { $0.type == "mebx" }, ofTrack: id)
    } else {
      try samples?.visitChunks { try Self.insert($0, in: &kept) }
      if let stbl, let samples, let handler, Self.pictures.contains(handler) {
        let (form, types) = (try userDataForm(stbl), entries.map(\.type))
        userData[id] = form
        // `mp4v` without descriptors can be pictures too.
        if form == nil || types.contains("mp4v") {
          pictureTracks[id] = try pictureNaming(types, samples)
        }
        if userData[id] != nil || pictureTracks[id] != nil {
          try samples.visitSamples(limit: .max) { try visit(frame: $0, ofTrack: id) }
        }
      }
    }
    for box in boxes {
      switch box.type {
      case "mdhd": try visit(header: box, 24, 36)
      case "hdlr": try visit(handler: box)
      case "minf": try visit(information: box, handler, isErased: isErased)
      case "elng":
        if try recordsPlace(box.payload) { try erase(box) }
      default: try visitCommon(box)
      }
    }
  }

  private func table(_ stbl: ISOBox, _ handler: FourCC?) throws -> ISOSampleTable {
    let entry =
      handler == "soun"
      ? try source.child("stsd", of: stbl).flatMap {
        try source.boxes(inside: $0, skip: 8, limit: 1).first
      } : nil
    return try ISOSampleTable(
      stbl, source, sound: try entry.flatMap { try ISOSoundPacking($0, source) })
  }

  /// Whether a track's samples are erased.
  private mutating func mustErase(
    _ id: UInt32, _ handler: FourCC?, _ entries: [Entry], _ samples: ISOSampleTable
  ) throws -> Bool {
    guard let handler else { return true }
    if Self.media.contains(handler) {
      guard policy.removesLocation, !Self.coded.contains(handler) else { return false }
      return try recordsPlace(samples, ofTrack: id, isText: false)
    }
    if Self.texts.contains(handler) {
      // Subtitles are not metadata, unless they record places, but the names of chapters are.
      if policy == .appearanceOnly, chapterTracks.contains(id) { return true }
      guard policy.removesLocation else { return false }
      // Subtitles of DVDs are pictures.
      return try recordsPlace(samples, ofTrack: id, isText: handler != "subp")
    }
    if policy == .appearanceOnly || entries.isEmpty { return true }
    guard policy.removesLocation else { return false }
    // A program can store texts, such as the sentences of a receiver, under a key that does not name them.
    return try !entries.allSatisfy(\.isHarmless)
      || recordsPlace(samples, ofTrack: id, isText: false)
  }

  /// Whether one of a track's samples records a place; true for samples that are too long or too many to check, and for
  /// samples that overlap, of which a small file can state gigabytes.
  ///
  /// - Parameter isText: whether the samples are texts; otherwise they are data that may contain texts.
  private mutating func recordsPlace(
    _ samples: ISOSampleTable, ofTrack id: UInt32, isText: Bool
  ) throws -> Bool {
    var isFound = false
    var count: UInt64 = 0
    var length: UInt64 = 0
    let (source, policy, others) = (source, policy, textBytes)
    let maximum = isText ? Self.maximumText : Self.maximumData
    func take(_ range: Range<UInt64>) throws {
      count += 1
      length += UInt64(range.count)
      guard !isFound, count <= Self.maximumSamples else { return }
      guard length <= source.count, (others + length) / Self.maximumTextUses <= source.count,
        let content = try source.bytes(in: range, limit: maximum)
      else {
        return isFound = true
      }
      isFound = isText ? policy.removes(text: content) : policy.removes(data: content)
    }
    let isWhole = try samples.visitSamples(limit: Self.maximumSamples, take)
    if !isFound, let (fragments, index) = try indexedFragments() {
      try fragments.visitSamples(of: id, in: index, take)
    }
    textBytes = others + length
    return isFound || !isWhole || count > Self.maximumSamples
  }

  /// The `track_ID` of its header (ISO/IEC 14496-12 §8.3.2).
  func number(of track: ISOBox) throws -> UInt32 {
    let header = try source.child("tkhd", of: track).map { try source.start(of: $0, 24) } ?? []
    return header.u32(at: header.u8(at: 0) == 1 ? 20 : 12) ?? 0
  }

  /// Adds samples to others.
  ///
  /// - Throws: ``RedactionRefusal`` for more separate parts than a movie has: the table is hostile.
  static func insert(_ samples: Range<UInt64>, in parts: inout ByteRanges) throws {
    parts.insert(samples)
    guard parts.count <= maximumParts else {
      throw RedactionRefusal("The movie's samples are in too many separate parts to check.")
    }
  }

  private mutating func eraseSamples(
    _ samples: ISOSampleTable, isBoxes: Bool, ofTrack id: UInt32
  ) throws {
    var erased = ByteRanges()
    try samples.visitChunks { try Self.insert($0, in: &erased) }
    if let (fragments, index) = try indexedFragments() {
      try fragments.visitRuns(of: id, in: index) { try Self.insert($0, in: &erased) }
    }
    try Self.check(&erased, outside: &headerRanges, policy)
    for range in erased.joined() {
      redaction.fill(range)
      clearedSamples.insert(range)
    }
    guard isBoxes else { return }
    // A sample of `mebx` is a list of boxes by the numbers of their keys. Number 0 is not used.
    func empty(_ range: Range<UInt64>) {
      guard range.count >= 8 else { return }
      redaction.overwrite(at: range.lowerBound, with: encoded(range.count, width: 4))
    }
    try samples.visitSamples(limit: Self.maximumSamples, empty)
    if let (fragments, index) = try indexedFragments() {
      try fragments.visitSamples(of: id, in: index, empty)
    }
  }

  private struct Entry {
    var type: FourCC
    /// Whether its samples do not record a place, by what it states.
    var isHarmless: Bool
  }

  /// - Throws: ``RedactionRefusal`` for more descriptions than any track has.
  private func sampleEntries(of stbl: ISOBox) throws -> [Entry] {
    guard let stsd = try source.allBoxes(inside: stbl).first(where: { $0.type == "stsd" })
    else { return [] }
    return try source.allBoxes(inside: stsd, skip: 8, limit: Self.maximumDescriptions).map { box in
      let isHarmless = try box.type == "CTMD" || box.type == "mebx" && hasHarmlessKeys(box)
      return Entry(type: box.type, isHarmless: isHarmless)
    }
  }

  /// Whether a list of keys (QuickTime File Format, "Timed metadata") is complete and none of them names a place. Samples
  /// of unknown keys could record one.
  private func hasHarmlessKeys(_ entry: ISOBox) throws -> Bool {
    let keys = try source.allBoxes(inside: entry, skip: 8).filter { $0.type == "keys" }
      .flatMap { try source.allBoxes(inside: $0) }
    guard !keys.isEmpty else { return false }
    return try keys.allSatisfy { key in
      // A namespace of four bytes precedes the name.
      let definitions = try source.allBoxes(inside: key).filter { $0.type == "keyd" }
      return try !definitions.isEmpty
        && definitions.allSatisfy { definition in
          guard let content = try source.content(of: definition, limit: Self.maximumText)
          else { return false }
          let name = content.bytes(from: 4)
          return !LocationDetection.namesPlace(key: name.text)
            && !WrittenCoordinates.occur(in: name)
        }
    }
  }
}

// The boxes that describe the samples.
extension ISORedaction {
  private mutating func visit(
    information minf: ISOBox, _ handler: FourCC?, isErased: Bool
  ) throws {
    for box in try children(of: minf) {
      switch box.type {
      case "stbl": try visit(tables: box, handler, isErased: isErased)
      case "hdlr": try visit(handler: box)
      case "dinf": try visit(data: box)
      case "gmhd": try keep(Self.baseHeaders, in: box)
      case let type where Self.informationLevel.contains(type): try blankPlaces(in: box)
      default: try visitCommon(box)
      }
    }
  }

  /// Visits a track's references to its data. A reference to the file itself does not need a name.
  private mutating func visit(data dinf: ISOBox) throws {
    for dref in try children(of: dinf) {
      guard dref.type == "dref" else {
        try visitCommon(dref)
        continue
      }
      for entry in try children(of: dref, skip: 8) {
        let isHere = try (source.start(of: entry, 4).u8(at: 3) ?? 0) & 1 == 1
        if isHere { redaction.fill(entry.payload.dropping(4)) } else { try blankPlaces(in: entry) }
      }
    }
  }

  private mutating func visit(tables stbl: ISOBox, _ handler: FourCC?, isErased: Bool) throws {
    for box in try children(of: stbl) {
      switch box.type {
      case "stsd": try visit(descriptions: box, handler, isErased: isErased)
      case "stsz":
        let fields = try source.start(of: box, 12)
        guard let size = fields.u32(at: 4), let count = fields.u32(at: 8) else { continue }
        redaction.fill(box.payload.dropping(12 + (size == 0 ? 4 * Int(count) : 0)))
      case let type where Self.tableLevel.contains(type): try clearRest(ofTable: box)
      default:
        if let stride = Self.strides[box.type] {
          try clear(box, afterEntriesOf: stride)
        } else {
          try visitCommon(box)
        }
      }
    }
  }

  /// Clears a handler's name if it records a place or all metadata is removed, and everything after it.
  ///
  /// In QuickTime, where the component's type is set, the name is a text after its length. In ISO files it ends
  /// with a zero.
  mutating func visit(handler box: ISOBox) throws {
    let fields = try source.start(of: box, 4096)
    let name = fields.bytes(from: 24)
    guard let first = name.first else { return }
    let isCounted = fields.u32(at: 4) != 0
    let length = isCounted ? Int(first) + 1 : (name.firstIndex(of: 0) ?? name.count - 1) + 1
    let isUnwanted =
      policy == .appearanceOnly || policy.removes(text: Array(name.prefix(length)))
    redaction.fill(box.payload.dropping(24 + (isUnwanted ? 0 : length)))
  }
}
