import Foundation
import Testing
import Workbench

extension ExportTests {
  /// The files that a manifest may replace, and those that it may not.
  @Suite struct Manifests {
    private func bench() async throws -> Workbench {
      let bench = try Workbench()
      try bench.addPictures(2)
      try await bench.bash("echo mine >precious.txt")
      _ = try await bench.scan([bench.library])
      return bench
    }

    /// An original, a file of the user, a result of the same export, the target's record, a folder.
    @Test(arguments: [
      "library/folder0/picture0.gif", "precious.txt", "out/folder0/picture1.gif",
      "out/.shoebox-export.jsonl", "library",
      "-",
    ])
    func `a manifest does not replace other files`(name: String) async throws {
      let bench = try await bench()
      let before = try await bench.bash("sha256sum library/folder0/* precious.txt")
      let outcome = try await bench.shoebox(
        ["export", "--to", bench.target, "--manifest", name])
      #expect(outcome.status == 64, "\(outcome.errors)")
      #expect(outcome.errors.contains("--manifest"), "\(outcome.errors)")
      #expect(try await bench.bash("sha256sum library/folder0/* precious.txt") == before)
      #expect(!FileManager.default.fileExists(atPath: bench.target))
    }

    @Test func `a manifest that cannot be written is refused before the export starts`()
      async throws
    {
      let bench = try await bench()
      let outcome = try await bench.shoebox(
        ["export", "--to", bench.target, "--manifest", "nowhere/list.jsonl"])
      #expect(outcome.status == 74)
      #expect(outcome.errors.contains("nowhere/list.jsonl cannot be written"))
      #expect(!FileManager.default.fileExists(atPath: bench.target))
    }

    @Test func `a manifest replaces an earlier one`() async throws {
      let bench = try await bench()
      try await bench.bash(": >list.jsonl; ln -s list.jsonl link")
      for _ in 0..<2 {
        let outcome = try await bench.shoebox(
          ["export", "--to", bench.target, "--manifest", "link"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try await bench.bash("readlink link; wc -l <list.jsonl") == "list.jsonl\n2\n")
      }
      let inside = try await bench.shoebox(
        ["export", "--to", bench.folder + "/new", "--manifest", "new/lists/list.jsonl"])
      #expect(inside.status == 0, "\(inside.errors)")
      #expect(
        try await bench.bash("wc -l <new/lists/list.jsonl; ls -A new/lists") == "2\nlist.jsonl\n")
    }

    @Test func `a manifest can be written to a pipe`() async throws {
      let bench = try await bench()
      let lines = try await bench.bash(
        """
        mkfifo pipe
        wc -l <pipe >count &
        "\(bench.program)" export --quiet --catalog "\(bench.catalog)" --to out --manifest pipe >summary
        wait; cat count; test -p pipe
        """)
      #expect(lines == "2\n")
    }
  }
}
