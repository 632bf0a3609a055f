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
      try await bench.bash(
        "mkdir other; printf x | cat unplugged/folder0/picture0.gif - >other/a.gif")
      for night in 1...4 {
        // A run for another folder between the nights is not a night without this one.
        #expect(try await bench.night(night, [bench.folder + "/other"]).status == 0)
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

    @Test func `a folder that was never there does not keep the others from being scanned`()
      async throws
    {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      try bench.configure("roots: ['\(bench.library)', '/nowhere/photos']\n")
      for night in 0...1 {
        let (status, report, _) = try await bench.night(night)
        #expect(status == 69)
        #expect(report.new.count == (night == 0 ? 1 : 0))
        let scan = report.night?.steps.first { $0.name == "scan" }
        #expect(scan?.details?.first?.hasPrefix("/nowhere/photos: ") == true)
      }
    }

    @Test func `new files and interrupted scans do not hide a loss`() async throws {
      let bench = try Workbench()
      try bench.addPictures(100)
      try Data("no picture".utf8).write(to: URL(filePath: bench.library + "/folder0/broken.jpg"))
      #expect(try await bench.night(0).status == 1)
      #expect(try await bench.shoebox(["failures", "--acknowledge"]).status == 0)
      try await bench.bash("mkdir away; mv library/folder0 library/folder1 away")
      for index in 0..<200 { try bench.addPicture("new/\(index).gif", words: "new \(index)") }
      // What a scan had marked that was killed.
      try await bench.bash(
        """
        sqlite3 catalog.sqlite "INSERT INTO scans (started, outcome, roots) VALUES (
            (SELECT max(finished) + 1 FROM scans), 'interrupted', '');
          UPDATE files SET missing_since = (SELECT max(id) FROM scans)
            WHERE folder_id = (SELECT id FROM folders WHERE name = 'folder0');
          UPDATE assets SET is_missing = 1 WHERE id IN (SELECT id FROM files WHERE missing_since IS NOT NULL)"
        """)
      let lost = try await bench.night(1)
      #expect(lost.status == 69)
      let reason = lost.report.absentRoots.first?.reason ?? ""
      #expect(reason.hasPrefix("51 of its 101 files are gone"), "\(reason)")
      #expect(try await bench.query("SELECT count(*) FROM assets WHERE is_missing") == ["0"])
      // It was no loss, and the acknowledgement is still there.
      try await bench.bash("mv away/* library/")
      let back = try await bench.night(2)
      #expect(back.status == 0)
      #expect(back.report.newFailures.isEmpty)
      #expect(back.report.acknowledgedFailures == 1)
    }

    @Test(arguments: [false, true])
    func `a clock that was ahead does not change how many files were there`(
      isInterrupted: Bool
    ) async throws {
      let bench = try Workbench()
      try bench.addPictures(100)
      #expect(try await bench.night(0).status == 0)
      // All were added in 2100, by the clock of that scan.
      try await bench.bash(
        """
        sqlite3 catalog.sqlite "UPDATE assets SET added_date = 4102444800000"
        """)
      if isInterrupted {
        try await bench.bash(
          """
          sqlite3 catalog.sqlite "INSERT INTO scans (started, outcome, roots) VALUES (
            (SELECT max(finished) + 1 FROM scans), 'interrupted', '')"
          """)
      }
      try await bench.bash("rm -r library/folder0")
      for index in 0..<50 { try bench.addPicture("new/\(index).gif", words: "new \(index)") }
      // A quarter of them is less than half.
      let night = try await bench.night(1)
      #expect(night.status == 0)
      #expect(night.report.missing.count == 25)
      try await bench.bash("rm -r library/folder1 library/folder2 library/new")
      let lost = try await bench.night(2)
      #expect(lost.status == 69)
      let reason = lost.report.absentRoots.first?.reason ?? ""
      #expect(reason.hasPrefix("100 of its 125 files are gone"), "\(reason)")
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
