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
  /// ``JPEGAuxiliary`` has the rules.
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
    return switch JPEGAuxiliary(file) {
    case .apple(let kind): Clue(.jpegAuxiliary, kind)
    case .gainMap: Clue(.jpegGainMap)
    case nil: nil
    }
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
