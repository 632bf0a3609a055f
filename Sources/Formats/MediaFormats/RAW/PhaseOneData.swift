import ByteReading
package import MediaModel

/// The maker note of Phase One's and Leaf's RAW files (exiftool's PhaseOne.pm). It contains the pixels too, so it is read
/// from the file.
package struct PhaseOneData: Sendable, Hashable {
  package private(set) var lens: String?
  package private(set) var exposure = Exposure()

  private static let maximumEntries: UInt32 = 300
  private static let entrySize = 16

  /// Nil if the file has no such note.
  package init?(_ tiff: TIFFFile) throws {
    guard let main = try tiff.directory(at: tiff.firstDirectoryOffset),
      let directory = try tiff.directory(TIFFTag.exifIFD, of: main),
      let entry = directory[TIFFTag.makerNote]
    else { return nil }
    try self.init(note: tiff.source.part(entry.content))
  }

  /// - Parameter note: the note. Offsets count from its start.
  init?(note: any ByteSource) throws {
    let header = try note.bytes(at: 0, count: 12)
    let order: ByteOrder
    if header.hasText("IIII"), header.hasText("waR", at: 5) {
      order = .little
    } else if header.hasText("MMMMRaw") {
      order = .big
    } else {
      return nil
    }
    guard let start = header.u32(at: 8, order),
      let count = try note.bytes(at: UInt64(start), count: 4).u32(at: 0, order),
      count <= Self.maximumEntries
    else { return nil }
    let table = try note.bytes(at: UInt64(start) + 8, count: Int(count) * Self.entrySize)
    for entry in stride(from: 0, through: table.count - Self.entrySize, by: Self.entrySize) {
      guard let tag = table.u32(at: entry, order), let size = table.u32(at: entry + 8, order),
        let value = table.u32(at: entry + 12, order)
      else { return }
      func number() -> Double? {
        let number = Double(Float(bitPattern: value))
        return number.isFinite ? number : nil
      }
      switch tag {
      case 0x0105: exposure.iso = value > 0 && value < 1 << 24 ? Int(value) : nil
      case 0x0400: exposure.time = number().flatMap(APEX.exposureTime)
      case 0x0401: exposure.fNumber = number().flatMap(APEX.fNumber)
      case 0x0403: exposure.focalLength = number().flatMap { $0 > 0 ? $0 : nil }
      case 0x0412:
        lens = try note.bytes(at: UInt64(value), count: Int(min(size, 256))).trimmedText
      default: continue
      }
    }
  }
}
