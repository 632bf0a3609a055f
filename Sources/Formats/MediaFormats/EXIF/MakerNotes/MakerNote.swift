import ByteReading
package import MediaModel

/// Facts that cameras without the corresponding EXIF tag store in their private block, the maker note (EXIF tag
/// 0x927C).
///
/// The formats are not public. The tag numbers and formulas are those of exiftool.
package struct MakerNote: Sendable, Hashable {
  package private(set) var exposure = Exposure()
  /// The name of the lens.
  package private(set) var lens: String?
  /// The camera's clock relative to UTC.
  package private(set) var clock: CameraClock?

  /// Nil if the block has no maker note of a format that is read here.
  ///
  /// - Parameter exif: the whole TIFF block, because most makers count offsets from its start.
  package init?(exif: [UInt8]) {
    guard let tiff = try? TIFFFile(ArraySource(exif)),
      let main = try? tiff.directory(at: tiff.firstDirectoryOffset),
      let directory = try? tiff.directory(TIFFTag.exifIFD, of: main),
      let entry = directory[TIFFTag.makerNote], let start = Int(exactly: entry.content.lowerBound)
    else { return nil }
    func text(_ tag: UInt16) -> String { ((try? tiff.text(tag, in: main)) ?? nil) ?? "" }
    self.init(
      exif, at: start, make: text(TIFFTag.make).uppercased(), model: text(TIFFTag.model), tiff.order
    )
  }

  /// - Parameter start: the offset of the note in the block.
  private init?(
    _ exif: [UInt8], at start: Int, make: String, model: String, _ order: ByteOrder
  ) {
    /// A directory whose offsets count from the start of the block.
    func directory(_ skip: Int, _ order: ByteOrder) -> MakerNoteDirectory? {
      MakerNoteDirectory(exif, at: start + skip, order)
    }
    /// A directory whose offsets count from the start of the note, or of a part of it.
    func ownDirectory(_ skip: Int, from base: Int, _ order: ByteOrder) -> MakerNoteDirectory? {
      MakerNoteDirectory(exif.bytes(from: start + base), at: skip - base, order)
    }
    func markedOrder(_ skip: Int) -> ByteOrder {
      exif.hasText("MM", at: start + skip) ? .big : .little
    }
    func begins(_ text: String) -> Bool { exif.hasText(text, at: start) }

    if begins("Nikon\0\u{2}") {
      // A TIFF header follows the 10 bytes.
      let order = markedOrder(10)
      guard let first = exif.u32(at: start + 14, order), first < 1 << 16 else { return nil }
      guard let found = ownDirectory(10 + Int(first), from: 10, order) else { return nil }
      (exposure.iso, clock) = (NikonMakerNote.iso(found), NikonMakerNote.clock(found))
    } else if begins("Nikon\0\u{1}") {
      return nil
    } else if make.hasPrefix("NIKON") {
      guard let found = directory(0, order) else { return nil }
      (exposure.iso, clock) = (NikonMakerNote.iso(found), NikonMakerNote.clock(found))
    } else if begins("QVC\0") || begins("DCI\0") {
      exposure.iso = directory(6, order).flatMap(CasioMakerNote.isoOfType2)
    } else if begins("Panasonic\0") {
      exposure.iso = directory(12, order).flatMap(PanasonicMakerNote.iso)
    } else if begins("OLYMPUS\0") || begins("OM SYSTEM\0") {
      let skip = begins("OLYMPUS\0") ? 12 : 16
      guard let found = ownDirectory(skip, from: 0, markedOrder(skip - 4)) else { return nil }
      (exposure.iso, lens) = (OlympusMakerNote.iso(found), OlympusMakerNote.lens(found))
      clock = OlympusMakerNote.clock(found)
    } else if begins("OLYMP\0") {
      guard let found = directory(8, order) else { return nil }
      (exposure.iso, lens) = (OlympusMakerNote.iso(found), OlympusMakerNote.lens(found))
    } else if begins("KDK") {
      exposure = KodakMakerNote.exposure(exif.bytes(from: start))
    } else if begins("AOC\0") {
      exposure = directory(6, order).map(PentaxMakerNote.exposure) ?? Exposure()
    } else if begins("PENTAX \0") {
      exposure =
        ownDirectory(10, from: 0, markedOrder(8)).map(PentaxMakerNote.exposure) ?? Exposure()
    } else if begins("SIGMA\0") || begins("FOVEON\0") {
      let version = begins("SIGMA\0\0\0\0") ? exif.u8(at: start + 9) ?? 0 : 0
      exposure =
        directory(10, order).map { SigmaMakerNote.exposure($0, version: version) } ?? Exposure()
    } else if make.hasPrefix("CANON") {
      guard let found = directory(0, order) else { return nil }
      exposure = CanonMakerNote.exposure(found, model: model)
      (lens, clock) = (CanonMakerNote.lens(found), CanonMakerNote.clock(found))
    } else if make.hasPrefix("CASIO") {
      exposure.iso = directory(0, order).flatMap(CasioMakerNote.isoOfType1)
    } else if make.hasPrefix("MINOLTA") || make.hasPrefix("KONICA MINOLTA") {
      exposure = directory(0, order).map(MinoltaMakerNote.exposure) ?? Exposure()
    } else if make == "SAMSUNG" {
      exposure = directory(0, order).map(SamsungMakerNote.exposure) ?? Exposure()
    } else {
      return nil
    }
  }
}
