// LibExif: a wrapper of libexif.
//
// EXIF is a TIFF file inside another file, written by thousands of firmwares, often wrongly. libexif knows most
// of their errors and walks the directories of a block. This module copies their entries as plain bytes and decodes
// them itself, because libexif's text is localised, its UNICODE comments are error messages and it misreads Apple maker
// notes.

import ByteReading

/// The EXIF block of one picture: all entries of the directories that describe the picture itself, not its
/// thumbnail.
package struct ExifBlock: Sendable {
  /// The directories that are read, numbered as libexif numbers them. GPS and interoperability tags share
  /// numbers, so an entry is identified by directory and tag.
  package enum Directory: UInt32, Sendable, CaseIterable {
    case image = 0
    case exif = 2
    case gps = 3
  }

  private let entries: [UInt32: ExifEntryValue]
  let byteOrder: ByteOrder

  /// Reads a TIFF block: byte order mark, then directories.
  ///
  /// Where libexif returns fewer entries than the directories have, the others are read here. It reads only the first
  /// 65,528 bytes, and drops entries and directories that it considers damaged.
  ///
  /// Returns nil if there is no entry at all.
  package init?(tiff: [UInt8]) {
    let directories = ExifDirectories(tiff)
    var order = directories?.byteOrder
    var entries: [UInt32: ExifEntryValue] = [:]
    if let data = ExifHandle(tiff: tiff) {
      order = order ?? data.byteOrder
      entries = data.entries()
    }
    guard let order else { return nil }
    if let directories, entries.count < directories.expectedCount {
      entries.merge(directories.entries()) { first, _ in first }
    }
    if entries.isEmpty { return nil }
    (self.entries, byteOrder) = (entries, order)
  }

  /// The entry of a directory. Some writers put the tags of the EXIF directory into the main one, as TIFF/EP does, or
  /// the other way round.
  func entry(_ directory: Directory, _ tag: UInt16) -> ExifEntryValue? {
    func found(_ directory: Directory) -> ExifEntryValue? {
      entries[ExifEntryValue.key(directory, tag)]
    }
    switch directory {
    case .image: return found(.image) ?? found(.exif)
    case .exif: return found(.exif) ?? found(.image)
    case .gps: return found(.gps)
    }
  }

  /// All tags of a block with libexif's names and texts, for display.
  package static func namedTags(tiff: [UInt8]) -> [NamedTag] {
    ExifHandle(tiff: tiff)?.namedTags() ?? []
  }
}

/// One tag with libexif's name and text.
package struct NamedTag: Sendable, Hashable {
  /// `IFD0`, `IFD1`, `ExifIFD`, `GPS`, `InteropIFD` or `MakerNote`.
  package var group: String
  package var name: String
  package var value: String
}
