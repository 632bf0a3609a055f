import ByteReading
package import MediaModel

/// The tiles of a TIFF's picture (TIFF 6.0 §15). Each can be written as a separate TIFF with one strip, for decoders
/// that do not support tiles.
package struct TIFFTiling {
  /// The size of the whole picture in pixels.
  package let size: PixelSize
  /// The size of every tile in pixels. Tiles at the right and lower edges extend beyond the picture.
  package let tileSize: PixelSize
  private let tiff: TIFFFile
  private let offsets: [UInt64]
  private let lengths: [UInt64]
  /// Tags of the whole picture that are valid for each tile.
  private let shared: [Field]

  private struct Field {
    var tag: UInt16
    var type: UInt16
    var count: Int
    var value: [UInt8]
  }

  /// Tags of the whole picture that each tile keeps.
  private static let sharedTags: [UInt16] = [
    TIFFTag.bitsPerSample, TIFFTag.compression, TIFFTag.photometricInterpretation,
    TIFFTag.fillOrder,
    TIFFTag.samplesPerPixel, TIFFTag.t4Options, TIFFTag.t6Options, TIFFTag.predictor,
    TIFFTag.colorMap,
    TIFFTag.extraSamples, TIFFTag.sampleFormat, TIFFTag.jpegTables, TIFFTag.yCbCrCoefficients,
    TIFFTag.yCbCrSubSampling, TIFFTag.yCbCrPositioning, TIFFTag.referenceBlackWhite,
  ]

  private static let maximumTiles = 100_000
  private static let maximumTileBytes = 256 << 20
  private static let maximumFieldBytes = 1 << 20

  package var columns: Int { (size.width + tileSize.width - 1) / tileSize.width }
  package var rows: Int { (size.height + tileSize.height - 1) / tileSize.height }

  /// - Returns: nil for a picture that is stored in strips.
  /// - Throws: ``ContainerError`` for tiles that are incomplete or too large; the errors of the source.
  package init?(_ tiff: TIFFFile, _ directory: TIFFDirectory) throws {
    guard let positions = directory[TIFFTag.tileOffsets] else { return nil }
    let number = { (tag: UInt16) in
      try tiff.unsigned(tag, in: directory).flatMap(Int.init(exactly:))
    }
    guard let width = try number(TIFFTag.imageWidth), let height = try number(TIFFTag.imageLength),
      let tileWidth = try number(TIFFTag.tileWidth),
      let tileHeight = try number(TIFFTag.tileLength),
      let counts = directory[TIFFTag.tileByteCounts]
    else { throw ContainerError.damaged("does not record the size of its tiles") }
    size = PixelSize(width: width, height: height)
    tileSize = PixelSize(width: tileWidth, height: tileHeight)
    // The format requires multiples of 16. Other sizes would split subsampled chroma at the edges of tiles.
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
    try sharedTags.compactMap { tag in
      // Types above 13 are BigTIFF's.
      guard let entry = directory[tag], entry.type <= 13,
        let value = try tiff.bytes(of: entry, limit: maximumFieldBytes)
      else { return nil }
      return Field(tag: tag, type: entry.type, count: entry.count, value: value)
    }
  }

  /// Whether each channel has separate tiles.
  package static func hasSeparatePlanes(
    _ tiff: TIFFFile, _ directory: TIFFDirectory
  ) throws -> Bool {
    try directory[TIFFTag.tileOffsets] != nil
      && tiff.unsigned(TIFFTag.planarConfiguration, in: directory) == 2
      && (tiff.unsigned(TIFFTag.samplesPerPixel, in: directory) ?? 1) > 1
  }

  /// A tile as a TIFF file.
  ///
  /// - Throws: ``ContainerError`` for a tile outside the file; the errors of the source.
  package func file(column: Int, row: Int) throws -> [UInt8] {
    let index = row * columns + column
    let (offset, length) = (offsets[index], lengths[index])
    let (end, overflow) = offset.addingReportingOverflow(length)
    guard length > 0, !overflow,
      let content = try tiff.source.bytes(in: offset..<end, limit: Self.maximumTileBytes)
    else { throw ContainerError.damaged("lacks the tile at \(column), \(row)") }
    return file(content)
  }

  /// A TIFF file: a header, the strip, its directory, and the values that are too long for the directory.
  private func file(_ content: [UInt8]) -> [UInt8] {
    let order = tiff.order
    let start = 8
    let table = start + content.count + content.count % 2
    let own = [
      (TIFFTag.imageWidth, tileSize.width), (TIFFTag.imageLength, tileSize.height),
      (TIFFTag.stripOffsets, start),
      (TIFFTag.rowsPerStrip, tileSize.height), (TIFFTag.stripByteCounts, content.count),
    ].map { Field(tag: $0, type: 4, count: 1, value: encoded($1, width: 4, order)) }
    let fields = (own + shared).sorted { $0.tag < $1.tag }
    var bytes: [UInt8] = order == .little ? [0x49, 0x49, 0x2A, 0] : [0x4D, 0x4D, 0, 0x2A]
    bytes += encoded(table, width: 4, order) + content
    if bytes.count < table { bytes.append(0) }
    bytes += encoded(fields.count, width: 2, order)
    var values: [UInt8] = []
    let valuesStart = table + 2 + fields.count * 12 + 4
    for field in fields {
      bytes += encoded(field.tag, width: 2, order) + encoded(field.type, width: 2, order)
      bytes += encoded(field.count, width: 4, order)
      if field.value.count > 4 {
        bytes += encoded(valuesStart + values.count, width: 4, order)
        values += field.value
        if values.count % 2 == 1 { values.append(0) }
      } else {
        bytes += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
      }
    }
    return bytes + encoded(0, width: 4, order) + values
  }
}
