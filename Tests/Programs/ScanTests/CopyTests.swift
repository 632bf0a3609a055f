import Foundation
import Testing
import Workbench

extension ScanTests {
  /// Exact copies, found by all of their content.
  @Suite struct CopyTests {
    private let bench: Workbench

    init() throws {
      bench = try Workbench()
    }

    /// A picture with enough bytes after its end that a fingerprint of parts does not cover all of it.
    private func addLargePicture(_ path: String, mark: String = "x") async throws {
      try bench.addPicture(path, words: "large")
      try await bench.bash(
        """
        head -c 300000 /dev/zero >> 'library/\(path)'
        printf '\(mark)' | dd of='library/\(path)' bs=1 seek=60000 conv=notrunc status=none
        """)
    }

    private func duplicates() async throws -> [String] {
      try await bench.list(["--type", "duplicates"]).map {
        String($0.path.dropFirst(bench.library.count + 1))
      }.sorted()
    }

    /// The line of `stats` on copies that could go: how many, and their bytes.
    private func spare() async throws -> [Int]? {
      struct Line: Decodable {
        var group: String
        var count: Int
        var bytes: Int
      }
      let lines = try await bench.shoebox(["stats", "--format", "jsonl"]).lines
        .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
      return lines.first { $0.group == "spare" }.map { [$0.count, $0.bytes] }
    }

    @Test func `only equal content makes a copy`() async throws {
      try await addLargePicture("a/1.gif")
      try await addLargePicture("b/2.gif")
      try await addLargePicture("b/other.gif", mark: "y")
      try bench.addPicture("single.gif")
      _ = try await bench.scan([bench.library])
      #expect(try await duplicates() == ["a/1.gif", "b/2.gif"])
      let size = try await bench.list(["--name", "1.gif"])[0].size
      #expect(try await spare() == [1, size])

      try await bench.bash(
        "cmp library/a/1.gif library/b/2.gif; ! cmp -s library/a/1.gif library/b/other.gif")
      let digests = try await bench.query(
        "SELECT COUNT(DISTINCT content_digest) FROM files WHERE name IN ('1.gif', '2.gif')")
      #expect(digests == ["1"])
      let unread = try await bench.query(
        "SELECT content_digest IS NULL FROM files WHERE name = 'single.gif'")
      #expect(unread == ["1"], "nothing has its fingerprint, so there was no reason to read it")
    }

    @Test func `small copies are known without reading them again`() async throws {
      for path in ["a/1.gif", "b/1.gif", "b/other.gif"] {
        try bench.addPicture(path, words: path.hasSuffix("1.gif") ? "same" : "else")
      }
      _ = try await bench.scan(["\(bench.library)/a"])
      try await bench.bash("mv library/a library/away")
      _ = try await bench.scan(["\(bench.library)/b"])
      #expect(try await duplicates() == ["a/1.gif", "b/1.gif"], "one is out of reach, yet known")
      #expect(try await bench.query("SELECT COUNT(*) FROM unsettled_contents") == ["0"])

      try await bench.bash("mv library/away library/a")
      try bench.addPicture("b/1.gif", words: "edit")
      _ = try await bench.scan()
      #expect(try await duplicates().isEmpty)
      try bench.addPicture("a/1.gif", words: "edit")
      _ = try await bench.scan()
      #expect(try await duplicates() == ["a/1.gif", "b/1.gif"])
    }

    /// A file that the fingerprint covers just wholly, and one that is a byte longer.
    @Test(arguments: [36_864, 36_865])
    func `every byte counts, whatever the size`(size: Int) async throws {
      for path in ["a.gif", "b.gif", "c.gif"] {
        try bench.addPicture(path, words: "same")
        try await bench.bash("truncate -s \(size) 'library/\(path)'")
      }
      // Of the longer file, the fingerprint does not see this byte.
      try await bench.bash(
        "printf x | dd of=library/b.gif bs=1 seek=16384 conv=notrunc status=none")
      try await bench.bash("cmp library/a.gif library/c.gif; ! cmp -s library/a.gif library/b.gif")
      _ = try await bench.scan([bench.library])
      #expect(try await duplicates() == ["a.gif", "c.gif"])
    }

