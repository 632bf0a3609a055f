package import ByteReading
package import MediaFormats
package import MediaModel

extension PictureMetadata {
  private static let maximumBlock = 64 << 20

  /// The metadata blocks of a picture, whatever container holds them; none for what is no picture.
  ///
  /// - Throws: ``ContainerError`` where the container cannot be followed; what the source throws.
  package static func read(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureMetadata {
    var metadata = try blocks(type, source)
    metadata.density = metadata.density ?? metadata.exif.flatMap(PixelDensity.init(exif:))
    return metadata
  }

  private static func blocks(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureMetadata {
    switch type {
    case .jpeg: return try jpeg(source)
    case .heic, .heif, .heics, .avif: return try heif(source)
    case .png: return try png(source)
    case .webP: return try webP(source)
    case .gif: return try gif(source)
    case .bmp:
      var metadata = PictureMetadata()
      metadata.density = try PixelDensity(bmp: source)
      return metadata
    case .jpegXL: return try jpegXL(source)
    case .jpeg2000: return try jpeg2000(source)
    case let type where type.isTIFF: return try tiff(TIFFFile(source))
    case .canonCR3: return try canonRaw(source)
    case .fujiRAF: return try jpeg(source.part(try RAFFile(source).embeddedJPEG))
    case .sigmaX3F:
      guard let range = try X3FFile(source).embeddedJPEG else { return PictureMetadata() }
      return try jpeg(source.part(range))
    case .minoltaMRW:
      guard let block = try MRWFile(source).exif else { return PictureMetadata() }
      return try tiff(TIFFFile(ArraySource(block)))
    default: return PictureMetadata()
    }
  }

  private static func heif(_ source: any ByteSource) throws -> PictureMetadata {
    let file = try HEIFContainer(source)
    return PictureMetadata(
      exif: try file.exif(from: source), xmp: try file.xmp(from: source), icc: file.colorProfile)
  }

  private static func png(_ source: any ByteSource) throws -> PictureMetadata {
    let file = try PNGFile(source)
    var metadata = PictureMetadata(
      exif: file.exif, xmp: file.xmp,
      imageResources: file.iptc.map { PhotoshopResource.made(PhotoshopResource.iptc, $0) },
      icc: try PNGFile.profile(of: source))
    metadata.texts = file.texts.map { PictureText(keyword: $0.keyword, text: $0.text) }
    metadata.density = file.density
    return metadata
  }

  private static func gif(_ source: any ByteSource) throws -> PictureMetadata {
    var metadata = PictureMetadata(xmp: try GIFFile(source).xmp)
    metadata.texts = try PictureText.comments(ofGIF: source)
    return metadata
  }

  private static func webP(_ source: any ByteSource) throws -> PictureMetadata {
    let file = try WebPFile(source)
    let profile = try source.webPChunks().first { $0.type == "ICCP" }
    return PictureMetadata(
      exif: file.exif, xmp: file.xmp,
      icc: try profile.flatMap { try source.bytes(in: $0.payload, limit: maximumBlock) })
  }

  private static func jpegXL(_ source: any ByteSource) throws -> PictureMetadata {
    let file = try JPEGXLFile(source)
    var metadata = PictureMetadata(exif: file.exif, xmp: file.xmp)
    metadata.notes = file.warnings
    return metadata
  }

  private static func jpeg2000(_ source: any ByteSource) throws -> PictureMetadata {
    let file = try JPEG2000File(source)
    var metadata = PictureMetadata(exif: file.exif, xmp: file.xmp)
    metadata.imageResources = file.iptc.map { PhotoshopResource.made(PhotoshopResource.iptc, $0) }
    let boxes = try source.boxes(in: 0..<source.count, limit: 256)
    if let header = boxes.first(where: { $0.type == "jp2h" }),
      let color = try source.child("colr", of: header),
      let content = try source.content(of: color, limit: maximumBlock), content.u8(at: 0) == 2
    {
      metadata.icc = content.bytes(from: 3)
    }
    return metadata
  }

  /// The EXIF of a TIFF is spread over the file: a block is made of it.
  private static func tiff(_ file: TIFFFile) throws -> PictureMetadata {
    guard let first = try file.directory(at: file.firstDirectoryOffset) else {
      throw ContainerError.damaged("has no TIFF directory")
    }
    func value(_ tag: UInt16) throws -> [UInt8]? {
      try first[tag].flatMap { try file.bytes(of: $0, limit: maximumBlock) }
    }
    var metadata = PictureMetadata(
      exif: try CompactExif.block(of: file), xmp: try value(0x02BC),
      imageResources: try value(0x8649), icc: try value(0x8773))
    let resources = metadata.imageResources ?? []
    let hasIPTC = PhotoshopResource.list(resources).contains {
      $0.identifier == PhotoshopResource.iptc
    }
    if !hasIPTC, let iptc = try value(0x83BB) {
      metadata.imageResources =
        PhotoshopResource.made(PhotoshopResource.iptc, iptc) + resources
    }
    // Panasonic keeps the whole EXIF in the JPEG inside.
    if file.magic == 0x55, let inside = first[0x002E], inside.content.count > 4,
      let preview = try? jpeg(file.source.part(inside.content))
    {
      metadata.exif = preview.exif ?? metadata.exif
      metadata.xmp = metadata.xmp ?? preview.xmp
    }
    return metadata
  }

  private static func canonRaw(_ source: any ByteSource) throws -> PictureMetadata {
    let boxes = try ISOMovie(source)
    return PictureMetadata(
      exif: try boxes.canonRaw.flatMap { try CompactExif.block(of: $0) },
      xmp: try boxes.xmp.flatMap { try source.bytes(in: $0, limit: maximumBlock) })
  }
}

extension HEIFContainer {
  /// The ICC profile of the primary picture, else that of the first picture that it is made from and that has
  /// one. Those of auxiliary pictures (gain maps, depth) and thumbnails describe other pixels.
  var colorProfile: [UInt8]? {
    let parts = references.first { $0.type == "dimg" && $0.from == primaryItem }?.to ?? []
    var seen: Set<UInt32> = []
    let sources = [primaryItem].compactMap(\.self) + parts.filter { seen.insert($0).inserted }
    return sources.prefix(Self.maximumProfileSources).lazy.compactMap { id in
      properties(of: id).lazy.compactMap(\.colorProfile).first
    }.first
  }

  /// Tiles share their properties; more than these are not searched for one that differs.
  private static let maximumProfileSources = 16
}

extension HEIFProperty {
  /// `colr` of kind `prof` or `rICC`: an ICC profile.
  var colorProfile: [UInt8]? {
    guard type == "colr", content.hasText("prof") || content.hasText("rICC"), content.count > 4
    else { return nil }
    return content.bytes(from: 4)
  }
}

extension PNGFile {
  /// Bytes that a profile may have.
  private static let maximumProfile = 4 << 20

  /// The ICC profile of the `iCCP` chunk, which stands before the picture.
  static func profile(of source: any ByteSource) throws -> [UInt8]? {
    var position: UInt64 = 8
    for _ in 0..<256 {
      let header = try source.bytes(at: position, count: 8)
      guard let length = header.u32(at: 0), let type = header.fourCC(at: 4), type != "IDAT"
      else { return nil }
      let start = position + 8
      if type == "iCCP" {
        guard let content = try source.bytes(in: start..<(start + UInt64(length)), limit: 4 << 20),
          let name = content.prefix(80).firstIndex(of: 0)
        else { return nil }
        return inflateZlib(content.bytes(from: name + 2), limit: maximumProfile)
      }
      position = start + UInt64(length) + 4
    }
    return nil
  }
}
