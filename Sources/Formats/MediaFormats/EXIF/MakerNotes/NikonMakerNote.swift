import ByteReading

/// Nikon's maker note since 2002, with or without its header.
enum NikonMakerNote {
  private static let worldTime: UInt16 = 0x0024

  /// The second number of `ISO`, after a flag for speeds beyond the normal range; or else the first byte of `ISOInfo`.
  static func iso(_ note: MakerNoteDirectory) -> Int? {
    if let speed = note.positive(0x0002, at: 1) { return speed }
    guard let value = note.content(0x0025)?.u8(at: 0), value > 0 else { return nil }
    return APEX.iso(Double(value), steps: 12, hundred: 60)
  }

  /// `WorldTime`: 16 bits with the zone in minutes, and a byte that is 1 during daylight saving time, which is not part
  /// of the zone.
  static func clock(_ note: MakerNoteDirectory) -> CameraClock? {
    guard let zone = note.signed16(worldTime, at: 0),
      let isDaylightSaving = note.content(worldTime)?.u8(at: 2), isDaylightSaving <= 1
    else { return nil }
    return CameraClock(menuZone: zone + Int(isDaylightSaving) * 60, maker: "Nikon")
  }
}
