import ByteReading
import FactReading
import LibHeif
import MediaFormats
import MediaModel

extension PictureReading {
  /// Reads a HEIF or AVIF picture with libheif. Values that our own reader finds have priority.
  ///
  /// - Throws: ``ProbeFailure``; the errors of the source.
  init(libHeif source: any ByteSource) throws {
    let boxes = try? HEIFContainer(source)
    let picture = try openHeif(source, boxes).picture()
    if let boxes {
      try self.init(boxes, source)
    } else {
      self.init(isUpright: true)
      take(picture)
    }
    // libheif opens pictures without the property `ispe` and reports the size 0.
    let found = picture.uprightSize
    size = size ?? (found.width > 0 && found.height > 0 ? found : nil)
    if size == nil { warnings.append("The file does not record the picture's size.") }
  }

  private mutating func take(_ picture: HeifPicture) {
    exif = picture.exifItem.flatMap(tiffBlock(inExifItem:))
    xmp = picture.xmp.flatMap { XMPPacket($0) }
    clues += picture.auxiliaryTypes.map { Clue(.heifAuxiliary, $0) }
    if picture.hasDepthImage { clues.append(Clue(.heifDepth)) }
    if let range = picture.dynamicRange { clues.append(Clue(.heifTransfer, range.rawValue)) }
  }
}
