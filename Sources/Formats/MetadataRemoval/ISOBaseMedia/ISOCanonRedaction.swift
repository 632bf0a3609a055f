import ByteReading
import MediaEdits
import MediaFormats

// The boxes of Canon's cameras, in RAW files and in movies (exiftool's Canon.pm).
extension ISORedaction {
  /// EAF42B5E-1C98-4B88-B9FB-B7DC406E4D16: Canon's preview.
  static let canonPreview: [UInt8] = [
    0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D, 0x16,
  ]
  /// The version of the camera's program, tables of tracks and of offsets, and empty data.
  private static let canonTables: Set<FourCC> = ["CNCV", "CCTP", "CTBO", "CNDM"]
  /// Numbers, and the name of the file in the camera.
  private static let canonOptions: Set<FourCC> = ["CNFB", "CNMI", "CNCM"]
  /// Eight bytes of unknown meaning precede the box with the preview.
  private static let previewStart: UInt64 = 8
  /// The fields before the JPEG in a box: version, size of the picture and of its data.
  private static let longestFields = 32
  /// A box without a JPEG.
  private static let longestPlaceholder = 1 << 10

  /// Visits Canon's metadata. Each EXIF directory is a TIFF block of its own.
  mutating func visit(canonMetadata uuid: ISOBox) throws {
    for box in try children(of: uuid) {
      switch box.type {
      case "CMT1", "CMT2":
        let inner = depth + 1
        try change(box.payload) { ExifBlockRedaction.removing($0, from: $1, depth: inner) }
      case "CMT3": try change(box.payload) { Self.removing($0, fromCanonNote: $1) }
      case "CMT4": if policy.removesLocation { try erase(box) }
      case "THMB": try visit(canonPicture: box)
      case "CNTH":
        for part in try children(of: box) {
          if part.type == "CNDA" { try visit(canonPicture: part) } else { try erase(part) }
        }
      case "CNOP":
        for part in try children(of: box) {
          if Self.canonOptions.contains(part.type) {
            try blankPlaces(in: part)
          } else {
            try erase(part)
          }
        }
      case let type where Self.canonTables.contains(type): try blankPlaces(in: box)
      default: try erase(box)
      }
    }
  }

  /// Visits the preview of a RAW file.
  mutating func visit(canonPreview uuid: ISOBox) throws {
    let boxes = try children(of: uuid, skip: Self.previewStart)
    guard boxes.contains(where: { $0.type == "PRVW" }) else { return try erase(uuid) }
    for box in boxes {
      if box.type == "PRVW" { try visit(canonPicture: box) } else { try erase(box) }
    }
  }

  /// Visits a JPEG after fields, which has metadata of its own. Other data stays only if it is too short for a picture and
  /// records no place.
  private mutating func visit(canonPicture box: ISOBox) throws {
    let start = try source.start(of: box, Self.longestFields).firstIndex(of: [0xFF, 0xD8, 0xFF])
    if let start {
      let range = box.payload.dropping(start)
      guard
        let found = try? JPEGRedaction.find(
          policy, in: source.part(range), depth: depth + 1, keepsLength: true)
      else { return try erase(box) }
      redaction.add(found, at: range.lowerBound)
    } else {
      let content = try source.content(of: box, limit: Self.longestPlaceholder)
      if content.map({ policy.removes(data: $0) }) ?? true { try erase(box) }
    }
  }

  /// Changes Canon's MakerNote, which is stored as a TIFF block here: a header, then the note's directory.
  private static func removing(
    _ policy: MetadataPolicy, fromCanonNote block: [UInt8]
  ) -> [UInt8] {
    guard let tiff = try? TIFFFile(ArraySource(block)), tiff.firstDirectoryOffset == 8 else {
      return [UInt8](repeating: 0, count: block.count)
    }
    return MakerNoteRedaction.find(
      policy, in: block.bytes(from: 8), at: 8, make: "Canon", order: tiff.order
    ).applied(to: block)
  }
}
