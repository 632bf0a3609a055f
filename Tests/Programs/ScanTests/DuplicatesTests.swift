import Foundation
import Testing
import Workbench

extension ScanTests {
  /// `shoebox duplicates`, and the script that it prints.
  @Suite struct DuplicatesTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    private struct Group: Decodable {
      struct Asset: Decodable {
        var id: String
        var path: String
        var verdict: String
        var similarity: Double
      }
      var kind: String
      var keep: String
      var reason: String
      var assets: [Asset]
      var reclaimable: Int
    }

    private func groups(_ arguments: [String] = []) async throws -> [Group] {
      let outcome = try await bench.shoebox(["duplicates", "--format", "json"] + arguments)
      try #require(outcome.status == 0, "\(outcome.errors)")
      return try JSONDecoder().decode([Group].self, from: Data(outcome.outputBytes))
    }

    /// The names in each group, the one to keep first.
    private func names(_ groups: [Group]) -> [[String]] {
      groups.map { group in
        group.assets.map { String($0.path.dropFirst(bench.library.count + 1)) }
      }
    }

    private func addCopies() async throws {
      try bench.addPicture("2020/a.gif", words: "one")
      try bench.addPicture("Downloads/a (1).gif", words: "one")
      try bench.addPicture("backup/a.gif", words: "one")
      try bench.addPicture("2020/other.gif", words: "two")
      // Two names of one file.
      try bench.addPicture("2020/linked.gif", words: "three")
      try await bench.bash("ln library/2020/linked.gif library/backup/linked.gif")
      _ = try await bench.scan([bench.library])
    }

    @Test func `exact copies are listed with the one to keep`() async throws {
      try await addCopies()
      let groups = try await groups()
      #expect(names(groups) == [["2020/a.gif", "backup/a.gif", "Downloads/a (1).gif"]])
      let group = try #require(groups.first)
      #expect(group.kind == "exact")
      #expect(group.keep == group.assets[0].id)
      #expect(group.reason == "in a better folder")
      #expect(group.assets.map(\.verdict) == ["keep", "spare", "spare"])
      let sizes = try await bench.bash(
        "stat -c %s library/backup/a.gif 'library/Downloads/a (1).gif'")
      #expect(group.reclaimable == sizes.split(separator: "\n").compactMap { Int($0) }.reduce(0, +))

      let paths = try await bench.shoebox(["duplicates", "--format", "paths"])
      #expect(paths.lines.count == 2)
      let csv = try await bench.shoebox(["duplicates", "--format", "csv"])
      #expect(csv.output.split(whereSeparator: \.isNewline).count == 4)
    }

    @Test func `the filter selects what may be spare`() async throws {
      try await addCopies()
      let downloads = try await groups(["--under", bench.library + "/Downloads"])
      #expect(names(downloads) == [["2020/a.gif", "Downloads/a (1).gif"]])
      let first = try await groups(["--under", bench.library + "/2020"])
      #expect(names(first) == [["backup/a.gif", "2020/a.gif"]])
    }

    @Test func `one folder under two paths is no copy`() async throws {
      try bench.addPicture("a.gif", words: "one")
      _ = try await bench.scan([bench.library])
      try await bench.bash("ln -s library second && mkdir third && cp -al library/. third/")
      _ = try await bench.scan([bench.folder + "/third"])
      #expect(try await groups().isEmpty)
    }

