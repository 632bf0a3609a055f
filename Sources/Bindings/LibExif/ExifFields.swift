import ByteReading
package import MediaModel

// The fields of a block by their EXIF names. Tag numbers: EXIF 2.32 (CIPA DC-008), §4.6; the XP… tags
// are Microsoft's.

extension ExifBlock {
  /// The orientation; values outside 1–8 count as missing.
  package var orientation: Orientation? {
    integer(.image, 0x0112).flatMap { UInt8(exactly: $0) }.flatMap(Orientation.init(rawValue:))
  }

  package var make: String? { text(.image, 0x010F) }
  package var model: String? { text(.image, 0x0110) }
  package var software: String? { text(.image, 0x0131) }
  package var imageDescription: String? { text(.image, 0x010E) }
  package var lensModel: String? { text(.exif, 0xA434) }

  /// `YYYY:MM:DD HH:MM:SS`, as written; so are the next two.
  package var dateTimeOriginal: String? { text(.exif, 0x9003) }
  package var dateTimeDigitized: String? { text(.exif, 0x9004) }
  package var dateTime: String? { text(.image, 0x0132) }
  package var subSecTimeOriginal: String? { digits(0x9291) }
  package var subSecTimeDigitized: String? { digits(0x9292) }
  package var subSecTime: String? { digits(0x9290) }
  /// `+HH:MM`, as written; so are the next two.
  package var offsetTimeOriginal: String? { text(.exif, 0x9011) }
  package var offsetTimeDigitized: String? { text(.exif, 0x9012) }
  package var offsetTime: String? { text(.exif, 0x9010) }

  /// Digits as text, or as a number, which some programs write. Only the format tells which: the bytes of a number may be
  /// those of a text.
  private func digits(_ tag: UInt16) -> String? {
    switch entry(.exif, tag)?.format {
    case .ascii, .undefined: text(.exif, tag)
    default: integer(.exif, tag).flatMap { $0 >= 0 ? String($0) : nil }
    }
  }

  package var exposure: Exposure {
    Exposure(
      time: positive(.exif, 0x829A), fNumber: positive(.exif, 0x829D), iso: iso,
      focalLength: positive(.exif, 0x920A),
      focalLengthIn35mm: integer(.exif, 0xA405).flatMap { $0 > 0 ? $0 : nil })
  }

  /// In the APEX system (Exif 3.0 annex C); so is the next one.
  package var shutterSpeedValue: Double? { number(.exif, 0x9201) }
  package var apertureValue: Double? { number(.exif, 0x9202) }

  /// PhotographicSensitivity. If that has its 16-bit maximum, RecommendedExposureIndex or
  /// StandardOutputSensitivity contains the true value.
  private var iso: Int? {
    let sensitivity = integer(.exif, 0x8827)
    if sensitivity == 65_535, let wide = integer(.exif, 0x8832) ?? integer(.exif, 0x8831) {
      return wide
    }
    return sensitivity.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The CustomRendered code: 1 in the standard; Apple writes 2…8 for HDR, panoramas and portraits.
  package var customRendered: Int? { integer(.exif, 0xA401) }

  package var userComment: String? {
    entry(.exif, 0x9286).flatMap { ExifText.userComment($0.bytes, byteOrder) }
  }

  package var xpTitle: String? { windowsText(0x9C9B) }
  package var xpComment: String? { windowsText(0x9C9C) }
  /// The keywords, which Windows separates with semicolons.
  package var xpKeywords: [String] {
    (windowsText(0x9C9E) ?? "").split(separator: ";").compactMap { ExifText.trimmed($0.utf8) }
  }
  /// 0–5, Windows' Rating.
  package var rating: Int? {
    integer(.image, 0x4746).flatMap { (0...5).contains($0) ? $0 : nil }
  }

  /// The maker's own block, as stored.
  package var makerNote: [UInt8]? { entry(.exif, 0x927C)?.bytes }

  // MARK: GPS

  /// Where the picture was taken; nil without both references, which give the hemispheres.
  package var location: Location? {
    guard let latitude = degrees(0x0002, reference: 0x0001, positive: "N", negative: "S"),
      let longitude = degrees(0x0004, reference: 0x0003, positive: "E", negative: "W")
    else { return nil }
    // GPSAltitudeRef: 1 and 3 are below the reference. EXIF 3.0 (§4.6.7) adds 2 and 3, whose reference is the
    // sea level where that of 0 and 1 is the ellipsoid; the catalog does not distinguish the two.
    let isBelow = [1, 3].contains(integer(.gps, 0x0005))
    let altitude = number(.gps, 0x0006).map { isBelow ? -abs($0) : $0 }
    return Location(latitude: latitude, longitude: longitude, altitude: altitude)
  }

  /// The GPS date in UTC, `YYYY:MM:DD`, as written.
  package var gpsDateStamp: String? { text(.gps, 0x001D) }

  /// The GPS time of day in UTC, in seconds.
  package var gpsTimeOfDay: Double? {
    guard let entry = entry(.gps, 0x0007),
      let hours = entry.number(at: 0, byteOrder), let minutes = entry.number(at: 1, byteOrder),
      let seconds = entry.number(at: 2, byteOrder), (0..<24).contains(hours),
      (0..<60).contains(minutes), (0..<61).contains(seconds)
    else { return nil }
    return hours * 3600 + minutes * 60 + seconds
  }

  private func degrees(
    _ tag: UInt16, reference: UInt16, positive: Character, negative: Character
  ) -> Double? {
    guard let entry = entry(.gps, tag), let whole = entry.number(at: 0, byteOrder),
      let hemisphere = text(.gps, reference)?.uppercased().first,
      hemisphere == positive || hemisphere == negative
    else { return nil }
    // Minutes or seconds that are missing or 0/0 mean 0.
    let minutes = entry.number(at: 1, byteOrder) ?? 0
    let seconds = entry.number(at: 2, byteOrder) ?? 0
    let value = abs(whole) + minutes / 60 + seconds / 3600
    return hemisphere == negative || whole < 0 ? -value : value
  }

  // MARK: Entries as values

  private func text(_ directory: Directory, _ tag: UInt16) -> String? {
    entry(directory, tag).flatMap { ExifText.trimmed($0.bytes) }
  }

  /// Windows writes its own tags in little-endian UTF-16, whatever the block's byte order.
  private func windowsText(_ tag: UInt16) -> String? {
    entry(.image, tag).flatMap { ExifText.utf16($0.bytes, .little) }
  }

  private func number(_ directory: Directory, _ tag: UInt16) -> Double? {
    entry(directory, tag)?.number(byteOrder)
  }

  private func positive(_ directory: Directory, _ tag: UInt16) -> Double? {
    number(directory, tag).flatMap { $0 > 0 ? $0 : nil }
  }

  private func integer(_ directory: Directory, _ tag: UInt16) -> Int? {
    number(directory, tag).flatMap { Int(exactly: $0) }
  }
}
