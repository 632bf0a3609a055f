import ByteReading

/// Builds one small TIFF block from EXIF directories that are far apart in a file.
///
/// libexif accepts at most 64 KiB. A RAW file can have its EXIF megabytes after its start, and Canon's RAW 3 stores
/// it in three blocks.
///
/// Values are copied unchanged. A MakerNote keeps its offset if that is within the block, because many manufacturers
/// count offsets from the TIFF header. Otherwise it is moved. Of the moved ones, only those that count from their
/// own start can be read, as Apple's. If Apple's MakerNote does not fit, a short one keeps the identifier that a Live
/// Photo's still and clip share.
package struct CompactExif {
  /// The length that libexif accepts, less the `Exif\0\0` before the block.
  private static let maximumSize = 0xFFFE - 6
  private static let maximumValue = 32 << 10

  /// Tags of IFD0 that describe the picture, not the storage of its pixels.
  private static let descriptiveTags: Set<UInt16> = [
    0x010D, 0x010E, 0x010F, 0x0110, 0x0112, 0x011A, 0x011B, 0x0128, 0x0131, 0x0132, 0x013B, 0x013C,
    0x0213, 0x4746, 0x4749, 0x8298, 0x829A, 0x829D, 0x8822, 0x8827, 0x9003, 0x9004, 0x9010, 0x9011,
    0x9012, 0x9201, 0x9202, 0x9204, 0x9207, 0x9208, 0x9209, 0x920A, 0x9290, 0x9291, 0x9292, 0x9A00,
    0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F, 0xC614, 0xC615, 0xC62F, 0xC630,
  ]

  private struct Entry {
    var tag: UInt16
    var type: UInt16
    var count: UInt32
    var value: [UInt8]
    /// The value's offset in its source.
    var place: UInt64
  }

  private let order: ByteOrder
  private var main: [Entry] = []
  private var exif: [Entry] = []
  private var gps: [Entry] = []
  private var interop: [Entry] = []

  private init(order: ByteOrder) {
    self.order = order
  }

  /// The EXIF of a TIFF-based file; nil if it has none.
  package static func block(of tiff: TIFFFile) throws -> [UInt8]? {
    guard let first = try tiff.directory(at: tiff.firstDirectoryOffset) else { return nil }
    var block = CompactExif(order: tiff.order)
    block.main = try entries(of: first, in: tiff) { descriptiveTags.contains($0) }
    if let directory = try tiff.directory(TIFFTag.exifIFD, of: first) {
      block.exif = try entries(of: directory, in: tiff) { $0 != TIFFTag.interoperabilityIFD }
      if let interop = try tiff.directory(TIFFTag.interoperabilityIFD, of: directory) {
        block.interop = try entries(of: interop, in: tiff) { _ in true }
      }
    }
    if let directory = try tiff.directory(TIFFTag.gpsIFD, of: first) {
      block.gps = try entries(of: directory, in: tiff) { _ in true }
    }
    return block.serializedWithIdentifier()
  }

  /// The EXIF of a Canon RAW 3 file; nil if it has none.
  package static func block(of canon: CanonRaw3) throws -> [UInt8]? {
    let sources = [canon.main, canon.exif, canon.gps].map { bytes in
      bytes.flatMap { try? TIFFFile(ArraySource($0)) }
    }
    guard let order = sources.compactMap({ $0?.order }).first else { return nil }
    var block = CompactExif(order: order)
    // All blocks of a file have the same byte order. A block with another one is omitted.
    func read(_ index: Int, _ isWanted: (UInt16) -> Bool) throws -> [Entry] {
      guard let tiff = sources[index], tiff.order == order,
        let directory = try tiff.directory(at: tiff.firstDirectoryOffset)
      else { return [] }
      return try entries(of: directory, in: tiff, isWanted)
    }
    block.main = try read(0) { descriptiveTags.contains($0) }
    block.exif = try read(1) { $0 != TIFFTag.interoperabilityIFD }
    block.gps = try read(2) { _ in true }
    if let note = block.makerNote(of: canon) {
      block.exif.removeAll { $0.tag == TIFFTag.makerNote }
      block.exif.append(note)
    }
    return block.serialized()
  }

  /// Canon's MakerNote: a directory with offsets from the TIFF header of its own block. The new block's header
  /// replaces that one, so the directory keeps its offset of 8.
  private func makerNote(of canon: CanonRaw3) -> Entry? {
    guard let bytes = canon.makerNote, let tiff = try? TIFFFile(ArraySource(bytes)),
      tiff.order == order, tiff.firstDirectoryOffset == 8, bytes.count > 8
    else { return nil }
    return Entry(
      tag: TIFFTag.makerNote, type: 7, count: UInt32(clamping: bytes.count - 8),
      value: bytes.bytes(from: 8), place: 8)
  }

  private static func entries(
    of directory: TIFFDirectory, in tiff: TIFFFile, _ isWanted: (UInt16) -> Bool
  ) throws -> [Entry] {
    var found: [Entry] = []
    var total = 0
    // EXIF does not have BigTIFF's types. 129 is text in UTF-8 (EXIF 3.0).
    for entry in directory.entries
    where isWanted(entry.tag) && (entry.type <= 12 || entry.type == 129) {
      // A MakerNote that is too long may still contain the identifier of a Live Photo.
      let limit = entry.tag == TIFFTag.makerNote ? 2 * maximumSize : maximumValue
      // Entries can refer to the same bytes, so their sum is bounded too.
      guard entry.content.count <= 2 * maximumSize - total,
        let value = try tiff.bytes(of: entry, limit: limit)
      else { continue }
      total += value.count
      found.append(
        Entry(
          tag: entry.tag, type: entry.type, count: UInt32(entry.count), value: value,
          place: entry.content.lowerBound))
    }
    return found
  }

  /// The block, with a short MakerNote if Apple's does not fit.
  private func serializedWithIdentifier() -> [UInt8]? {
    let whole = serialized()
    guard let index = exif.firstIndex(where: { $0.tag == TIFFTag.makerNote }),
      let identifier = AppleMakerNote(exif[index].value)?.contentIdentifier,
      whole.flatMap(Self.contentIdentifier) != identifier
    else { return whole }
    let note = AppleMakerNote.note(contentIdentifier: identifier)
    var shorter = self
    // Right after the header there is always room.
    shorter.exif[index] = Entry(
      tag: TIFFTag.makerNote, type: 7, count: UInt32(note.count), value: note, place: 8)
    return shorter.serialized()
  }

  /// The identifier in the MakerNote of a block.
  private static func contentIdentifier(of block: [UInt8]) -> String? {
    guard let tiff = try? TIFFFile(ArraySource(block)),
      let main = try? tiff.directory(at: tiff.firstDirectoryOffset),
      let exif = try? tiff.directory(TIFFTag.exifIFD, of: main),
      let note = exif[TIFFTag.makerNote].flatMap({ try? tiff.bytes(of: $0) })
    else { return nil }
    return AppleMakerNote(note)?.contentIdentifier
  }

  /// The block: header, directories, values. Nil if all directories are empty or the block is too long.
  private func serialized() -> [UInt8]? {
    guard !(main.isEmpty && exif.isEmpty && gps.isEmpty) else { return nil }
    var writer = CompactExifWriter(order: order, limit: Self.maximumSize)
    if let note = exif.first(where: { $0.tag == TIFFTag.makerNote }), note.value.count > 4,
      let place = Int(exactly: note.place)
    {
      writer.hold(note.value, of: note.tag, at: place)
    }
    var directories = [(directory: main, links: [UInt16]())]
    if !exif.isEmpty {
      directories[0].links.append(TIFFTag.exifIFD)
      directories.append((exif, interop.isEmpty ? [] : [TIFFTag.interoperabilityIFD]))
      if !interop.isEmpty { directories.append((interop, [])) }
    }
    if !gps.isEmpty {
      directories[0].links.append(TIFFTag.gpsIFD)
      directories.append((gps, []))
    }
    for (entries, links) in directories {
      let pointers = links.map { (tag: $0, type: UInt16(4), count: UInt32(1), value: zero) }
      writer.reserve(entries.map { ($0.tag, $0.type, $0.count, $0.value) } + pointers)
    }
    if !exif.isEmpty { writer.link(TIFFTag.exifIFD, of: 0, to: 1) }
    if !exif.isEmpty, !interop.isEmpty { writer.link(TIFFTag.interoperabilityIFD, of: 1, to: 2) }
    if !gps.isEmpty { writer.link(TIFFTag.gpsIFD, of: 0, to: directories.count - 1) }
    writer.placeValues(last: TIFFTag.makerNote)
    return writer.bytes.count <= Self.maximumSize ? writer.bytes : nil
  }

  private var zero: [UInt8] { [0, 0, 0, 0] }
}
