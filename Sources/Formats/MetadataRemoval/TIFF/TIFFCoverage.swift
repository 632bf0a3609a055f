import ByteReading
import MediaFormats

/// The bytes of a TIFF that its directories, values, pictures and tables use (TIFF 6.0, Adobe's TIFF technical
/// notes, Exif 2.32, DNG 1.7).
struct TIFFCoverage {

  /// Tags with the offsets and lengths of strips, tiles and a JPEG.
  private static let pieces: [(offsets: UInt16, lengths: UInt16)] = [
    (TIFFTag.stripOffsets, TIFFTag.stripByteCounts), (TIFFTag.tileOffsets, TIFFTag.tileByteCounts),
    (TIFFTag.jpegInterchangeFormat, TIFFTag.jpegInterchangeFormatLength),
  ]
  /// Strips or tiles of one picture.
  private static let maximumPieces = 1 << 20
  /// Private tags that refer to planes of pixels: MetaMorph's and Zeiss's (libtiff's list of private tags).
  private static let privatePixelTags: Set<UInt16> = [0x835C, 0x835D, 0x835E, 0x835F, 0x866C]

  private let tiff: TIFFFile
  private(set) var coverage = ByteRanges()
  /// The offsets of data without a recorded length.
  private var openStarts: [UInt64] = []

  init(_ tiff: TIFFFile) {
    self.tiff = tiff
    coverage.insert(0..<(tiff.isBig ? 16 : 8))
  }

  /// Adds a directory.
  ///
  /// - Parameters:
  ///   - table: the directory's length in bytes, with its count and its link.
  ///   - entries: the entries that stay.
  /// - Throws: ``RedactionRefusal`` for pixels in a private form; what the source throws.
  mutating func add(
    _ directory: TIFFDirectory, table: Int, entries: [TIFFEntry]
  ) throws {
    coverage.insert(directory.offset..<(directory.offset + UInt64(table)))
    for entry in entries {
      if Self.privatePixelTags.contains(entry.tag) {
        throw RedactionRefusal(
          "The TIFF stores pixels in a private form, so Shoebox cannot decide which bytes to remove."
        )
      }
      coverage.insert(entry.content)
    }
    for pair in Self.pieces { try addPieces(of: directory, pair.offsets, pair.lengths) }
    try addTables(of: directory)
    if let profiles = directory[TIFFTag.extraCameraProfiles] {
      openStarts += try tiff.unsignedList(profiles, limit: 64)
    }
  }

  /// Adds a range that something else uses.
  mutating func add(_ range: Range<UInt64>) {
    coverage.insert(range)
  }

  private mutating func addPieces(
    of directory: TIFFDirectory, _ offsets: UInt16, _ lengths: UInt16
  ) throws {
    guard let places = directory[offsets] else { return }
    guard places.count <= Self.maximumPieces else {
      throw RedactionRefusal("The TIFF has more strips than Shoebox checks.")
    }
    let starts = try tiff.unsignedList(places, limit: Self.maximumPieces)
    let sizes = try directory[lengths].map { try tiff.unsignedList($0, limit: Self.maximumPieces) }
    let least = starts.count == 1 ? try storedSize(of: directory) : 0
    for (index, start) in starts.enumerated() {
      let size = sizes.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? 0
      guard size > 0 else {
        // A part without an offset and a length has no pixels (GDAL's sparse files).
        if start > 0 { openStarts.append(start) }
        continue
      }
      coverage.insert(start..<(start.adding(max(size, least)) ?? .max))
    }
  }

  /// The size of a picture's uncompressed pixels in bytes; 0 for compressed ones.
  private func storedSize(of directory: TIFFDirectory) throws -> UInt64 {
    guard try tiff.unsigned(TIFFTag.compression, in: directory) ?? 1 == 1,
      let width = try tiff.unsigned(TIFFTag.imageWidth, in: directory),
      let height = try tiff.unsigned(TIFFTag.imageLength, in: directory)
    else { return 0 }
    let samples = try tiff.unsigned(TIFFTag.samplesPerPixel, in: directory) ?? 1
    let bits = try tiff.unsigned(TIFFTag.bitsPerSample, in: directory) ?? 1
    guard let rowBits = width.times(samples)?.times(bits)?.adding(7),
      let size = (rowBits / 8).times(height)
    else { return 0 }
    return size
  }

  /// Adds JPEG tables in the form of TIFF 6.0 §22: 64 bytes each, or 16 counts and the values they count.
  private mutating func addTables(of directory: TIFFDirectory) throws {
    if let entry = directory[TIFFTag.jpegQTables] {
      for start in try tiff.unsignedList(entry, limit: 16) {
        coverage.insert(start..<(start.adding(64) ?? .max))
      }
    }
    for tag in [TIFFTag.jpegDCTables, TIFFTag.jpegACTables] {
      guard let entry = directory[tag] else { continue }
      for start in try tiff.unsignedList(entry, limit: 16) {
        let counts = try tiff.source.bytes(at: start, count: 16)
        let size = counts.reduce(UInt64(16)) { $0 + UInt64($1) }
        coverage.insert(start..<(start.adding(size) ?? .max))
      }
    }
  }

  /// The ranges that nothing uses. Data without a recorded length extends to the next used range.
  func gaps() -> [Range<UInt64>] {
    var whole = coverage
    let used = whole.joined()
    var next = 0
    for start in openStarts.sorted() where start < tiff.source.count {
      while next < used.count, used[next].lowerBound <= start { next += 1 }
      whole.insert(start..<(next < used.count ? used[next].lowerBound : tiff.source.count))
    }
    return whole.gaps(in: 0..<tiff.source.count)
  }
}
