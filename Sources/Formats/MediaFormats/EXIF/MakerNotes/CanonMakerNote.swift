/// Canon's maker note: lists of 16-bit numbers, one for each group of settings.
enum CanonMakerNote {
  private static let cameraSettings: UInt16 = 0x0001
  private static let shotInfo: UInt16 = 0x0004
  private static let lensModel: UInt16 = 0x0095

  /// The ISO speed that was set or, if the camera selected it, that of the shot.
  static func iso(_ note: MakerNoteDirectory) -> Int? {
    iso(
      setting: note.signed16(cameraSettings, at: 16), auto: note.signed16(shotInfo, at: 1),
      base: note.signed16(shotInfo, at: 2))
  }

  /// The ISO speed by three fields, which CRW files have too.
  ///
  /// - Parameters:
  ///   - setting: `CameraISO`: a code, or the speed with bit 14 set.
  ///   - auto: `AutoISO`, in 32nds of a power of two where 0 means ISO 100.
  ///   - base: `BaseISO`, in 32nds of a power of two where 160 means ISO 100.
  static func iso(setting: Int?, auto: Int?, base: Int?) -> Int? {
    if let setting, setting != 0x7FFF, setting > 0 {
      if setting & 0x4000 != 0 { return setting & 0x3FFF }
      if let speed = [16: 50, 17: 100, 18: 200, 19: 400, 20: 800][setting] { return speed }
    }
    guard let auto, let base, base != 0 else { return nil }
    return APEX.iso(Double(auto + base), steps: 32, hundred: 160)
  }

  static func lens(_ note: MakerNoteDirectory) -> String? { note.text(lensModel) }
}
