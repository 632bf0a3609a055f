import ByteReading
import MediaEdits
import MediaFormats
import MediaModel

extension JPEGXLFormat: RedactableFormat {
  static func redaction(
    _ policy: MetadataPolicy, _ type: UniformType, _ source: any ByteSource
  ) throws -> Redaction {
    try BoxRedaction.jpegXL(policy, in: source)
  }
}

extension JPEG2000Format: RedactableFormat {
  static func redaction(
    _ policy: MetadataPolicy, _ type: UniformType, _ source: any ByteSource
  ) throws -> Redaction {
    try BoxRedaction.jpeg2000(policy, in: source)
  }
}

/// Finds what a policy removes from the boxes of a JPEG XL (ISO/IEC 18181-2) or a JPEG 2000
/// (ISO/IEC 15444-1 annex I), and in the comments of a JPEG 2000 codestream.
struct BoxRedaction {
  /// `jbrd` is not among them: it contains compressed metadata of the JPEG that the picture was made from.
  private static let jpegXL: Set<FourCC> = [
    "JXL ", "ftyp", "jxll", "jxli", "jxlc", "jxlp", "jhgm",
  ]
  private static let jpeg2000: Set<FourCC> = ["jP  ", "ftyp", "jp2h", "jp2c", "rreq"]
  private static let jpeg2000Header: Set<FourCC> = [
    "ihdr", "bpcc", "colr", "pclr", "cmap", "cdef", "res ",
  ]

  private static let maximumBoxes = 10_000

  private let source: any ByteSource
  private let policy: MetadataPolicy
  private var redaction = Redaction()

  static func jpegXL(_ policy: MetadataPolicy, in source: any ByteSource) throws -> Redaction {
    try run(policy, in: source, keeping: jpegXL)
  }

  /// - Parameter keepsLength: whether the length must stay, as for a picture inside of a file.
  static func jpeg2000(
    _ policy: MetadataPolicy, in source: any ByteSource, keepsLength: Bool = false
  ) throws -> Redaction {
    try run(policy, in: source, keeping: jpeg2000, keepsLength: keepsLength)
  }

  private static func run(
    _ policy: MetadataPolicy, in source: any ByteSource, keeping kept: Set<FourCC>,
    keepsLength: Bool = false
  ) throws -> Redaction {
    var found = BoxRedaction(source: source, policy: policy)
    // A bare codestream has no boxes.
    guard try source.bytes(at: 4, count: 8).bytes(from: 4) == [0x0D, 0x0A, 0x87, 0x0A] else {
      if try source.bytes(at: 0, count: 2) == JPEG2000Codestream.start {
        found.redaction = try JPEG2000Codestream.withoutComments(policy, source.part(from: 0))
      }
      return found.redaction
    }
    let boxes = try source.allBoxes(in: 0..<source.count, limit: Self.maximumBoxes)
    for box in boxes {
      switch box.type {
      case "jp2c":
        // Readers ignore what is not a codestream.
        guard try source.start(of: box, 2) == JPEG2000Codestream.start else {
          try found.erase(box)
          continue
        }
        found.redaction.add(
          try JPEG2000Codestream.withoutComments(policy, source.part(box.payload)),
          at: box.payload.lowerBound)
      case "jp2h":
        try found.visit(header: box)
      case "jxll": found.redaction.fill(box.payload.dropping(1))
      case "jxlc", "jxlp": continue
      case let type where kept.contains(type):
        try found.redaction.blankPlaces(in: box.payload, of: source, policy)
      case "jbrd":
        found.redaction.addNote("The JPEG that the picture was made from cannot be rebuilt.")
        try found.erase(box)
      default: try found.visit(box)
      }
    }
    if let end = boxes.last?.end, end < source.count {
      keepsLength
        ? found.redaction.fill(end..<source.count) : found.redaction.replace(end..<source.count)
    }
    return found.redaction
  }

  private init(source: any ByteSource, policy: MetadataPolicy) {
    self.source = source
    self.policy = policy
  }

  /// Visits the boxes of a JPEG 2000's header, and clears what follows them.
  private mutating func visit(header: ISOBox) throws {
    let parts = try source.allBoxes(inside: header, limit: Self.maximumBoxes)
    for part in parts {
      guard Self.jpeg2000Header.contains(part.type) else {
        try erase(part)
        continue
      }
      try redaction.blankPlaces(in: part.payload, of: source, policy)
      if part.type == "colr" {
        redaction.add(try ICCRedaction.find(policy, inColor: part, of: source), at: 0)
      }
    }
    redaction.fill((parts.last?.end ?? header.payload.lowerBound)..<header.end)
  }

  private mutating func erase(_ box: ISOBox) throws {
    var boxes = ISORedaction(source: source, policy: policy, depth: 0)
    try boxes.erase(box)
    redaction.add(boxes.redaction, at: 0)
  }

  private mutating func visit(_ box: ISOBox) throws {
    guard policy != .appearanceOnly, let content = try source.content(of: box, limit: 64 << 20)
    else {
      return try erase(box)
    }
    let changed: [UInt8]
    switch (box.type, box.extendedType) {
    case ("Exif", _):
      guard let found = ExifBlockRedaction.removing(policy, fromItem: content) else {
        return try erase(box)
      }
      changed = found
    case ("xml ", _) where XMPPacket(content) == nil:
      changed = XMPRedaction.removing(policy, fromOther: content)
    case ("xml ", _), ("uuid", ISOMovie.xmpIdentifier):
      changed = XMPRedaction.removing(policy, from: content)
    case ("uuid", JPEG2000File.exifIdentifier):
      changed = ExifBlockRedaction.removing(policy, fromNamed: content)
    case ("uuid", JPEG2000File.iptcIdentifier):
      changed = IPTCRedaction.removing(policy, from: content)
    case ("brob", _):
      redaction.addNote("Brotli-compressed metadata was left out.")
      fallthrough
    default: return try erase(box)
    }
    redaction.overwrite(at: box.payload.lowerBound, content, with: changed)
  }
}
