import Testing
import Workbench

// Whether exported files tell where they were taken, as exiftool reads them.

extension CorpusExport {
  /// Looks for a place in every file of an export, those that its manifest does not name among them.
  func expectNoPlace() async throws {
    let tags = try await scanned.bench.exiftool(
      "-a -u -G1 -ee3 -api LargeFileSupport=1 -r", [target])
    #expect(tags.count >= lines.compactMap(\.result).count)
    for (file, all) in tags {
      for (key, value) in all where Place.isTold(by: key, String(describing: value)) {
        Issue.record("\(file.dropFirst(target.count + 1)): \(key) = \(value)")
      }
    }
  }
}

enum Place {
  /// What exiftool calls a place although it is none: measuring conditions of a profile, a light's
  /// height, where a lens was focused, what a camera's clock was set to.
  private static let innocent: Set<String> = [
    "MeasurementGeometry", "GlobalAltitude", "FocusLocation", "WorldTimeLocation",
    "RetouchAreaSourceState", "BodyBatteryState", "GripBatteryState",
  ]

  /// Whether a tag of exiftool's, with its group, tells one.
  static func isTold(by key: String, _ value: String) -> Bool {
    let name = key.split(separator: ":").last.map(String.init) ?? key
    return name.contains(
      /GPS|Latitude|Longitude|Altitude|City|Country|Location|State$|Geo|Province|ISO6709/)
      && !innocent.contains(name) && !value.isEmpty && value != "n/a"
  }
}
