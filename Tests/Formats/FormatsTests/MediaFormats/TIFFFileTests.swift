import ByteReading
import MediaFormats
import MediaModel
import Testing

struct TIFFFileTests {
  @Test func `directories and values are read`() throws {
    let tiff = try TIFFFile(ArraySource(MadeFile.exifBlock))
    #expect(tiff.order == .little)
    let first = try #require(try tiff.directories().first)
    #expect(try tiff.text(0x010F, in: first) == "ACME")
    #expect(try tiff.unsigned(0x0112, in: first) == 6)
    let exif = try #require(try tiff.directory(0x8769, of: first))
    #expect(try tiff.text(0x9003, in: exif) == "2022:02:16 12:55:41")
  }

  @Test func `loops of directories end`() throws {
    let bytes =
      Array("II".utf8) + le16(42) + le32(8) + le16(1) + entry(0x0112, 3, 1, le16(1) + [0, 0])
      + le32(8)
    #expect(try TIFFFile(ArraySource(bytes)).directories().count == 1)
  }

  @Test func `entries beyond the end are omitted`() throws {
    let bytes =
      Array("II".utf8) + le16(42) + le32(8) + le16(2) + entry(0x010F, 2, 0x7FFF_FFFF, le32(8))
      + entry(0x0112, 3, 1, le16(3) + [0, 0]) + le32(0)
    let directory = try #require(try TIFFFile(ArraySource(bytes)).directories().first)
    #expect(directory.entries.map(\.tag) == [0x0112])
  }

  /// DNG specification: the main picture is in the directory with NewSubfileType 0, and its DefaultCropSize is the size
  /// of the rendered picture.
  @Test func `the main picture of a DNG is found`() throws {
    let first =
      le16(5) + entry(0x00FE, 4, 1, le32(1)) + entry(0x0100, 4, 1, le32(256))
      + entry(0x0101, 4, 1, le32(171)) + entry(0x014A, 4, 1, le32(74))
      + entry(0xC612, 1, 4, [1, 4, 0, 0]) + le32(0)
    let main =
      le16(4) + entry(0x00FE, 4, 1, le32(0)) + entry(0x0100, 4, 1, le32(4032))
      + entry(0x0101, 4, 1, le32(3024)) + entry(0xC620, 3, 2, le16(4000) + le16(3000)) + le32(0)
    let tiff = try TIFFFile(ArraySource(Array("II".utf8) + le16(42) + le32(8) + first + main))
    #expect(try ContentType(of: tiff.source) == .media(.dng))
    let picture = try TIFFPicture(tiff, type: .dng)
    #expect(picture.storedSize == PixelSize(width: 4032, height: 3024))
    #expect(picture.size == PixelSize(width: 4000, height: 3000))
  }

  /// Entries longer than the limit are omitted. The others keep their values at new offsets.
  @Test func `EXIF is compacted`() throws {
    let large = 40_000
    let head =
      Array("II".utf8) + le16(42) + le32(8) + le16(3) + entry(0x010E, 2, large, le32(2000))
      + entry(0x010F, 2, 8, le32(60_000)) + entry(0x8769, 4, 1, le32(100_000)) + le32(0)
    var bytes = head + zeros(100_100 - head.count)
    bytes.replaceSubrange(60_000..<60_008, with: Array("CAMERAS\0".utf8))
    let exif =
      le16(2) + entry(0x9003, 2, 20, le32(100_050)) + entry(0x927C, 7, 14, le32(100_070)) + le32(0)
    bytes.replaceSubrange(100_000..<(100_000 + exif.count), with: exif)
    bytes.replaceSubrange(100_050..<100_070, with: Array("2022:02:16 12:55:41\0".utf8))
    bytes.replaceSubrange(100_070..<100_084, with: Array("Apple iOS\0\0\u{1}MM".utf8))
    let block = try #require(try CompactExif.block(of: TIFFFile(ArraySource(bytes))))
    #expect(block.count < 256)
    let tiff = try TIFFFile(ArraySource(block))
    let first = try #require(try tiff.directories().first)
    #expect(first.entries.map(\.tag) == [0x010F, 0x8769])
    #expect(try tiff.text(0x010F, in: first) == "CAMERAS")
    let directory = try #require(try tiff.directory(0x8769, of: first))
    #expect(try tiff.text(0x9003, in: directory) == "2022:02:16 12:55:41")
    let note = try #require(directory[0x927C])
    #expect(try tiff.bytes(of: note)?.hasText("Apple iOS") == true)
    #expect(note.content.upperBound == UInt64(block.count))
  }
}

/// RAW files in TIFF form: the make and the file name together decide the type (exiftool 12.57 uses these names; the
/// identifiers are Apple's).
struct RAWTypeTests {
  private func type(make: String, named fileExtension: String) throws -> ContentType {
    let text = Array(make.utf8) + [0]
    let bytes =
      Array("II".utf8) + le16(42) + le32(8) + le16(1) + entry(0x010F, 2, text.count, le32(26))
      + le32(0) + text
    return try ContentType(of: ArraySource(bytes), fileExtension: fileExtension)
  }

  @Test(arguments: [
    ("SAMSUNG", "srw", "com.samsung.raw-image"), ("SONY", "sr2", "com.sony.sr2-raw-image"),
    ("SONY", "arw", "com.sony.arw-raw-image"),
    ("Hasselblad", "3fr", "com.hasselblad.3fr-raw-image"),
    ("Hasselblad", "fff", "com.hasselblad.fff-raw-image"),
    ("EASTMAN KODAK COMPANY", "kdc", "com.kodak.raw-image"),
    ("Kodak", "dcr", "com.kodak.raw-image"), ("SEIKO EPSON CORP.", "erf", "com.epson.raw-image"),
    ("Leaf", "mos", "com.leafamerica.raw-image"), ("Leaf", "iiq", "com.phaseone.raw-image"),
    ("Mamiya-OP Co.,Ltd.", "mef", "com.mamiya.raw-image"),
  ])
  func `the make and the file name decide the type`(make: String, name: String, expected: String)
    throws
  {
    let type = UniformType(rawValue: expected)
    #expect(try self.type(make: make, named: name) == .media(type))
    #expect(type.isRaw)
    #expect(type.mediaType == .image)
    // A picture rendered from it, and a file name without the make.
    #expect(try self.type(make: make, named: "tif") == .media(.tiff))
    #expect(try self.type(make: "Other", named: name) == .media(.tiff))
  }
}
