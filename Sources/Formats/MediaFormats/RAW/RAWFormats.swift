package import ByteReading
package import MediaModel

// RAW formats with a structure of their own. Most others are TIFFs: see TIFFFormat.

/// Fujifilm's RAF.
package enum FujifilmRAWFormat: RAWFormat {
  package static let uniformTypes: Set<UniformType> = [.fujiRAF]

  package static func recognize(_ head: FileHead) -> UniformType? {
    head.bytes.hasText("FUJIFILMCCD-RAW") ? .fujiRAF : nil
  }

  package static func metadata(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureMetadata {
    try .jpeg(source.part(try RAFFile(source).embeddedJPEG))
  }

  package static func previews(in source: any ByteSource) throws -> [Range<UInt64>] {
    [try RAFFile(source).embeddedJPEG]
  }
}

/// Minolta's MRW.
package enum MinoltaRAWFormat: RAWFormat {
  package static let uniformTypes: Set<UniformType> = [.minoltaMRW]

  package static func recognize(_ head: FileHead) -> UniformType? {
    head.bytes.hasText("\0MRM") ? .minoltaMRW : nil
  }

  package static func metadata(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureMetadata {
    guard let block = try MRWFile(source).exif else { return PictureMetadata() }
    return try .tiff(TIFFFile(ArraySource(block)))
  }

  package static func previews(in source: any ByteSource) -> [Range<UInt64>] { [] }
}

/// Sigma's X3F.
package enum SigmaRAWFormat: RAWFormat {
  package static let uniformTypes: Set<UniformType> = [.sigmaX3F]

  package static func recognize(_ head: FileHead) -> UniformType? {
    head.bytes.hasText("FOVb") ? .sigmaX3F : nil
  }

  package static func metadata(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureMetadata {
    guard let range = try X3FFile(source).embeddedJPEG else { return PictureMetadata() }
    return try .jpeg(source.part(range))
  }

  package static func previews(in source: any ByteSource) throws -> [Range<UInt64>] {
    try X3FFile(source).embeddedJPEG.map { [$0] } ?? []
  }
}

/// Canon's CRW, which has neither EXIF nor XMP.
package enum CanonCRWFormat: RAWFormat {
  package static let uniformTypes: Set<UniformType> = [.canonCRW]

  package static func recognize(_ head: FileHead) -> UniformType? {
    head.bytes.hasText("II") && head.bytes.hasText("HEAPCCDR", at: 6) ? .canonCRW : nil
  }

  package static func metadata(
    _ type: UniformType, _ source: any ByteSource
  ) -> PictureMetadata {
    PictureMetadata()
  }

  package static func previews(in source: any ByteSource) -> [Range<UInt64>] { [] }
}

/// Canon's CR3, a file of the ISO base media family.
package enum CanonCR3Format: RAWFormat {
  package static let uniformTypes: Set<UniformType> = [.canonCR3]
  private static let maximumXMP = 64 << 20

  package static func recognize(_ head: FileHead) -> UniformType? {
    uniformTypes.containing(isoBaseMediaType(head))
  }

  package static func metadata(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureMetadata {
    let boxes = try ISOMovie(source)
    return PictureMetadata(
      exif: try boxes.canonRaw.flatMap { try CompactExif.block(of: $0) },
      xmp: try boxes.xmp.flatMap { try source.bytes(in: $0, limit: maximumXMP) })
  }

  package static func previews(in source: any ByteSource) -> [Range<UInt64>] { [] }
}
