import MediaModel

/// The maker note of Samsung's cameras with exchangeable lenses (exiftool's `Samsung::Type2`). Phones have it too, without
/// these tags.
enum SamsungMakerNote {
  static func exposure(_ note: MakerNoteDirectory) -> Exposure {
    Exposure(
      time: note.number(0xA018).flatMap { $0 > 0 ? $0 : nil },
      fNumber: note.number(0xA019).flatMap { $0 > 0 ? $0 : nil }, iso: note.positive(0xA014))
  }
}
