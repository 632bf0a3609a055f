package import ByteReading
import LibHeif
package import MediaFormats
package import MediaModel
import WorkerProtocol

extension HEIFFormat: ReadablePicture {
  /// Reads with libheif. Our own reader adds the groups, items and boxes that libheif does not report. If libheif
  /// refuses the file but its description is complete, our own reader replaces it, with a warning.
  package static func reading(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureReading {
    let boxes = try? HEIFContainer(source)
    var reading = PictureReading(isUpright: true)
    // A sequence is a movie without audio, with or without a still picture.
    if boxes?.hasSequence == true { reading.take(sequence: try? ISOMovie(source)) }
    do {
      let file = try openHeif(source, boxes)
      reading.take(file.picture())
    } catch {
      guard try reading.takeDescription(boxes, source) else { throw error }
    }
    guard let boxes else { return reading }
    if boxes.hasStereoPair { reading.clues.append(Clue(.heifStereoPair)) }
    if boxes.hasToneMap { reading.clues.append(Clue(.heifToneMap)) }
    if let box = boxes.samsungTrailer {
      try reading.take(try SamsungTrailer(source.part(box)), in: source.part(box))
    }
    reading.take(try EmbeddedClipSearch.find(in: source, xmp: reading.xmp, heif: boxes))
    reading.warnings += boxes.warnings
    return reading
  }
}

extension PictureReading {
  /// Reads a picture that libheif refuses with our own reader; false if not even its size is known.
  fileprivate mutating func takeDescription(
    _ boxes: HEIFContainer?, _ source: any ByteSource
  ) throws -> Bool {
    guard let boxes, let size = boxes.displaySize ?? size else { return false }
    self.size = size
    exif = (try? boxes.exif(from: source)).flatMap { $0 }
    xmp = (try? boxes.xmp(from: source)).flatMap { $0 }.flatMap { XMPPacket($0) }
    clues += boxes.auxiliaryTypes.map { Clue(.heifAuxiliary, $0) }
    // Some pictures that libheif refuses can be decoded from their tiles.
    if boxes.storedSize != nil, try HEIFTiling(boxes, from: source) == nil {
      warnings.append("The picture cannot be opened; only its description was read.")
    }
    return true
  }

  fileprivate mutating func take(sequence: ISOMovie?) {
    guard let sequence else { return }
    size = ImageSequence(sequence)?.uprightSize
    duration = sequence.seconds
    captureTime = sequence.creationTime.flatMap {
      CaptureTime(macSeconds: $0, source: "quicktime:mvhd")
    }
  }

  fileprivate mutating func take(_ picture: HeifPicture) {
    size = picture.uprightSize
    exif = picture.exifItem.flatMap(tiffBlock(inExifItem:))
    xmp = picture.xmp.flatMap { XMPPacket($0) }
    clues += picture.auxiliaryTypes.map { Clue(.heifAuxiliary, $0) }
    if picture.hasDepthImage { clues.append(Clue(.heifDepth)) }
    if let range = picture.dynamicRange { clues.append(Clue(.heifTransfer, range.rawValue)) }
  }
}