    @Test func `copies that come, change, move and go are noticed`() async throws {
      try await addLargePicture("1.gif")
      _ = try await bench.scan([bench.library])
      #expect(try await duplicates().isEmpty)
      #expect(try await spare() == nil)

      try await bench.bash("cp library/1.gif library/2.gif; cp library/1.gif library/3.gif")
      _ = try await bench.scan()
      #expect(try await duplicates() == ["1.gif", "2.gif", "3.gif"])
      #expect(try await spare()?.first == 2)

      try await bench.bash("mkdir library/sub; mv library/2.gif library/sub/4.gif")
      try await addLargePicture("3.gif", mark: "z")
      _ = try await bench.scan()
      #expect(try await duplicates() == ["1.gif", "sub/4.gif"])

      try await bench.bash("rm library/1.gif")
      _ = try await bench.scan()
      #expect(try await duplicates().isEmpty)
      #expect(try await bench.query("SELECT COUNT(*) FROM unsettled_contents") == ["0"])
    }

    @Test func `two names of one file are not copies`() async throws {
      try await addLargePicture("1.gif")
      try await bench.bash("ln library/1.gif library/2.gif")
      _ = try await bench.scan([bench.library])
      #expect(try await duplicates().isEmpty)
      #expect(try await spare() == nil)
    }

    /// Its files are on another disk than those beside it.
    @Test(.enabled("file systems can be mounted in a namespace") { await Workbench.canMount })
    func `a folder that is mounted in two roots has no copies`() async throws {
      try await addLargePicture("real.gif")
      let listed = try await bench.bash(
        """
        mkdir disk library/photos
        \(Workbench.inNamespace)
          mount -t tmpfs none disk
          mkdir disk/photos
          cp library/real.gif disk/photos
          rm library/real.gif
          mount --bind disk/photos library/photos
          sleep 2.1
          for root in library disk; do '\(bench.program)' scan "$root" --catalog c.sqlite >/dev/null; done
          '\(bench.program)' list --catalog c.sqlite --count
          '\(bench.program)' list --catalog c.sqlite --type duplicates --format paths
          '\(bench.program)' list --catalog c.sqlite --type spareCopies --format paths
          cp disk/photos/real.gif library
          sleep 2.1
          '\(bench.program)' scan --catalog c.sqlite >/dev/null
          '\(bench.program)' list --catalog c.sqlite --type spareCopies --count
        END
        """)
      #expect(listed == "2\n1\n")
    }

    @Test(.enabled("file systems can be mounted in a namespace") { await Workbench.canMount })
    func `files of two disks that have one inode number are copies`() async throws {
      try await addLargePicture("real.gif")
      let lines = try await bench.bash(
        """
        mkdir library/one library/two
        \(Workbench.inNamespace)
          for disk in one two; do
            mount -t tmpfs none library/$disk
            cp library/real.gif library/$disk/copy.gif
          done
          [[ $(stat -c %i library/one/copy.gif) == $(stat -c %i library/two/copy.gif) ]] || exit 3
          rm library/real.gif
          '\(bench.program)' scan library --catalog c.sqlite >/dev/null
          '\(bench.program)' stats --catalog c.sqlite --format jsonl | grep -c spare
        END
        """)
      #expect(lines == "1\n")
    }

    @Test func `a copy in a forgotten root no longer counts as a copy`() async throws {
      try await addLargePicture("a/1.gif")
      try await addLargePicture("b/1.gif")
      _ = try await bench.scan(["\(bench.library)/a", "\(bench.library)/b"])
      #expect(try await duplicates().count == 2)
      try await bench.shoebox(["roots", "forget", "\(bench.library)/b"])
      #expect(try await duplicates().isEmpty)
    }

    @Test func `a copy that cannot be read waits for the next scan`() async throws {
      try await addLargePicture("a/1.gif")
      _ = try await bench.scan(["\(bench.library)/a"])
      try await addLargePicture("b/1.gif")
      try await bench.bash("mv library/a library/away")
      _ = try await bench.scan(["\(bench.library)/b"])
      #expect(try await duplicates().isEmpty)
      try await bench.bash("mv library/away library/a")
      _ = try await bench.scan()
      #expect(try await duplicates().count == 2)
    }
  }
}
