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
  /// Where the file's directories tell of none as large as a screen, the file is searched for others:
  /// many makers point to theirs from places of their own.
  package static func largest(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> RAWPreview? {
    let told = try toldRanges(type, source).prefix(maximumCandidates)
    var found = told.compactMap { RAWPreview($0, in: source) }
    if !found.contains(where: { max($0.size.width, $0.size.height) >= screen }) {
      found += try search(source)
    }
    return found.max { $0.area < $1.area }
  }

  private static let maximumCandidates = 64
  /// Pixels of the longer side.
  private static let screen = 1600

  private static func toldRanges(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> [Range<UInt64>] {
    switch type {
    case .fujiRAF: return [try RAFFile(source).embeddedJPEG]
    case .sigmaX3F: return try X3FFile(source).embeddedJPEG.map { [$0] } ?? []
    case .canonCR3, .canonCRW, .minoltaMRW: return []
    default: return try rangesOfDirectories(TIFFFile(source))
    }
  }

  private enum Tag {
    static let compression: UInt16 = 0x0103
    static let photometric: UInt16 = 0x0106
    static let stripOffsets: UInt16 = 0x0111
    static let stripByteCounts: UInt16 = 0x0117
    static let jpegOffset: UInt16 = 0x0201
    static let jpegLength: UInt16 = 0x0202
    static let panasonicJPEG: UInt16 = 0x002E
  }

  /// The JPEGs that the directories of a TIFF-based file point at.
  private static func rangesOfDirectories(_ tiff: TIFFFile) throws -> [Range<UInt64>] {
    let chain = try tiff.directories(limit: 16)
    var directories = chain
    for directory in chain.prefix(8) { directories += try tiff.subdirectories(of: directory) }
    var found: [Range<UInt64>] = []
    for directory in directories {
      if let entry = directory[Tag.panasonicJPEG], entry.content.count > 4 {
        found.append(entry.content)
      }
      if let offset = try tiff.unsigned(Tag.jpegOffset, in: directory),
        let length = try tiff.unsigned(Tag.jpegLength, in: directory),
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
    guard let compression = try tiff.unsigned(Tag.compression, in: directory),
      compression == 6 || compression == 7,
      !sensor.contains(try tiff.unsigned(Tag.photometric, in: directory) ?? 0),
      directory[Tag.stripOffsets]?.count == 1,
      let offset = try tiff.unsigned(Tag.stripOffsets, in: directory),
      let length = try tiff.unsigned(Tag.stripByteCounts, in: directory),
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
