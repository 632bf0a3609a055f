import ByteReading
import MediaFormats
import MediaModel

extension JPEGFile {
  /// The largest number of further pictures that are read; an iPhone's portrait has five.
  private static let maximumAuxiliaries = 16
  /// Bytes of each that are read, since its segments come first.
  fileprivate static let auxiliaryHead: UInt64 = 64 << 10

  /// The kinds of the pictures that follow the first one, by their own metadata: gain maps, depth maps, mattes.
  ///
  /// iPhones record the kind in XMP by Apple's pixel data schema. The metadata that ISO 21496-1 and Adobe's gain map
  /// specification require is in the gain map's own segments. A statement in the first picture is not sufficient,
  /// because programs that drop the gain map keep it.
  func auxiliaryClues(in source: any ByteSource) throws -> [Clue] {
    let others = pictures.filter { $0.offset > 0 && $0.type == MultiPicture.undefinedType }
    return try others.prefix(Self.maximumAuxiliaries).compactMap { picture in
      let head = picture.offset..<(picture.offset + min(picture.length, Self.auxiliaryHead))
      return try Self.auxiliaryClue(source.part(head))
    }
  }

  fileprivate static func auxiliaryClue(_ source: any ByteSource) throws -> Clue? {
    let file: JPEGFile
    do {
      file = try JPEGFile(source)
    } catch is ContainerError {
      return nil
    }
    let xmp = file.xmp.flatMap { XMPPacket($0) }
    if let kind = xmp?.value(XMPNamespace.applePixelData, "AuxiliaryImageType") {
      return Clue(.jpegAuxiliary, kind)
    }
    let isGainMap =
      file.hasGainMapSegment || xmp?.has(XMPNamespace.hdrGainMap) == true
      || xmp?.has(XMPNamespace.appleHDRGainMap) == true
    return isGainMap ? Clue(.jpegGainMap) : nil
  }
}

extension XMPPacket {
  /// The clue of the gain map that the packet lists, if the file really contains it.
  func gainMapClue(in source: any ByteSource) throws -> Clue? {
    guard let start = gainMapStart(fileSize: source.count) else { return nil }
    let end = min(start + JPEGFile.auxiliaryHead, source.count)
    return try JPEGFile.auxiliaryClue(source.part(start..<end))
  }
}
