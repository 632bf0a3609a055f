package import ByteReading
package import MediaModel

/// A file format of pictures or videos, or a family of formats with one structure.
///
/// Each format has a folder in this module, with a reader of its structure and an enum that conforms to this
/// protocol. Modules that do more with files refine the protocol and extend the same enums:
/// `MetadataRemoval.RedactableFormat`, `FactReading.ReadablePicture` and `MovieFormat`, and
/// `MediaMaking.DecodablePicture`. docs/contributing.md lists the steps to add a format.
package protocol MediaFormat: Sendable {
  /// The types of the format's files.
  static var uniformTypes: Set<UniformType> { get }

  /// The type of a file with a given beginning; nil for a file of another format.
  ///
  /// - Throws: the errors of the source.
  static func recognize(_ head: FileHead) throws -> UniformType?
}

/// A format of still pictures.
package protocol PictureFormat: MediaFormat {
  /// Reads a picture's metadata blocks.
  ///
  /// - Throws: ``ContainerError`` for damaged structure; the errors of the source.
  static func metadata(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureMetadata
}

/// A format of RAW pictures, which may contain JPEGs that the camera made of the same picture.
package protocol RAWFormat: PictureFormat {
  /// The ranges that the file's structure names as JPEGs.
  static func previews(in source: any ByteSource) throws -> [Range<UInt64>]
}

/// The formats in the order in which they are recognised: those with a magic number of their own, then TIFF, whose
/// header several RAW formats extend, then the ISO family, which is recognised by its brands, and last transport streams,
/// which have only a byte that repeats.
package let mediaFormats: [any MediaFormat.Type] = [
  JPEGFormat.self, PNGFormat.self, GIFFormat.self, WebPFormat.self, JPEGXLFormat.self,
  JPEG2000Format.self, BMPFormat.self,
  FujifilmRAWFormat.self, MinoltaRAWFormat.self, SigmaRAWFormat.self, CanonCRWFormat.self,
  AVIFormat.self, MatroskaFormat.self, AdvancedSystemsFormat.self, FlashVideoFormat.self,
  MPEGProgramStreamFormat.self, DVFormat.self,
  TIFFFormat.self,
  HEIFFormat.self, CanonCR3Format.self, ISOMovieFormat.self,
  MPEGTransportStreamFormat.self,
]

private let formatsByType: [UniformType: any MediaFormat.Type] = Dictionary(
  mediaFormats.flatMap { format in format.uniformTypes.map { ($0, format) } },
  uniquingKeysWith: { first, _ in first })

extension UniformType {
  /// The format of the type's files; nil if Shoebox does not read any such format.
  package var format: (any MediaFormat.Type)? { formatsByType[self] }
}

/// The beginning of a file whose type is not known yet.
package struct FileHead {
  /// The file's first bytes, at most ``ContentType/headSize``.
  package let bytes: [UInt8]
  /// The extension of the file's name in lower case. It decides only between types with the same beginning.
  package let fileExtension: String
  /// The whole file, for formats whose beginning is not sufficient.
  package let source: any ByteSource
}
