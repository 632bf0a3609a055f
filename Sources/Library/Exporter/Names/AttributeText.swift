import MediaModel
import Query

extension ExportSubject {
  /// The value of an attribute as a part of a name; nil if it is unknown.
  ///
  /// Numbers have the decimal point of expressions. An exposure time is written as cameras do, `1-250` for 1/250 s,
  /// because a name cannot contain a slash.
  func text(of attribute: Attribute) -> String? {
    switch attribute {
    case .size: String(asset.size)
    case .duration: asset.duration.map(Self.decimal)
    case .captureDate: asset.captureWall.map { Self.date(milliseconds: $0, "yyyy-MM-dd") }
    case .addedDate: Self.date(milliseconds: asset.added, "yyyy-MM-dd")
    case .modifiedDate: Self.date(milliseconds: asset.modified / 1_000_000, "yyyy-MM-dd")
    case .year: asset.captureWall.map { Self.date(milliseconds: $0, "yyyy") }
    case .month: asset.captureWall.map { Self.date(milliseconds: $0, "MM") }
    case .camera: asset.camera.model ?? asset.camera.make
    case .make: asset.camera.make
    case .model: asset.camera.model
    case .lens: asset.camera.lens
    case .software: asset.camera.software
    case .iso: asset.exposure.iso.map(String.init)
    case .focalLength: asset.exposure.focalLength.map(Self.decimal)
    case .aperture: asset.exposure.fNumber.map(Self.decimal)
    case .exposureTime: asset.exposure.time.map(Self.exposureTime)
    case .width: asset.pixelSize.map { String($0.width) }
    case .height: asset.pixelSize.map { String($0.height) }
    case .pixels:
      asset.pixelSize.map {
        String($0.width.multipliedReportingOverflow(by: $0.height).partialValue)
      }
    case .orientation: asset.orientation.map(String.init)
    case .rating: asset.rating.map(String.init)
    case .label: asset.label
    case .pick: asset.pick == .none ? nil : asset.pick.word
    case .frameRate: asset.video.frameRate.map(Self.decimal)
    case .codec: asset.video.codec
    case .name: readableName(asset.path.lastComponent)
    case .extension: FileNameParts(name: asset.path.lastComponent).fileExtension
    case .path: asset.path.display
    case .folder: readableName(asset.path.parent.lastComponent)
    case .album:
      asset.albums.first ?? asset.albumTitle ?? readableName(asset.path.parent.lastComponent)
    case .title: asset.title
    case .description: asset.caption
    case .keyword: asset.keywords.first
    case .person: asset.people.first
    case .uniformType: asset.uniformType.rawValue
    case .status: asset.status.rawValue
    case .warning: asset.warnings.first
    case .latitude: asset.location.map { Self.decimal($0.latitude) }
    case .longitude: asset.location.map { Self.decimal($0.longitude) }
    case .altitude: asset.location?.altitude.map(Self.decimal)
    case .location:
      asset.location.map { "\(Self.decimal($0.latitude)),\(Self.decimal($0.longitude))" }
    }
  }

  /// A number without needless digits: `35`, `29.97`, `47.37312`.
  private static func decimal(_ number: Double) -> String {
    let scale = 100_000.0
    let rounded = (number * scale).rounded() / scale
    return Int64(exactly: rounded).map(String.init) ?? String(rounded)
  }

  /// `1-250` below a third of a second, seconds above.
  private static func exposureTime(_ seconds: Double) -> String {
    guard seconds > 0, seconds < 0.3, let denominator = Int(exactly: (1 / seconds).rounded()) else {
      return decimal(seconds)
    }
    return "1-\(denominator)"
  }

  private static func date(milliseconds: Int64, _ format: String) -> String {
    (try? CaptureDateFormat(typed: format))?.filled(by: milliseconds) ?? ""
  }
}
