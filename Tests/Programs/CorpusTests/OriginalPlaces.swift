import Foundation
import PlantedPlaces
import Testing
import Workbench

/// The originals of the corpus that contain a place, copied to a library of their own, and all
/// spellings of their coordinates.
struct OriginalPlaces: Sendable {
  /// A scan of the copies.
  var scanned: Scanned
  /// The spellings to look for, by folder below the library. A folder has those of all its files: a
  /// sidecar's place and a partner's place belong to the picture, too.
  var needles: [String: PlaceNeedles]

  /// Made once for all tests.
  static let shared = Task { try await make() }

  private static let tags = [
    "GPSLatitude", "GPSLongitude", "GPSPosition", "GPSCoordinates", "LocationInformation",
  ]

  private static func make() async throws -> OriginalPlaces {
    let corpus = try await Half.library.scanned().folder
    let bench = try Workbench()
    let found = try await bench.exiftool(
      "-n -ee -a -G1:3:4 -api LargeFileSupport=1 -r "
        + tags.map { "-" + $0 }.joined(separator: " "), [corpus])
    var spellings: [String: [PlaceSpelling]] = [:]
    for (file, tags) in found {
      let places = places(in: tags)
      if places.isEmpty { continue }
      let path = String(file.dropFirst(corpus.count + 1))
      let copy = bench.library + "/" + path
      try FileManager.default.createDirectory(
        atPath: folder(of: copy), withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: file, toPath: copy)
      spellings[folder(of: path), default: []] += places.flatMap(\.recognisableParts)
    }
    for (file, stored) in try await rationals(below: bench.library, bench) {
      spellings[folder(of: file), default: []] += stored
    }
    let (status, report) = try await bench.scan([bench.library])
    return OriginalPlaces(
      scanned: Scanned(
        bench: bench, folder: bench.library, status: status, report: report, files: []),
      needles: spellings.mapValues { PlaceNeedles($0) })
  }

  static func folder(of path: String) -> String { (path as NSString).deletingLastPathComponent }

  /// The places in what exiftool reads from one file with `-n`: each tag's group, then its value.
  private static func places(in tags: [String: Any]) -> Set<PlantedPlace> {
    var found: Set<PlantedPlace> = []
    func add(_ latitude: Double?, _ longitude: Double?) {
      // Null Island is what software writes that knows no place.
      guard let latitude, let longitude, latitude != 0 || longitude != 0,
        abs(latitude) <= 90, abs(longitude) <= 180
      else { return }
      found.insert(PlantedPlace(latitude: latitude, longitude: longitude))
    }
    func number(_ text: some StringProtocol) -> Double? { Double(text) }
    for (key, value) in tags {
      let text = String(describing: value)
      if key.hasSuffix(":GPSLatitude") {
        let partner = key.replacing("GPSLatitude", with: "GPSLongitude")
        add(number(text), tags[partner].flatMap { number(String(describing: $0)) })
      } else if key.hasSuffix(":GPSPosition") || key.hasSuffix(":GPSCoordinates") {
        let numbers = text.split(separator: " ").map { number($0) }
        if numbers.count >= 2 { add(numbers[0], numbers[1]) }
      } else if let match = text.firstMatch(of: /Lat=([-+.\d]+) Lon=([-+.\d]+)/) {
        add(number(match.1), number(match.2))
      }
    }
    return found
  }

  /// Coordinates in EXIF exactly as they are stored, by path below the library: exiftool prints the
  /// fractions only in its listing of a file's structure.
  private static func rationals(
    below library: String, _ bench: Workbench
  ) async throws -> [(file: String, spellings: [PlaceSpelling])] {
    let listing = try await bench.bash(
      """
      { exiftool -v2 -a -m -r \(library.shellWord) 2>/dev/null || true; } \\
        | grep -aE '^=======|GPSL(atitude|ongitude) = .*\\([0-9]+/' | iconv -c -t UTF-8
      """, seconds: 120)
    var file = ""
    var found: [(String, [PlaceSpelling])] = []
    for line in listing.split(separator: "\n") {
      if line.hasPrefix("======== ") {
        file = String(line.dropFirst("======== ".count + library.count + 1))
        continue
      }
      let name = line.contains("GPSLatitude") ? "latitude's rationals" : "longitude's rationals"
      let fractions = line.drop { $0 != "(" }.matches(of: /(\d+)\/(\d+)/).compactMap { match in
        if let over = UInt32(match.1), let under = UInt32(match.2) {
          (over: over, under: under)
        } else {
          nil
        }
      }
      guard fractions.count == 3, fractions.contains(where: { $0.over != 0 }) else { continue }
      found.append((file, PlantedPlace.spellings(ofRationals: fractions, named: name)))
    }
    return found
  }
}
