import MediaModel

/// Sigma's and Foveon's maker note.
enum SigmaMakerNote {
  /// - Parameter version: the byte after the name. Since 3, other tags have the values.
  static func exposure(_ note: MakerNoteDirectory, version: UInt8) -> Exposure {
    func positive(_ tag: UInt16) -> Double? { note.number(tag).flatMap { $0 > 0 ? $0 : nil } }
    return Exposure(
      time: positive(version < 3 ? 0x0032 : 0x004A),
      fNumber: positive(version < 3 ? 0x0031 : 0x0049),
      iso: note.positive(0x0086))
  }
}
