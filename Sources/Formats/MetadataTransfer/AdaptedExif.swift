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

  /// Tags for the place of the main subject.
  private static let subjectTags = [TIFFTag.subjectArea, TIFFTag.subjectLocation]

  /// The block with orientation 1, the new size and the subject where it is now, and without the thumbnail, which shows the
  /// source. The block of a cropped picture also loses the previews in maker notes and further directories.
  ///
  /// - Parameter isSRGB: whether the pixels were converted to sRGB. Otherwise they have the source's colours,
  ///   and the block's colour space stays.
  /// - Returns: nil for a block that cannot be read: its orientation could turn the new picture.
  static func block(_ block: [UInt8], _ change: PictureChange, isSRGB: Bool) -> [UInt8]? {
    let block = subjectMoved(in: block, by: change)
    guard let tiff = try? TIFFFile(ArraySource(block)), !tiff.isBig,
      let main = try? tiff.directory(at: tiff.firstDirectoryOffset)
    else { return nil }
    var redaction = Redaction()
    let size = change.size
    set(TIFFTag.orientation, 1, in: main, tiff, &redaction)
    set(TIFFTag.imageWidth, size.width, in: main, tiff, &redaction)
    set(TIFFTag.imageLength, size.height, in: main, tiff, &redaction)
    let isTurned = change.orientation.swapsAxes
    if isTurned {
      exchange(TIFFTag.xResolution, TIFFTag.yResolution, in: main, tiff, &redaction)
    }
    if let exif = try? tiff.directory(TIFFTag.exifIFD, of: main) {
      set(TIFFTag.pixelXDimension, size.width, in: exif, tiff, &redaction)
      set(TIFFTag.pixelYDimension, size.height, in: exif, tiff, &redaction)
      if isTurned {
        let (x, y) = (TIFFTag.focalPlaneXResolution, TIFFTag.focalPlaneYResolution)
        exchange(x, y, in: exif, tiff, &redaction)
      }
      if isSRGB {
        set(TIFFTag.colorSpace, 1, in: exif, tiff, &redaction)
        if let index = InteroperabilityIndex.entry(in: exif, tiff) {
          redaction.overwrite(at: index.lowerBound, with: InteroperabilityIndex.sRGB)
        }
      }
    }
    let kept = dropThumbnail(after: main, tiff, &redaction)
    let adapted = Array(redaction.applied(to: block).prefix(kept))
    return change.crop == nil ? adapted : UncroppedPreviews.erased(inExif: adapted)
  }

  /// Whether a block has a first directory without entries, as Photoshop writes it for the web.
  static func isEmpty(_ block: [UInt8]) -> Bool {
    guard let tiff = try? TIFFFile(ArraySource(block)), !tiff.isBig,
      let start = Int(exactly: tiff.firstDirectoryOffset)
    else { return false }
    return block.u16(at: start, tiff.order) == 0
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

  /// Exchanges the numbers of two entries of the same type.
  private static func exchange(
    _ first: UInt16, _ second: UInt16, in directory: TIFFDirectory, _ tiff: TIFFFile,
    _ redaction: inout Redaction
  ) {
    guard let one = directory[first], let other = directory[second], one.type == other.type,
      one.count == 1, other.count == 1,
      let values = try? [one, other].map({
        try tiff.source.bytes(at: $0.content.lowerBound, count: $0.content.count)
      })
    else { return }
    redaction.overwrite(at: one.content.lowerBound, with: values[1])
    redaction.overwrite(at: other.content.lowerBound, with: values[0])
  }

  /// The block with the subject where it is in the result; without it if it is cut off.
  private static func subjectMoved(in block: [UInt8], by change: PictureChange) -> [UInt8] {
    guard let tiff = try? TIFFFile(ArraySource(block)), !tiff.isBig,
      let main = try? tiff.directory(at: tiff.firstDirectoryOffset),
      let exif = try? tiff.directory(TIFFTag.exifIFD, of: main)
    else { return block }
    let recorded = recordedSize(exif, tiff)
    var redaction = Redaction()
    var removed: Set<UInt16> = []
    for tag in subjectTags {
      guard let entry = exif[tag], [3, 4].contains(entry.type), entry.count <= 4,
        let width = TIFFEntry.unitWidth(of: entry.type),
        let numbers = try? tiff.unsignedList(entry, limit: 4),
        let subject = SubjectArea(numbers.compactMap { Int(exactly: $0) })
      else { continue }
      let values = subject.moved(by: change, recordedSize: recorded)?.values
      guard let values, values.allSatisfy({ $0 >> (width * 8) == 0 }) else {
        removed.insert(tag)
        continue
      }
      redaction.overwrite(
        at: entry.content.lowerBound,
        with: values.flatMap { encoded($0, width: width, tiff.order) })
    }
    return removing(removed, from: exif, tiff, in: redaction.applied(to: block))
  }

  /// The size that a block records for the whole picture before it is turned.
  static func recordedSize(of block: [UInt8]) -> PixelSize? {
    guard let tiff = try? TIFFFile(ArraySource(block)),
      let main = try? tiff.directory(at: tiff.firstDirectoryOffset),
      let exif = try? tiff.directory(TIFFTag.exifIFD, of: main)
    else { return nil }
    return recordedSize(exif, tiff)
  }

  private static func recordedSize(_ exif: TIFFDirectory, _ tiff: TIFFFile) -> PixelSize? {
    guard let width = try? tiff.unsigned(TIFFTag.pixelXDimension, in: exif),
      let height = try? tiff.unsigned(TIFFTag.pixelYDimension, in: exif),
      width > 0, height > 0, width <= 1 << 24, height <= 1 << 24
    else { return nil }
    return PixelSize(width: Int(width), height: Int(height))
  }

  /// Removes entries from a directory's table. The values of the others stay where they are.
  private static func removing(
    _ tags: Set<UInt16>, from directory: TIFFDirectory, _ tiff: TIFFFile, in block: [UInt8]
  ) -> [UInt8] {
    let start = Int(directory.offset)
    guard !tags.isEmpty, let count = block.u16(at: start, tiff.order) else { return block }
    let end = start + 2 + Int(count) * 12
    guard end + 4 <= block.count else { return block }
    let rows = stride(from: start + 2, to: end, by: 12).filter { row in
      block.u16(at: row, tiff.order).map { !tags.contains($0) } ?? true
    }
    var table = encoded(rows.count, width: 2, tiff.order)
    for row in rows { table += block[row..<(row + 12)] }
    table += block[end..<(end + 4)]
    table += [UInt8](repeating: 0, count: end + 4 - start - table.count)
    return block[..<start] + table + block[(end + 4)...]
  }

  /// Unlinks the directories that follow the main one, and writes zeros over them and the thumbnail, except over bytes
  /// that the other directories use: a damaged table can name any range.
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
    var used = usedRanges(main, tiff)
    var erased: [Range<UInt64>] = []
    for directory in (try? tiff.chain(from: main.nextOffset, limit: 4)) ?? []
    where directory.offset != main.offset {
      erased += ranges(of: directory, tiff, &used)
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

  /// The header, and the main directory and those that it refers to, with their values.
  private static func usedRanges(_ main: TIFFDirectory, _ tiff: TIFFFile) -> ByteRanges {
    var used = ByteRanges()
    used.insert(0..<8)
    let exif = try? tiff.directory(TIFFTag.exifIFD, of: main)
    let others = [
      exif, try? tiff.directory(TIFFTag.gpsIFD, of: main),
      exif.flatMap { try? tiff.directory(TIFFTag.interoperabilityIFD, of: $0) },
    ]
    let further = (try? tiff.subdirectories(of: main)) ?? []
    for directory in [main] + others.compactMap(\.self) + further {
      for range in structure(of: directory, tiff) { used.insert(range) }
    }
    return used
  }

  /// The ranges of a directory's table and its values.
  private static func structure(of directory: TIFFDirectory, _ tiff: TIFFFile) -> [Range<UInt64>] {
    guard let count = try? tiff.source.bytes(at: directory.offset, count: 2).u16(at: 0, tiff.order)
    else { return [] }
    return directory.entries.filter { $0.content.count > 4 }.map(\.content)
      + [directory.offset..<(directory.offset + 6 + UInt64(count) * 12)]
  }

  /// The ranges of a directory, its values and its picture, without bytes that others use.
  private static func ranges(
    of directory: TIFFDirectory, _ tiff: TIFFFile, _ used: inout ByteRanges
  ) -> [Range<UInt64>] {
    var ranges = structure(of: directory, tiff)
    for tags in thumbnailTags {
      guard let offset = try? tiff.unsigned(tags.offset, in: directory),
        let length = try? tiff.unsigned(tags.length, in: directory),
        let end = offset.adding(length)
      else { continue }
      let picture = (offset..<end).clamped(to: 0..<tiff.source.count)
      // If others use some of its bytes, the range is wrong, and only a JPEG is evidence of a picture there.
      let isJPEG = (try? tiff.source.bytes(at: offset, count: 3)) == [0xFF, 0xD8, 0xFF]
      if isJPEG || used.gaps(in: picture) == [picture] { ranges.append(picture) }
    }
    return ranges.map { $0.clamped(to: 0..<tiff.source.count) }.filter { !$0.isEmpty }
      .flatMap { used.gaps(in: $0) }
  }
}
