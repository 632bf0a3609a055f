import MediaModel

/// What an expression can compare, by the names of the JSON keys where there is one.
package enum Attribute: String, Sendable, CaseIterable {
  case size, duration, captureDate, addedDate, modifiedDate, year, month
  case camera, make, model, lens, software
  case iso, focalLength, aperture, exposureTime
  case width, height, pixels, orientation, rating, label, pick, frameRate, codec
  case name, `extension`, path, folder, album, title, description, keyword, person, uniformType,
    status, warning
  case latitude, longitude, altitude, location

  /// What kind of value an attribute has.
  package enum Kind: Sendable, Hashable {
    case text, date
    /// A whole number, one of these.
    case whole(ClosedRange<Int>)
    /// A number, and the units it may be typed in (lower case), each as a multiple of the base unit.
    case number(units: [String: Double])
    /// Known or not known, but nothing to compare.
    case presence
  }

  package var kind: Kind {
    switch self {
    case .captureDate, .addedDate, .modifiedDate: .date
    case .year: .whole(1...9999)
    case .month: .whole(1...12)
    case .orientation: .whole(1...8)
    case .size: .number(units: byteUnits)
    case .duration: .number(units: durationUnits)
    case .exposureTime: .number(units: ["s": 1, "ms": 0.001])
    case .focalLength: .number(units: ["mm": 1])
    case .width, .height: .number(units: ["px": 1])
    case .altitude: .number(units: ["m": 1])
    case .pixels: .number(units: ["px": 1, "mp": 1e6])
    case .frameRate: .number(units: ["fps": 1])
    case .iso, .aperture, .rating, .latitude, .longitude: .number(units: [:])
    case .location: .presence
    case .camera, .make, .model, .lens, .software, .codec, .name, .extension, .path, .folder,
      .album,
      .label, .pick, .title, .description, .keyword, .person, .uniformType, .status, .warning:
      .text
    }
  }

  /// Whether the catalog keeps it apart from what every listing reads.
  package var isDetail: Bool {
    switch self {
    case .iso, .focalLength, .aperture, .exposureTime, .warning: true
    default: false
    }
  }

  /// All values of a text that has fixed ones; nil for any other attribute.
  package var fixedWords: [String]? {
    switch self {
    case .pick: Pick.allCases.map(\.word)
    // Conditions are about what is listed: missing assets are not.
    case .status: [AssetStatus.present, .unreadable].map(\.rawValue)
    default: nil
    }
  }

  /// Whether its values are measured, so that "equal" has to allow for rounding: 29.97 frames a
  /// second are 30000/1001 in the file.
  package var isMeasured: Bool {
    switch self {
    case .duration, .focalLength, .aperture, .exposureTime, .frameRate: true
    default: false
    }
  }

  /// What JSON and PhotoKit call some of them.
  private static let otherNames: [String: Attribute] = [
    "keywords": .keyword, "people": .person, "warnings": .warning,
    "pixelwidth": .width, "pixelheight": .height,
    "fnumber": .aperture,
    "creationdate": .captureDate,
  ]

  /// The attribute a typed word means, in any case; JSON's and PhotoKit's words mean them too.
  package init?(typed word: String) {
    let word = word.lowercased()
    let known = Self.allCases.first { $0.rawValue.lowercased() == word } ?? Self.otherNames[word]
    guard let known else { return nil }
    self = known
  }
}
