import MediaModel
import Terminal

/// A column of tables and CSV, by its name in `--columns` and CSV, which is the JSON key if there is one.
enum AssetColumn: String, CaseIterable {
  case captureDate, kind, size, pixels, duration, path
  case id, mediaType, subtypes, uniformType, pixelWidth, pixelHeight, orientation
  case latitude, longitude, make, model, lens, status, error
  case name, folder, camera, title, description, keywords, location, rating, iso, aperture,
    exposureTime, focalLength
  case codec, modifiedDate, addedDate, duplicateSet, people, isFavorite, label, pick, warnings

  /// The default columns of a table.
  static let inTables: [AssetColumn] = [.captureDate, .kind, .size, .pixels, .duration, .path]

  /// The default columns of CSV.
  static let inCSV: [AssetColumn] = [
    .id, .mediaType, .subtypes, .uniformType, .path, .size, .pixelWidth, .pixelHeight,
    .orientation, .duration, .captureDate, .latitude, .longitude, .make, .model, .lens, .status,
    .error,
  ]

  /// Reads a list such as `path,size`, in any case. An unknown name is rejected with a suggestion.
  static func list(typed text: String) throws -> [AssetColumn] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      let word = part.trimmingPrefix(" ")
      let known = allCases.first { $0.rawValue.lowercased() == word.lowercased() }
      guard let known else {
        throw UnknownWord(
          String(word), kind: "column", among: allCases.map(\.rawValue),
          remedy: "'shoebox list --help' names them")
      }
      return known
    }
  }
}

extension AssetColumn {
  /// The parts of an asset that have to be read for it.
  var neededParts: AssetParts {
    switch self {
    case .keywords, .people: .keywords
    case .iso, .aperture, .exposureTime, .focalLength, .warnings: .details
    default: []
    }
  }
}

extension AssetColumn {
  /// The value for programs: numbers in SI units or pixels, as in JSON.
  var field: CSVField<AssetRecord> { CSVField(rawValue, value) }

  private func value(_ asset: AssetRecord) -> String? {
    switch self {
    case .id: asset.identifier
    case .mediaType: asset.mediaType.name
    case .subtypes: asset.subtypes.names.joined(separator: " ")
    case .kind: asset.kindWord
    case .uniformType: asset.uniformType.rawValue
    case .path: asset.path.display
    case .name: BytePath(bytes: asset.path.lastComponent).display
    case .folder: asset.path.parent.display
    case .size: String(asset.size)
    case .pixels: asset.pixelSize.map { "\($0.width)×\($0.height)" }
    case .pixelWidth: asset.pixelSize.map { String($0.width) }
    case .pixelHeight: asset.pixelSize.map { String($0.height) }
    case .orientation: asset.orientation.map { String($0) }
    case .duration: asset.duration.map { String($0) }
    case .captureDate: asset.captureDate
    case .latitude: asset.location.map { String($0.latitude) }
    case .longitude: asset.location.map { String($0.longitude) }
    case .camera: asset.camera.displayName
    case .make: asset.camera.make
    case .model: asset.camera.model
    case .lens: asset.camera.lens
    case .title: asset.title
    case .description: asset.caption
    case .keywords: asset.keywords.isEmpty ? nil : asset.keywords.joined(separator: ", ")
    case .people: asset.people.isEmpty ? nil : asset.people.joined(separator: ", ")
    case .isFavorite: asset.isFavorite ? "true" : nil
    case .label: asset.label
    case .pick: asset.pick == .none ? nil : asset.pick.word
    case .location: asset.location.map { "\($0.latitude), \($0.longitude)" }
    case .rating: asset.rating.map { String($0) }
    case .iso: asset.exposure.iso.map { String($0) }
    case .aperture: asset.exposure.fNumber.map { String($0) }
    case .exposureTime: asset.exposure.time.map { String($0) }
    case .focalLength: asset.exposure.focalLength.map { String($0) }
    case .codec: asset.video.codec
    case .modifiedDate: JSONWriter.instant(milliseconds: asset.modified / 1_000_000)
    case .addedDate: JSONWriter.instant(milliseconds: asset.added)
    case .duplicateSet: asset.duplicateSet
    case .status: asset.status.rawValue
    case .error: asset.error
    case .warnings: asset.warnings.isEmpty ? nil : asset.warnings.joined(separator: " ")
    }
  }
}

extension AssetColumn {
  /// For people: sizes and times as they are said.
  var tableColumn: TableColumn<AssetRecord> {
    switch self {
    case .captureDate:
      TableColumn("DATE", width: 16, least: 16) { $0.captureWall.map(wallText) ?? "" }
    case .kind:
      TableColumn("KIND", width: 10, isAlarming: { $0.status != .present }, isBadge: \.hasBadge) {
        $0.kindWord
      }
    case .size: TableColumn("SIZE", width: 6, alignment: .right) { humanBytes($0.size) }
    case .duration:
      TableColumn("TIME", width: 5, alignment: .right) { $0.duration.map(humanDuration) ?? "" }
    case .exposureTime:
      TableColumn("EXPOSURE", width: 9, alignment: .right) {
        $0.exposure.time.map(exposureText) ?? ""
      }
    case .aperture:
      TableColumn("APERTURE", width: 8) { $0.exposure.fNumber.map { "f/\($0)" } ?? "" }
    case .focalLength:
      TableColumn("FOCAL", width: 8, alignment: .right) {
        $0.exposure.focalLength.map { "\($0) mm" } ?? ""
      }
    case .modifiedDate, .addedDate:
      TableColumn(title, width: width, least: width) { value($0) ?? "" }
    case .status, .error:
      TableColumn(title, width: width, isAlarming: { $0.status != .present }) { value($0) ?? "" }
    case .path, .folder, .name:
      TableColumn(title, width: width, cut: .beginning) { value($0) ?? "" }
    default:
      TableColumn(title, width: width, alignment: isNumber ? .right : .left) { value($0) ?? "" }
    }
  }

  private var title: String { rawValue.uppercased() }

  private var isNumber: Bool {
    switch self {
    case .pixels, .pixelWidth, .pixelHeight, .orientation, .latitude, .longitude, .rating, .iso:
      true
    default: false
    }
  }

  /// Columns of the terminal.
  private var width: Int {
    switch self {
    case .pixels: 9
    case .id: 36
    case .duplicateSet: 32
    case .uniformType, .camera, .model, .lens, .name, .title, .keywords, .people: 24
    case .modifiedDate, .addedDate: 20
    case .folder, .path, .description, .error, .warnings: 40
    default: 11
    }
  }
}

extension AssetRecord {
  /// Whether it has a kind, such as live photo, that a picker marks with a badge.
  fileprivate var hasBadge: Bool {
    status == .present && !subtypes.isEmpty && kindWord != "photo" && kindWord != "video"
  }
}
