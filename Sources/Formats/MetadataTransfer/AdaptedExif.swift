import ByteReading
import MediaFormats
import MediaModel
import MetadataRemoval

/// Adapts a source's EXIF block to the picture that was made from the source.
///
/// Nothing in the block moves, because MakerNotes contain offsets from its TIFF header.
enum AdaptedExif {
  /// Tags with the offset and the length of a thumbnail.
  private static let thumbnailTags: [(offset: UInt16, length: UInt16)] = [
    (TIFFTag.jpegInterchangeFormat, TIFFTag.jpegInterchangeFormatLength),
    (TIFFTag.stripOffsets, TIFFTag.stripByteCounts),
  ]

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
    set(TIFFTag.orientation, 1, in: main, tiff, &redaction)
    set(TIFFTag.imageWidth, size.width, in: main, tiff, &redaction)
    set(TIFFTag.imageLength, size.height, in: main, tiff, &redaction)
    if let exif = try? tiff.directory(TIFFTag.exifIFD, of: main) {
      set(TIFFTag.pixelXDimension, size.width, in: exif, tiff, &redaction)
      set(TIFFTag.pixelYDimension, size.height, in: exif, tiff, &redaction)
      if isSRGB {
        set(TIFFTag.colorSpace, 1, in: exif, tiff, &redaction)
        if let index = InteroperabilityIndex.entry(in: exif, tiff) {
          redaction.overwrite(at: index.lowerBound, with: InteroperabilityIndex.sRGB)
        }
      }
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
    for tags in thumbnailTags {
      guard let offset = try? tiff.unsigned(tags.offset, in: directory),
        let length = try? tiff.unsigned(tags.length, in: directory),
        let end = offset.adding(length)
      else { continue }
      ranges.append(offset..<end)
    }
    return ranges.map { $0.clamped(to: 0..<tiff.source.count) }
  }
}
