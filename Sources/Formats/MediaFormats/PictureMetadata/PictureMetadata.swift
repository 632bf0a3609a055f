import MediaModel

/// What a picture says of itself beside its pixels, as blocks of bytes that can be put into another
/// picture.
package struct PictureMetadata: Sendable, Hashable {
  /// A TIFF block, as it follows `Exif\0\0` in a JPEG.
  package var exif: [UInt8]?
  /// The XMP packet.
  package var xmp: [UInt8]?
  /// The second packet of a JPEG, for what is too long for one segment; depth maps, most of it.
  package var extendedXMP: [UInt8]?
  /// Photoshop's image resources (`8BIM` …), in which the IPTC records stand.
  package var imageResources: [UInt8]?
  /// The ICC profile.
  package var icc: [UInt8]?
  /// PNG's text chunks but those that hold one of the blocks above; comments.
  package var texts: [PictureText] = []
  package var density: PixelDensity?
  /// What a person should know of what could not be carried over, a sentence each.
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
