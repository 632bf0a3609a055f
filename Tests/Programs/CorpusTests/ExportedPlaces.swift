import Foundation
import PlantedPlaces
import Testing
import Workbench

// Whether exiftool finds in exported files where they were taken.

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

/// Exports of the originals that contain a place, searched byte by byte for their own coordinates.
@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: Half.isAtHand))
struct ExportedPlacesTests {
  private func files(below folder: String) throws -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.sorted().filter {
      let kind = try? FileManager.default.attributesOfItem(atPath: folder + "/" + $0)[.type]
      return kind as? FileAttributeType == .typeRegular
    }
  }

  /// The traces of a file's own place and of its folder's other places.
  private func traces(
    in name: String, below folder: String, _ places: OriginalPlaces
  ) throws -> [String] {
    let needles = try #require(places.needles[OriginalPlaces.folder(of: name)], "\(name)")
    let data = try Data(contentsOf: URL(filePath: folder + "/" + name))
    return needles.traces(in: [UInt8](data))
  }

  /// Without this the search of the exports would prove nothing.
  @Test func `the search finds the place in every original`() async throws {
    let places = try await OriginalPlaces.shared.value
    let originals = try files(below: places.scanned.folder)
    #expect(originals.count > 95)
    for name in originals {
      #expect(try traces(in: name, below: places.scanned.folder, places) != [], "\(name)")
    }
  }

  @Test(arguments: ["current", "compatible"])
  func `no byte of an export spells the original's place`(preset: String) async throws {
    let places = try await OriginalPlaces.shared.value
    let export = try await CorpusExport.make(
      ["--preset", preset, "--strip-location"], in: "unplaced-\(preset)", of: places.scanned)
    for line in export.lines where line.action == "failed" {
      #expect(KnownExports.unstrippable[export.below(line.source)] != nil, "\(line.source)")
    }
    let results = try files(below: export.target).filter { !$0.hasPrefix(".") }
    #expect(results.count >= 90)
    for name in results {
      #expect(try traces(in: name, below: export.target, places) == [], "\(preset): \(name)")
    }
    try await export.expectNoPlace()
  }
}

enum Place {
  /// What exiftool calls a place although it is none: measuring conditions of a profile, a light's
  /// height, where a lens was focused, what a camera's clock was set to.
  private static let innocent: Set<String> = [
    "MeasurementGeometry", "GlobalAltitude", "FocusLocation", "WorldTimeLocation",
    "RetouchAreaSourceState", "BodyBatteryState", "GripBatteryState",
  ]

  /// Whether a tag of exiftool's, with its group, contains a place.
  static func isTold(by key: String, _ value: String) -> Bool {
    let name = key.split(separator: ":").last.map(String.init) ?? key
    return name.contains(
      /GPS|Latitude|Longitude|Altitude|City|Country|Location|State$|Geo|Province|ISO6709/)
      && !innocent.contains(name) && !value.isEmpty && value != "n/a"
  }
}
