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
  /// Coded pictures that can contain user data, and the property with their decoder configuration.
  private static let videos: [FourCC: (codec: VideoUserData.Codec, configuration: FourCC)] = [
    "hvc1": (.hevc, "hvcC"), "hev1": (.hevc, "hvcC"), "hvt1": (.hevc, "hvcC"),
    "avc1": (.h264, "avcC"), "av01": (.av1, "av1C"),
  ]
  private static let spaces: Set<FourCC> = ["free", "skip", "wide", "junk"]
  private static let xmpType = Array("application/rdf+xml".utf8)

  private let source: any ByteSource
  private let policy: MetadataPolicy
  private var redaction = Redaction()
  private var coverage = ByteRanges()
  /// The uses of the file's bytes by items.
  private var uses: UseCount
  /// The units of coded pictures that were visited.
  private var unitCount = 0
  /// The content of `mdat` and `idat` boxes, which contain the items' bytes.
  private var data: [Range<UInt64>] = []

  /// - Throws: ``RedactionRefusal`` for a picture with ambiguous items, with items that overlap many times, or with
  ///   fragments; ``ContainerError`` for a file that is not HEIF; what the source throws.
  static func find(_ policy: MetadataPolicy, in source: any ByteSource) throws -> Redaction {
    var found = HEIFRedaction(source: source, policy: policy)
    let file = try HEIFContainer(source)
    guard file.isUnambiguous else {
      throw RedactionRefusal(
        "Several items of the picture share an item ID, so Shoebox cannot tell which of them to change."
      )
    }
    let boxes = try source.allBoxes(in: 0..<source.count, limit: 4096)
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
    uses = UseCount(of: source, depth: 0)
  }

  private mutating func visit(_ box: ISOBox) throws {
    var movie = ISORedaction(source: source, policy: policy, depth: 0)
    switch box.type {
    case "ftyp": try redaction.blankPlaces(in: box.payload, of: source, policy)
    case "mdat": return
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

  /// The boxes inside of another one. The bytes after the last of them are cleared.
  ///
  /// - Parameter skip: bytes of the parent's own fields.
  /// - Throws: ``RedactionRefusal`` for more than `limit` boxes; what the source throws.
  private mutating func children(
    of parent: ISOBox, skip: UInt64 = 0, limit: Int = 1024
  ) throws -> [ISOBox] {
    let found = try source.allBoxes(inside: parent, skip: skip, limit: limit)
    let start = parent.payload.lowerBound.adding(skip) ?? parent.end
    redaction.fill(min(found.last?.end ?? start, parent.end)..<parent.end)
    return found
  }

  /// Visits the boxes that describe the items.
  private mutating func visit(meta: ISOBox) throws {
    for box in try children(of: meta, skip: 4) {
      switch box.type {
      case "idat": data.append(box.payload)
      case "iprp":
        for part in try children(of: box) {
          if part.type == "ipco" {
            for property in try children(of: part, limit: HEIFContainer.maximumProperties) {
              try visit(property: property)
            }
          } else if part.type == "ipma" {
            try redaction.blankPlaces(in: part.payload, of: source, policy)
          } else {
            try erase(part)
          }
        }
      // The name follows the type and reserved fields (ISO/IEC 14496-12 §8.4.3).
      case "hdlr":
        try blankName(box.payload.dropping(24))
        try redaction.blankPlaces(in: box.payload, of: source, policy)
      case "iinf":
        let isShort = try source.start(of: box, 1) == [0]
        for entry in try children(of: box, skip: isShort ? 6 : 8, limit: 50_000) {
          try visit(entry: entry)
        }
      case "grpl":
        for group in try children(of: box, limit: 50_000) { try visit(group: group) }
      case let type where Self.metaBoxes.contains(type):
        try redaction.blankPlaces(in: box.payload, of: source, policy)
      default: try erase(box)
      }
    }
  }

  /// Visits an item's entry (ISO/IEC 14496-12 §8.11.6): its name, and the MIME type and encoding or the URI that
  /// may follow. Earlier versions have no item type, and their items are not read.
  private mutating func visit(entry: ISOBox) throws {
    guard let version = try source.start(of: entry, 1).first, version == 2 || version == 3 else {
      return redaction.fill(entry.payload.dropping(4))
    }
    let start = version == 3 ? 14 : 12
    let content = try source.start(of: entry, 1 << 12)
    let type = content.fourCC(at: start - 4)
    let count = type == "mime" ? 3 : type == "uri " ? 2 : 1
    let texts = content.bytes(from: start)
      .split(separator: 0, maxSplits: count, omittingEmptySubsequences: false).prefix(count)
    for text in texts {
      // Readers find XMP by its type.
      let isXMP = text.elementsEqual(Self.xmpType)
      guard !text.isEmpty, !isXMP, policy == .appearanceOnly || policy.removes(text: Array(text))
      else { continue }
      let offset = entry.payload.lowerBound + UInt64(start + text.startIndex)
      redaction.fill(offset..<(offset + UInt64(text.count)), with: 0x20)
    }
    let used = texts.reduce(0) { $0 + $1.count + 1 }
    redaction.fill(entry.payload.dropping(start + used))
  }

  /// Clears the bytes after a group's entities (ISO/IEC 14496-12 §8.18.3), except for the kind that has fields there.
  private mutating func visit(group: ISOBox) throws {
    try redaction.blankPlaces(in: group.payload, of: source, policy)
    guard let count = try source.start(of: group, 12).u32(at: 8), group.type != "pymd" else {
      return
    }
    redaction.fill(group.payload.dropping(12 + 4 * Int(count)))
  }

  private mutating func visit(property: ISOBox) throws {
    if property.type == "colr" {
      try redaction.blankPlaces(in: property.payload.dropping(4), of: source, policy)
      return redaction.add(try ICCRedaction.find(policy, inColor: property, of: source), at: 0)
    }
    switch property.type {
    case let type where Self.spaces.contains(type): return redaction.fill(property.payload)
    case "altt", "udes":
      // One that is too long to be searched may contain anything.
      let text = try source.content(of: property)
      if text.map({ policy.removes(text: $0) }) ?? policy.removesLocation {
        return try erase(property)
      }
      guard policy.removesCaptions else { return }
      return property.type == "udes" && policy != .appearanceOnly
        ? try visit(description: property) : try erase(property)
    case "auxC": return try visit(auxiliary: property)
    case "hvcC", "lhvC", "avcC", "av1C": return try eraseUserData(inConfiguration: property)
    case "jpgC": return try visit(header: property)
    case let type where Self.properties.contains(type):
      return try redaction.blankPlaces(in: property.payload, of: source, policy)
    default: break
    }
    if property.type == "uuid", policy != .appearanceOnly,
      let content = try source.content(of: property), !policy.removes(data: content)
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

  /// Removes a text from the type of an auxiliary picture that is not a URN of usual form, and data of unknown kind
  /// after it (ISO/IEC 23008-12 §6.5.8). Readers find alpha, depth and gain maps by the type.
  private mutating func visit(auxiliary property: ISOBox) throws {
    guard let content = try source.content(of: property, limit: 1 << 16) else {
      return try erase(property)
    }
    let type = Array(content.bytes(from: 4).prefix { $0 != 0 })
    let isURN = type.hasText("urn:") && type.allSatisfy { (0x21...0x7E).contains($0) }
    if policy.removes(text: type) || policy == .appearanceOnly && !isURN {
      let start = property.payload.lowerBound + 4
      redaction.fill(start..<(start + UInt64(type.count)), with: 0x20)
    }
    // For these types SEI messages about alpha and depth follow.
    let data = content.bytes(from: 5 + type.count)
    let isKnown = type.hasText("urn:mpeg:hevc:") || type.hasText("urn:mpeg:avc:")
    if policy.removesLocation, !isKnown || WrittenCoordinates.occur(in: data) {
      redaction.fill(property.payload.dropping(5 + type.count))
    }
  }

  /// Clears metadata in the header that JPEG pictures share (ISO/IEC 23008-12 annex H): segments other than JFIF's, the
  /// profile and Adobe's, and comments that the policy removes.
  private mutating func visit(header property: ISOBox) throws {
    guard let content = try source.content(of: property, limit: 1 << 20) else { return }
    try redaction.blankPlaces(in: property.payload, of: source, policy)
    var position = content.hasBytes([0xFF, 0xD8]) ? 2 : 0
    while content.u8(at: position) == 0xFF, let marker = content.u8(at: position + 1),
      let length = content.u16(at: position + 2), length >= 2
    {
      let payload = (position + 4)..<min(position + 2 + Int(length), content.count)
      let isUnwanted =
        switch marker {
        case 0xE1, 0xE3...0xED, 0xEF: true
        case 0xFE:
          policy.removes(caption: content.bytes(at: payload.lowerBound, count: payload.count))
        default: false
        }
      if isUnwanted {
        let start = property.payload.lowerBound
        redaction.fill(
          (start + UInt64(payload.lowerBound))..<(start + UInt64(payload.upperBound)),
          with: marker == 0xFE ? 0x20 : 0)
      }
      position += 2 + Int(length)
    }
  }

  /// Overwrites user data in the configuration of coded pictures. As in movies, it stays if the place does.
  private mutating func eraseUserData(inConfiguration property: ISOBox) throws {
    guard policy.removesLocation, let content = try source.content(of: property) else { return }
    try redaction.blankPlaces(in: property.payload, of: source, policy)
    let codec: VideoUserData.Codec =
      switch property.type {
      case "avcC": .h264
      case "av1C": .av1
      default: .hevc
      }
    let form = VideoUserData(codec, configuration: content)
    form.erase(
      inConfiguration: content, at: property.payload.lowerBound,
      isLayered: property.type == "lhvC", &redaction)
  }

  /// Overwrites user data in a coded picture, and comments in one of JPEG 2000.
  private mutating func eraseUserData(in item: HEIFItem, of file: HEIFContainer) throws {
    let extents = item.extents.map { $0.clamped(to: 0..<source.count) }
    let data = JoinedSource(source, extents)
    if item.type == "j2k1" {
      return redaction.add(
        try JPEG2000Codestream.withoutComments(policy, data), toJoined: extents)
    }
    guard policy.removesLocation, let (codec, type) = Self.videos[item.type] else { return }
    let configuration = item.properties.lazy
      .filter { file.properties.indices.contains($0 - 1) }.map { file.properties[$0 - 1] }
      .first { $0.type == type }
    // Without it the picture cannot be decoded.
    guard let configuration else { return }
    let form = VideoUserData(codec, configuration: configuration.content)
    var found = Redaction()
    try form.erase(in: 0..<data.count, of: data, count: &unitCount, &found)
    redaction.add(found, toJoined: extents)
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
    for extent in item.extents {
      coverage.insert(extent)
      try uses.add(extent, policy)
    }
    switch item.type {
    case "Exif", "mime", "uri ", "iptc", "jpeg": break
    case let type where Self.pictures.contains(type):
      return try eraseUserData(in: item, of: file)
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
    var position = 0
    for extent in item.extents {
      guard let original = content.bytes(at: position, count: extent.count),
        let bytes = changed.bytes(at: position, count: extent.count)
      else { return }
      redaction.overwrite(at: extent.lowerBound, original, with: bytes)
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
    guard policy == .appearanceOnly || !isKnown || isCaption || policy.removes(data: content) else {
      return content
    }
    return [UInt8](repeating: 0x20, count: content.count)
  }

  private func removing(fromExif content: [UInt8]) -> [UInt8] {
    ExifBlockRedaction.removing(policy, fromItem: content)
      ?? [UInt8](repeating: 0, count: content.count)
  }

  /// A block without metadata. A HEIF records its orientation in properties, not in EXIF.
  private func withoutAnything(exif content: [UInt8]) -> [UInt8] {
    let empty = [0, 0, 0, 0] + AppearanceExif.emptyBlock
    guard content.count >= empty.count else { return [UInt8](repeating: 0, count: content.count) }
    return empty + [UInt8](repeating: 0, count: content.count - empty.count)
  }
}
