import ByteReading

/// Nikon's maker note since 2002, with or without its header.
enum NikonMakerNote {
  /// The second number of `ISO`, after a flag for speeds beyond the normal range; or else the first byte of `ISOInfo`.
  static func iso(_ note: MakerNoteDirectory) -> Int? {
    if let speed = note.positive(0x0002, at: 1) { return speed }
    guard let value = note.content(0x0025)?.u8(at: 0), value > 0 else { return nil }
    return APEX.iso(Double(value), steps: 12, hundred: 60)
  }
}