    @Test func `the script removes what was reviewed and nothing else`() async throws {
      let odd = "it's \"odd\"\n$(touch pwned) \\ -x.gif"
      try await addCopies()
      try bench.addPicture("zz/" + odd, words: "one")
      try await bench.bash("cp -a 'library/2020/other.gif' $'library/zz/\\xff.gif'")
      _ = try await bench.scan([bench.library])
      let script = try await bench.shoebox(["duplicates", "--script"])
      #expect(script.status == 0)
      try Data(script.outputBytes).write(to: URL(filePath: bench.folder + "/review.sh"))
      try await bench.bash("find library -type f -print0 | sort -z > before; sh -n review.sh")

      // A file that has changed since the scan is not a copy any more.
      try await bench.bash("printf x >> library/backup/a.gif")
      let errors = try await bench.bash(
        "! sh review.sh 2>&1 >/dev/null; true; sh review.sh 2>&1 || true")
      #expect(errors.contains("differs from the file to keep"))
      let left = try await bench.bash("find library -type f | sort; ls")
      #expect(!left.contains("pwned"))
      #expect(!FileManager.default.fileExists(atPath: bench.library + "/zz/" + odd))
      #expect(!FileManager.default.fileExists(atPath: bench.library + "/Downloads/a (1).gif"))
      for kept in [
        "2020/a.gif", "backup/a.gif", "2020/linked.gif", "backup/linked.gif", "2020/other.gif",
      ] {
        #expect(FileManager.default.fileExists(atPath: bench.library + "/" + kept), "\(kept)")
      }
      #expect(try await bench.bash("find library/zz -type f | wc -l") == "0\n")
    }

    /// A person deletes lines of the script in an editor, and sees it on a terminal.
    @Test func `each command of the script is one line that a terminal shows`() async throws {
      try bench.addPicture("2020/a.gif", words: "one")
      try bench.addPicture("2020/z.gif", words: "zed")
      let odd = [
        "B\ntouch PWNED #.gif", "\ntouch PWNED\n.gif", "esc\u{1B}[31m%s\\n\u{1}\u{7F}.gif",
        "cr\rtouch PWNED.gif", "bidi\u{202E}fig.gif", "line\u{2028}\u{85}it's é.gif",
      ]
      let folder = bench.library + "/backup/of\nit/"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      for name in odd {
        try FileManager.default.copyItem(
          atPath: bench.library + "/2020/a.gif", toPath: folder + name)
      }
      // Not UTF-8, but what an 8-bit terminal takes for the beginning of an escape sequence.
      try await bench.bash("cp library/2020/a.gif $'library/backup/a \\x9b\\xff\\n (1).gif'")
      _ = try await bench.scan([bench.library])

      let script = try await bench.shoebox(["duplicates", "--script"])
      #expect(script.status == 0, "\(script.errors)")
      let url = URL(filePath: bench.folder + "/review.sh")
      try Data(script.outputBytes).write(to: url)
      let text = try #require(String(bytes: script.outputBytes, encoding: .utf8))
      let raw = text.unicodeScalars.filter { scalar in
        switch scalar.value {
        case 0x0A: false
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E: true
        default: false
        }
      }
      #expect(raw.isEmpty, "\(raw.map(\.value))")
      let lines = text.split(separator: "\n")
      #expect(lines.filter { $0.hasPrefix("exact ") }.count == odd.count + 1)
      #expect(!lines.contains { $0.hasPrefix("touch") })

      // Nothing runs when all commands are deleted.
      let files = "find library -type f -print0 | sort -z"
      let before = try await bench.bash(files + " | od -c")
      try await bench.bash("sed '/^exact /d' review.sh >none.sh; sh none.sh")
      #expect(try await bench.bash(files + " | od -c") == before)
      #expect(!FileManager.default.fileExists(atPath: bench.folder + "/PWNED"))

      for shell in ["sh", "bash"] {
        try await bench.bash("cp -a library kept; \(shell) review.sh; test ! -e PWNED")
        let left = try await bench.bash(files + " | tr '\\0' '\\n'")
        #expect(left == "library/2020/a.gif\nlibrary/2020/z.gif\n")
        try await bench.bash("rm -r library; mv kept library")
      }
    }

    /// The catalog knows the device of the library folder only.
    @Test(.enabled("file systems can be mounted in a namespace") { await Workbench.canMount })
    func `a folder that is mounted inside a library is no copy`() async throws {
      try bench.addPicture("../stock/a.gif", words: "one")
      try bench.addPicture("../stock/b.gif", words: "two")
      try bench.addPicture("copy/b.gif", words: "two")
      _ = try await bench.script(
        mounting: true,
        """
        mkdir -p disk library/ext
        mount -t tmpfs none disk
        cp stock/*.gif disk
        mount --bind disk library/ext
        scan library disk
        '\(bench.program)' duplicates --format paths >paths
        '\(bench.program)' duplicates --script >review.sh
        sh review.sh
        ls disk >left
        """)
      #expect(try await bench.bash("cat left") == "a.gif\nb.gif\n")
      // The one real copy may go, but never both names of the other file.
      let paths = try await bench.bash("cat paths").split(separator: "\n").map(String.init)
      #expect(Set(paths).isSubset(of: [bench.library + "/copy/b.gif"]))
    }

