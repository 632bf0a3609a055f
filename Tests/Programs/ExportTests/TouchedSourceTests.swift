import Foundation
import MediaTools
import Testing
import Workbench

extension ExportTests {
  /// An update judges a source by its content if only its time stamp changed.
  @Suite(.enabled(if: Tool.areInstalled(.imageMagick, .exiftool)))
  struct TouchedSources {
    private static let canTrace = FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")

    private struct Line: Decodable {
      var sourcePath: String
      var action: String
      var changes: [String]?
    }

    /// A picture of each kind: `a.bmp`, which every preset copies, and `b.jpg` with a place.
    private static let pool = Task {
      let bench = try Workbench()
      try await bench.bash(
        """
        convert -seed 5 -size 200x200 plasma: library/a.bmp
        convert -seed 6 -size 320x240 plasma: library/b.jpg
        exiftool -q -overwrite_original -GPSLatitude=47.5596 -GPSLatitudeRef=N \
          -GPSLongitude=7.5886 -GPSLongitudeRef=E library/b.jpg
        """)
      return bench
    }

    /// A library with the pictures of the pool.
    private func bench() async throws -> Workbench {
      let pool = try await Self.pool.value.library
      let bench = try Workbench()
      try await bench.bash("cp '\(pool)'/* library/")
      _ = try await bench.scan([bench.library])
      return bench
    }

    /// The items of an export by the names of their sources: `action: changes`.
    private func items(_ bench: Workbench, _ flags: [String]) async throws -> [String: String] {
      let outcome = try await bench.shoebox(
        ["export", "--to", bench.target, "--format", "jsonl"] + flags)
      let lines = try outcome.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
      return Dictionary(
        lines.map { line in
          let name = line.sourcePath.split(separator: "/").last ?? ""
          let changes = (line.changes ?? []).joined(separator: ", ")
          return (String(name), changes.isEmpty ? line.action : "\(line.action): \(changes)")
        }
      ) { first, _ in first }
    }

    /// A member of the last line of the record about a result.
    private func recorded(_ bench: Workbench, _ target: String, _ member: String) async throws
      -> String
    {
      let line = try await bench.bash(
        #"grep -F '"target":"\#(target)"' out/.shoebox-export.jsonl | tail -1"#)
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object?[member] as? String ?? ""
    }

    /// A file's modification time in nanoseconds, by stat.
    private func modified(_ bench: Workbench, _ file: String) async throws -> String {
      try await bench.bash("stat -c %.9Y library/\(file) | tr -d '.\\n'")
    }

    @Test(arguments: [["--preset", "current"], ["--image-preset", "web"], ["--strip-location"]])
    func `a source that was only touched is not exported again`(flags: [String]) async throws {
      let bench = try await bench()
      _ = try await items(bench, flags)
      let made = try await bench.bash("stat -c '%n %.9Y %i' out/*")
      try await bench.bash("touch -d '2031-05-01 12:00:00.5 UTC' library/*")
      let same = ["a.bmp": "skipped", "b.jpg": "skipped"]
      #expect(try await items(bench, flags + ["--update", "--dry-run"]) == same)
      #expect(try await recorded(bench, "b.jpg", "sourceModified") != modified(bench, "b.jpg"))
      #expect(try await items(bench, flags + ["--update"]) == same)
      #expect(try await bench.bash("stat -c '%n %.9Y %i' out/*") == made)
      // The next update need not read it.
      for name in try await bench.bash("ls out").split(separator: "\n") {
        let source = name.hasPrefix("a") ? "a.bmp" : "b.jpg"
        #expect(
          try await recorded(bench, String(name), "sourceModified") == modified(bench, source))
      }
      #expect(try await items(bench, flags + ["--update"]) == same)
      #expect(try await items(bench, flags) == same)
    }

