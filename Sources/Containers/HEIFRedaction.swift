import MediaModel

/// Finds what tells a place, or all metadata, in a HEIF or AVIF picture: its items are written over
/// where they stand.
struct HEIFRedaction {
  private static let spaces: Set<FourCC> = ["free", "skip", "wide", "junk"]
  private static let pictureBoxes: Set<FourCC> = ["ftyp", "styp", "meta", "mdat", "moof", "sidx"]

  private let source: any ByteSource
  private let aim: ISORedaction.Aim
  private var redaction = Redaction()

  /// - Throws: ``RedactionRefusal``; ``ContainerError`` for what is no HEIF; what the source throws.
  static func find(_ aim: ISORedaction.Aim, in source: any ByteSource) throws -> Redaction {
    var found = HEIFRedaction(source: source, aim: aim)
    let file = try HEIFFile(source)
    guard file.isUnambiguous else {
      throw RedactionRefusal(
        "The picture gives one number to several of its parts, so that nobody knows what they are.")
    }
    let boxes = try source.boxes(in: 0..<source.count, limit: 4096)
    for box in boxes { try found.visit(box) }
    for item in file.items { try found.visit(item, of: file) }
    if let end = boxes.last?.end, end < source.count {
      found.redaction.addNote("Data of unknown kind behind the picture was left out.")
      found.redaction.replace(end..<source.count)
    }
    return found.redaction
  }

  private init(source: any ByteSource, aim: ISORedaction.Aim) {
    self.source = source
    self.aim = aim
  }

  private mutating func visit(_ box: ISOBox) throws {
    var movie = ISORedaction(source: source, aim: aim, depth: 0)
    switch box.type {
    case let type where Self.pictureBoxes.contains(type): return
    case let type where Self.spaces.contains(type): redaction.fill(box.payload)
    case "moov":
      // The sequence beside a picture, or in its place.
      try movie.visit(movie: box)
      redaction.add(movie.redaction, at: 0)
    case "mpvd" where aim == .location:
      redaction.add(
        try ISORedaction.location(in: source.part(box.payload), depth: 1),
        at: box.payload.lowerBound)
    case "sefd" where aim == .location:
      guard let trailer = try SamsungTrailer(source.part(box.payload)) else { fallthrough }
      redaction.add(
        try SamsungRedaction.location(of: trailer, in: source.part(box.payload), depth: 1),
        at: box.payload.lowerBound)
    default:
      try movie.erase(box)
      redaction.add(movie.redaction, at: 0)
    }
  }

  private mutating func visit(_ item: HEIFItem, of file: HEIFFile) throws {
    switch item.type {
    case "Exif", "mime", "uri ": break
    case "jpeg" where aim == .location: return try visitPicture(item)
    default: return
    }
    guard let content = try file.content(of: item, from: source, limit: 64 << 20) else {
      for extent in item.extents { redaction.fill(extent.clamped(to: 0..<source.count)) }
      return
    }
    let changed = changed(content, of: item)
    guard changed != content else { return }
    var position = 0
    for extent in item.extents {
      guard let bytes = changed.bytes(at: position, count: extent.count) else { return }
      redaction.overwrite(at: extent.lowerBound, with: bytes)
      position += extent.count
    }
  }

  private func changed(_ content: [UInt8], of item: HEIFItem) -> [UInt8] {
    if item.type == "Exif" {
      return aim == .location ? withoutLocation(exif: content) : withoutAnything(exif: content)
    }
    if item.contentType?.hasPrefix("application/rdf+xml") == true {
      return aim == .location
        ? XMPSurgery.withoutLocation(content) : XMPSurgery.appearanceOnly(content)
    }
    guard aim == .everything || LocationNames.isTold(in: content) else { return content }
    return [UInt8](repeating: 0x20, count: content.count)
  }

  private func withoutLocation(exif content: [UInt8]) -> [UInt8] {
    guard let block = tiffBlock(inExifItem: content) else {
      return [UInt8](repeating: 0, count: content.count)
    }
    return content.dropLast(block.count) + ExifBlockSurgery.withoutLocation(block, depth: 1)
  }

  /// A block that says nothing: how a HEIF is turned is no matter of its EXIF.
  private func withoutAnything(exif content: [UInt8]) -> [UInt8] {
    let empty = [0, 0, 0, 0] + ExifBlockSurgery.orientationBlock(.up)
    guard content.count >= empty.count else { return [UInt8](repeating: 0, count: content.count) }
    return empty + [UInt8](repeating: 0, count: content.count - empty.count)
  }

  private mutating func visitPicture(_ item: HEIFItem) throws {
    for extent in item.extents
    where try source.bytes(at: extent.lowerBound, count: 3) == [0xFF, 0xD8, 0xFF] {
      redaction.add(
        try JPEGRedaction.location(in: source.part(extent), depth: 1, keepsLength: true),
        at: extent.lowerBound)
    }
  }
}
