import ByteReading
import MediaModel

/// How a video was exposed, in the `TAGS` box of compact cameras: numbers at fixed offsets, little-endian, after the
/// manufacturer's name. The layouts are those in exiftool's tables `MOV`, `MOV1`, `MOV2` and `MP4` of each manufacturer.
struct CameraMovieTags {
  /// The number of seconds by which the stored number divides, and its offset.
  private var time: (seconds: Double, offset: Int)?
  /// The offsets of two fractions.
  private var fNumber: Int?
  private var focalLength: Int?
  /// The offset and the number of bytes.
  private var iso: (offset: Int, width: Int)?

  /// Nil for content of another manufacturer.
  private init?(_ content: [UInt8]) {
    func begins(_ name: String) -> Bool { content.hasText(name) }
    if begins("FUJIFILM DIGITAL CAMERA\0") {
      (time, fNumber) = ((1, 0x2E), 0x32)
    } else if begins("EASTMAN KODAK COMPANY") {
      (time, fNumber, focalLength) = ((10, 0x4E), 0x52, 0x70)
    } else if begins("KONICA MINOLTA DIGITAL CAMERA") {
      (time, fNumber, focalLength) = ((10, 0x2E), 0x32, 0x50)
    } else if begins("MINOLTA DIGITAL CAMERA") {
      (time, fNumber, focalLength) = ((10, 0x26), 0x2A, 0x48)
    } else if begins("NIKON DIGITAL CAMERA\0") {
      (time, fNumber, focalLength, iso) = ((10, 0x26), 0x2A, 0x48, (0xDF, 2))
    } else if begins("PENTAX DIGITAL CAMERA\0") {
      (time, fNumber, focalLength, iso) = ((10, 0x26), 0x2A, 0x48, (0xAF, 2))
    } else if begins("SAMSUNG DIGITAL CAMERA\0") {
      (time, fNumber, iso) = ((10, 0x2E), 0x32, (0x6A, 4))
    } else if begins("OLYMPUS DIGITAL CAMERA") {
      takeOlympus(content)
    } else {
      return nil
    }
  }

  /// Selects one of three layouts by bytes that differ between them.
  private mutating func takeOlympus(_ content: [UInt8]) {
    if content.hasBytes([1, 0], at: 0x20) {
      (fNumber, focalLength) = (0x2A, 0x48)
    } else if content.hasBytes([0x0A, 0, 0, 0], at: 0x2C) {
      fNumber = 0x28
    } else {
      (time, fNumber, focalLength, iso) = ((10, 0x36), 0x3A, 0x58, (0xC1, 2))
    }
  }

  /// The exposure in a box; empty for content of another manufacturer.
  static func exposure(_ content: [UInt8]) -> Exposure {
    guard let layout = CameraMovieTags(content) else { return Exposure() }
    func fraction(_ offset: Int?) -> Double? {
      offset.flatMap { tiffNumber(in: content, at: $0, type: 5, .little) }
        .flatMap { $0 > 0 ? $0 : nil }
    }
    let time = layout.time.flatMap { time in
      content.u32(at: time.offset, .little).flatMap { $0 > 0 ? time.seconds / Double($0) : nil }
    }
    let speed = layout.iso.flatMap { content.unsigned(at: $0.offset, width: $0.width, .little) }
    return Exposure(
      time: time, fNumber: fraction(layout.fNumber),
      iso: speed.flatMap { $0 > 0 && $0 < 1 << 24 ? Int($0) : nil },
      focalLength: fraction(layout.focalLength))
  }
}
