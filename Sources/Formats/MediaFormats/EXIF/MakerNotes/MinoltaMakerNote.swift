import ByteReading

/// Minolta's and Konica Minolta's maker note.
enum MinoltaMakerNote {
  /// The ISO speed in the camera's settings: a list of 32-bit numbers, big-endian in notes of either byte order. The tag
  /// differs between models.
  static func iso(_ note: MakerNoteDirectory) -> Int? {
    let settings = note.content(0x0001) ?? note.content(0x0003)
    return settings?.u32(at: 8 * 4, .big).flatMap {
      $0 > 0 ? APEX.iso(Double($0), steps: 8, hundred: 48) : nil
    }
  }
}
