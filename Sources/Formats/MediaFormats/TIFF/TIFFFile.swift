package import ByteReading

/// The directories of a TIFF file or block (TIFF 6.0 §2, BigTIFF, Exif 2.32 §4.5), and of RAW formats
/// that are TIFF under another magic number.
///
/// The initialiser reads the header only. Offsets count from the start of the source.
package struct TIFFFile {
  package let source: any ByteSource
  package let order: ByteOrder
  /// 42 TIFF, 43 BigTIFF, 0x55 Panasonic, 0x4F52 and 0x5352 Olympus.
  package let magic: UInt16
  package let firstDirectoryOffset: UInt64

  /// Whether offsets have 64 bits.
  package var isBig: Bool { magic == 43 }

  /// - Throws: ``ContainerError/notThisFormat(_:)`` for another header; the errors of the source.
  package init(_ source: any ByteSource) throws {
    let header = try source.bytes(at: 0, count: 16)
    let order: ByteOrder
    switch (header.u8(at: 0), header.u8(at: 1)) {
    case (0x49, 0x49): order = .little
    case (0x4D, 0x4D): order = .big
    default: throw ContainerError.notThisFormat("TIFF")
    }
    guard let magic = header.u16(at: 2, order), [42, 43, 0x55, 0x4F52, 0x5352].contains(magic),
      let first = magic == 43 ? header.u64(at: 8, order) : header.u32(at: 4, order).map(UInt64.init)
    else { throw ContainerError.notThisFormat("TIFF") }
    self.source = source
    self.order = order
    self.magic = magic
    firstDirectoryOffset = first
  }

  /// Entries of one directory. A higher count is damage.
  private static let maximumEntries = 4096

  /// The directory at an offset; nil if there is none. Entries with values outside the file are omitted.
  package func directory(at offset: UInt64) throws -> TIFFDirectory? {
    let (countWidth, entryWidth, nextWidth) = isBig ? (8, 20, 8) : (2, 12, 4)
    guard offset >= 8, offset < source.count,
      let count = try source.bytes(at: offset, count: countWidth).unsigned(
        at: 0, width: countWidth, order),
      count > 0, count <= Self.maximumEntries
    else { return nil }
    let start = offset + UInt64(countWidth)
    let table = try source.bytes(at: start, count: Int(count) * entryWidth + nextWidth)
    var entries: [TIFFEntry] = []
    for index in 0..<Int(count) {
      guard let entry = entry(in: table, at: index * entryWidth, from: start) else { continue }
      entries.append(entry)
    }
    let next = table.unsigned(at: Int(count) * entryWidth, width: nextWidth, order) ?? 0
    return TIFFDirectory(offset: offset, entries: entries, nextOffset: next)
  }

  private func entry(in table: [UInt8], at position: Int, from start: UInt64) -> TIFFEntry? {
    let fieldWidth = isBig ? 8 : 4
    guard let tag = table.u16(at: position, order), let type = table.u16(at: position + 2, order),
      let count = table.unsigned(at: position + 4, width: fieldWidth, order),
      let unit = TIFFEntry.unitWidth(of: type), let size = count.times(UInt64(unit)),
      let value = table.unsigned(at: position + 4 + fieldWidth, width: fieldWidth, order)
    else { return nil }
    let inline = start + UInt64(position + 4 + fieldWidth)
    let offset = size <= UInt64(fieldWidth) ? inline : value
    guard offset <= source.count, size <= source.count - offset, count <= UInt64(Int32.max)
    else { return nil }
    return TIFFEntry(tag: tag, type: type, count: Int(count), content: offset..<(offset + size))
  }

  /// Entries of all directories of one chain.
  private static let maximumChainEntries = 250_000

  /// The chain of directories from an offset. It ends at a directory that was visited already, and at `limit`.
  package func chain(from offset: UInt64, limit: Int = 32) throws -> [TIFFDirectory] {
    var found: [TIFFDirectory] = []
    var seen: Set<UInt64> = []
    var next = offset
    var entries = 0
    while found.count < limit, entries < Self.maximumChainEntries, seen.insert(next).inserted,
      let directory = try directory(at: next)
    {
      found.append(directory)
      entries += directory.entries.count
      next = directory.nextOffset
    }
    return found
  }

  /// The main directories: IFD0, IFD1 …
  package func directories(limit: Int = 32) throws -> [TIFFDirectory] {
    try chain(from: firstDirectoryOffset, limit: limit)
  }

  /// The directory to which an entry of another one points, such as ``TIFFTag/exifIFD``.
  package func directory(_ tag: UInt16, of parent: TIFFDirectory) throws -> TIFFDirectory? {
    guard let entry = parent[tag], let offset = try unsigned(entry) else { return nil }
    return try directory(at: offset)
  }

  /// The directories to which ``TIFFTag/subIFDs`` points.
  package func subdirectories(of parent: TIFFDirectory) throws -> [TIFFDirectory] {
    guard let entry = parent[TIFFTag.subIFDs] else { return [] }
    return try unsignedList(entry, limit: 16).compactMap { try directory(at: $0) }
  }
}

/// One image file directory.
package struct TIFFDirectory: Sendable, Hashable {
  package var offset: UInt64
  /// The entries in the order of the file.
  package var entries: [TIFFEntry]
  /// The offset of the next directory of the chain; 0 for none.
  package var nextOffset: UInt64

  /// The first entry with a tag.
  package subscript(_ tag: UInt16) -> TIFFEntry? {
    entries.first { $0.tag == tag }
  }
}

/// One entry: its tag, its type, and the range of its value.
package struct TIFFEntry: Sendable, Hashable {
  package var tag: UInt16
  /// TIFF field type, 1–13, 16–18 or 129.
  package var type: UInt16
  /// The number of values.
  package var count: Int
  /// The range of the values in the source.
  package var content: Range<UInt64>

  /// The length in bytes of one value of a type; nil for an undefined type.
  package static func unitWidth(of type: UInt16) -> Int? {
    switch type {
    case 1, 2, 6, 7, 129: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12, 16, 17, 18: 8
    default: nil
    }
  }
}
