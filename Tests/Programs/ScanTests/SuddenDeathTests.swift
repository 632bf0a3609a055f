import Foundation
import Testing
import Workbench

extension ScanTests {
  /// `kill -9` at any moment leaves a sound catalog, and the next scan makes up for it.
  @Suite struct SuddenDeath {
    @Test func `a killed scan is made good by the next one`() async throws {
      let bench = try Workbench()
      try await bench.addSampleLibrary()
      try bench.addPictures(200)

      let begun = ContinuousClock.now
      let undisturbed = try await bench.scan([bench.library])
      // The longest that a scan may take to be caught.
      var span = (ContinuousClock.now - begun) / .seconds(1)
      let expected = try await bench.dump()
      #expect(expected.count > 400)

      var killed = 0
      for round in 1...(ScanTests.isLong ? 50 : 5) {
        try await bench.bash("rm -f catalog.sqlite*")
        let moment = Double.random(in: 0.01...max(span, 0.02))
        if try await bench.kill(["scan", bench.library], afterSeconds: moment) {
          killed += 1
        } else {
          // The machine was busier when the first scan was timed.
          span = moment / 2
        }
        if FileManager.default.fileExists(atPath: bench.catalog) {
          #expect(
            try await bench.query("PRAGMA integrity_check; PRAGMA foreign_key_check") == ["ok"],
            "killed after \(moment) s")
        }
        let next = try await bench.scan([bench.library])
        #expect(next.status == undisturbed.status)
        #expect(next.report.scanned == undisturbed.report.scanned)
        let got = try await bench.dump()
        let difference = got.difference(from: expected)
        #expect(difference.isEmpty, "round \(round), killed after \(moment) s")
      }
      #expect(killed > 0, "every scan ended before it was killed")
    }
  }
}
