import ByteReading
package import MediaFormats

extension PictureMetadata {
  /// Gives the picture the identifier that a Live Photo's still and clip share, in place of another one.
  package mutating func set(contentIdentifier: String) {
    guard let old = exif else {
      return exif = LivePhotoExif.newBlock(identifier: contentIdentifier)
    }
    guard let block = LivePhotoExif.block(old, identifier: contentIdentifier), block != old else {
      return
    }
    if LivePhotoExif.hasMakerNote(old) { notes.append(LivePhotoExif.replacedNote) }
    exif = block
  }
}

/// Writes the identifier that a Live Photo's still and clip share into an EXIF block.
///
/// Nothing else in the block moves, because other manufacturers' values can be at offsets from its TIFF header.
enum LivePhotoExif {
  /// The block with the identifier in a MakerNote of Apple's, which takes the place of another one.
  ///
  /// - Returns: nil for a block that cannot be read.
  static func block(_ block: [UInt8], identifier: String) -> [UInt8]? {
    guard let tiff = try? TIFFFile(ArraySource(block)), !tiff.isBig,
      let main = try? tiff.directory(at: tiff.firstDirectoryOffset)
    else { return nil }
    let exif = try? tiff.directory(TIFFTag.exifIFD, of: main)
    let note = AppleMakerNote.note(contentIdentifier: identifier)
    if let entry = exif?[TIFFTag.makerNote], let exif {
      if let old = try? tiff.bytes(of: entry), AppleMakerNote(old)?.contentIdentifier == identifier
      {
        return block
      }
      return replacing(entry, in: exif, with: note, block, tiff)
    }
    var result = padded(block)
    let place = result.count
    result += padded(note)
    let added = Entry(
      tag: TIFFTag.makerNote, type: 7, count: note.count,
      value: encoded(place, width: 4, tiff.order))
    guard let exif else {
      let directory = Entry(
        tag: TIFFTag.exifIFD, type: 4, count: 1,
        value: encoded(result.count, width: 4, tiff.order))
      result += encoded(1, width: 2, tiff.order) + added.bytes(tiff.order) + encoded(0, width: 4)
      return moving(main, to: result, adding: directory, block, tiff) { bytes, offset in
        bytes.replaceSubrange(4..<8, with: encoded(offset, width: 4, tiff.order))
      }
    }
    guard let pointer = main[TIFFTag.exifIFD], pointer.content.count == 4,
      pointer.content.upperBound <= UInt64(block.count)
    else { return nil }
    return moving(exif, to: result, adding: added, block, tiff) { bytes, offset in
      let field = Int(pointer.content.lowerBound)
      bytes.replaceSubrange(field..<(field + 4), with: encoded(offset, width: 4, tiff.order))
    }
  }

  /// A note on a picture whose MakerNote another one has replaced.
  static let replacedNote = "The camera's MakerNote gave way to the Live Photo's identifier."

  static func hasMakerNote(_ block: [UInt8]) -> Bool {
    guard let tiff = try? TIFFFile(ArraySource(block)),
      let main = try? tiff.directory(at: tiff.firstDirectoryOffset),
      let exif = try? tiff.directory(TIFFTag.exifIFD, of: main)
    else { return false }
    return exif[TIFFTag.makerNote] != nil
  }

  /// A new block with nothing but the identifier.
  static func newBlock(identifier: String) -> [UInt8] {
    let note = AppleMakerNote.note(contentIdentifier: identifier)
    let pointer = Entry(tag: TIFFTag.exifIFD, type: 4, count: 1, value: encoded(26, width: 4))
    let entry = Entry(
      tag: TIFFTag.makerNote, type: 7, count: note.count, value: encoded(44, width: 4))
    return Array("MM\0*".utf8) + encoded(8, width: 4)
      + encoded(1, width: 2) + pointer.bytes(.big) + encoded(0, width: 4)
      + encoded(1, width: 2) + entry.bytes(.big) + encoded(0, width: 4) + note
  }

  /// A directory's entry with its value, or the value's offset, in four bytes.
  private struct Entry {
    var tag: UInt16
    var type: UInt16
    var count: Int
    var value: [UInt8]

    func bytes(_ order: ByteOrder) -> [UInt8] {
      encoded(tag, width: 2, order) + encoded(type, width: 2, order)
        + encoded(count, width: 4, order) + value
    }
  }

  /// TIFF offsets are even.
  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes.count.isMultiple(of: 2) ? bytes : bytes + [0]
  }

  /// Writes a value over another one if there is room, else after the block.
  private static func replacing(
    _ entry: TIFFEntry, in directory: TIFFDirectory, with value: [UInt8], _ block: [UInt8],
    _ tiff: TIFFFile
  ) -> [UInt8]? {
    guard let index = position(of: entry.tag, in: directory, block, tiff) else { return nil }
    var result = block
    let old = Int(clamping: entry.content.lowerBound)..<Int(clamping: entry.content.upperBound)
    guard old.upperBound <= block.count else { return nil }
    result.replaceSubrange(old, with: [UInt8](repeating: 0, count: old.count))
    let place: Int
    if old.count >= value.count {
      place = old.lowerBound
      result.replaceSubrange(place..<(place + value.count), with: value)
    } else {
      result = padded(result)
      place = result.count
      result += value
    }
    let entry = Entry(
      tag: entry.tag, type: 7, count: value.count, value: encoded(place, width: 4, tiff.order))
    result.replaceSubrange(index..<(index + 12), with: entry.bytes(tiff.order))
    return result
  }

  /// The offset of an entry.
  private static func position(
    of tag: UInt16, in directory: TIFFDirectory, _ block: [UInt8], _ tiff: TIFFFile
  ) -> Int? {
    let start = Int(clamping: directory.offset)
    guard let count = block.u16(at: start, tiff.order) else { return nil }
    return (0..<Int(count)).map { start + 2 + $0 * 12 }
      .first { block.u16(at: $0, tiff.order) == tag && $0 + 12 <= block.count }
  }

  /// Copies a directory after the block, with a further entry, and links it.
  ///
  /// - Parameter link: writes the new offset of the directory.
  private static func moving(
    _ directory: TIFFDirectory, to end: [UInt8], adding entry: Entry, _ block: [UInt8],
    _ tiff: TIFFFile, link: (inout [UInt8], Int) -> Void
  ) -> [UInt8]? {
    let start = Int(clamping: directory.offset)
    guard let count = block.u16(at: start, tiff.order), count < 0xFFFF,
      let table = block.bytes(at: start + 2, count: Int(count) * 12),
      let next = block.bytes(at: start + 2 + Int(count) * 12, count: 4)
    else { return nil }
    var entries = stride(from: 0, to: table.count, by: 12).map { Array(table[$0..<$0 + 12]) }
    let place =
      entries.firstIndex { $0.u16(at: 0, tiff.order) ?? 0 > entry.tag } ?? entries.count
    entries.insert(entry.bytes(tiff.order), at: place)
    var result = end
    let offset = result.count
    result += encoded(entries.count, width: 2, tiff.order) + entries.flatMap { $0 } + next
    link(&result, offset)
    return result
  }
}
