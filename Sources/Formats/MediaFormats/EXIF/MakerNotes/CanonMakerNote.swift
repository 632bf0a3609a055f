import MediaModel

/// Canon's maker note: lists of 16-bit numbers, one for each group of settings. CRW files contain the same lists.
enum CanonMakerNote {
  private static let cameraSettings: UInt16 = 0x0001
  private static let focalLength: UInt16 = 0x0002
  private static let shotInfo: UInt16 = 0x0004
  private static let timeInfo: UInt16 = 0x0035
  private static let lensModel: UInt16 = 0x0095

  static func lens(_ note: MakerNoteDirectory) -> String? { note.text(lensModel) }

  /// `TimeInfo`: its length in bytes in 16 bits, and from the fifth byte on 32-bit numbers: the zone in minutes, the
  /// city, and 60 during daylight saving time. The zone contains the latter: in exiftool's table of cities, Sydney in
  /// summer has +11:00.
  static func clock(_ note: MakerNoteDirectory) -> CameraClock? {
    guard let length = note.signed16(timeInfo, at: 0), length >= 16 else { return nil }
    return CameraClock(menuZone: note.signed32(timeInfo, at: 1), maker: "Canon")
  }

  /// How the picture was exposed. exiftool takes a 0 in JPEGs for an unknown exposure time.
  ///
  /// - Parameter model: the camera's model. The 350D and the 20D store the exposure time in another way.
  static func exposure(_ note: MakerNoteDirectory, model: String) -> Exposure {
    var exposure = Lists(
      settings: { note.signed16(cameraSettings, at: $0) },
      focalLength: { note.signed16(focalLength, at: $0) }, shot: { note.signed16(shotInfo, at: $0) }
    ).exposure
    if ["20D", "350D", "REBEL XT", "Kiss Digital N"].contains(where: model.contains) {
      exposure.time = nil
    }
    return exposure
  }

  /// The numbers of the lists by their indexes.
  struct Lists {
    var settings: (Int) -> Int?
    var focalLength: (Int) -> Int?
    var shot: (Int) -> Int?

    /// How the picture was exposed, by exiftool's descriptions of the lists.
    var exposure: Exposure {
      let unit = settings(25).flatMap { $0 > 0 ? $0 : nil } ?? 1
      let length = focalLength(1).flatMap { $0 > 0 ? $0 : nil }
      func value(_ index: Int) -> Double? {
        shot(index).flatMap { $0 == 0 ? nil : CanonMakerNote.exposureValue($0) }
      }
      return Exposure(
        time: value(22).flatMap(APEX.exposureTime), fNumber: value(21).flatMap(APEX.fNumber),
        iso: CanonMakerNote.iso(setting: settings(16), auto: shot(1), base: shot(2)),
        focalLength: length.map { Double($0) / Double(unit) })
    }
  }

  /// The ISO speed that was set or, if the camera selected it, that of the shot.
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

  /// A number of 32nds in the APEX system. 12 and 20 mean exactly a third and two thirds.
  static func exposureValue(_ number: Int) -> Double {
    let rest = abs(number) & 0x1F
    let part = rest == 12 ? 32.0 / 3 : rest == 20 ? 64.0 / 3 : Double(rest)
    let value = (Double(abs(number) - rest) + part) / 32
    return number < 0 ? -value : value
  }
}
