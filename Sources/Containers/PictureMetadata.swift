package import MediaModel

/// What a picture says of itself beside its pixels, as blocks of bytes that can be put into another
/// picture.
package struct PictureMetadata: Sendable, Hashable {
  /// A TIFF block, as it follows `Exif\0\0` in a JPEG.
  package var exif: [UInt8]?
  /// The XMP packet, with what a JPEG keeps in further segments put back into it.
  package var xmp: [UInt8]?
  /// Photoshop's image resources (`8BIM` …), in which the IPTC records stand.
  package var imageResources: [UInt8]?
  /// The ICC profile.
  package var icc: [UInt8]?

  package init(
    exif: [UInt8]? = nil, xmp: [UInt8]? = nil, imageResources: [UInt8]? = nil, icc: [UInt8]? = nil
  ) {
    self.exif = exif
    self.xmp = xmp
    self.imageResources = imageResources
    self.icc = icc
  }

  /// What of it belongs into a picture made from this one: with orientation `up`, the new size in
  /// pixels, without a thumbnail that no longer fits, and without what the policy drops.
  package func adapted(to size: PixelSize, _ policy: MetadataPolicy) -> PictureMetadata {
    self
  }
}

/// Puts metadata into a picture that an encoder has just made and that has none yet.
package enum PictureAssembly {
  /// A JPEG with the metadata's segments behind its start marker.
  package static func jpeg(_ encoded: [UInt8], with metadata: PictureMetadata) -> [UInt8] {
    encoded
  }

  /// A PNG with the metadata's chunks behind its header.
  package static func png(_ encoded: [UInt8], with metadata: PictureMetadata) -> [UInt8] {
    encoded
  }
}
