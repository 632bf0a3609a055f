import ByteReading
package import MediaEdits
package import MediaFormats

// The one place that decides which fields and texts a policy removes. The walkers of all formats ask here.

extension MetadataPolicy {
  var removesLocation: Bool { contains(.withoutLocation) }
  var removesCaptions: Bool { contains(.withoutCaptions) }

  /// Whether to remove a text in any encoding that is not a caption.
  package func removes(text: [UInt8]) -> Bool {
    removesLocation && (LocationDetection.recordsPlace(text) || ExifInData.recordsPlace(text))
  }

  /// Whether to remove data that may be or contain a text, as ``LocationDetection/recordsPlace(inData:)`` decides, or an
  /// EXIF block.
  func removes(data: [UInt8]) -> Bool {
    removesLocation
      && (LocationDetection.recordsPlace(inData: data) || ExifInData.recordsPlace(data))
  }

  /// Whether to remove a title, a description or another text that may name a place but may not contain coordinates.
  func removes(title: [UInt8]) -> Bool {
    removesLocation && WrittenCoordinates.occur(in: title)
  }

  /// Whether to remove a text that is a caption by its place in the file, as a comment is; nil for a text that is
  /// too long to check.
  func removes(caption: [UInt8]?) -> Bool {
    removesCaptions || caption.map { removes(text: $0) } ?? removesLocation
  }

  /// Whether to remove the value of a key of QuickTime or iTunes metadata, or a Matroska tag, whatever it is.
  func removes(key: String) -> Bool {
    removesLocation && LocationDetection.namesPlace(key: key)
      || removesCaptions && CaptionDetection.isCaption(key: key)
  }

  /// Whether to remove a text of QuickTime or iTunes metadata.
  package func removes(text: [UInt8], key: String) -> Bool {
    removesCaptions && CaptionDetection.isCaption(key: key)
      || removesLocation && LocationDetection.recordsPlace(text, key: key)
  }

  /// Whether to remove a text with a keyword, as PNG stores them.
  func removes(text: [UInt8], keyword: String) -> Bool {
    removesCaptions && CaptionDetection.isCaption(keyword: keyword)
      || removesLocation
        && (LocationDetection.namesPlace(keyword: keyword) || LocationDetection.recordsPlace(text))
  }

  /// Whether to remove a picture's text. A block of metadata in digits is not searched.
  package func removes(_ text: PictureText) -> Bool {
    PNGRawProfile.kind(ofKeyword: text.keyword) != nil
      || removes(text: Array(text.text.utf8), keyword: text.keyword)
  }

  /// Whether to remove an XMP property.
  ///
  /// - Parameters:
  ///   - value: the XML of its value.
  ///   - budget: as for ``LocationDetection/recordsPlace(_:_:budget:)``.
  func removes(_ property: XMLName, _ value: ArraySlice<UInt8>, budget: inout Int) -> Bool {
    // A picture inside of a packet may have captions and a place of its own.
    if XMPPicture.hasMetadata(in: value) { return true }
    if removesCaptions, CaptionDetection.isCaption(property) { return true }
    return removesLocation && LocationDetection.recordsPlace(property, value, budget: &budget)
  }
}
