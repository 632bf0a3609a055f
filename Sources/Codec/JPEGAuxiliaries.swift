import Containers
import MediaModel

extension JPEGFile {
  /// Further pictures that are looked into; an iPhone's portrait has five.
  private static let maximumAuxiliaries = 16
  /// Bytes of each: its segments come first.
  private static let auxiliaryHead: UInt64 = 64 << 10

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

  private static func auxiliaryClue(_ source: any ByteSource) throws -> Clue? {
    let file: JPEGFile
    do {
      file = try JPEGFile(source)
    } catch is ContainerError {
      return nil
    }
    let xmp = file.xmp.flatMap { XMPPacket($0) }
    if let kind = xmp?.value(XMPNamespace.applePixelData, "AuxiliaryImageType") {
      return Clue("jpeg.aux", kind)
    }
    let isGainMap =
      file.hasGainMapSegment || xmp?.has(XMPNamespace.hdrGainMap) == true
      || xmp?.has(XMPNamespace.appleHDRGainMap) == true
    return isGainMap ? Clue("jpeg.gainMap") : nil
  }
}
