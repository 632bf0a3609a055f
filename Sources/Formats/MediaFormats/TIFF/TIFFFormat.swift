package import ByteReading
package import MediaModel

/// TIFF 6.0 and BigTIFF, and the RAW formats that are TIFFs.
package enum TIFFFormat: RAWFormat {
  package static let uniformTypes: Set<UniformType> = [
    .tiff, .dng, .canonCR2, .nikonNEF, .sonyARW, .sonySR2, .olympusORF, .panasonicRW2, .pentaxPEF,
    .phaseOneIIQ, .samsungSRW, .hasselblad3FR, .hasselbladFFF, .kodakDCR, .epsonERF, .leafMOS,
    .mamiyaMEF,
  ]

  package static func recognize(_ head: FileHead) throws -> UniformType? {
    if let type = rawType(head.bytes) { return type }
    guard head.bytes.hasText("II") || head.bytes.hasText("MM"),
      let tiff = try? TIFFFile(head.source)
    else { return nil }
    return try type(of: tiff, fileExtension: head.fileExtension)
  }

  package static func metadata(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureMetadata {
    try .tiff(TIFFFile(source))
  }

  package static func previews(in source: any ByteSource) throws -> [Range<UInt64>] {
    try RAWPreview.ranges(inDirectoriesOf: TIFFFile(source))
  }
}

/// RAW formats with a magic number of their own.
private func rawType(_ head: [UInt8]) -> UniformType? {
  if head.hasText("IIU\0") { return .panasonicRW2 }
  if ["IIRO", "IIRS", "MMOR"].contains(where: { head.hasText($0) }) { return .olympusORF }
  if head.hasBytes([0x49, 0x49, 0x2A, 0]), head.hasText("CR", at: 8) { return .canonCR2 }
  let hasTIFF = head.hasBytes([0x49, 0x49, 0x2A, 0]) || head.hasBytes([0x4D, 0x4D, 0, 0x2A])
  if hasTIFF, head.hasText("IIII", at: 8) || head.hasText("MMMM", at: 8) { return .phaseOneIIQ }
  return nil
}

/// The type of a TIFF: a RAW format if its first directory, or the camera's make and the file's name, indicate one.
private func type(of tiff: TIFFFile, fileExtension: String) throws -> UniformType {
  guard let first = try tiff.directory(at: tiff.firstDirectoryOffset), !tiff.isBig
  else { return .tiff }
  if first[TIFFTag.dngVersion] != nil { return .dng }
  let make = try tiff.text(TIFFTag.make, in: first)?.uppercased() ?? ""
  // A camera's RAW begins with a thumbnail; a picture developed from it does not.
  let isReduced = try (tiff.unsigned(TIFFTag.newSubfileType, in: first) ?? 0) & 1 == 1
  let promised = UniformType(fileExtension: fileExtension)
  let own = rawTypesByMake.filter { make.hasPrefix($0.prefix) }.map(\.type)
  // Pentax stores the sensor's image in the first directory, so only the name indicates RAW.
  if let promised, own.contains(promised) { return promised }
  let isUnmistakable = isReduced && first[TIFFTag.subIFDs] != nil
  return own.first { isUnmistakable && [.nikonNEF, .sonyARW].contains($0) } ?? .tiff
}

/// RAW formats that only the make and the name distinguish from a TIFF, by the beginning of the make.
private let rawTypesByMake: [(prefix: String, type: UniformType)] = [
  ("NIKON", .nikonNEF), ("SONY", .sonyARW), ("SONY", .sonySR2), ("PENTAX", .pentaxPEF),
  ("RICOH", .pentaxPEF), ("OLYMPUS", .olympusORF), ("PHASE ONE", .phaseOneIIQ),
  ("LEAF", .phaseOneIIQ), ("LEAF", .leafMOS), ("SAMSUNG", .samsungSRW),
  ("HASSELBLAD", .hasselblad3FR), ("HASSELBLAD", .hasselbladFFF), ("IMACON", .hasselbladFFF),
  ("KODAK", .kodakDCR), ("EASTMAN KODAK", .kodakDCR), ("EPSON", .epsonERF),
  ("SEIKO EPSON", .epsonERF), ("MAMIYA", .mamiyaMEF),
]

extension PictureMetadata {
  /// The longest block in bytes.
  package static let maximumBlock = 64 << 20

  /// The blocks of a TIFF. Its EXIF is spread over the file, so a new block is made of it.
  static func tiff(_ file: TIFFFile) throws -> PictureMetadata {
    guard let first = try file.directory(at: file.firstDirectoryOffset) else {
      throw ContainerError.damaged("has no TIFF directory")
    }
    func value(_ tag: UInt16) throws -> [UInt8]? {
      try first[tag].flatMap { try file.bytes(of: $0, limit: maximumBlock) }
    }
    // The profile is of the pixels of its directory, the rest is about the file.
    let icc = try file.mainDirectory()?[TIFFTag.iccProfile].flatMap {
      try file.bytes(of: $0, limit: maximumBlock)
    }
    var metadata = PictureMetadata(
      exif: try CompactExif.block(of: file), xmp: try value(TIFFTag.xmp),
      imageResources: try value(TIFFTag.imageResources), icc: icc)
    if metadata.xmp == nil, first[TIFFTag.xmp] != nil { metadata.noteUnreadXMP() }
    let resources = metadata.imageResources ?? []
    let hasIPTC = PhotoshopResource.list(resources).contains {
      $0.identifier == PhotoshopResource.iptc
    }
    if !hasIPTC, let iptc = try value(TIFFTag.iptc) {
      metadata.imageResources =
        PhotoshopResource.made(PhotoshopResource.iptc, iptc) + resources
    }
    // Panasonic stores the whole EXIF in the embedded JPEG.
    if file.magic == 0x55, let embedded = first[TIFFTag.panasonicJPEG], embedded.content.count > 4,
      let preview = try? jpeg(file.source.part(embedded.content))
    {
      metadata.exif = preview.exif ?? metadata.exif
      metadata.xmp = metadata.xmp ?? preview.xmp
    }
    return metadata
  }
}
