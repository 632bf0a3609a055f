// SettlementTests: what files are to each other (live photos, RAW beside JPEG, edited versions, bursts,
// sidecars) follows from the files that exist now, whatever happened earlier.
//
// The programs that were really built scan tiny real media. Named tests show the ways in which other
// programs pair wrongly; random ones compare a catalog that has followed a library through many changes
// with one that sees it for the first time.

import Foundation
import Testing
import Workbench

@Suite(.serialized, .timeLimit(.minutes(30)))
enum SettlementTests {
  /// For how many seconds `SHOEBOX_LONG_TESTS` has random histories tried; nil without it.
  static var patience: Double? {
    guard let wish = ProcessInfo.processInfo.environment["SHOEBOX_LONG_TESTS"] else { return nil }
    return max(Double(wish) ?? 0, 240)
  }
}

/// The media that tests place in libraries, made once; Tests/SampleLibrary/make-media-pool describes each.
private let mediaPool = Task {
  let bench = try Workbench()
  try await bench.bash("'\(Workbench.supportFolder)/SampleLibrary/make-media-pool' pool")
  return bench
}

extension Workbench {
  /// A bench with the pool at hand as `pool`.
  static func withMediaPool() async throws -> Workbench {
    let pool = try await mediaPool.value
    let bench = try Workbench()
    try await bench.bash("ln -s '\(pool.folder)/pool' pool")
    return bench
  }

  /// Copies pool files into the library, as `still-a1.jpg` to `a/IMG_0001.JPG`, and scans.
  @discardableResult
  func lay(_ files: KeyValuePairs<String, String>) async throws -> ScanReport {
    for (path, source) in files {
      try await bash(
        "mkdir -p \"$(dirname 'library/\(path)')\"; cp -p 'pool/\(source)' 'library/\(path)'")
    }
    return try await scan([library]).report
  }

  /// The live photos: the clip's path by the still's, both below the library.
  func livePhotos() async throws -> [String: String] {
    let lines = try await query(
      """
      SELECT ltrim(sd.path || '/' || sf.name, '/'), ltrim(cd.path || '/' || cf.name, '/')
      FROM assets clip JOIN assets still ON still.id = clip.absorbed_by
      JOIN files cf ON cf.id = clip.id JOIN folders cd ON cd.id = cf.folder_id
      JOIN files sf ON sf.id = still.id JOIN folders sd ON sd.id = sf.folder_id
      WHERE clip.absorbed_as = 'pairedVideo' AND still.subtypes & 1
      """)
    return Dictionary(
      lines.map { $0.split(separator: "|").map(String.init) }.map { ($0[0], $0[1]) },
      uniquingKeysWith: { first, second in "\(first) and \(second)" })
  }

  /// The paths of the videos that are listed.
  func videos() async throws -> [String] {
    try await list(["--type", "videos"]).map { String($0.path.dropFirst(library.count + 1)) }
      .sorted()
  }
}
