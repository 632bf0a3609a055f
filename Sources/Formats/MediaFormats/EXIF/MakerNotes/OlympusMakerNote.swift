/// Olympus' maker note, also of Epson, Agfa and Sanyo cameras.
enum OlympusMakerNote {
  /// `ISOValue`, a sensitivity in the APEX system.
  static func iso(_ note: MakerNoteDirectory) -> Int? {
    note.number(0x1001).flatMap { $0 > 0 ? APEX.iso($0, steps: 1, hundred: 5) : nil }
  }

  /// The lens in `Equipment`, an inner directory. Older cameras store it as the value of the tag, newer ones elsewhere.
  static func lens(_ note: MakerNoteDirectory) -> String? { note.directory(0x2010)?.text(0x0203) }

  /// `DateTimeUTC` in `CameraSettings`, an inner directory.
  static func clock(_ note: MakerNoteDirectory) -> CameraClock? {
    note.directory(0x2020)?.text(0x0908).map { .utc($0) }
  }
}
