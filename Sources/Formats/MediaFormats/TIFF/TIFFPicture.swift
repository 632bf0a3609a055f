import ByteReading
package import MediaModel

/// The size, orientation and metadata of the picture in a TIFF or a TIFF-based RAW file.
package struct TIFFPicture {
  /// The stored size of the main picture. For RAW files that is the sensor's image, not a preview; for others
  /// ``TIFFFile/mainDirectory()``'s.
  package private(set) var storedSize: PixelSize?
  /// The size of the rendered picture: the default crop of a DNG that has one, otherwise the stored size.
  package private(set) var size: PixelSize?
  package private(set) var orientation: Orientation?
  /// The number of full pictures in the chain of directories, without previews and thumbnails.
  package private(set) var frameCount = 0
  package private(set) var bitsPerSample: [Int] = []
  package private(set) var xmp: [UInt8]?
  /// IPTC-IIM datasets.
  package private(set) var iptc: [UInt8]?
  /// The JPEG inside a Panasonic RW2. It has EXIF tags that the directories of the file lack.
  package private(set) var embeddedJPEG: Range<UInt64>?

  private static let maximumFrames = 1000

  /// - Parameter type: the type of the file, which decides the directory that describes the main picture.
  /// - Throws: ``ContainerError`` if there is no directory; the errors of the source.
  package init(_ tiff: TIFFFile, type: UniformType) throws {
    let chain = try tiff.directories(limit: Self.maximumFrames)
    guard let first = chain.first else { throw ContainerError.damaged("has no TIFF directory") }
    frameCount = try chain.filter { try !Self.isReduced($0, tiff) }.count
    let main = type == .tiff ? try chain.first(where: tiff.isPage) ?? first : first
    orientation = try tiff.unsigned(TIFFTag.orientation, in: main).flatMap(UInt8.init(exactly:))
      .flatMap(Orientation.init(rawValue:))
    switch type {
    case .tiff: try takeSize(of: main, in: tiff)
    case .canonCR2, .phaseOneIIQ: storedSize = try Self.exifSize(first, tiff)
    case .panasonicRW2: storedSize = try Self.panasonicSize(first, tiff)
    default: break
    }
    if storedSize == nil { try takeLargest(of: chain, in: tiff) }
    size = size ?? storedSize
    try takeMetadata(of: first, in: tiff)
  }

  private static func isReduced(_ directory: TIFFDirectory, _ tiff: TIFFFile) throws -> Bool {
    try (tiff.unsigned(TIFFTag.newSubfileType, in: directory) ?? 0) & 1 == 1
  }

  private static func size(
    of directory: TIFFDirectory, in tiff: TIFFFile, _ width: UInt16 = TIFFTag.imageWidth,
    _ height: UInt16 = TIFFTag.imageLength
  ) throws -> PixelSize? {
    guard let width = try tiff.unsigned(width, in: directory),
      let height = try tiff.unsigned(height, in: directory), (1...1 << 24).contains(width),
      (1...1 << 24).contains(height)
    else { return nil }
    return PixelSize(width: Int(width), height: Int(height))
  }

  private static func exifSize(_ first: TIFFDirectory, _ tiff: TIFFFile) throws -> PixelSize? {
    guard let exif = try tiff.directory(TIFFTag.exifIFD, of: first) else { return nil }
    return try size(of: exif, in: tiff, TIFFTag.pixelXDimension, TIFFTag.pixelYDimension)
  }

  /// The size of a Panasonic RW2 by the picture's borders on the sensor: top, left, bottom and right are tags 4 to 7.
  private static func panasonicSize(
    _ first: TIFFDirectory, _ tiff: TIFFFile
  ) throws -> PixelSize? {
    let borders = try (4...7).compactMap { try tiff.unsigned($0, in: first) }
    guard borders.count == 4, borders[2] > borders[0], borders[3] > borders[1],
      borders.allSatisfy({ $0 < 1 << 24 })
    else { return nil }
    return PixelSize(width: Int(borders[3] - borders[1]), height: Int(borders[2] - borders[0]))
  }

  private mutating func takeSize(of directory: TIFFDirectory, in tiff: TIFFFile) throws {
    storedSize = try Self.size(of: directory, in: tiff)
    if let entry = directory[TIFFTag.bitsPerSample] {
      bitsPerSample = try tiff.unsignedList(entry, limit: 8).map { Int(clamping: $0) }
    }
    guard let entry = directory[TIFFTag.defaultCropSize], let stored = storedSize else { return }
    let crop = try tiff.numbers(entry, limit: 2)
    guard crop.count == 2, crop[0] >= 1, crop[1] >= 1, crop[0] <= Double(stored.width),
      crop[1] <= Double(stored.height)
    else { return }
    size = PixelSize(width: Int(crop[0]), height: Int(crop[1]))
  }

  /// Takes the largest full picture among the directories and their subdirectories, or the largest reduced one if there
  /// is no full one.
  private mutating func takeLargest(of chain: [TIFFDirectory], in tiff: TIFFFile) throws {
    var candidates = Array(chain.prefix(16))
    for directory in chain.prefix(4) { candidates += try tiff.subdirectories(of: directory) }
    var best: (directory: TIFFDirectory, isFull: Bool, area: Int)?
    for directory in candidates {
      guard let size = try Self.size(of: directory, in: tiff) else { continue }
      let isFull = try !Self.isReduced(directory, tiff)
      let area = size.width * size.height
      if let found = best, (found.isFull ? 1 : 0, found.area) >= (isFull ? 1 : 0, area) { continue }
      best = (directory, isFull, area)
    }
    if let best { try takeSize(of: best.directory, in: tiff) }
  }

  private mutating func takeMetadata(of first: TIFFDirectory, in tiff: TIFFFile) throws {
    if let entry = first[TIFFTag.xmp] { xmp = try tiff.bytes(of: entry, limit: 4 << 20) }
    if let entry = first[TIFFTag.iptc] { iptc = try tiff.bytes(of: entry) }
    if iptc == nil, let entry = first[TIFFTag.imageResources] {
      iptc = try tiff.bytes(of: entry, limit: 4 << 20).flatMap {
        PhotoshopResource.data(PhotoshopResource.iptc, in: $0)
      }
    }
    if tiff.magic == 0x55, let entry = first[TIFFTag.panasonicJPEG], entry.content.count > 4 {
      embeddedJPEG = entry.content
    }
  }
}

extension TIFFFile {
  /// Whether an extra channel is transparency (TIFF 6.0 §18, `ExtraSamples`).
  package func hasAlpha(_ directory: TIFFDirectory) throws -> Bool {
    guard let entry = directory[TIFFTag.extraSamples] else { return false }
    return try unsignedList(entry, limit: 4).contains { $0 == 1 || $0 == 2 }
  }

  /// The directories of all pages, without reduced versions and masks (`NewSubfileType`).
  package func pages() throws -> [TIFFDirectory] {
    try directories().filter(isPage)
  }

  fileprivate func isPage(_ directory: TIFFDirectory) throws -> Bool {
    try (unsigned(TIFFTag.newSubfileType, in: directory) ?? 0) & 0b101 == 0
  }

  /// The directory of the first page, which a thumbnail may precede; without pages the first directory, if the file has any.
  package func mainDirectory() throws -> TIFFDirectory? {
    try pages().first ?? directory(at: firstDirectoryOffset)
  }
}