    @Test func `files that are gone are not listed`() async throws {
      try await addCopies()
      try await bench.bash("rm library/backup/a.gif")
      let left = try await groups()
      #expect(names(left) == [["2020/a.gif", "Downloads/a (1).gif"]])
      try await bench.bash("rm library/2020/a.gif")
      #expect(try await groups().isEmpty)
    }

    @Test func `the script moves to a folder`() async throws {
      try await addCopies()
      let script = try await bench.shoebox(["duplicates", "--script", "--move-to", "spare folder"])
      try Data(script.outputBytes).write(to: URL(filePath: bench.folder + "/review.sh"))
      try await bench.bash("sh review.sh")
      let moved = bench.folder + "/spare folder" + bench.library + "/backup/a.gif"
      #expect(FileManager.default.fileExists(atPath: moved))
      #expect(FileManager.default.fileExists(atPath: bench.library + "/2020/a.gif"))
    }

    /// Pictures of ImageMagick's, whose truth is known; the copies are made by it, too.
    @Test(.timeLimit(.minutes(5))) func `similar pictures are found and look-alikes are not`()
      async throws
    {
      try await bench.bash(
        """
        cd library
        for seed in 1 2 3 4 5 6; do
          convert -size 640x480 -seed $seed plasma:fractal -blur 0x2 -normalize -quality 92 $seed.jpg
        done
        convert 1.jpg -quality 40 1-small.jpg
        convert 2.jpg -resize 50% -quality 80 2-half.jpg
        convert 3.jpg -crop 580x440+30+20 +repage -quality 85 3-crop.jpg
        convert 4.jpg -brightness-contrast 6x0 -quality 85 4-bright.jpg
        convert 5.jpg -rotate 270 -quality 85 5-turned.jpg
        exiftool -q -n -overwrite_original -Orientation=6 5-turned.jpg
        # Frames of one burst: nearly the same, at other moments.
        convert 6.jpg -quality 90 6-frame.jpg
        exiftool -q -overwrite_original -Model=X -DateTimeOriginal='2020:01:01 10:00:00' 6.jpg
        exiftool -q -overwrite_original -Model=X -DateTimeOriginal='2020:01:01 10:00:01' 6-frame.jpg
        # Look-alikes: something else in the middle; flat pictures.
        convert 1.jpg \\( 2.jpg -resize 200x150! \\) -geometry +200+150 -composite -quality 90 1-moved.jpg
        convert -size 640x480 xc:gray40 -quality 90 flat1.jpg
        convert -size 600x450 xc:gray42 -quality 90 flat2.jpg
        """)
      _ = try await bench.scan([bench.library])
      let found = try await groups(["--similar"])
      #expect(
        Set(names(found).map(Set.init)) == [
          ["1.jpg", "1-small.jpg"], ["2.jpg", "2-half.jpg"], ["3.jpg", "3-crop.jpg"],
          ["4.jpg", "4-bright.jpg"], ["5.jpg", "5-turned.jpg"],
        ])
      #expect(found.allSatisfy { $0.kind == "similar" })
      #expect(Set(names(found).map { $0[0] }).isSuperset(of: ["1.jpg", "2.jpg", "3.jpg"]))

      // The second time no picture is opened.
      let again = try await bench.shoebox(
        ["duplicates", "--similar", "--format", "json"],
        environment: ["SHOEBOX_CODEC": "/bin/false"])
      #expect(again.status == 0, "\(again.errors)")

      let sheet = try await bench.shoebox(
        ["duplicates", "--similar", "--format", "sheet", "--to", "page.html"])
      #expect(sheet.status == 0, "\(sheet.errors)")
      let page = try String(contentsOfFile: bench.folder + "/page.html", encoding: .utf8)
      #expect(page.matches(of: /src="data:image\/jpeg;base64,\/9j\//).count == 10)
      #expect(page.contains("keep: more pixels"))
    }
  }
}
