import ByteReading
import MediaFormats
import MediaModel

extension JPEGFile {
  /// Further pictures that are looked into; an iPhone's portrait has five.
  private static let maximumAuxiliaries = 16
  /// Bytes of each: its segments come first.
  fileprivate static let auxiliaryHead: UInt64 = 64 << 10

  /// What the pictures behind the first one are to it, as each says itself: gain maps, depth maps, mattes.
  ///
  /// iPhones name the kind in XMP by Apple's pixel data schema; what ISO 21496-1 and Adobe's gain map
  /// specification ask for stands in the gain map's own segments. The first picture's word alone is not
  /// taken for it: programs that drop the map keep the word.
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
  /// The gain map that the list of the file's parts names, found where no index of pictures tells of it
  /// (Ultra HDR image format 1.1, "GContainer metadata"): each part's length counts from the file's end.
  fileprivate func gainMapStart(fileSize: UInt64) -> UInt64? {
    let items = containerItems
    guard let place = items.lastIndex(where: { $0.semantic == "GainMap" }), place > 0
    else { return nil }
    var back: UInt64 = 0
    for item in items[place...] {
      let (sum, isTooLong) = back.addingReportingOverflow(item.length)
      guard !isTooLong, sum < fileSize else { return nil }
      back = sum
    }
    return back > 0 ? fileSize - back : nil
  }

  /// The clue of a gain map that really lies there.
  func gainMapClue(in source: any ByteSource) throws -> Clue? {
    guard let start = gainMapStart(fileSize: source.count) else { return nil }
    let end = min(start + JPEGFile.auxiliaryHead, source.count)
    return try JPEGFile.auxiliaryClue(source.part(start..<end))
  }
}
