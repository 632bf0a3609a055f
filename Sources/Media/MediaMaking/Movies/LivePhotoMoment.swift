import ByteReading
import FactReading
import LibraryFacts
import MediaFormats
import MediaModel

// What makes a clip the motion of a Live Photo if the clip itself does not say it.

extension MediaFile {
  /// The moment of the still by the XMP of the picture around a clip; nil if it is unknown or not in the clip.
  ///
  /// - Parameter duration: of the clip, in seconds.
  func momentInPicture(_ range: ByteRange?, before duration: Double) -> Double? {
    guard let type = pictureType(around: range),
      let xmp = try? pictureMetadata(type).xmp, let packet = XMPPacket(xmp)
    else { return nil }
    let texts = ["MotionPhotoPresentationTimestampUs", "MicroVideoPresentationTimestampUs"]
      .compactMap { packet.value(XMPNamespace.camera, $0) }
    // −1 means that it is unknown.
    guard let moment = texts.lazy.compactMap({ Int64($0) }).first, moment >= 0 else { return nil }
    let seconds = Double(moment) / 1e6
    return seconds < duration ? seconds : nil
  }

  /// What the picture around a clip contains of its time and camera; nil if there is none, or it cannot be read.
  func factsOfPicture(around range: ByteRange?) -> MediaFacts? {
    guard let type = pictureType(around: range), type.mediaType == .image else { return nil }
    let reading = try? PictureReading.read(type, WindowedSource(self), readers: .libraries)
    // A time in the file's name is not one in its metadata.
    return reading?.facts(type: type, name: [])
  }

  private func pictureType(around range: ByteRange?) -> UniformType? {
    let name = FileNameParts(name: path.lastComponent).fileExtension
    guard range != nil, case .media(let type) = try? ContentType(of: self, fileExtension: name)
    else { return nil }
    return type
  }

  /// A UUID of version 8 (RFC 9562 §5.8) that follows from the beginning, the end and the length of a clip.
  func derivedIdentifier(_ source: any ByteSource) throws -> String {
    let part = 64 << 10
    let end = source.count > UInt64(part) ? source.count - UInt64(part) : 0
    let content =
      try source.bytes(at: 0, count: part) + source.bytes(at: end, count: part)
      + encoded(source.count, width: 8)
    var digest = md5(content)
    digest[6] = digest[6] & 0x0F | 0x80
    digest[8] = digest[8] & 0x3F | 0x80
    let digits = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
  }
}

extension ISOStillImageTime {
  /// A moment as Apple's cameras write it.
  init(seconds: Double) {
    // 65 is a signed byte; the value is always −1.
    self.init(seconds: seconds, items: [Item(key: Self.momentKey, type: 65, value: [0xFF])])
  }
}
