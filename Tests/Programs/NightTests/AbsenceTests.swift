import Foundation
import Testing
import Workbench

extension NightTests {
  @Suite struct Absences {
    @Test func `an absent disk is an alarm in the third night`() async throws {
      let bench = try Workbench()
      try bench.addPictures(3)
      #expect(try await bench.night(0).status == 0)
      try FileManager.default.moveItem(
        atPath: bench.library, toPath: bench.folder + "/unplugged")
      try bench.configure("jobs: 1\n")
      for night in 1...4 {
        let (status, report, _) = try await bench.night(night)
        #expect(status == (night < 3 ? 0 : 69))
        #expect(report.absentRoots.map(\.nights) == [night])
        #expect(report.missing.count == 0)
      }
      try FileManager.default.moveItem(
        atPath: bench.folder + "/unplugged", toPath: bench.library)
      let (status, report, _) = try await bench.night(5)
      #expect(status == 0)
      #expect(report.absentRoots.isEmpty)
    }

    @Test func `a sudden loss stops, until the folder is scanned by its name`() async throws {
      let bench = try Workbench()
      try bench.addPictures(100)
      #expect(try await bench.night(0).status == 0)
      try bench.configure("roots: ['\(bench.library)']\nnightly:\n  maximumLoss: 30%\n")
      // A quarter may go.
      try FileManager.default.removeItem(atPath: bench.library + "/folder0")
      let small = try await bench.night(1)
      #expect(small.status == 0)
      #expect(small.report.missing.count == 25)
      // Two thirds of the rest may not.
      try FileManager.default.removeItem(atPath: bench.library + "/folder1")
      try FileManager.default.removeItem(atPath: bench.library + "/folder2")
      for night in 2...3 {
        let (status, report, _) = try await bench.night(night)
        #expect(status == 69)
        #expect(report.missing.count == 0)
        #expect(report.absentRoots.map(\.isLoss) == [true])
        #expect(report.absentRoots.first?.reason.contains("50 of its 75 files are gone") == true)
        #expect(try await bench.query("SELECT count(*) FROM assets WHERE is_missing = 0") == ["75"])
      }
      let scan = try await bench.shoebox(["scan", bench.library])
      #expect(scan.status == 0)
      let (status, report, _) = try await bench.night(4)
      #expect(status == 0)
      #expect(report.absentRoots.isEmpty)
      #expect(try await bench.query("SELECT count(*) FROM assets WHERE is_missing = 0") == ["25"])
    }
  }
}
