import Foundation
import Testing
import Workbench

extension ExportTests {
  /// Exports of all files into a folder that has them: sidecars come, change and go, and pictures stay.
  @Suite struct SidecarUpdates {
    private func bench() async throws -> Workbench {
      let bench = try Workbench()
      try await bench.bash("'\(Workbench.supportFolder)/SampleLibrary/make-media-pool' pool")
      try await bench.bash("cp pool/still-n1.jpg library/a.jpg; cp pool/rated.xmp library/a.xmp")
      return bench
    }

    private func update(_ bench: Workbench, _ options: [String] = []) async throws {
      try await bench.letFilesAge()
      _ = try await bench.scan([bench.library])
      let (status, summary) = try await bench.export(["--resources", "all", "--update"] + options)
      #expect(status == 0)
      #expect(summary.failed == 0)
    }

    /// The files in the target with their inodes and change times, which differ in files that were made again.
    private func files(_ bench: Workbench) async throws -> Set<String> {
      Set(
        try await bench.bash("cd out; stat -c '%n %i %Z' *").split(separator: "\n").map(String.init)
      )
    }

    @Test func `a second sidecar is copied, and nothing else`() async throws {
      let bench = try await bench()
      try await update(bench)
      let first = try await files(bench)
      #expect(first.count == 2)

      try await bench.bash("cp pool/rated.xmp library/a.jpg.xmp; echo >>library/a.jpg.xmp")
      try await update(bench)
      let second = try await files(bench)
      #expect(second.isSuperset(of: first))
      #expect(try await bench.digests(of: bench.target) == bench.digests(of: bench.library))
      try await update(bench)
      #expect(try await files(bench) == second)

      // One that has changed.
      try await bench.bash("echo >>library/a.xmp")
      try await update(bench)
      let third = try await files(bench)
      #expect(third.subtracting(second).map { $0.split(separator: " ")[0] } == ["a.xmp"])
      #expect(try await bench.digests(of: bench.target) == bench.digests(of: bench.library))

      // One that has gone stays in the target.
      try await bench.bash("rm library/a.xmp")
      try await update(bench)
      #expect(try await files(bench) == third)
    }

    @Test func `the first of two sidecars may go`() async throws {
      let bench = try await bench()
      try await bench.bash("cp pool/rated.xmp library/a.jpg.xmp; echo >>library/a.jpg.xmp")
      try await update(bench)
      let first = try await files(bench)
      #expect(first.count == 3)
      try await bench.bash("rm library/a.jpg.xmp")
      try await update(bench)
      #expect(try await files(bench) == first)
    }

    @Test func `a new sidecar has the number of its picture`() async throws {
      let bench = try await bench()
      try await bench.bash(
        "mkdir library/b; cp pool/still-n2.jpg library/b/a.jpg")
      try await update(bench, ["--flatten"])
      let first = try await files(bench)
      #expect(try await bench.bash("ls out") == "a (2).jpg\na.jpg\na.xmp\n")
      try await bench.bash("cp pool/rated.xmp library/b/a.jpg.xmp; echo mine >'out/a (2).xmp'")
      try await update(bench, ["--flatten"])
      #expect(
        try await bench.bash("ls out") == "a (2).jpg\na (2).jpg.xmp\na (2).xmp\na.jpg\na.xmp\n")
      try await bench.bash("cp pool/rated.xmp library/b/a.xmp; echo >>library/b/a.xmp")
      try await update(bench, ["--flatten"])
      // Another program's file stays.
      #expect(
        try await bench.bash("cat 'out/a (2).xmp'; cmp 'out/a (2)-2.xmp' library/b/a.xmp")
          == "mine\n")
      #expect(try await files(bench).isSuperset(of: first))
    }
  }
}
