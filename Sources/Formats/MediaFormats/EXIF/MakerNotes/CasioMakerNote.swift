/// Casio's maker notes: an older one without a header, and one that begins with `QVC` or, from Concord, `DCI`.
enum CasioMakerNote {
  static func isoOfType1(_ note: MakerNoteDirectory) -> Int? { note.positive(0x0014) }

  static func isoOfType2(_ note: MakerNoteDirectory) -> Int? { note.positive(0x3014) }
}
