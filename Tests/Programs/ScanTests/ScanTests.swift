// ScanTests: what a person may rely on when they scan, shown on the programs that were really built.
//
// Each scenario lays files into a bench of its own and looks at exit statuses, reports, listings and,
// with sqlite3, at the catalog. They run one after the other: several measure time.

import Foundation
import Testing
import Workbench

/// Whether `SHOEBOX_LONG_TESTS` asks for many rounds.
private let isLongRun = ProcessInfo.processInfo.environment["SHOEBOX_LONG_TESTS"] != nil

@Suite(.serialized, .timeLimit(.minutes(isLongRun ? 45 : 5)))
enum ScanTests {
  /// Whether the long versions of the random tests are wanted.
  static var isLong: Bool { isLongRun }
}

/// The sample library, made once and copied onto a bench by ``Workbench/addSampleLibrary()``.
private let sampleLibrary = Task {
  let bench = try Workbench()
  try await bench.bash("'\(Workbench.supportFolder)/SampleLibrary/make-sample-library' sample")
  return bench
}

extension Workbench {
  /// Copies the sample library (described in Tests/SampleLibrary) into this bench's library.
  func addSampleLibrary() async throws {
    let sample = try await sampleLibrary.value
    try await bash("cp -a '\(sample.folder)/sample/.' library/")
  }

  /// A bench with a worker that fails at files with certain names; Tests/Support/FaultyCodec lists the names.
  ///
  /// - Parameter fileTimeout: how long the worker may take for a file, in seconds.
  static func withFaultyCodec(fileTimeout: Int = 2) throws -> (bench: Workbench, log: String) {
    let bench = try Workbench(
      environment: ["SHOEBOX_FILE_TIMEOUT": "\(fileTimeout)"], faultLog: "codec-log")
    return (bench, bench.folder + "/codec-log")
  }
}
