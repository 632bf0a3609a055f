/// Finds what tells a place, or everything beside picture and sound, in a QuickTime or MPEG-4 movie.
///
/// Boxes that are to go become `free` boxes of the same size: what points into the file stays right.
struct ISORedaction {
  /// What is taken out.
  enum Aim {
    case location
    /// All metadata.
    case everything
  }

  private static let maximumBoxes = 200_000
  private static let spaces: Set<FourCC> = ["free", "skip", "wide", "junk"]
  private static let topLevel: Set<FourCC> = [
    "ftyp", "styp", "mdat", "moof", "mfra", "sidx", "ssix", "prft", "pdin", "pnot", "PICT", "pssh",
  ]
  private static let movieLevel: Set<FourCC> = ["mvhd", "iods", "mvex", "pssh"]
  private static let trackLevel: Set<FourCC> = [
    "tkhd", "mdia", "edts", "tref", "tapt", "clip", "matt", "load", "imap", "txas",
  ]

  let source: any ByteSource
  let aim: Aim
  /// How many files this one lies in.
  let depth: Int
  var redaction = Redaction()
  var fragmentedTracks: Set<UInt32> = []
  /// Tracks whose texts are the names of chapters.
  private(set) var chapterTracks: Set<UInt32> = []

  /// - Throws: ``RedactionRefusal`` for a movie that must be encoded anew; ``ContainerError`` for what
  ///   is no movie; what the source throws.
  static func location(in source: any ByteSource, depth: Int = 0) throws -> Redaction {
    try run(in: source, .location, depth: depth)
  }

  static func everything(in source: any ByteSource) throws -> Redaction {
    try run(in: source, .everything, depth: 0)
  }

  private static func run(
    in source: any ByteSource, _ aim: Aim, depth: Int
  ) throws -> Redaction {
    var found = ISORedaction(source: source, aim: aim, depth: depth)
    try found.visitFile()
    return found.redaction
  }

  init(source: any ByteSource, aim: Aim, depth: Int) {
    self.source = source
    self.aim = aim
    self.depth = depth
  }

  private mutating func visitFile() throws {
    guard depth < JPEGRedaction.maximumDepth else {
      throw RedactionRefusal("The movie lies in too many files inside of each other.")
    }
    let boxes = try source.boxes(in: 0..<source.count, limit: Self.maximumBoxes)
    guard boxes.contains(where: { $0.type == "moov" && !$0.isTruncated }) else {
      throw RedactionRefusal(
        "The movie's header is missing or damaged, so nobody can tell where the location stands.")
    }
    try findFragments(boxes)
    for box in boxes { try visit(topLevel: box) }
    guard let end = boxes.last?.end, end < source.count else { return }
    redaction.addNote("Data of unknown kind behind the movie was left out.")
    if depth == 0 {
      redaction.replace(end..<source.count)
    } else {
      redaction.fill(end..<source.count)
    }
  }

  private mutating func visit(topLevel box: ISOBox) throws {
    if Self.topLevel.contains(box.type) { return }
    if box.type == "moov" { return try visit(movie: box) }
    if box.type == "sefd", aim == .location,
      let trailer = try SamsungTrailer(source.part(box.payload))
    {
      return redaction.add(
        try SamsungRedaction.location(
          of: trailer, in: source.part(box.payload), depth: depth + 1),
        at: box.payload.lowerBound)
    }
    try visitCommon(box)
  }

  /// Looks into a `moov` box.
  mutating func visit(movie moov: ISOBox) throws {
    try findChapters(moov)
    for box in try source.boxes(inside: moov, limit: Self.maximumBoxes) {
      switch box.type {
      case "cmov":
        throw RedactionRefusal("The movie's header is compressed, and cannot be changed in place.")
      case "mvhd" where aim == .everything: try eraseTimes(box)
      case "trak": try visit(track: box)
      case let type where Self.movieLevel.contains(type): continue
      default: try visitCommon(box)
      }
    }
  }

  private mutating func visit(track: ISOBox) throws {
    for box in try source.boxes(inside: track, limit: 256) {
      switch box.type {
      case "tkhd" where aim == .everything: try eraseTimes(box)
      case "mdia": try visit(media: box, of: track)
      case let type where Self.trackLevel.contains(type): continue
      default: try visitCommon(box)
      }
    }
  }

  /// A box that may stand at any level; what nobody knows is erased.
  private mutating func visitCommon(_ box: ISOBox) throws {
    switch box.type {
    case let type where Self.spaces.contains(type): redaction.fill(box.payload)
    case "udta" where aim == .location: try visit(userData: box)
    case "meta" where aim == .location: try visit(meta: box)
    case "uuid" where aim == .location: try visit(extended: box)
    default: try erase(box)
    }
  }

  /// Makes a `free` box of it.
  mutating func erase(_ box: ISOBox) throws {
    guard let size = try source.bytes(at: box.offset, count: 4).u32(at: 0) else { return }
    redaction.overwrite(at: box.offset + 4, with: Array("free".utf8))
    redaction.fill((box.offset + (size == 1 ? 16 : 8))..<box.end)
  }

  /// Creation and modification time of a header stand behind its version and flags.
  mutating func eraseTimes(_ box: ISOBox) throws {
    let isWide = try source.bytes(at: box.payload.lowerBound, count: 1) == [1]
    let times = box.payload.dropping(4)
    redaction.fill(times.lowerBound..<min(times.lowerBound + (isWide ? 16 : 8), times.upperBound))
  }

  /// Which tracks others name as their chapters, in a `chap` reference (QuickTime File Format, "Chapter Lists").
  private mutating func findChapters(_ moov: ISOBox) throws {
    for track in try source.boxes(inside: moov, limit: Self.maximumBoxes)
    where track.type == "trak" {
      guard let references = try source.child("tref", of: track),
        let chapters = try source.child("chap", of: references),
        let list = try source.bytes(in: chapters.payload, limit: 1 << 10)
      else { continue }
      chapterTracks.formUnion(
        stride(from: 0, to: list.count, by: 4).compactMap { list.u32(at: $0) })
    }
  }

  /// Which tracks have samples in fragments, whose tables are not those of the track.
  private mutating func findFragments(_ boxes: [ISOBox]) throws {
    for moof in boxes where moof.type == "moof" {
      for traf in try source.boxes(inside: moof, limit: 64) where traf.type == "traf" {
        guard let header = try source.child("tfhd", of: traf),
          let id = try source.start(of: header, 8).u32(at: 4)
        else { continue }
        fragmentedTracks.insert(id)
      }
    }
  }
}
