import ByteReading
import MediaModel

/// Kodak's maker note that begins with `KDK`: fields at fixed offsets after 8 bytes.
enum KodakMakerNote {
  private static let start = 8

  static func exposure(_ note: [UInt8]) -> Exposure {
    let order: ByteOrder = note.hasText("KDK INFO") ? .big : .little
    func positive(_ number: (some BinaryInteger)?) -> Double? {
      number.flatMap { $0 > 0 ? Double($0) : nil }
    }
    return Exposure(
      time: positive(note.u32(at: start + 0x20, order)).map { $0 / 100_000 },
      fNumber: positive(note.u16(at: start + 0x1E, order)).map { $0 / 100 },
      iso: note.u16(at: start + 0x60, order).flatMap { $0 > 0 ? Int($0) : nil })
  }
}
