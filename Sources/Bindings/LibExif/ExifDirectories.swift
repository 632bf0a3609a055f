import ByteReading

/// The entries of a block by our own reading of its directories (TIFF 6.0 §2, Exif 2.32 §4.6.2), for blocks that libexif
/// reads in part or not at all: cut-off ones, ones longer than 64 KiB, pointers and numbers of unusual types, and
/// headers with another number than 42.
///
/// The tolerance is that of exiftool's `ProcessExif`, but a directory that is cut off keeps its complete entries.
struct ExifDirectories {
  /// The pointers of directories to the EXIF and the GPS directory.
  private static let pointers: [(tag: UInt16, from: ExifBlock.Directory, to: ExifBlock.Directory)] =
    [(0x8769, .image, .exif), (0x8825, .image, .gps), (0x8825, .exif, .gps)]
  /// Entries of one directory. exiftool's limit; a higher count is damage.
  private static let maximumEntries = 1024
  /// The bytes of all values, because entries can refer to the same bytes.
  private static let maximumValues = 4 << 20

  let byteOrder: ByteOrder
  private let block: [UInt8]
  private var starts: [ExifBlock.Directory: (offset: Int, count: Int)] = [:]

  /// Finds the directories without reading values. Nil if the block has no byte order mark or no first directory.
  init?(_ block: [UInt8]) {
    if block.hasText("II") {
      byteOrder = .little
    } else if block.hasText("MM") {
      byteOrder = .big
    } else {
      return nil
    }
    self.block = block
    guard let first = block.u32(at: 4, byteOrder) else { return nil }
    add(.image, at: Int(first))
    guard starts[.image] != nil else { return nil }
    for pointer in Self.pointers where starts[pointer.to] == nil {
      guard let entry = positions(of: pointer.from).first(where: { tag(at: $0) == pointer.tag }),
        let offset = target(ofEntryAt: entry)
      else { continue }
      add(pointer.to, at: offset)
    }
  }

  private mutating func add(_ directory: ExifBlock.Directory, at offset: Int) {
    guard offset >= 8, let count = block.u16(at: offset, byteOrder), count > 0,
      count <= Self.maximumEntries, !starts.values.contains(where: { $0.offset == offset })
    else { return }
    let complete = min(Int(count), (block.count - offset - 2) / 12)
    if complete > 0 { starts[directory] = (offset, complete) }
  }

  private func positions(of directory: ExifBlock.Directory) -> [Int] {
    guard let start = starts[directory] else { return [] }
    return (0..<start.count).map { start.offset + 2 + $0 * 12 }
  }

  private func tag(at position: Int) -> UInt16? { block.u16(at: position, byteOrder) }

  /// The offset that a pointer contains: a number of 16 bits, or of any type of 32 bits.
  private func target(ofEntryAt position: Int) -> Int? {
    guard let type = block.u16(at: position + 2, byteOrder) else { return nil }
    if type == 3 { return block.u16(at: position + 8, byteOrder).map { Int($0) } }
    return block.u32(at: position + 8, byteOrder).map { Int($0) }
  }

  /// Tags that libexif does not return as entries: pointers, and the place of the thumbnail.
  private static let withoutEntry: Set<UInt16> = [0x8769, 0x8825, 0xA005, 0x0201, 0x0202]

  /// The number of entries that libexif returns for undamaged directories.
  var expectedCount: Int {
    ExifBlock.Directory.allCases.flatMap(positions).count { position in
      !Self.withoutEntry.contains(tag(at: position) ?? 0)
    }
  }

  /// The entries whose types are known and whose values are in the block; the first one of a repeated tag.
  func entries() -> [UInt32: ExifEntryValue] {
    var entries: [UInt32: ExifEntryValue] = [:]
    var left = Self.maximumValues
    for directory in ExifBlock.Directory.allCases {
      for position in positions(of: directory) {
        guard let tag = tag(at: position), let value = value(ofEntryAt: position),
          value.bytes.count <= left
        else { continue }
        left -= value.bytes.count
        let key = ExifEntryValue.key(directory, tag)
        if entries[key] == nil { entries[key] = value }
      }
    }
    return entries
  }

  private func value(ofEntryAt position: Int) -> ExifEntryValue? {
    guard let type = block.u16(at: position + 2, byteOrder),
      let format = ExifEntryValue.Format(type: type),
      let count = block.u32(at: position + 4, byteOrder), count > 0, count <= Self.maximumValues,
      let offset = block.u32(at: position + 8, byteOrder),
      case let size = Int(count) * format.size,
      let bytes = block.bytes(at: size <= 4 ? position + 8 : Int(offset), count: size)
    else { return nil }
    return ExifEntryValue(format: format, bytes: bytes)
  }
}

extension ExifEntryValue.Format {
  /// The format of a TIFF field type, where 13 is an offset of a directory and 129 is text in UTF-8 (Exif 3.0 §4.6.2);
  /// nil for other types.
  fileprivate init?(type: UInt16) {
    switch type {
    case 13: self = .long
    case 129: self = .ascii
    default: self.init(rawValue: UInt32(type))
    }
  }
}
