// ScanTests: what a person may rely on when they scan, shown on the programs that were really built.
//
// Each scenario lays files into a bench of its own and looks at exit statuses, reports, listings and,
// with sqlite3, at the catalog. They run one after the other: several tell time.

import Foundation
import Testing
import Workbench

@Suite(.serialized, .timeLimit(.minutes(5)))
enum ScanTests {
  /// Whether the long versions of the random tests are wanted.
  static var isLong: Bool { ProcessInfo.processInfo.environment["SHOEBOX_LONG_TESTS"] != nil }
}

/// The sample library, made once and copied onto a bench by ``Workbench/addSampleLibrary()``.
private let sampleLibrary = Task {
  let bench = try Workbench()
  try await bench.bash("'\(Workbench.testsFolder)/SampleLibrary/make-sample-library' sample")
  return bench
}

extension Workbench {
  /// Lays the sample library (Tests/SampleLibrary tells what is in it) into this bench's library.
  func addSampleLibrary() async throws {
    let sample = try await sampleLibrary.value
    try await bash("cp -a '\(sample.folder)/sample/.' library/")
  }

  /// A bench whose codec program has accidents at files named for them; Tests/FaultyCodec tells which.
  static func withFaultyCodec() throws -> (bench: Workbench, log: String) {
    let plain = try Workbench()
    let log = FileManager.default.temporaryDirectory
      .appending(path: "shoebox-codec-\(UUID().uuidString).log").path
    let bench = try Workbench(environment: [
      "SHOEBOX_CODEC": testsFolder + "/FaultyCodec/faulty-codec",
      "FAULTY_CODEC_REAL": plain.codec, "FAULTY_CODEC_LOG": log, "SHOEBOX_FILE_TIMEOUT": "2",
    ])
    return (bench, log)
  }

  /// Everything the catalog says of the library, without what may differ between two catalogs of one
  /// library: row numbers, asset ids and the times at which things were added.
  func dump() async throws -> [String] {
    let columns = try await query("SELECT name FROM pragma_table_info('assets')").filter {
      !["id", "identifier", "file_id", "absorbed_by", "added_date"].contains($0)
    }
    let path = "d.path || '/' || f.name"
    func quoted(_ names: [String]) -> String {
      names.map { "quote(\($0))" }.joined(separator: "||' '||")
    }
    return try await query(
      """
      SELECT 'file '||quote(\(path))||' '||
        \(quoted(["f.size", "f.modified", "f.inode", "f.kind", "f.status", "f.error", "f.fingerprint"]))
        FROM files f JOIN folders d ON d.id = f.folder_id ORDER BY 1;
      SELECT 'asset '||quote(\(path))||' '||\(quoted(columns.map { "a." + $0 }))||' '||
        quote((SELECT s.name FROM assets b JOIN files s ON s.id = b.file_id WHERE b.id = a.absorbed_by))
        FROM assets a JOIN files f ON f.id = a.file_id JOIN folders d ON d.id = f.folder_id
        ORDER BY 1;
      SELECT 'resource '||quote(\(path))||' '||quote(a.name)||' '||
        \(quoted(["r.type", "r.uniform_type", "r.offset", "r.length"]))
        FROM resources r JOIN assets a ON a.id = r.asset_id JOIN files f ON f.id = r.file_id
        JOIN folders d ON d.id = f.folder_id ORDER BY 1;
      SELECT 'keyword '||a.name||' '||k.keyword
        FROM keywords k JOIN assets a ON a.id = k.asset_id ORDER BY 1;
      """)
  }
}
