import ByteReading
import Color
import FFmpeg
import FactReading
import LibTIFF
import MediaEdits
import MediaFormats
import MediaModel
import TurboJPEG
import WorkerProtocol

// TIFFs are decoded by libtiff. libavcodec makes tiles and JPEG black, and takes BigTIFF and many kinds of samples for
// damage. It decodes only the few simple files that libtiff refuses.

extension TIFFFormat: StillPicture {
  static var stillFormat: StillFormat { .tiff }

  static func describe(
    _ file: MediaFile, _ type: UniformType
  ) throws -> PictureDescription {
    try type.isRaw ? file.describeRAW(type) : description(WindowedSource(file))
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
    let directory = try structure.mainDirectory()
    return PictureDescription(
      uprightSize: size, bitDepth: picture.bitsPerSample.first ?? 1,
      isTransparent: try directory.map { try structure.hasAlpha($0) } ?? false,
      hasMorePictures: try structure.pages().count > 1,
      hasFewColors: try directory.map { try structure.hasFewColors($0) } ?? false,
      obstacle: try directory.flatMap { try structure.decodingObstacle($0) })
  }
}

extension MediaFile {
  /// Decodes a TIFF's first page, without turning it.
  func decodeTIFF() throws -> DecodedPicture {
    let structure = try TIFFFile(self)
    guard let directory = try structure.mainDirectory() else {
      throw ProbeFailure(.damaged, "The TIFF contains no picture.")
    }
    if let obstacle = try structure.decodingObstacle(directory) {
      throw ProbeFailure(.unsupported, obstacle)
    }
    var mayBeSimple = true
    do throws(TIFFError) {
      // libtiff takes unreadable bytes for missing ones. The file keeps the read error, which is then reported.
      let offset = directory.offset == structure.firstDirectoryOffset ? nil : directory.offset
      let image = try TIFFImage(size: count, directory: offset) { [self] offset, count in
        (try? bytes(at: offset, count: count)) ?? []
      }
      mayBeSimple = false
      return DecodedPicture(try image.decode())
    } catch {
      if mayBeSimple || error.reason == .unsupported,
        let picture = try? decodeSimpleTIFF(structure, directory)
      {
        return picture
      }
      throw ProbeFailure(error)
    }
  }

  /// Decodes a TIFF that libtiff refuses with libavcodec; nil unless it has strips of plain grey or RGB.
  private func decodeSimpleTIFF(
    _ tiff: TIFFFile, _ directory: TIFFDirectory
  ) throws -> DecodedPicture? {
    guard try directory.offset == tiff.firstDirectoryOffset && tiff.isSimple(directory)
    else { return nil }
    let still = try StillFormat.tiff.decode(content())
    return DecodedPicture(raster: still.raster, sampling: still.sampling)
  }
}

extension DecodedPicture {
  fileprivate init(_ decoded: DecodedTIFF) {
    self.init(raster: decoded.raster)
    switch decoded.color {
    case .plain: break
    case .cmyk:
      inks = .direct
      inkAlpha = decoded.inkAlpha
      if decoded.isPremultiplied, let inkAlpha {
        raster = Transparency.divided(raster, by: inkAlpha)
      }
    case .lab(let range):
      let isDeep = raster.layout.isDeep
      var lab: LabColor =
        range == .itu ? .fax : LabColor(isDeep: isDeep, isICC: range == .icc)
      // ICC's coding is always relative to D50.
      if range != .icc, let white = decoded.whitePoint { lab = lab.relative(to: white) }
      raster = lab.convert(raster)
      isConverted = true
    }
    if decoded.isPremultiplied, inks == nil {
      raster = Transparency.divided(raster, to: raster.layout)
    }
    sampling = JPEGSampling(decoded.chromaSubsampling)
    if let complaint = decoded.complaint {
      notes.append("The TIFF is damaged: \(complaint.asPartOfSentence).")
    }
  }
}

