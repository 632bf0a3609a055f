/// Panasonic's maker note, also of Leica cameras that Panasonic made.
enum PanasonicMakerNote {
  /// The largest numbers mean that the camera does not know the speed.
  static func iso(_ note: MakerNoteDirectory) -> Int? {
    note.positive(0x00D1).flatMap { $0 <= 0xFFFF_FFF0 ? $0 : nil }
  }
}
