import ByteReading
import MediaFormats
package import MediaModel

/// Changes to an EXIF block, which stands from its TIFF header on, that move nothing in it: MakerNotes
/// hold offsets that count from that header, and stay right only where they are.
package enum ExifBlockSurgery {
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

  /// The block without a trace of where the picture was taken, as long as before; zeros where it cannot
  /// be read.
  ///
  /// - Parameter depth: how many files the block lies in.
  package static func withoutLocation(_ block: [UInt8], depth: Int = 1) -> [UInt8] {
    guard let tiff = try? TIFFFile(ArraySource(block)),
      let redaction = try? TIFFRedaction.location(in: tiff, depth: depth)
    else { return [UInt8](repeating: 0, count: block.count) }
    return redaction.applied(to: block)
  }

  /// The block for a picture made from the one it came with: upright, of this size, and without the
  /// thumbnail, which shows the old one; nil for one that cannot be read, of which nobody knows how it
  /// would turn the new picture.
  ///
  /// - Parameter isSRGB: whether the pixels have been converted to sRGB; else their colours are those of
  ///   the picture it came with, and so is what the block says of them.
  package static func adapted(_ block: [UInt8], to size: PixelSize, isSRGB: Bool) -> [UInt8]? {
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
    let kept = dropThumbnail(behind: main, tiff, &redaction)
    return Array(redaction.applied(to: block).prefix(kept))
  }

  /// Writes a number in the width that its entry has.
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

  /// Unlinks the directories behind the main one and writes zeros over them and the thumbnail; returns
  /// the length of the block without those of the zeros that stand at its end.
  private static func dropThumbnail(
    behind main: TIFFDirectory, _ tiff: TIFFFile, _ redaction: inout Redaction
  ) -> Int {
    let whole = Int(tiff.source.count)
    guard let count = try? tiff.source.bytes(at: main.offset, count: 2).u16(at: 0, tiff.order),
      main.nextOffset != 0
    else { return whole }
    redaction.overwrite(at: main.offset + 2 + UInt64(count) * 12, with: [0, 0, 0, 0])
    var erased: [Range<UInt64>] = []
    for directory in (try? tiff.chain(from: main.nextOffset, limit: 4)) ?? []
    where directory.offset != main.offset {
      erased += places(of: directory, tiff)
    }
    for range in erased { redaction.fill(range) }
    var end = UInt64(whole)
    // Blocks are padded by a byte or a few.
    while let last = erased.filter({
      $0.upperBound <= end && $0.upperBound + 4 > end && !$0.isEmpty
    })
    .min(by: { $0.lowerBound < $1.lowerBound }) {
      end = last.lowerBound
    }
    return Int(end)
  }

  /// Where a directory, its values and its picture lie.
  private static func places(of directory: TIFFDirectory, _ tiff: TIFFFile) -> [Range<UInt64>] {
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

  /// A block that tells nothing but how the picture is turned, little-endian.
  package static func orientationBlock(_ orientation: Orientation) -> [UInt8] {
    Array("II".utf8) + encoded(42, width: 2, .little) + encoded(8, width: 4, .little)
      + encoded(1, width: 2, .little) + encoded(Tag.orientation, width: 2, .little)
      + encoded(3, width: 2, .little) + encoded(1, width: 4, .little)
      + encoded(orientation.rawValue, width: 2, .little) + [0, 0] + [0, 0, 0, 0]
  }

  /// What a block says of how the picture is turned; nil where it says nothing.
  package static func orientation(_ block: [UInt8]) -> Orientation? {
    guard let tiff = try? TIFFFile(ArraySource(block)),
      let main = try? tiff.directory(at: tiff.firstDirectoryOffset),
      let value = try? tiff.unsigned(Tag.orientation, in: main)
    else { return nil }
    return UInt8(exactly: value).flatMap(Orientation.init(rawValue:))
  }
}
