import ByteReading
package import MediaModel

/// The tiles of a TIFF's picture (TIFF 6.0 §15), each of which can be had as a TIFF of its own that holds it
/// in one strip, for decoders that know no tiles.
package struct TIFFTiling {
  /// Of the whole picture.
  package let size: PixelSize
  /// Of every tile; those at the right and lower edge stick out.
  package let tileSize: PixelSize
  private let tiff: TIFFFile
  private let offsets: [UInt64]
  private let lengths: [UInt64]
  /// What is said of the whole picture and holds for each tile.
  private let shared: [Field]

  private struct Field {
    var tag: UInt16
    var type: UInt16
    var count: Int
    var value: [UInt8]
  }

  private enum Tag {
    static let width: UInt16 = 0x0100
    static let height: UInt16 = 0x0101
    static let stripOffsets: UInt16 = 0x0111
    static let samplesPerPixel: UInt16 = 0x0115
    static let rowsPerStrip: UInt16 = 0x0116
    static let stripByteCounts: UInt16 = 0x0117
    static let planarConfiguration: UInt16 = 0x011C
    static let tileWidth: UInt16 = 0x0142
    static let tileHeight: UInt16 = 0x0143
    static let tileOffsets: UInt16 = 0x0144
    static let tileByteCounts: UInt16 = 0x0145
    /// Bits per sample, compression, photometric interpretation, fill order, samples per pixel, T4 and T6
    /// options, predictor, colour map, extra samples, sample format, JPEG tables, YCbCr coefficients,
    /// subsampling and positioning, reference black and white.
    static let shared: [UInt16] = [
      0x0102, 0x0103, 0x0106, 0x010A, 0x0115, 0x0124, 0x0125, 0x013D, 0x0140, 0x0152, 0x0153,
      0x015B, 0x0211, 0x0212, 0x0213, 0x0214,
    ]
  }

  private static let maximumTiles = 100_000
  private static let maximumTileBytes = 256 << 20
  private static let maximumFieldBytes = 1 << 20

  package var columns: Int { (size.width + tileSize.width - 1) / tileSize.width }
  package var rows: Int { (size.height + tileSize.height - 1) / tileSize.height }

  /// - Returns: nil for a picture that is stored in strips.
  /// - Throws: ``ContainerError`` for tiles that make no picture; what the source throws.
  package init?(_ tiff: TIFFFile, _ directory: TIFFDirectory) throws {
    guard let positions = directory[Tag.tileOffsets] else { return nil }
    let number = { (tag: UInt16) in
      try tiff.unsigned(tag, in: directory).flatMap(Int.init(exactly:))
    }
    guard let width = try number(Tag.width), let height = try number(Tag.height),
      let tileWidth = try number(Tag.tileWidth), let tileHeight = try number(Tag.tileHeight),
      let counts = directory[Tag.tileByteCounts]
    else { throw ContainerError.damaged("does not say how its tiles lie") }
    size = PixelSize(width: width, height: height)
    tileSize = PixelSize(width: tileWidth, height: tileHeight)
    // Chroma that tiles share across their edges would be torn; the format asks for multiples of 16.
    guard size.isDecodable, tileSize.isDecodable, tileWidth % 16 == 0, tileHeight % 16 == 0 else {
      throw ContainerError.damaged("has tiles of \(tileWidth) × \(tileHeight) pixels")
    }
    self.tiff = tiff
    offsets = try tiff.unsignedList(positions, limit: Self.maximumTiles)
    lengths = try tiff.unsignedList(counts, limit: Self.maximumTiles)
    shared = try Self.fields(of: directory, in: tiff)
    guard offsets.count >= columns * rows, lengths.count >= columns * rows else {
      throw ContainerError.damaged("lacks some of its \(columns) × \(rows) tiles")
    }
  }

  private static func fields(of directory: TIFFDirectory, in tiff: TIFFFile) throws -> [Field] {
    try Tag.shared.compactMap { tag in
      // Types above 13 came with BigTIFF.
      guard let entry = directory[tag], entry.type <= 13,
        let value = try tiff.bytes(of: entry, limit: maximumFieldBytes)
      else { return nil }
      return Field(tag: tag, type: entry.type, count: entry.count, value: value)
    }
  }

  /// Whether each channel has tiles of its own.
  package static func hasSeparatePlanes(
    _ tiff: TIFFFile, _ directory: TIFFDirectory
  ) throws -> Bool {
    try directory[Tag.tileOffsets] != nil
      && tiff.unsigned(Tag.planarConfiguration, in: directory) == 2
      && (tiff.unsigned(Tag.samplesPerPixel, in: directory) ?? 1) > 1
  }

  /// A tile as a TIFF.
  ///
  /// - Throws: ``ContainerError`` for a tile that is not in the file; what the source throws.
  package func file(column: Int, row: Int) throws -> [UInt8] {
    let index = row * columns + column
    let (offset, length) = (offsets[index], lengths[index])
    let (end, overflow) = offset.addingReportingOverflow(length)
    guard length > 0, !overflow,
      let content = try tiff.source.bytes(in: offset..<end, limit: Self.maximumTileBytes)
    else { throw ContainerError.damaged("lacks the tile at \(column), \(row)") }
    return file(content)
  }

  /// A header, the strip, its directory, and the values that are too long for that.
  private func file(_ content: [UInt8]) -> [UInt8] {
    let order = tiff.order
    let start = 8
    let table = start + content.count + content.count % 2
    let own = [
      (Tag.width, tileSize.width), (Tag.height, tileSize.height), (Tag.stripOffsets, start),
      (Tag.rowsPerStrip, tileSize.height), (Tag.stripByteCounts, content.count),
    ].map { Field(tag: $0, type: 4, count: 1, value: encoded($1, width: 4, order)) }
    let fields = (own + shared).sorted { $0.tag < $1.tag }
    var bytes: [UInt8] = order == .little ? [0x49, 0x49, 0x2A, 0] : [0x4D, 0x4D, 0, 0x2A]
    bytes += encoded(table, width: 4, order) + content
    if bytes.count < table { bytes.append(0) }
    bytes += encoded(fields.count, width: 2, order)
    var values: [UInt8] = []
    let behind = table + 2 + fields.count * 12 + 4
    for field in fields {
      bytes += encoded(field.tag, width: 2, order) + encoded(field.type, width: 2, order)
      bytes += encoded(field.count, width: 4, order)
      if field.value.count > 4 {
        bytes += encoded(behind + values.count, width: 4, order)
        values += field.value
        if values.count % 2 == 1 { values.append(0) }
      } else {
        bytes += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
      }
    }
    return bytes + encoded(0, width: 4, order) + values
  }
}
