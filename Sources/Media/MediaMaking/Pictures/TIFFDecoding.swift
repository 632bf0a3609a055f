import ByteReading
import Color
import FFmpeg
import FactReading
import MediaEdits
import MediaFormats
import MediaModel
import TurboJPEG
import WorkerProtocol

// TIFFs that libavcodec's decoder does not handle: tiles, which it would make black, CMYK, and kinds of samples and
// compression that it takes for damage or ignores.

extension TIFFFormat: StillPicture {
  static var stillFormat: StillFormat { .tiff }

  static func describe(
    _ file: MediaFile, _ type: UniformType
  ) throws -> PictureDescription {
    try type.isRaw ? file.describeRAW(type) : describeStill(file)
  }

  static func decode(
    _ file: MediaFile, _ type: UniformType, atLeast longerSide: Int?
  ) throws -> DecodedPicture {
    try type.isRaw ? file.decodePreview(type, atLeast: longerSide) : decodeStill(file, type)
  }

  static func decoded(_ file: MediaFile) throws -> DecodedPicture {
    try file.decodeTIFF()
  }

  static func description(_ source: any ByteSource) throws -> PictureDescription {
    let structure = try TIFFFile(source)
    let picture = try TIFFPicture(structure, type: .tiff)
    guard let size = picture.storedSize else {
      throw ProbeFailure(.damaged, "The TIFF contains no picture.")
    }
    let directory = try structure.directory(at: structure.firstDirectoryOffset)
    return PictureDescription(
      uprightSize: size, bitDepth: picture.bitsPerSample.first ?? 1,
      isTransparent: try directory.map { try structure.hasAlpha($0) } ?? false,
      hasMorePictures: try structure.pages().count > 1,
      obstacle: try directory.flatMap { try structure.decodingObstacle($0) })
  }
}

extension MediaFile {
  /// Decodes a TIFF's first picture, without turning it.
  func decodeTIFF() throws -> DecodedPicture {
    let tiff = try TIFFFile(self)
    guard let directory = try tiff.directory(at: tiff.firstDirectoryOffset) else {
      throw ProbeFailure(.damaged, "The TIFF contains no picture.")
    }
    if let obstacle = try tiff.decodingObstacle(directory) {
      throw ProbeFailure(.unsupported, obstacle)
    }
    let isLimited = try tiff.hasHeadroom(directory)
    let raster =
      try TIFFTiling(tiff, directory).map { try decodeTiles($0, isLimited: isLimited) }
      ?? StillFormat.tiff.decode(content(), isLimited: isLimited).raster
    if let palette = try TIFFPalette(tiff, directory), palette.hasExtraChannel {
      guard let colors = palette.colors(of: raster) else { throw ProbeFailure.noDecoder }
      return DecodedPicture(raster: colors, sampling: .yuv444)
    }
    guard try tiff.isSeparated(directory) else {
      let plain =
        try raster.layout.hasAlpha && tiff.hasAssociatedAlpha(directory)
        ? Transparency.divided(raster, to: raster.layout) : raster
      let isPalette = try TIFFPalette(tiff, directory) != nil
      return DecodedPicture(
        raster: plain, sampling: isPalette ? .yuv444 : plain.layout.sampling)
    }
    // libavcodec converts some CMYK pictures to RGB, without transparency, and leaves others unchanged.
    let colors =
      !raster.isOpaque
      ? FourthChannel.cmyk(try raster.converted(to: .rgba8), isInverted: false) : raster
    return DecodedPicture(raster: colors, notes: [DecodedPicture.cmykNote])
  }

  /// Decodes all tiles into one picture.
  private func decodeTiles(_ tiling: TIFFTiling, isLimited: Bool) throws -> Raster {
    var whole: Raster?
    for row in 0..<tiling.rows {
      for column in 0..<tiling.columns {
        let tile = try StillFormat.tiff.decode(
          tiling.file(column: column, row: row), isLimited: isLimited
        ).raster
        if whole == nil { whole = Raster(size: tiling.size, layout: tile.layout) }
        guard tile.size == tiling.tileSize, whole?.layout == tile.layout else {
          throw ProbeFailure(.damaged, "The TIFF's tiles do not fit together.")
        }
        whole?.place(tile, x: column * tiling.tileSize.width, y: row * tiling.tileSize.height)
      }
    }
    guard let whole else {
      throw ProbeFailure(.outOfMemory, ProbeFailure.tooLarge("The picture"))
    }
    return whole
  }
}

extension TIFFFile {
  /// None, CCITT's three, LZW, Deflate under two numbers, PackBits and LZMA. For others, including JPEG,
  /// libavcodec returns black or reports damage.
  private static let knownCompressions: [UInt64] = [1, 2, 3, 4, 5, 8, 0x80B2, 0x8005, 0x886D]

  /// Why the picture of a directory cannot be decoded, as a sentence; nil if no reason is known.
  func decodingObstacle(_ directory: TIFFDirectory) throws -> String? {
    let bits =
      try directory[TIFFTag.bitsPerSample].flatMap { try unsignedList($0, limit: 8).max() } ?? 1
    // `SampleFormat`: 1 is unsigned, 4 unknown.
    switch try unsigned(TIFFTag.sampleFormat, in: directory) ?? 1 {
    case 3: return "TIFFs with floating-point samples cannot be decoded here."
    case 1, 4: break
    default: return "TIFFs with signed samples cannot be decoded here."
    }
    let isGray = try unsigned(TIFFTag.samplesPerPixel, in: directory) ?? 1 == 1
    if ![1, 2, 4, 8, 16].contains(bits), !(isGray && bits == 12) {
      return "TIFFs with \(bits) bits a sample cannot be decoded here."
    }
    if let palette = try TIFFPalette(self, directory), palette.hasExtraChannel, bits != 8 {
      return "TIFFs with a palette of \(bits) bits and a second channel cannot be decoded here."
    }
    if isBig { return "BigTIFFs cannot be decoded here." }
    // The three kinds of CIELab.
    if let space = try unsigned(TIFFTag.photometricInterpretation, in: directory),
      [8, 9, 10].contains(space)
    {
      return "TIFFs in CIELab cannot be decoded here."
    }
    let compression = try unsigned(TIFFTag.compression, in: directory) ?? 1
    if !Self.knownCompressions.contains(compression) {
      let name = [6, 7].contains(compression) ? "as JPEG" : "by method \(compression)"
      return "TIFFs compressed \(name) cannot be decoded here."
    }
    if try TIFFTiling.hasSeparatePlanes(self, directory) {
      return "TIFFs with separate tiles for each channel cannot be decoded here."
    }
    return nil
  }
}
