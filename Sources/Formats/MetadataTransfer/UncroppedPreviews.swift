import ByteReading
import MediaFormats
import MetadataRemoval

/// Removes pictures of the whole source from the metadata of a cropped picture.
///
/// Cameras store previews in further directories and in maker notes. Nothing in a block moves.
enum UncroppedPreviews {
  /// Tags with the offsets and lengths of a directory's picture: a JPEG, strips, tiles.
  private static let pieces: [(offsets: UInt16, lengths: UInt16)] = [
    (TIFFTag.jpegInterchangeFormat, TIFFTag.jpegInterchangeFormatLength),
    (TIFFTag.stripOffsets, TIFFTag.stripByteCounts), (TIFFTag.tileOffsets, TIFFTag.tileByteCounts),
  ]
  private static let maximumPictures = 64
  private static let maximumDirectories = 64

  /// An EXIF block with zeros over the pictures inside it.
  static func erased(inExif block: [UInt8]) -> [UInt8] {
    guard let tiff = try? TIFFFile(ArraySource(block)) else { return block }
    let directories = directories(of: tiff)
    var used = ByteRanges()
    used.insert(0..<8)
    for directory in directories {
      for range in structure(of: directory, tiff) { used.insert(range) }
    }
    var found = directories.flatMap { pictures(of: $0, tiff) }
    for range in ranges(ofPicturesIn: block) {
      found.append(UInt64(range.lowerBound)..<UInt64(range.upperBound))
    }
    var redaction = Redaction()
    for picture in found {
      for range in used.gaps(in: picture.clamped(to: 0..<tiff.source.count)) {
        redaction.fill(range)
      }
    }
    return redaction.applied(to: block)
  }

  /// Whether bytes contain a JPEG.
  static func occur(in bytes: [UInt8]) -> Bool { !ranges(ofPicturesIn: bytes).isEmpty }

  /// The directories that a block's entries and links lead to.
  private static func directories(of tiff: TIFFFile) -> [TIFFDirectory] {
    var found: [TIFFDirectory] = []
    var offsets = [tiff.firstDirectoryOffset]
    while let offset = offsets.popLast(), found.count < maximumDirectories {
      guard !found.contains(where: { $0.offset == offset }),
        let directory = try? tiff.directory(at: offset)
      else { continue }
      found.append(directory)
      if directory.nextOffset != 0 { offsets.append(directory.nextOffset) }
      for entry in directory.entries {
        let isLink =
          [
            TIFFTag.exifIFD, TIFFTag.gpsIFD, TIFFTag.interoperabilityIFD, TIFFTag.subIFDs,
            TIFFTag.globalParametersIFD,
          ].contains(entry.tag) || entry.type == 13
        if isLink { offsets += (try? tiff.unsignedList(entry, limit: 16)) ?? [] }
      }
    }
    return found
  }

  /// The ranges of a directory's table and its values, except for values that may contain pictures: maker notes, and data
  /// without a type of its own.
  private static func structure(of directory: TIFFDirectory, _ tiff: TIFFFile) -> [Range<UInt64>] {
    guard let count = try? tiff.source.bytes(at: directory.offset, count: 2).u16(at: 0, tiff.order)
    else { return [] }
    return directory.entries.filter { ![1, 7].contains($0.type) && $0.content.count > 4 }
      .map(\.content) + [directory.offset..<(directory.offset + 6 + UInt64(count) * 12)]
  }

  private static func pictures(of directory: TIFFDirectory, _ tiff: TIFFFile) -> [Range<UInt64>] {
    pieces.flatMap { tags -> [Range<UInt64>] in
      guard let offsets = directory[tags.offsets], let lengths = directory[tags.lengths],
        let starts = try? tiff.unsignedList(offsets, limit: 4096),
        let sizes = try? tiff.unsignedList(lengths, limit: 4096)
      else { return [] }
      return zip(starts, sizes).compactMap { start, size in
        start.adding(size).map { start..<$0 }
      }
    }
  }

  /// The ranges of JPEGs in some bytes, also of those that have no end, and of those whose first byte another one has
  /// replaced, as Minolta's cameras do (exiftool's Minolta.pm).
  private static func ranges(ofPicturesIn bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var position = 1
    while found.count < maximumPictures,
      let next = bytes.firstIndex(of: [0xD8, 0xFF], from: position)
    {
      position = next + 1
      let start = next - 1
      let source = ArraySource([0xFF] + bytes.bytes(from: next))
      guard let scan = try? JPEGMetadata(source).scanOffset else { continue }
      let end = (try? endOfJPEGScans(from: scan, in: source)).flatMap { $0 }.map { Int($0) }
      found.append(start..<min(bytes.count, start + (end ?? bytes.count)))
      position = max(position, found[found.count - 1].upperBound)
    }
    return found
  }
}
