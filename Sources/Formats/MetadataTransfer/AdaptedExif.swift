import ByteReading
import MediaFormats
import MediaModel
import MetadataRemoval

/// Adapts a source's EXIF block to the picture that was made from the source.
///
/// Nothing in the block moves, because MakerNotes contain offsets from its TIFF header.
enum AdaptedExif {
  private enum Tag {
    static let width: UInt16 = 0x0100
    static let height: UInt16 = 0x0101
    static let orientation: UInt16 = 0x0112
    static let exif: UInt16 = 0x8769
    static let colorSpace: UInt16 = 0xA001
    static let pixelWidth: UInt16 = 0xA002
    static let pixelHeight: UInt16 = 0xA003
    static let thumbnail: [(offset: UInt16, length: UInt16)] = [
      (0x0201, 0x0202), (0x0111, 0x0117),
    ]
  }

  /// The block with orientation 1, the new size, and without the thumbnail, which shows the source.
  ///
  /// - Parameter isSRGB: whether the pixels were converted to sRGB. Otherwise they have the source's colours,
  ///   and the block's colour space stays.
  /// - Returns: nil for a block that cannot be read: its orientation could turn the new picture.
  static func block(_ block: [UInt8], size: PixelSize, isSRGB: Bool) -> [UInt8]? {
    guard let tiff = try? TIFFFile(ArraySource(block)), !tiff.isBig,
      let main = try? tiff.directory(at: tiff.firstDirectoryOffset)
    else { return nil }
    var redaction = Redaction()
    set(Tag.orientation, 1, in: main, tiff, &redaction)
    set(Tag.width, size.width, in: main, tiff, &redaction)
    set(Tag.height, size.height, in: main, tiff, &redaction)
    if let exif = try? tiff.directory(Tag.exif, of: main) {
      set(Tag.pixelWidth, size.width, in: exif, tiff, &redaction)
      set(Tag.pixelHeight, size.height, in: exif, tiff, &redaction)
      if isSRGB { set(Tag.colorSpace, 1, in: exif, tiff, &redaction) }
    }
    let kept = dropThumbnail(after: main, tiff, &redaction)
    return Array(redaction.applied(to: block).prefix(kept))
  }

  /// Overwrites the number in an entry, in the width that the entry's type has.
  private static func set(
    _ tag: UInt16, _ value: Int, in directory: TIFFDirectory, _ tiff: TIFFFile,
    _ redaction: inout Redaction
  ) {
    guard let entry = directory[tag], entry.count == 1, [3, 4].contains(entry.type),
      let width = TIFFEntry.unitWidth(of: entry.type), value >= 0, value >> (width * 8) == 0
    else { return }
    redaction.overwrite(
      at: entry.content.lowerBound, with: encoded(value, width: width, tiff.order))
  }

  /// Unlinks the directories that follow the main one, and writes zeros over them and the thumbnail.
  ///
  /// - Returns: the length of the block without the zeros that are now at its end.
  private static func dropThumbnail(
    after main: TIFFDirectory, _ tiff: TIFFFile, _ redaction: inout Redaction
  ) -> Int {
    let whole = Int(tiff.source.count)
    guard let count = try? tiff.source.bytes(at: main.offset, count: 2).u16(at: 0, tiff.order),
      main.nextOffset != 0
    else { return whole }
    redaction.overwrite(at: main.offset + 2 + UInt64(count) * 12, with: [0, 0, 0, 0])
    var erased: [Range<UInt64>] = []
    for directory in (try? tiff.chain(from: main.nextOffset, limit: 4)) ?? []
    where directory.offset != main.offset {
      erased += ranges(of: directory, tiff)
    }
    for range in erased { redaction.fill(range) }
    var end = UInt64(whole)
    // Up to three bytes of padding may follow each part.
    while let last = erased.filter({
      $0.upperBound <= end && $0.upperBound + 4 > end && !$0.isEmpty
    })
    .min(by: { $0.lowerBound < $1.lowerBound }) {
      end = last.lowerBound
    }
    return Int(end)
  }

  /// The ranges of a directory, its values and its picture.
  private static func ranges(of directory: TIFFDirectory, _ tiff: TIFFFile) -> [Range<UInt64>] {
    guard let count = try? tiff.source.bytes(at: directory.offset, count: 2).u16(at: 0, tiff.order)
    else { return [] }
    var ranges = directory.entries.filter { $0.content.count > 4 }.map(\.content)
    ranges.append(directory.offset..<(directory.offset + 6 + UInt64(count) * 12))
    for tags in Tag.thumbnail {
      guard let offset = try? tiff.unsigned(tags.offset, in: directory),
        let length = try? tiff.unsigned(tags.length, in: directory),
        let end = offset.adding(length)
      else { continue }
      ranges.append(offset..<end)
    }
    return ranges.map { $0.clamped(to: 0..<tiff.source.count) }
  }
}
