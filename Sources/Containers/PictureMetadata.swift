package import MediaModel

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

  /// What of it belongs into a picture made from this one: with orientation `up`, the new size in
  /// pixels, without a thumbnail that no longer fits, and without what the policy drops.
  ///
  /// - Parameter isSRGB: whether the pixels have been converted to sRGB, which no profile need then
  ///   say; the profile is dropped.
  package func adapted(
    to size: PixelSize, _ policy: MetadataPolicy, isSRGB: Bool = false
  ) -> PictureMetadata {
    var result = PictureMetadata(icc: isSRGB ? nil : icc)
    guard policy != .appearanceOnly else {
      result.density = density.flatMap { $0.isUneven ? $0 : nil }
      return result
    }
    result.texts = texts
    result.density = density
    result.notes = notes
    result.exif = exif
    result.xmp = xmp
    result.extendedXMP = extendedXMP
    result.imageResources = imageResources
    if policy == .withoutLocation { result.removeLocation() }
    if let block = result.exif {
      result.exif = ExifBlockSurgery.adapted(block, to: size, isSRGB: isSRGB)
      if result.exif == nil { result.notes.append("Its EXIF is damaged and is left out.") }
    }
    result.xmp = result.xmp.map {
      XMPSurgery.adapted($0, width: size.width, height: size.height)
    }
    result.imageResources = result.imageResources.flatMap(IPTCRedaction.adapted(resources:))
    return result
  }

  private mutating func removeLocation() {
    texts.removeAll(where: \.tellsPlace)
    exif = exif.map { ExifBlockSurgery.withoutLocation($0) }
    icc = icc.map(ICCRedaction.withoutLocation)
    xmp = xmp.map(XMPSurgery.withoutLocation)
    extendedXMP = extendedXMP.map(XMPSurgery.withoutLocation)
    imageResources = imageResources.map { IPTCRedaction.withoutLocation(resources: $0) }
  }
}
