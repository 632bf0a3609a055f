import Foundation
import Testing
import Workbench

extension NightTests {
  /// What keeps the copies of the catalog from being lost.
  @Suite struct Backups {
    private func bench(kept: Int = 3) async throws -> Workbench {
      let bench = try Workbench()
      try bench.addPictures(3)
      try await bench.bash("mkdir copies")
      try bench.configure(
        """
        roots: ['\(bench.library)']
        nightly:
          backup: '\(bench.folder)/copies'
          backupsKept: \(kept)
        """)
      return bench
    }

    private func digests(_ bench: Workbench) async throws -> String {
      try await bench.bash("sha256sum copies/*")
    }

    private func assetCounts(_ bench: Workbench) async throws -> [String] {
      try await bench.bash(
        "for copy in copies/*.sqlite; do sqlite3 $copy 'SELECT count(*) FROM assets'; done"
      ).split(separator: "\n").map(String.init)
    }

    @Test func `a run without its catalog starts no other one, and keeps all copies`() async throws
    {
      let bench = try await bench()
      for night in 0..<4 { #expect(try await bench.night(night).status == 0) }
      let copies = try await digests(bench)
      try await bench.bash("mkdir away; mv catalog.sqlite* away")
      for night in 4..<9 {
        let outcome = try await bench.shoebox(
          ["nightly", "--config", bench.folder + "/config.yaml"],
          environment: Workbench.clock(ahead: night))
        #expect(outcome.status == 74)
        #expect(outcome.errors.contains("there is no catalog \(bench.catalog), but 3 backups"))
        #expect(!FileManager.default.fileExists(atPath: bench.catalog))
      }
      #expect(try await digests(bench) == copies)
      // The disk is mounted again.
      try await bench.bash("mv away/* .")
      #expect(try await bench.night(9).status == 0)
      #expect(try await assetCounts(bench) == ["3", "3", "3"])
    }

    @Test func `a new catalog does not replace the copies of another one`() async throws {
      let bench = try await bench()
      for night in 0..<4 { #expect(try await bench.night(night).status == 0) }
      let copies = try await digests(bench)
      try await bench.bash("rm catalog.sqlite*")
      #expect(try await bench.scan([bench.library]).status == 0)
      for night in 4..<8 {
        let (status, report, _) = try await bench.night(night)
        #expect(status == 74)
        let step = report.night?.steps.first { $0.name == "backup" }
        #expect(step?.outcome == "failed")
        #expect(step?.summary.contains("is a backup of another catalog") == true)
        #expect(report.night?.steps.first { $0.name == "scan" }?.outcome == "done")
      }
      #expect(try await digests(bench) == copies)
      // A copy that was put back is the catalog.
      try await bench.bash(
        "rm catalog.sqlite*; cp \"$(ls copies/*.sqlite | tail -n 1)\" catalog.sqlite")
      #expect(try await bench.night(8).status == 0)
      #expect(try await assetCounts(bench).count == 3)
      // Or the user decides for the new one. The command replaces backups of any catalog.
      try await bench.bash("rm catalog.sqlite*; mkdir old")
      #expect(try await bench.scan([bench.library]).status == 0)
      let newest = try await bench.bash("ls -d $PWD/copies/*.sqlite | tail -n 1")
        .trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(try await bench.shoebox(["backup", newest]).status == 0)
      try await bench.bash("mv copies/* old")
      #expect(try await bench.night(9).status == 0)
    }

    /// The clock was a year ahead for some nights.
    @Test func `copies from a wrong clock give way to new ones`() async throws {
      let bench = try await bench()
      for night in 365..<370 { #expect(try await bench.night(night).status == 0) }
      try bench.addPicture("new.gif")
      for night in 0..<3 {
        let (status, report, _) = try await bench.night(night)
        #expect(status == 0)
        let day = try await bench.bash("date -d '+\(night) days' +%F")
          .trimmingCharacters(in: .whitespacesAndNewlines)
        let names = try await bench.bash("ls copies")
        #expect(names.contains("shoebox-\(day).sqlite"))
        #expect(names.split(separator: "\n").count == 3)
        let step = report.night?.steps.first { $0.name == "backup" }
        #expect(step?.summary.hasSuffix("removed 1 older") == true)
      }
      // The copy of a night is made before its scan.
      #expect(try await assetCounts(bench) == ["3", "4", "4"])
    }
  }
}
