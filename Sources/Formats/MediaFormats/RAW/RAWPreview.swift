package import ByteReading
package import MediaModel

/// A JPEG that a RAW file holds: what the camera made of the picture.
package struct RAWPreview: Sendable, Hashable {
  /// Of the JPEG in the file; for one that was found by searching, up to the file's end.
  package var range: Range<UInt64>
  /// As stored.
  package var size: PixelSize

  private init?(_ range: Range<UInt64>, in source: any ByteSource) {
    // RAW data itself may be JPEG too, lossless and of more bits.
    guard range.lowerBound < source.count, let file = try? JPEGFile(source.part(range)),
      let size = file.size, file.precision == 8, [1, 3].contains(file.componentCount),
      file.scanOffset != nil
    else { return nil }
    self.range = range
    self.size = size
  }

  private var area: Int { size.width * size.height }

  /// The largest one in a RAW file of a type; nil if there is none.
  ///
  /// If none of those that the file's structure names is as large as a screen, the whole file is searched: many
  /// cameras store the offset of their preview in undocumented places.
  package static func largest(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> RAWPreview? {
    let format = type.format as? any RAWFormat.Type
    let named = try format?.previews(in: source).prefix(maximumCandidates) ?? []
    var found = named.compactMap { RAWPreview($0, in: source) }
    if !found.contains(where: { max($0.size.width, $0.size.height) >= screen }) {
      found += try search(source)
    }
    return found.max { $0.area < $1.area }
  }

  private static let maximumCandidates = 64
  /// Pixels of the longer side.
  private static let screen = 1600

  /// The JPEGs to which the directories of a TIFF-based file point.
  static func ranges(inDirectoriesOf tiff: TIFFFile) throws -> [Range<UInt64>] {
    let chain = try tiff.directories(limit: 16)
    var directories = chain
    for directory in chain.prefix(8) { directories += try tiff.subdirectories(of: directory) }
    var found: [Range<UInt64>] = []
    for directory in directories {
      if let entry = directory[TIFFTag.panasonicJPEG], entry.content.count > 4 {
        found.append(entry.content)
      }
      if let offset = try tiff.unsigned(TIFFTag.jpegInterchangeFormat, in: directory),
        let length = try tiff.unsigned(TIFFTag.jpegInterchangeFormatLength, in: directory),
        let end = offset.adding(length), length > 0
      {
        found.append(offset..<end)
      }
      if let strip = try jpegStrip(of: directory, in: tiff) { found.append(strip) }
    }
    return found
  }

  /// A picture of one strip that is a JPEG (TIFF compression 6 and 7), unless it is sensor data.
  private static func jpegStrip(
    of directory: TIFFDirectory, in tiff: TIFFFile
  ) throws -> Range<UInt64>? {
    let sensor: [UInt64] = [32_803, 34_892]
    guard let compression = try tiff.unsigned(TIFFTag.compression, in: directory),
      compression == 6 || compression == 7,
      !sensor.contains(try tiff.unsigned(TIFFTag.photometricInterpretation, in: directory) ?? 0),
      directory[TIFFTag.stripOffsets]?.count == 1,
      let offset = try tiff.unsigned(TIFFTag.stripOffsets, in: directory),
      let length = try tiff.unsigned(TIFFTag.stripByteCounts, in: directory),
      let end = offset.adding(length), length > 0
    else { return nil }
    return offset..<end
  }

  /// Bytes that are searched.
  private static let maximumSearch: UInt64 = 256 << 20

  /// JPEGs anywhere in the file, by their first three bytes.
  private static func search(_ source: any ByteSource) throws -> [RAWPreview] {
    var found: [RAWPreview] = []
    var candidates = 0
    var position: UInt64 = 0
    let step = 1 << 20
    while position < min(source.count, maximumSearch), candidates < maximumCandidates {
      let chunk = try source.bytes(at: position, count: step + 2)
      var index = 0
      while let start = chunk.firstIndex(of: [0xFF, 0xD8, 0xFF], from: index), start < step {
        index = start + 3
        candidates += 1
        let begin = position + UInt64(start)
        if let preview = RAWPreview(begin..<source.count, in: source) { found.append(preview) }
      }
      position += UInt64(step)
    }
    return found
  }
}
