// LibExif: a wrapper of libexif.
//
// EXIF is a TIFF file inside another file, written by thousands of firmwares, many of them wrongly. libexif has met most
// of them and walks the directories of a block. This module copies their entries as plain bytes and decodes them itself,
// because libexif's text is localised, its UNICODE comments are error messages and it misreads Apple maker notes.
/// The EXIF of one picture: a value holding every entry of the directories that tell of the picture
/// itself (not of its thumbnail).
package struct ExifBlock: Sendable {
  /// The directories read, numbered as libexif numbers them. GPS and interoperability tags share
  /// numbers, so an entry is known only by both.
  package enum Directory: UInt32, Sendable, CaseIterable {
    case image = 0
    case exif = 2
    case gps = 3
  }

  private let entries: [UInt32: ExifEntryValue]
  let byteOrder: ByteOrder

  /// Reads a TIFF block: byte order mark, then directories. At most the first 65,528 bytes count.
  ///
  /// Returns nil where there is not one entry in it, which is how libexif answers to rubbish.
  package init?(tiff: [UInt8]) {
    guard let data = ExifHandle(tiff: tiff) else { return nil }
    byteOrder = data.byteOrder
    entries = data.entries()
    if entries.isEmpty { return nil }
  }

  func entry(_ directory: Directory, _ tag: UInt16) -> ExifEntryValue? {
    entries[ExifEntryValue.key(directory, tag)]
  }

  /// Every tag of a block with libexif's name and text for it, for people to read.
  package static func namedTags(tiff: [UInt8]) -> [NamedTag] {
    ExifHandle(tiff: tiff)?.namedTags() ?? []
  }
}

/// One tag as libexif names and prints it.
package struct NamedTag: Sendable, Hashable {
  /// `IFD0`, `IFD1`, `ExifIFD`, `GPS`, `InteropIFD` or `MakerNote`.
  package var group: String
  package var name: String
  package var value: String
}