extension JPEGSampling {
  /// - Parameter factors: the number of luma samples for one chroma sample, across and down.
  fileprivate init?(_ factors: SIMD2<Int>) {
    switch (factors.x, factors.y) {
    case (1, 1): self = .yuv444
    case (2, 1): self = .yuv422
    case (2, 2): self = .yuv420
    case (1, 2): self = .yuv440
    case (4, 1): self = .yuv411
    default: return nil
    }
  }
}

extension TIFFFile {
  /// The compressions of simple TIFFs: none, CCITT's three, LZW, Deflate under two numbers, PackBits and LZMA.
  private static let simpleCompressions: [UInt64] = [1, 2, 3, 4, 5, 8, 0x80B2, 0x8005, 0x886D]

  /// Whether libavcodec's decoder is sure to know a picture's coding.
  fileprivate func isSimple(_ directory: TIFFDirectory) throws -> Bool {
    let compression = try unsigned(TIFFTag.compression, in: directory) ?? 1
    let space = try unsigned(TIFFTag.photometricInterpretation, in: directory) ?? 1
    return try !isBig && Self.simpleCompressions.contains(compression)
      && (0...2).contains(space) && directory[TIFFTag.tileOffsets] == nil
      && directory[TIFFTag.extraSamples] == nil
      && unsigned(TIFFTag.sampleFormat, in: directory) ?? 1 == 1
  }

  /// Whether a picture has a palette, or black and white only.
  fileprivate func hasFewColors(_ directory: TIFFDirectory) throws -> Bool {
    let space = try unsigned(TIFFTag.photometricInterpretation, in: directory) ?? 1
    let bits = try unsigned(TIFFTag.bitsPerSample, in: directory) ?? 1
    let samples = try unsigned(TIFFTag.samplesPerPixel, in: directory) ?? 1
    return samples == 1 && (space == 3 && bits <= 8 || space <= 1 && bits == 1)
  }

  /// Why the picture of a directory cannot be decoded, as a sentence; nil if no reason is known.
  func decodingObstacle(_ directory: TIFFDirectory) throws -> String? {
    // `SampleFormat`: 5 and 6 are complex numbers.
    if let format = try unsigned(TIFFTag.sampleFormat, in: directory), [5, 6].contains(format) {
      return "TIFFs with complex numbers as samples cannot be decoded here."
    }
    // The data of a sensor's colour filter, and such data in linear light (DNG 1.7).
    if let space = try unsigned(TIFFTag.photometricInterpretation, in: directory),
      [32_803, 34_892].contains(space)
    {
      return "TIFFs with the data of a camera's sensor cannot be decoded here."
    }
    let compression = try unsigned(TIFFTag.compression, in: directory) ?? 1
    if !Self.simpleCompressions.contains(compression),
      !TIFFLibrary.canDecode(compression: Int(clamping: compression))
    {
      let method = Self.compressionNames[compression] ?? "method \(compression)"
      return "TIFFs compressed by \(method) cannot be decoded here."
    }
    return nil
  }

  /// Compressions that libtiff has no decoder for, or not in every build.
  private static let compressionNames: [UInt64: String] = [
    22_610: "JPEG XR", 33_003: "JPEG 2000", 33_005: "JPEG 2000", 34_661: "JBIG",
    34_712: "JPEG 2000",
    34_887: "LERC", 34_933: "PNG", 34_934: "JPEG XR", 50_000: "ZSTD", 50_001: "WebP",
    50_002: "JPEG XL", 52_546: "JPEG XL",
  ]
}

extension ProbeFailure {
  /// The failure for an error of libtiff.
  fileprivate init(_ error: TIFFError) {
    let detail = error.detail.asPartOfSentence
    switch error.reason {
    case .damaged: self.init(.damaged, "The TIFF is damaged: \(detail).")
    case .unsupported: self.init(.unsupported, "The TIFF cannot be decoded: \(detail).")
    case .tooLarge: self.init(.outOfMemory, ProbeFailure.tooLarge("A TIFF with \(detail)"))
    }
  }
}
