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
