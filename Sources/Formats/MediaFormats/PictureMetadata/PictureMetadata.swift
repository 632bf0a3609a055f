package import ByteReading
package import MediaModel

/// What a picture says of itself beside its pixels, as blocks of bytes that can be put into another
/// picture.
package struct PictureMetadata: Sendable, Hashable {
  /// The EXIF block from its TIFF header on.
  package var exif: [UInt8]?
  /// The XMP packet.
  package var xmp: [UInt8]?
  /// The extended XMP packet of a JPEG, with data too long for one segment, often depth maps.
  package var extendedXMP: [UInt8]?
  /// Photoshop's image resources (`8BIM` …), which contain the IPTC records.
  package var imageResources: [UInt8]?
  /// The ICC profile.
  package var icc: [UInt8]?
  /// Comments, and PNG's text chunks except those with one of the blocks above.
  package var texts: [PictureText] = []
  package var density: PixelDensity?
  /// Whether the picture has XMP that is not in ``xmp``, because it is too long or damaged.
  package private(set) var hasUnreadXMP = false
  /// Notes for the user about metadata that was lost, as sentences.
  package var notes: [String] = []

  package init(
    exif: [UInt8]? = nil, xmp: [UInt8]? = nil, extendedXMP: [UInt8]? = nil,
    imageResources: [UInt8]? = nil, icc: [UInt8]? = nil
  ) {
    self.exif = exif
    self.xmp = xmp
    self.extendedXMP = extendedXMP
    self.imageResources = imageResources
    self.icc = icc
  }
}

extension PictureMetadata {
  /// Records that the picture has XMP that cannot be read.
  mutating func noteUnreadXMP() {
    hasUnreadXMP = true
    notes.append("Its XMP is too long or damaged and is left out.")
  }

  /// Reads the metadata blocks of a picture in any format; none for a file that is not a picture.
  ///
  /// - Throws: ``ContainerError`` for damaged structure; the errors of the source.
  package static func read(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureMetadata {
    guard let format = type.format as? any PictureFormat.Type else { return PictureMetadata() }
    var metadata = try format.metadata(type, source)
    metadata.density = metadata.density ?? metadata.exif.flatMap(PixelDensity.init(exif:))
    return metadata
  }
}
