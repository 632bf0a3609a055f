import ByteReading

/// Apple's MakerNote (EXIF tag 0x927C of pictures from iOS), which libexif 0.6.24 misreads.
///
/// It consists of `Apple iOS\0`, a version, a byte order mark and one TIFF directory. Offsets count from the start of
/// the note, so the note can be moved as a whole.
package struct AppleMakerNote: Sendable, Hashable {
  /// One tag for display.
  package struct Tag: Sendable, Hashable {
    package var number: UInt16
    /// exiftool's name, or `Apple_0x002f` for a tag without one.
    package var name: String
    package var value: String
  }

  private struct Entry: Hashable {
    var number: UInt16
    var type: UInt16
    var count: Int
    var bytes: [UInt8]
  }

  private static let maximumEntries = 512
  private let order: ByteOrder
  private var entries: [Entry] = []

  /// Nil for another manufacturer's note.
  package init?(_ note: [UInt8]) {
    guard note.hasText("Apple iOS\0") else { return nil }
    order = note.hasText("II", at: 12) ? .little : .big
    let count = min(Int(note.u16(at: 14, order) ?? 0), Self.maximumEntries)
    for index in 0..<count {
      let position = 16 + index * 12
      guard let number = note.u16(at: position, order),
        let type = note.u16(at: position + 2, order),
        let values = note.u32(at: position + 4, order), let unit = TIFFEntry.unitWidth(of: type),
        let size = Int(values).times(unit), let offset = note.u32(at: position + 8, order),
        let bytes = note.bytes(at: size <= 4 ? position + 8 : Int(offset), count: size)
      else { continue }
      entries.append(Entry(number: number, type: type, count: Int(values), bytes: bytes))
    }
  }

  /// A note that contains only the identifier of a Live Photo: one entry, and its text after the directory.
  package static func note(contentIdentifier: String) -> [UInt8] {
    let text = Array(contentIdentifier.utf8.prefix(256)) + [0]
    return Array("Apple iOS\0\0\u{1}MM".utf8) + encoded(1, width: 2) + encoded(0x11, width: 2)
      + encoded(2, width: 2) + encoded(text.count, width: 4) + encoded(32, width: 4)
      + encoded(0, width: 4) + text
  }

  private func entry(_ number: UInt16) -> Entry? {
    entries.first { $0.number == number }
  }

  private func text(_ number: UInt16) -> String? {
    guard let entry = entry(number), entry.type == 2 else { return nil }
    return entry.bytes.trimmedText
  }

  private func numbers(_ entry: Entry) -> [Double] {
    guard let width = TIFFEntry.unitWidth(of: entry.type) else { return [] }
    return (0..<min(entry.count, 16)).compactMap {
      tiffNumber(in: entry.bytes, at: $0 * width, type: entry.type, order)
    }
  }

  private func integer(_ number: UInt16) -> Int? {
    self.number(number).flatMap { wholeNumber($0) }
  }

  /// A tag's first number.
  func number(_ number: UInt16) -> Double? { entry(number).flatMap { numbers($0).first } }

  /// The identifier that a Live Photo's still and clip share.
  package var contentIdentifier: String? { text(0x11) }
  /// The identifier that the pictures of a burst share.
  package var burstIdentifier: String? { text(0x0B) }
  /// 1 ProRAW, 2 Portrait, 10 Photo, 11 manual focus, 12 Scene.
  package var imageCaptureType: Int? { integer(0x14) }
  /// 3 HDR, 4 the original of an HDR picture.
  package var hdrImageType: Int? { integer(0x0A) }

  /// All tags in the order of the note. Binary values appear as their length.
  package var tags: [Tag] {
    entries.map { entry in
      Tag(
        number: entry.number, name: Self.names[entry.number] ?? Self.unknownName(entry.number),
        value: describe(entry))
    }
  }

  private func describe(_ entry: Entry) -> String {
    switch entry.type {
    case 2: return entry.bytes.trimmedText ?? ""
    case 7: return "(\(entry.bytes.count) bytes)"
    default:
      return numbers(entry).map { number in
        wholeNumber(number).map(String.init) ?? String(number)
      }.joined(separator: " ")
    }
  }

  private static func unknownName(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return "Apple_0x" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// exiftool's names.
  private static let names: [UInt16: String] = [
    0x0001: "MakerNoteVersion", 0x0002: "AEMatrix", 0x0003: "RunTime", 0x0004: "AEStable",
    0x0005: "AETarget", 0x0006: "AEAverage", 0x0007: "AFStable", 0x0008: "AccelerationVector",
    0x000A: "HDRImageType", 0x000B: "BurstUUID", 0x000C: "FocusDistanceRange",
    0x000F: "OISMode", 0x0011: "ContentIdentifier", 0x0014: "ImageCaptureType",
    0x0015: "ImageUniqueID", 0x0017: "LivePhotoVideoIndex", 0x0019: "ImageProcessingFlags",
    0x001A: "QualityHint", 0x001D: "LuminanceNoiseAmplitude", 0x001F: "PhotosAppFeatureFlags",
    0x0020: "ImageCaptureRequestID", 0x0021: "HDRHeadroom", 0x0023: "AFPerformance",
    0x0025: "SceneFlags", 0x0026: "SignalToNoiseRatioType", 0x0027: "SignalToNoiseRatio",
    0x002B: "PhotoIdentifier", 0x002D: "ColorTemperature", 0x002E: "CameraType",
    0x002F: "FocusPosition", 0x0030: "HDRGain", 0x0038: "AFMeasuredDepth",
    0x003D: "AFConfidence", 0x003E: "ColorCorrectionMatrix", 0x003F: "GreenGhostMitigationStatus",
    0x0040: "SemanticStyle", 0x0041: "SemanticStyleRenderingVer",
    0x0042: "SemanticStylePreset",
  ]
}
