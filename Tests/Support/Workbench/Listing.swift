package import Foundation

/// One asset as `list --format jsonl` prints it: the keys that tests read.
package struct ListedAsset: Decodable, Sendable, Hashable {
  package struct Location: Decodable, Sendable, Hashable {
    package var latitude: Double
    package var longitude: Double

    /// Whether it is the same place except for rounding: within about a metre.
    package func isNear(latitude: Double, longitude: Double) -> Bool {
      abs(self.latitude - latitude) < 1e-5 && abs(self.longitude - longitude) < 1e-5
    }
  }
  package struct Camera: Decodable, Sendable, Hashable {
    package var make: String?
    package var model: String?
  }
  package struct Video: Decodable, Sendable, Hashable {
    package var codec: String?
    package var audioCodec: String?
  }
  package struct Resource: Decodable, Sendable, Hashable {
    package var type: String
    package var path: String
    package var offset: UInt64?
    package var length: UInt64?
  }

  package var id: String
  package var mediaType: String
  package var subtypes: [String]?
  package var uniformType: String
  package var path: String
  /// The bytes of a path that is not UTF-8.
  package var pathBytes: Data?
  package var size: Int
  package var pixelWidth: Int?
  package var pixelHeight: Int?
  package var orientation: Int?
  package var duration: Double?
  package var captureDate: String?
  package var captureDateSource: String?
  package var timeZoneEvidence: String?
  package var location: Location?
  package var camera: Camera?
  package var video: Video?
  package var status: String
  package var error: String?
  package var adjustments: [String]?
  package var resources: [Resource]?
}

/// A scan's report: `scan --format json`.
package struct ScanReport: Decodable, Sendable {
  package struct Root: Decodable, Sendable {
    package var path: String
    package var available: Bool
  }
  package struct Failure: Decodable, Sendable {
    package var path: String
    package var error: String
  }

  package var scanned: Int
  package var added: Int
  package var changed: Int
  package var moved: Int
  package var missing: Int
  package var unchanged: Int
  package var unreadable: Int
  package var ignored: Int
  package var pairs: Int
  package var roots: [Root]
  package var failures: [Failure]

  /// Whether every media file is counted exactly once, as the contract requires.
  package var addsUp: Bool {
    scanned == added + changed + moved + unchanged + unreadable
  }
}

extension Workbench {
  /// Scans and reads the report.
  ///
  /// - Parameters:
  ///   - folders: the roots; empty for all roots in the catalog.
  ///   - environment: added to the environment of this run.
  package func scan(
    _ folders: [String] = [], environment: [String: String] = [:], seconds: Double = 120
  ) async throws -> (status: Int, report: ScanReport) {
    let outcome = try await shoebox(
      ["scan", "--format", "json"] + folders, environment: environment, seconds: seconds)
    guard let last = outcome.lines.last else {
      throw WorkbenchError("scan ended with \(outcome.status) and no report: \(outcome.errors)")
    }
    return (outcome.status, try JSONDecoder().decode(ScanReport.self, from: Data(last.utf8)))
  }

  /// The assets that `list` prints for these filters, in its order.
  package func list(_ filters: [String] = []) async throws -> [ListedAsset] {
    let outcome = try await shoebox(["list", "--format", "jsonl"] + filters)
    guard outcome.status == 0 else {
      throw WorkbenchError("list ended with \(outcome.status): \(outcome.errors)")
    }
    let decoder = JSONDecoder()
    return try outcome.lines.map { try decoder.decode(ListedAsset.self, from: Data($0.utf8)) }
  }

  /// The ids of all assets by their path below the library.
  package func identifiers() async throws -> [String: String] {
    let prefix = library + "/"
    let pairs = try await list().map { asset in
      (
        asset.path.hasPrefix(prefix) ? String(asset.path.dropFirst(prefix.count)) : asset.path,
        asset.id
      )
    }
    return Dictionary(pairs) { first, _ in first }
  }
}
