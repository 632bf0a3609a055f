import ByteReading
import MediaEdits
import MediaFormats
import MediaModel

extension HEIFFormat: RedactableFormat {
  static func redaction(
    _ policy: MetadataPolicy, _ type: UniformType, _ source: any ByteSource
  ) throws -> Redaction {
    try HEIFRedaction.find(policy, in: source)
  }
}

/// Finds what a policy removes from a HEIF or AVIF picture. Its items are overwritten in place.
///
/// Bytes of `mdat` and `idat` boxes that no item reaches, and items and properties of unknown kinds, are
/// zeroed.
struct HEIFRedaction {
  /// Items that are pictures or combine pictures (ISO/IEC 23008-12, ISO/IEC 23001-17, AVIF).
  private static let pictures: Set<FourCC> = [
    "hvc1", "hev1", "lhv1", "hvt1", "av01", "avc1", "vvc1", "evc1", "j2k1", "unci", "grid", "iovl",
    "iden", "tmap", "mski",
  ]
  private static let metaBoxes: Set<FourCC> = [
    "hdlr", "pitm", "iloc", "iinf", "iref", "iprp", "idat", "dinf", "grpl",
  ]
  /// Properties that libheif and libavif know, and descriptions by the user.
  private static let properties: Set<FourCC> = [
    "ispe", "pixi", "colr", "pasp", "hvcC", "lhvC", "av1C", "avcC", "vvcC", "evcC", "jpgC", "j2kH",
    "uncC", "cmpd", "cmpC", "icef", "cpat", "irot", "imir", "clap", "rloc", "auxC", "lsel", "a1op",
    "a1lx", "clli", "mdcv", "cclv", "amve", "ndwt", "udes", "altt", "aebr", "wbbr", "fobr", "afbr",
    "dobr", "pano", "iscl", "tols", "oinf", "tiff", "mskC", "cmin", "cmex", "crtt", "mdft",
  ]
  private static let spaces: Set<FourCC> = ["free", "skip", "wide", "junk"]
  private static let pictureBoxes: Set<FourCC> = ["ftyp", "mdat"]

  private let source: any ByteSource
  private let policy: MetadataPolicy
  private var redaction = Redaction()
  private var coverage = ByteRanges()
  /// The content of `mdat` and `idat` boxes, which contain the items' bytes.
  private var data: [Range<UInt64>] = []

  /// - Throws: ``RedactionRefusal`` for a picture with ambiguous items or with fragments; ``ContainerError`` for a
  ///   file that is not HEIF; what the source throws.
  static func find(_ policy: MetadataPolicy, in source: any ByteSource) throws -> Redaction {
    var found = HEIFRedaction(source: source, policy: policy)
    let file = try HEIFContainer(source)
    guard file.isUnambiguous else {
      throw RedactionRefusal(
        "Several items of the picture share an item ID, so Shoebox cannot tell which of them to change."
      )
    }
    let boxes = try source.boxes(in: 0..<source.count, limit: 4096)
    // The media data contains their samples too.
    if boxes.contains(where: { $0.type == "moof" }) {
      throw RedactionRefusal(
        "The picture is stored in fragments, so Shoebox cannot find all metadata in a copy; the preset "
          + "`compatible` makes a new picture without it.")
    }
    let meta = boxes.first { $0.type == "meta" }
    for box in boxes where box != meta { try found.visit(box) }
    if let meta { try found.visit(meta: meta) }
    for item in file.items { try found.visit(item, of: file) }
    for box in boxes where box.type == "mdat" { found.data.append(box.payload) }
    for data in found.data {
      for gap in found.coverage.gaps(in: data) { found.redaction.fill(gap) }
    }
    if let end = boxes.last?.end, end < source.count {
      found.redaction.addNote("Data of unknown kind after the picture was left out.")
      found.redaction.replace(end..<source.count)
    }
    return found.redaction
  }

  private init(source: any ByteSource, policy: MetadataPolicy) {
    self.source = source
    self.policy = policy
  }

  private mutating func visit(_ box: ISOBox) throws {
    var movie = ISORedaction(source: source, policy: policy, depth: 0)
    switch box.type {
    case let type where Self.pictureBoxes.contains(type): return
    case let type where Self.spaces.contains(type): redaction.fill(box.payload)
    case "moov":
      // The sequence next to a picture, or instead of it.
      try movie.visit(movie: box)
      redaction.add(movie.redaction, at: 0)
      for range in movie.kept.joined() { coverage.insert(range) }
    case "mpvd" where policy != .appearanceOnly:
      redaction.add(
        try ISORedaction.find(policy, in: source.part(box.payload), depth: 1),
        at: box.payload.lowerBound)
    case "sefd" where policy != .appearanceOnly:
      guard let trailer = try SamsungTrailer(source.part(box.payload)) else { fallthrough }
      redaction.add(
        try SamsungRedaction.find(policy, of: trailer, in: source.part(box.payload), depth: 1),
        at: box.payload.lowerBound)
    default:
      try movie.erase(box)
      redaction.add(movie.redaction, at: 0)
    }
  }

  /// Visits the boxes that describe the items.
  private mutating func visit(meta: ISOBox) throws {
    for box in try source.boxes(inside: meta, skip: 4) {
      switch box.type {
      case "idat": data.append(box.payload)
      case "iprp":
        for part in try source.boxes(inside: box) {
          if part.type == "ipco" {
            for property in try source.boxes(inside: part, limit: 4096) {
              try visit(property: property)
            }
          } else if part.type != "ipma" {
            try erase(part)
          }
        }
      // The name follows the type and reserved fields (ISO/IEC 14496-12 §8.4.3).
      case "hdlr": try blankName(box.payload.dropping(24))
      case "iinf":
        let isShort = try source.start(of: box, 1) == [0]
        for entry in try source.boxes(inside: box, skip: isShort ? 6 : 8, limit: 50_000) {
          let isWide = try source.start(of: entry, 1) != [2]
          try blankName(entry.payload.dropping(isWide ? 14 : 12))
        }
      case let type where Self.metaBoxes.contains(type): continue
      default: try erase(box)
      }
    }
  }

