import ByteReading
import MediaModel

/// Minolta's and Konica Minolta's maker note.
enum MinoltaMakerNote {
  /// How the picture was exposed, by the camera's settings: a list of 32-bit numbers, big-endian in notes of either byte
  /// order. The tag differs between models.
  static func exposure(_ note: MakerNoteDirectory) -> Exposure {
    let settings = note.content(0x0001) ?? note.content(0x0003)
    /// A setting; nil for 0, which means that it is unknown.
    func number(_ index: Int) -> Double? {
      settings?.u32(at: index * 4, .big).flatMap { $0 > 0 ? Double($0) : nil }
    }
    return Exposure(
      time: number(9).flatMap { APEX.exposureTime(shutterSpeedValue: ($0 - 48) / 8) },
      fNumber: number(10).flatMap { APEX.fNumber(apertureValue: ($0 - 8) / 8) },
      iso: number(8).flatMap { APEX.iso($0, steps: 8, hundred: 48) },
      focalLength: number(18).map { $0 / 256 })
  }
}
