import LibExif
import MediaFormats
import MediaModel

extension Exposure {
  /// How a picture was exposed: each value from the first of these that has it.
  ///
  /// - Parameters:
  ///   - block: EXIF. Some cameras write only APEX values.
  ///   - note: the maker note.
  ///   - stored: the values of a format without EXIF.
  init(_ block: ExifBlock?, _ note: MakerNote?, _ xmp: XMPPacket?, _ stored: Exposure) {
    let written = block?.exposure
    let fromXMP = xmp?.exposure
    let noted = note?.exposure
    self.init(
      time: written?.time ?? block?.shutterSpeedValue.flatMap(APEX.exposureTime)
        ?? fromXMP?.time ?? noted?.time ?? stored.time,
      fNumber: written?.fNumber ?? block?.apertureValue.flatMap(APEX.fNumber)
        ?? fromXMP?.fNumber ?? noted?.fNumber ?? stored.fNumber,
      iso: Self.plausible(written?.iso) ?? Self.plausible(noted?.iso)
        ?? Self.plausible(fromXMP?.iso) ?? Self.plausible(stored.iso),
      focalLength: written?.focalLength ?? fromXMP?.focalLength ?? noted?.focalLength
        ?? stored.focalLength,
      focalLengthIn35mm: written?.focalLengthIn35mm)
  }

  /// The ISO speed; nil for 65,535, with which cameras fill a 16-bit field if the speed is unknown or higher.
  private static func plausible(_ iso: Int?) -> Int? {
    iso.flatMap { $0 > 0 && $0 != 65_535 ? $0 : nil }
  }
}