  private mutating func visit(property: ISOBox) throws {
    if property.type == "colr" {
      return redaction.add(try ICCRedaction.find(policy, inColor: property, of: source), at: 0)
    }
    switch property.type {
    case let type where Self.spaces.contains(type): return redaction.fill(property.payload)
    case "altt" where policy.removesCaptions: return try erase(property)
    case "udes" where policy.removesCaptions: return try visit(description: property)
    default: if Self.properties.contains(property.type) { return }
    }
    if property.type == "uuid", policy != .appearanceOnly,
      let content = try source.content(of: property), !policy.removes(text: content)
    {
      return
    }
    try erase(property)
  }

  /// Removes name and description from a user's description, and keeps its language and its tags
  /// (ISO/IEC 23008-12 §6.5.20). Each of the four texts ends with a zero.
  private mutating func visit(description property: ISOBox) throws {
    guard let content = try source.content(of: property),
      case let texts = content.bytes(from: 4)
        .split(separator: 0, maxSplits: 4, omittingEmptySubsequences: false),
      texts.count == 5
    else { return try erase(property) }
    let kept = content.prefix(4) + texts[0] + [0, 0, 0] + texts[3] + [0]
    redaction.overwrite(
      at: property.payload.lowerBound,
      with: kept + [UInt8](repeating: 0, count: content.count - kept.count))
  }

  /// Overwrites a name that records a place, or any name if all metadata is removed, with spaces, up to its NUL.
  private mutating func blankName(_ range: Range<UInt64>) throws {
    let name = try source.bytes(at: range.lowerBound, count: min(range.count, 1 << 10))
      .prefix { $0 != 0 }
    guard !name.isEmpty, policy == .appearanceOnly || policy.removes(text: Array(name))
    else { return }
    redaction.fill(range.lowerBound..<(range.lowerBound + UInt64(name.count)), with: 0x20)
  }

  private mutating func erase(_ box: ISOBox) throws {
    var boxes = ISORedaction(source: source, policy: policy, depth: 0)
    try boxes.erase(box)
    redaction.add(boxes.redaction, at: 0)
  }

  private mutating func visit(_ item: HEIFItem, of file: HEIFContainer) throws {
    for extent in item.extents { coverage.insert(extent) }
    switch item.type {
    case "Exif", "mime", "uri ", "iptc", "jpeg": break
    case let type where Self.pictures.contains(type): return
    default:
      redaction.addNote("Items of unknown kinds were left out.")
      for extent in item.extents { redaction.fill(extent.clamped(to: 0..<source.count)) }
      return
    }
    guard let content = try file.content(of: item, from: source, limit: 64 << 20) else {
      for extent in item.extents { redaction.fill(extent.clamped(to: 0..<source.count)) }
      return
    }
    let changed = try changed(content, of: item)
    guard changed != content else { return }
    var position = 0
    for extent in item.extents {
      guard let bytes = changed.bytes(at: position, count: extent.count) else { return }
      redaction.overwrite(at: extent.lowerBound, with: bytes)
      position += extent.count
    }
  }

  private func changed(_ content: [UInt8], of item: HEIFItem) throws -> [UInt8] {
    if item.type == "jpeg" {
      guard content.hasBytes([0xFF, 0xD8, 0xFF]) else { return content }
      let picture = ArraySource(content)
      let found =
        policy == .appearanceOnly
        ? try JPEGRedaction.appearance(in: picture, keepsLength: true)
        : try JPEGRedaction.find(policy, in: picture, depth: 1, keepsLength: true)
      return found.applied(to: content)
    }
    if item.type == "iptc", policy != .appearanceOnly {
      return IPTCRedaction.removing(policy, from: content)
    }
    if item.type == "Exif" {
      return policy == .appearanceOnly
        ? withoutAnything(exif: content) : removing(fromExif: content)
    }
    if item.contentType?.hasPrefix("application/rdf+xml") == true {
      return XMPRedaction.removing(policy, from: content)
    }
    // The data of Apple's styles (`uri `) stays, as do other texts unless they could be captions. Bytes of unknown
    // meaning do not.
    let isKnown = item.type == "uri " || String(validating: content, as: UTF8.self) != nil
    let isCaption = policy.removesCaptions && item.type != "uri "
    guard policy == .appearanceOnly || !isKnown || isCaption || policy.removes(text: content) else {
      return content
    }
    return [UInt8](repeating: 0x20, count: content.count)
  }

  private func removing(fromExif content: [UInt8]) -> [UInt8] {
    guard let block = tiffBlock(inExifItem: content) else {
      return [UInt8](repeating: 0, count: content.count)
    }
    return content.dropLast(block.count)
      + ExifBlockRedaction.removing(policy, from: block, depth: 1)
  }

  /// A block without metadata. A HEIF records its orientation in properties, not in EXIF.
  private func withoutAnything(exif content: [UInt8]) -> [UInt8] {
    let empty = [0, 0, 0, 0] + AppearanceExif.emptyBlock
    guard content.count >= empty.count else { return [UInt8](repeating: 0, count: content.count) }
    return empty + [UInt8](repeating: 0, count: content.count - empty.count)
  }
}
