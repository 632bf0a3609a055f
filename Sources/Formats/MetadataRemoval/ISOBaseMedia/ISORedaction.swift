import ByteReading
package import MediaEdits
import MediaFormats
import MediaModel

extension ISOMovieFormat: RedactableFormat {
  static func redaction(
    _ policy: MetadataPolicy, _ type: UniformType, _ source: any ByteSource
  ) throws -> Redaction {
    try ISORedaction.find(policy, in: source)
  }
}

/// Finds what a policy removes from a QuickTime or MPEG-4 movie (ISO/IEC 14496-12).
///
/// Only what is known stays: boxes of known types, and the bytes of media data that a kept track's sample
/// tables reach. Everything else becomes zeros or a `free` box of the same size. No byte moves, so offsets
/// into the file stay right.
package struct ISORedaction {
  static let maximumBoxes = 200_000
  private static let spaces: Set<FourCC> = ["free", "skip", "wide", "junk"]
  /// Not among them are `pdin` and `prft`, which only streaming needs.
  private static let topLevel: Set<FourCC> = ["ftyp", "styp", "ssix"]
  private static let trackLevel: Set<FourCC> = [
    "tapt", "clip", "matt", "load", "imap", "txas",
  ]
  private static let extensionLevel: Set<FourCC> = ["mehd", "trex", "leva", "trep"]
  private static let fragmentLevel: Set<FourCC> = ["mfhd"]
  private static let trackFragmentLevel: Set<FourCC> = [
    "tfhd", "trun", "tfdt", "sdtp", "sbgp", "sgpd", "subs", "saiz", "saio", "senc",
  ]

  let source: any ByteSource
  let policy: MetadataPolicy
  /// The number of files that this one is inside of.
  let depth: Int
  var redaction = Redaction()
  /// The movie's header, and those of fragments.
  private(set) var headers: [ISOBox] = []
  var fragmentHeaders: ArraySlice<ISOBox> { headers.dropFirst() }
  var fragments: ISOFragments?
  /// The fragments by track, once a track's samples in them were visited.
  private var fragmentIndex: ISOFragments.Index?
  /// Where ``headers`` are.
  var headerRanges = ByteRanges()
  /// Where the samples of kept tracks are.
  var kept = ByteRanges()
  /// Where samples were cleared. Those of `mebx` have a size again.
  var clearedSamples = ByteRanges()
  /// Tracks whose samples are taken out.
  var erasedTracks: Set<UInt32> = []
  /// Tracks of H.264 and HEVC, in whose samples user data is overwritten.
  var userData: [UInt32: VideoUserData] = [:]
  /// The offsets of decoder configurations in which user data was overwritten.
  var searchedConfigurations: Set<UInt64> = []
  /// The units of video that were visited, the bytes of frames, and those of texts.
  var unitCount = 0
  var frameBytes: UInt64 = 0
  var textBytes: UInt64 = 0
  /// Tracks whose samples may be pictures with metadata of their own, and whether their descriptions say so.
  var pictureTracks: [UInt32: Bool] = [:]
  /// The numbers of all tracks.
  private(set) var trackNumbers: Set<UInt32> = []
  /// Tracks whose texts are the names of chapters.
  private(set) var chapterTracks: Set<UInt32> = []

  /// - Throws: ``RedactionRefusal`` for a movie that must be re-encoded; ``ContainerError`` for what is
  ///   not a movie; what the source throws.
  static func find(
    _ policy: MetadataPolicy, in source: any ByteSource, depth: Int = 0
  ) throws -> Redaction {
    var found = ISORedaction(source: source, policy: policy, depth: depth)
    try found.visitFile()
    return found.redaction
  }

  init(source: any ByteSource, policy: MetadataPolicy, depth: Int) {
    self.source = source
    self.policy = policy
    self.depth = depth
  }

  /// A `meta`, `udta` or `uuid` box of the same length without the metadata that a policy removes; nil for bytes that are not a box.
  ///
  /// - Parameter box: the whole box.
  /// - Throws: ``ContainerError`` for a damaged box.
  package static func removing(
    _ policy: MetadataPolicy, fromMetadataBox box: [UInt8]
  ) throws -> [UInt8]? {
    let source = ArraySource(box)
    guard let header = try source.box(at: 0, before: source.count) else { return nil }
    var found = ISORedaction(source: source, policy: policy, depth: 0)
    switch header.type {
    case "meta": try found.visit(meta: header)
    case "udta": try found.visit(userData: header)
    default: try found.visit(extended: header)
    }
    return found.redaction.applied(to: box)
  }

  /// An `sv3d` or `uuid` box of 360° video of the same length without what a policy removes; other boxes stay as they are.
  ///
  /// - Parameter box: the whole box.
  /// - Throws: ``ContainerError`` for a damaged box.
  package static func removing(
    _ policy: MetadataPolicy, fromPresentationBox box: [UInt8]
  ) throws -> [UInt8] {
    let source = ArraySource(box)
    guard let header = try source.box(at: 0, before: source.count) else { return box }
    var found = ISORedaction(source: source, policy: policy, depth: 0)
    switch header.type {
    case "sv3d": try found.visit(spherical: header)
    case "uuid": try found.visit(sphericalXML: header)
    default: break
    }
    return found.redaction.applied(to: box)
  }

  private mutating func visitFile() throws {
    guard depth < JPEGRedaction.maximumDepth else {
      throw RedactionRefusal("The movie is inside of too many other files.")
    }
    let boxes = try source.allBoxes(in: 0..<source.count, limit: Self.maximumBoxes)
    guard let moov = boxes.first(where: { $0.type == "moov" && !$0.isTruncated }) else {
      throw RedactionRefusal(
        "The movie's header is missing or damaged, so \(policy.removedText) in it cannot be found.")
    }
    headers = [moov] + boxes.filter { $0.type == "moof" }
    for header in headers { headerRanges.insert(header.offset..<header.end) }
    if !fragmentHeaders.isEmpty { fragments = try ISOFragments(moov, source) }
    for box in boxes where box.type == "moov" {
      // Players read the first header only.
      if box == moov { try visit(movie: box) } else { try erase(box) }
    }
    let erased = erasedTracks
    let visited = Set(pictureTracks.keys).union(userData.keys)
    for moof in fragmentHeaders {
      try fragments?.visit(moof) { id, range in
        if !erased.contains(id) { try Self.insert(range, in: &kept) }
      }
      if !visited.isEmpty {
        try fragments?.visit(moof, individually: visited) { try visit(frame: $1, ofTrack: $0) }
      }
    }
    try Self.check(&kept, outside: &headerRanges, policy)
    for box in boxes where box.type != "moov" { try visit(topLevel: box) }
    clearTail(boxes.last?.end ?? 0)
  }

  /// - Throws: ``RedactionRefusal`` for samples inside of headers. A place there would stay as a sample, and the header
  /// would be cleared with the samples of another track.
  static func check(
    _ samples: inout ByteRanges, outside headers: inout ByteRanges, _ policy: MetadataPolicy
  ) throws {
    for range in samples.joined() {
      guard headers.gaps(in: range) == [range] else {
        throw RedactionRefusal(
          "The movie is damaged: its samples overlap its header, so \(policy.removedText) in it cannot be found."
        )
      }
    }
  }

  /// The fragments, and which of them are of which track; nil for a movie without fragments.
  mutating func indexedFragments() throws -> (ISOFragments, ISOFragments.Index)? {
    guard let fragments else { return nil }
    let found =
      try fragmentIndex ?? fragments.index(fragmentHeaders, maximum: Self.maximumParts)
    guard let found else {
      throw RedactionRefusal("The movie's samples are in too many separate parts to check.")
    }
    fragmentIndex = found
    return (fragments, found)
  }

  private mutating func visit(topLevel box: ISOBox) throws {
    if Self.topLevel.contains(box.type) { return try blankPlaces(in: box) }
    if box.type == "mdat" { return clearUnused(box.payload) }
    if box.type == "moof" { return try visit(fragment: box) }
    if try visit(table: box) { return }
    if box.type == "sefd", policy != .appearanceOnly,
      let trailer = try SamsungTrailer(source.part(box.payload))
    {
      return redaction.add(
        try SamsungRedaction.find(
          policy, of: trailer, in: source.part(box.payload), depth: depth + 1),
        at: box.payload.lowerBound)
    }
    try visitCommon(box)
  }

  /// Clears the bytes of media data that no kept track uses.
  ///
  /// Cameras write drafts of their metadata there. Editors leave parts of an older, longer header there.
  private mutating func clearUnused(_ range: Range<UInt64>) {
    for gap in kept.gaps(in: range) {
      for unused in clearedSamples.gaps(in: gap) { redaction.fill(unused) }
    }
  }

  /// Drops what follows the last box.
  private mutating func clearTail(_ end: UInt64) {
    guard end < source.count else { return }
    let gaps = kept.gaps(in: end..<source.count)
    guard !gaps.isEmpty else { return }
    redaction.addNote("Data of unknown kind after the movie was left out.")
    if depth == 0, gaps == [end..<source.count] {
      redaction.replace(end..<source.count)
    } else {
      clearUnused(end..<source.count)
    }
  }

  /// Visits a `moov` box.
  mutating func visit(movie moov: ISOBox) throws {
    try findTracks(moov)
    for box in try children(of: moov, limit: Self.maximumBoxes) {
      switch box.type {
      case "cmov":
        throw RedactionRefusal("The movie's header is compressed, and cannot be changed in place.")
      case "mvhd": try visit(header: box, 100, 112)
      case "trak": try visit(track: box)
      case "mvex": try keep(tables: Self.extensionLevel, in: box)
      case "iods":
        if try recordsPlace(box.payload) { try erase(box) }
      case "pssh": _ = try visit(table: box)
      default: try visitCommon(box)
      }
    }
  }

  private mutating func visit(track: ISOBox) throws {
    for box in try children(of: track) {
      switch box.type {
      case "tkhd": try visit(header: box, 84, 96)
      case "mdia": try visit(media: box, of: track)
      case "tref": try visit(references: box)
      case "edts":
        for list in try children(of: box) {
          if list.type == "elst" {
            let isWide = try source.start(of: list, 1) == [1]
            try clear(list, afterEntriesOf: isWide ? 20 : 12)
          } else {
            try visitCommon(list)
          }
        }
      case let type where Self.trackLevel.contains(type): try blankPlaces(in: box)
      default: try visitCommon(box)
      }
    }
  }

  /// Overwrites texts with coordinates in a box of numbers.
  mutating func blankPlaces(in box: ISOBox) throws {
    try redaction.blankPlaces(in: box.payload, of: source, policy)
  }

  private mutating func visit(fragment moof: ISOBox) throws {
    for box in try children(of: moof) {
      switch box.type {
      case "traf": try keep(tables: Self.trackFragmentLevel, in: box)
      case "pssh": _ = try visit(table: box)
      case let type where Self.fragmentLevel.contains(type): try clearRest(ofTable: box)
      default: try visitCommon(box)
      }
    }
  }

  /// Keeps the children of these types as they are.
  mutating func keep(_ known: Set<FourCC>, in parent: ISOBox) throws {
    for box in try children(of: parent) where !known.contains(box.type) { try visitCommon(box) }
  }

  /// Keeps the tables of these types, without what follows their fields.
  private mutating func keep(tables known: Set<FourCC>, in parent: ISOBox) throws {
    for box in try children(of: parent) {
      if known.contains(box.type) { try clearRest(ofTable: box) } else { try visitCommon(box) }
    }
  }

  /// A box that may be at any level; an unknown one is erased.
  mutating func visitCommon(_ box: ISOBox) throws {
    switch box.type {
    case let type where Self.spaces.contains(type): clearUnused(box.payload)
    case "udta" where policy != .appearanceOnly: try visit(userData: box)
    case "meta" where policy != .appearanceOnly: try visit(meta: box)
    case "uuid" where box.extendedType == ISOMovie.sphericalIdentifier:
      try visit(sphericalXML: box)
    case "uuid" where policy != .appearanceOnly: try visit(extended: box)
    default: try erase(box)
    }
  }

  /// The boxes inside of another one. The bytes after the last of them are cleared.
  ///
  /// - Parameter skip: bytes of the parent's own fields.
  mutating func children(
    of parent: ISOBox, skip: UInt64 = 0, limit: Int = 65_536
  ) throws -> [ISOBox] {
    let found = try source.boxes(inside: parent, skip: skip, limit: limit)
    let start = parent.payload.lowerBound.adding(skip) ?? parent.end
    redaction.fill(min(found.last?.end ?? start, parent.end)..<parent.end)
    return found
  }

  /// Turns a box into a `free` box with zeros.
  mutating func erase(_ box: ISOBox) throws {
    // The size of a box that its parent cuts off may be any four bytes.
    if box.isTruncated, let length = UInt32(exactly: box.end - box.offset), length >= 8 {
      redaction.overwrite(at: box.offset, with: encoded(length, width: 4) + Array("free".utf8))
      return clearUnused((box.offset + 8)..<box.end)
    }
    guard let size = try source.bytes(at: box.offset, count: 4).u32(at: 0) else { return }
    redaction.overwrite(at: box.offset + 4, with: Array("free".utf8))
    clearUnused((box.offset + (size == 1 ? 16 : 8))..<box.end)
  }

  /// Clears what follows a header's fields, and its times if all metadata is removed. The times follow the
  /// version and flags.
  ///
  /// - Parameters:
  ///   - length: of the fields in version 0, in bytes.
  ///   - wideLength: the same in version 1, which has times of 64 bits.
  mutating func visit(header box: ISOBox, _ length: Int, _ wideLength: Int) throws {
    let isWide = try source.bytes(at: box.payload.lowerBound, count: 1) == [1]
    redaction.fill(box.payload.dropping(isWide ? wideLength : length))
    guard policy == .appearanceOnly else { return }
    let times = box.payload.dropping(4)
    redaction.fill(times.lowerBound..<min(times.lowerBound + (isWide ? 16 : 8), times.upperBound))
  }

  /// Clears what follows the entries of a table.
  ///
  /// - Parameter stride: the bytes of an entry; the entries follow version, flags and their count.
  mutating func clear(_ table: ISOBox, afterEntriesOf stride: UInt64) throws {
    guard let count = try source.start(of: table, 8).u32(at: 4) else { return }
    let length = 8 + UInt64(count) * stride
    redaction.fill(table.payload.dropping(Int(clamping: length)))
  }

  /// Finds the numbers of the tracks, and the tracks that others name as their chapters, in a `chap` reference
  /// (QuickTime File Format, "Chapter Lists").
  private mutating func findTracks(_ moov: ISOBox) throws {
    for track in try source.boxes(inside: moov, limit: Self.maximumBoxes)
    where track.type == "trak" {
      trackNumbers.insert(try number(of: track))
      guard let references = try source.child("tref", of: track),
        let chapters = try source.child("chap", of: references),
        let list = try source.bytes(in: chapters.payload, limit: 1 << 10)
      else { continue }
      chapterTracks.formUnion(
        stride(from: 0, to: list.count, by: 4).compactMap { list.u32(at: $0) })
    }
  }
}