    /// The changed byte is in none of the parts that the catalog's fingerprint covers.
    @Test(arguments: [["--preset", "current"], ["--image-preset", "web"]])
    func `other content of the same size is exported again`(flags: [String]) async throws {
      let bench = try await bench()
      _ = try await items(bench, flags)
      let before = try await bench.bash("stat -c %s library/a.bmp; sha256sum <out/a*")
      try await bench.bash(
        "printf '\\1\\2\\3\\4\\5\\6' | dd of=library/a.bmp bs=1 seek=30000 conv=notrunc status=none"
      )
      let found = try await items(bench, flags + ["--update"])
      #expect(found["a.bmp"]?.hasSuffix(": source changed") == true)
      #expect(found["b.jpg"] == "skipped")
      let after = try await bench.bash("stat -c %s library/a.bmp; sha256sum <out/a*")
      #expect(before.split(separator: "\n").first == after.split(separator: "\n").first)
      #expect(before != after)
    }

    @Test func `the record has the digest of a source that is not copied`() async throws {
      let bench = try await bench()
      _ = try await items(bench, ["--strip-location"])
      let digest = try await bench.bash("sha256sum library/b.jpg | head -c 32")
      #expect(try await recorded(bench, "b.jpg", "content") == digest)
    }

    @Test func `a touched source with other settings has only those as its reason`() async throws {
      let bench = try await bench()
      _ = try await items(bench, ["--preset", "current"])
      try await bench.bash("touch -d '2031-05-01 UTC' library/*")
      // Without --update the result may still contain the place.
      let strip = ["--preset", "current", "--strip-location"]
      #expect(try await items(bench, strip)["b.jpg"] == "failed")
      #expect(try await items(bench, strip + ["--update"])["b.jpg"] == "copied: settings changed")
      #expect(try await bench.bash("exiftool -s3 -GPSLatitude out/b.jpg").isEmpty)
    }

    @Test func `a source that moved and was touched keeps its result`() async throws {
      let bench = try await bench()
      _ = try await items(bench, ["--preset", "current"])
      try await bench.bash(
        "mkdir library/sub; mv library/b.jpg library/sub/c.jpg; touch library/sub/c.jpg")
      _ = try await bench.scan()
      #expect(
        try await items(bench, ["--preset", "current", "--update"])
          == ["a.bmp": "skipped", "c.jpg": "skipped"])
      #expect(try await bench.bash("ls out") == "a.bmp\nb.jpg\n")
    }

    /// Whether a copy is still its source's cannot be known when it was changed.
    @Test func `a copy that another program changed stays`() async throws {
      let bench = try await bench()
      _ = try await items(bench, ["--preset", "current"])
      try await bench.bash("touch library/a.bmp; printf x >>out/a.bmp")
      #expect(try await items(bench, ["--preset", "current", "--update"])["a.bmp"] == "skipped")
      #expect(try await bench.bash("tail -c 1 out/a.bmp") == "x")
    }

    @Test func `an XMP file stays if its source was only touched`() async throws {
      let bench = try await bench()
      let flags = ["--preset", "current", "--sidecars", "xmp"]
      _ = try await items(bench, flags)
      let made = try await bench.bash("stat -c '%n %i' out/*")
      try await bench.bash("touch library/*")
      #expect(
        try await items(bench, flags + ["--update"]) == ["a.bmp": "skipped", "b.jpg": "skipped"])
      #expect(try await bench.bash("stat -c '%n %i' out/*") == made)
    }

    /// The time stamps are recorded before any result is made.
    @Test(.enabled(if: canTrace))
    func `a killed update leaves a record that the next one understands`() async throws {
      let bench = try await bench()
      _ = try await items(bench, ["--preset", "current"])
      try await bench.bash(
        """
        touch -d '2031-05-01 UTC' library/b.jpg
        convert -seed 9 -size 200x200 plasma: library/a.bmp
        SHOEBOX_CATALOG='\(bench.catalog)' timeout 60 strace -f -qq -o trace \
          -e trace=rename,renameat,renameat2 -e inject=rename,renameat,renameat2:signal=KILL:when=1 \
          '\(bench.program)' export --preset current --to out --quiet --update \
          >/dev/null 2>&1 || true
        grep -q 'killed by SIGKILL' trace
        """)
      #expect(try await recorded(bench, "b.jpg", "sourceModified") == modified(bench, "b.jpg"))
      #expect(
        try await items(bench, ["--preset", "current", "--update"])
          == ["a.bmp": "copied: export interrupted", "b.jpg": "skipped"])
      #expect(try await bench.digests(of: bench.target) == bench.digests(of: bench.library))
      #expect(try await bench.leftovers().isEmpty)
    }
  }
}
