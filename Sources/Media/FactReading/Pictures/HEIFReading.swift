package import ByteReading
package import MediaFormats
package import MediaModel

extension HEIFFormat: ReadablePicture {
  /// Reads the boxes.
  ///
  /// - Throws: as ``ReadablePicture/reading(_:_:)``; ``NeedsCodec`` if the boxes do not record the picture's size.
  package static func reading(
    _ type: UniformType, _ source: any ByteSource
  ) throws -> PictureReading {
    let reading = try PictureReading(HEIFContainer(source), source)
    guard reading.size != nil else { throw NeedsCodec() }
    return reading
  }
}

extension PictureReading {
  /// What the boxes of a HEIF or AVIF file record. The size may be missing.
  ///
  /// - Parameter source: the file of these boxes.
  package init(_ boxes: HEIFContainer, _ source: any ByteSource) throws {
    self.init(isUpright: true)
    // A sequence is a movie without audio, with or without a still picture.
    if boxes.hasSequence { take(sequence: try? ISOMovie(source)) }
    size = boxes.displaySize.flatMap { $0.width > 0 && $0.height > 0 ? $0 : nil } ?? size
    exif = try boxes.exif(from: source)
    xmp = try boxes.xmp(from: source).flatMap { XMPPacket($0) }
    clues += boxes.auxiliaryTypes.map { Clue(.heifAuxiliary, $0) }
    if boxes.hasDepthImage { clues.append(Clue(.heifDepth)) }
    let range = DynamicRange(transfer: boxes.codedColor?.transfer)
    if range != .sdr { clues.append(Clue(.heifTransfer, range.rawValue)) }
    if boxes.hasStereoPair { clues.append(Clue(.heifStereoPair)) }
    if boxes.hasToneMap { clues.append(Clue(.heifToneMap)) }
    if let box = boxes.samsungTrailer {
      try take(try SamsungTrailer(source.part(box)), in: source.part(box))
    }
    take(try EmbeddedClipSearch.find(in: source, xmp: xmp, heif: boxes))
    // Some pictures that libheif must not open can be decoded from their tiles.
    if boxes.storedSize != nil, try boxes.compressionObstacle(in: source) != nil,
      try HEIFTiling(of: boxes.primaryItem, in: boxes, from: source) == nil
    {
      warnings.append("The picture cannot be opened; only its description was read.")
    }
    warnings += boxes.warnings
  }

  private mutating func take(sequence: ISOMovie?) {
    guard let sequence else { return }
    size = ImageSequence(sequence)?.uprightSize
    duration = sequence.seconds
    captureTime = sequence.creationTime.flatMap {
      CaptureTime(macSeconds: $0, source: "quicktime:mvhd")
    }
  }
}
