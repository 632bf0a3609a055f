import MediaEdits
import MediaModel
import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataRemoval
@testable import MetadataTransfer

/// MakerNotes with a preview: a whole JPEG with metadata of its own.
struct PreviewInNoteTests {
  /// SOI, a comment, the frame, the scan, EOI (ITU-T T.81 §B.2).
  private let preview: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xFE, 0, 11] + Array("GPS 47.37".utf8)
    + [0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0]
    + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 0xFF, 0xD9]

  /// IFD0 with an Exif directory that contains only the note (TIFF 6.0 §2).
  private func block(note: [UInt8]) -> [UInt8] {
    [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
      + [0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]
      + [0, 1, 0x92, 0x7C, 0, 7, 0, 0, 0, UInt8(note.count), 0, 0, 0, 44, 0, 0, 0, 0] + note
  }

  @Test func `a place in the preview is removed`() {
    let around = Array("MINOLTA \u{1}\u{2}".utf8)
    let whole = block(note: around + preview + around)
    let stripped = ExifBlockRedaction.removing(.withoutLocation, from: whole)
    #expect(stripped.count == whole.count)
    #expect(stripped.firstIndex(of: "47.37") == nil)
    #expect(stripped.hasBytes(around, at: 44))
    #expect(stripped.hasBytes(around, at: whole.count - around.count))
    // An incomplete JPEG stays as it is.
    let cut = block(note: around + preview.dropLast(2) + around)
    #expect(ExifBlockRedaction.removing(.withoutLocation, from: cut) == cut)
  }

  /// Another reader may understand the block, and its orientation would turn the new picture.
  @Test func `an unreadable block is left out of a new picture`() {
    let metadata = PictureMetadata(exif: Array("no block".utf8))
    let size = PixelSize(width: 4, height: 3)
    let adapted = metadata.adapted(to: PictureChange(from: size, to: size), .keep)
    #expect(adapted.exif == nil)
    #expect(adapted.notes == ["Its EXIF is damaged and is left out."])
  }

  /// Photoshop's block in pictures for the web: a directory of no entries.
  @Test func `an empty block is left out without a note`() {
    let metadata = PictureMetadata(exif: Array("MM".utf8) + be16(42) + be32(8) + be16(0) + be32(0))
    let size = PixelSize(width: 4, height: 3)
    let adapted = metadata.adapted(to: PictureChange(from: size, to: size), .keep)
    #expect(adapted.exif == nil)
    #expect(adapted.notes == [])
  }
}
