import ByteReading

/// Kodak's maker note that begins with `KDK`: fields at fixed offsets after 8 bytes.
enum KodakMakerNote {
  static func iso(_ note: [UInt8]) -> Int? {
    let order: ByteOrder = note.hasText("KDK INFO") ? .big : .little
    return note.u16(at: 8 + 0x60, order).flatMap { $0 > 0 ? Int($0) : nil }
  }
}
