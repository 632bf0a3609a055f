/// Finds what tells a place, or all metadata, in the boxes of a JPEG XL (ISO/IEC 18181-2) or a JPEG 2000
/// (ISO/IEC 15444-1 annex I).
struct BoxRedaction {
  private static let jpegXL: Set<FourCC> = [
    "JXL ", "ftyp", "jxll", "jxli", "jxlc", "jxlp", "jbrd", "jhgm",
  ]
  private static let jpeg2000: Set<FourCC> = ["jP  ", "ftyp", "jp2h", "jp2c", "rreq"]

  private let source: any ByteSource
  private let aim: ISORedaction.Aim
  private var redaction = Redaction()

  static func jpegXL(_ aim: ISORedaction.Aim, in source: any ByteSource) throws -> Redaction {
    try run(aim, in: source, keeping: jpegXL)
  }

  static func jpeg2000(_ aim: ISORedaction.Aim, in source: any ByteSource) throws -> Redaction {
    try run(aim, in: source, keeping: jpeg2000)
  }

  private static func run(
    _ aim: ISORedaction.Aim, in source: any ByteSource, keeping kept: Set<FourCC>
  ) throws -> Redaction {
    var found = BoxRedaction(source: source, aim: aim)
    // A bare codestream has no metadata.
    guard try source.bytes(at: 4, count: 8).bytes(from: 4) == [0x0D, 0x0A, 0x87, 0x0A]
    else { return Redaction() }
    let boxes = try source.boxes(in: 0..<source.count, limit: 10_000)
    let isRebuildable = boxes.contains { $0.type == "jbrd" }
    var loses = aim == .everything
    for box in boxes where !kept.contains(box.type) {
      if try !found.visit(box) { loses = true }
    }
    // The JPEG that such a file was made from cannot be had back without all of its metadata.
    if isRebuildable, loses {
      for box in boxes where box.type == "jbrd" { try found.erase(box) }
    }
    return found.redaction
  }

  private init(source: any ByteSource, aim: ISORedaction.Aim) {
    self.source = source
    self.aim = aim
  }

  private mutating func erase(_ box: ISOBox) throws {
    var boxes = ISORedaction(source: source, aim: aim, depth: 0)
    try boxes.erase(box)
    redaction.add(boxes.redaction, at: 0)
  }

  /// Returns whether the box still is what it was.
  private mutating func visit(_ box: ISOBox) throws -> Bool {
    guard aim == .location, let content = try source.content(of: box, limit: 64 << 20) else {
      try erase(box)
      return false
    }
    let changed: [UInt8]
    switch (box.type, box.extendedType) {
    case ("Exif", _):
      guard let block = tiffBlock(inExifItem: content) else { fallthrough }
      changed = content.dropLast(block.count) + ExifBlockSurgery.withoutLocation(block, depth: 1)
    case ("xml ", _) where XMPPacket(content) == nil:
      guard LocationNames.isTold(in: content) else { return true }
      changed = [UInt8](repeating: 0x20, count: content.count)
    case ("xml ", _), ("uuid", ISOMovie.xmpIdentifier):
      changed = XMPSurgery.withoutLocation(content)
    case ("uuid", JPEG2000File.exifIdentifier):
      let skip = content.hasText("Exif\0\0") ? 6 : 0
      changed =
        content.prefix(skip)
        + ExifBlockSurgery.withoutLocation(content.bytes(from: skip), depth: 1)
    case ("uuid", JPEG2000File.iptcIdentifier): changed = IPTCRedaction.withoutLocation(content)
    case ("brob", _):
      redaction.addNote("Metadata that is Brotli-compressed was left out.")
      fallthrough
    default:
      try erase(box)
      return false
    }
    if changed != content { redaction.overwrite(at: box.payload.lowerBound, with: changed) }
    return true
  }
}
