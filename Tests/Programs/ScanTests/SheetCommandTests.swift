import Foundation
import Testing
import Workbench

extension ScanTests {
  /// `shoebox sheet`: the titles, copies, clips and larger pictures of a page.
  @Suite struct SheetCommand {
    private let bench: Workbench

    init() async throws {
      bench = try Workbench()
    }

    private struct Summary: Decodable {
      struct Failure: Decodable {
        var path: String
        var error: String
      }

      var path: String
      var tiles: Int
      var stacked: Int
      var clips: Int
      var renditions: Int
      var failures: [Failure]
    }

    private func sheet(_ arguments: [String] = []) async throws -> (Summary, page: String) {
      let outcome = try await bench.shoebox(
        ["sheet", "-o", "page.html", "--format", "json"] + arguments)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let summary = try JSONDecoder().decode(Summary.self, from: Data(outcome.outputBytes))
      return (summary, try String(contentsOfFile: bench.folder + "/page.html", encoding: .utf8))
    }

    private func links(in page: String) -> [String] {
      page.matches(of: /<li><a href="([^"]*)"/).map { String($0.output.1) }
    }

    @Test func `the title is text, whatever it contains`() async throws {
      try bench.addPicture("<img src=x onerror=alert(1)>.gif")
      _ = try await bench.scan([bench.library])
      let (summary, page) = try await sheet(["--title", "</title><script>alert(\"x\")</script>"])
      #expect(summary.tiles == 1)
      #expect(summary.path == bench.folder + "/page.html")
      #expect(
        page.contains(
          "<title>&lt;/title&gt;&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;</title>"))
      #expect(page.contains("<bdi class=\"name\">&lt;img src=x onerror=alert(1)&gt;.gif</bdi>"))
      #expect(!page.contains("<script"))
      #expect(!page.contains("<img src=x"))
    }

    @Test func `copies share a tile that lists them all`() async throws {
      try bench.addPicture("a.gif", words: "one")
      try bench.addPicture("b.gif", words: "one")
      try bench.addPicture("c/<b>.gif", words: "one")
      try bench.addPicture("other.gif", words: "two")
      _ = try await bench.scan([bench.library])
      let (summary, page) = try await sheet()
      #expect(summary.tiles == 2)
      #expect(summary.stacked == 2)
      #expect(page.contains("<b>×3</b>"))
      #expect(page.contains("Same content: 2 copies"))
      let stack = try #require(page.firstMatch(of: /<li>.*×3.*<\/li>/)?.output)
      for name in ["a.gif", "b.gif", "%3Cb%3E.gif"] { #expect(stack.contains(name), "\(name)") }
      #expect(!stack.contains("<b>.gif"))

      let (apart, _) = try await sheet(["--no-stack"])
      #expect((apart.tiles, apart.stacked) == (4, 0))
      // A filter that leaves one of them leaves no stack.
      let (single, other) = try await sheet(["--name", "a.gif"])
      #expect((single.tiles, single.stacked) == (1, 0))
      #expect(!other.contains("Same content"))
    }

    @Test func `named assets keep their order`() async throws {
      try bench.addPictures(4)
      _ = try await bench.scan([bench.library])
      let names = [3, 0, 2].map { bench.library + "/folder0/picture\($0).gif" }
      let (_, page) = try await sheet(names)
      #expect(links(in: page) == names.map { "file://" + $0 })
      let unknown = try await bench.shoebox(["sheet", "-o", "page.html", names[0], "none.gif"])
      #expect(unknown.status == 1)
      #expect(unknown.errors.contains("none.gif"))
    }

    @Test func `without an asset no page replaces an earlier one`() async throws {
      try bench.addPicture("a.gif")
      _ = try await bench.scan([bench.library])
      let (_, page) = try await sheet()
      let outcome = try await bench.shoebox(["sheet", "-o", "page.html", "none.gif"])
      #expect(try await outcome.status == bench.shoebox(["show", "none.gif"]).status)
      #expect(outcome.errors.contains("none.gif"))
      #expect(try String(contentsOfFile: bench.folder + "/page.html", encoding: .utf8) == page)
    }

    @Test func `a page has its previews where they cannot be kept`() async throws {
      try bench.addPicture("a.gif", words: "one")
      try bench.addPicture("b.gif", words: "two")
      _ = try await bench.scan([bench.library])
      // A folder of that name prevents root, too, from creating the file.
      try await bench.bash(
        "rm -f '\(bench.catalog).thumbnails'*; mkdir '\(bench.catalog).thumbnails'")
      let (summary, page) = try await sheet()
      #expect(summary.tiles == 2)
      #expect(summary.failures.isEmpty)
      #expect(page.matches(of: /src="data:image\/jpeg/).count == 2)
    }

    @Test func `a device is no page`() async throws {
      try bench.addPicture("a.gif")
      _ = try await bench.scan([bench.library])
      let outcome = try await bench.shoebox(["sheet", "-o", "/dev/null"])
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("/dev/null is not a regular file"))
    }

    @Test func `larger pictures are next to the page and no scan finds them`() async throws {
      try bench.addPictures(3)
      _ = try await bench.scan([bench.library])
      let target = bench.library + "/page 100%.html"
      for _ in 0..<2 {
        let outcome = try await bench.shoebox(["sheet", "--renditions", "-o", target])
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      let page = try String(contentsOfFile: target, encoding: .utf8)
      let links = links(in: page)
      #expect(links.count == 3)
      for link in links {
        let file = try #require(URL(string: link, relativeTo: URL(filePath: target)))
        #expect(try Data(contentsOf: file).starts(with: [0xFF, 0xD8]))
      }
      #expect(page.matches(of: /<a href="file:\/\/[^"]*\.gif"/).count == 3)
      #expect(try await bench.scan([bench.library]).report.scanned == 3)
    }

    @Test func `no folder of other files is written into`() async throws {
      try bench.addPictures(1)
      _ = try await bench.scan([bench.library])
      try await bench.bash("mkdir page_files && echo mine > page_files/mine")
      let outcome = try await bench.shoebox(["sheet", "--renditions", "-o", "page.html"])
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("page_files exists"))
      #expect(try await bench.bash("ls -A page_files; ls").hasPrefix("mine\n"))
      #expect(!FileManager.default.fileExists(atPath: bench.folder + "/page.html"))
    }

    /// The codecs are the test's own choice, from ffmpeg's encoders.
    @Test(
      .enabled("ffmpeg is installed") {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")
      })
    func `videos play if browsers know their format`() async throws {
      try await bench.bash(
        """
        mkdir -p library; cd library
        make() { ffmpeg -v error -f lavfi -i testsrc2=size=64x48:rate=10:duration=1 -pix_fmt yuv420p "$@"; }
        make -c:v libx264 plays.mp4; make -c:v libx264 plays.mov; make -c:v libvpx-vp9 -deadline realtime -cpu-used 8 plays.webm
        make -c:v mpeg4 mpeg4.mp4; make -c:v libx264 matroska.mkv; make -c:v mjpeg motion.avi
        """)
      _ = try await bench.scan([bench.library])
      let (summary, page) = try await sheet()
      #expect(summary.clips == 3)
      #expect(page.contains("media-src file:;"))
      let played = page.matches(of: /<video controls preload="none" playsinline src="([^"]*)"/)
      #expect(
        Set(played.map { String($0.output.1) })
          == Set(["mp4", "mov", "webm"].map { "file://\(bench.library)/plays.\($0)" }))
      #expect(page.matches(of: /Not played here: browsers do not play [^<]+\.<\/small>/).count == 3)
      #expect(page.contains("browsers do not play mpeg4."))
    }

    /// The picture alone has only a part of a live photo's content.
    @Test(
      .enabled("ffmpeg and exiftool are installed") {
        ["ffmpeg", "exiftool"].allSatisfy {
          FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
        }
      })
    func `a live photo plays its clip, and stacks only with whole copies`() async throws {
      try await bench.bash(
        """
        mkdir -p library/again; cd library
        make() { ffmpeg -v error -f lavfi -i testsrc2=size=64x48:rate=10:duration=$1 "${@:2}"; }
        make 1 -frames:v 1 IMG_1.JPG; make 2 -c:v libx264 -pix_fmt yuv420p IMG_1.MOV
        exiftool -q -overwrite_original -Make=Apple '-EXIF:DateTimeOriginal=2024:01:01 10:00:00' IMG_1.JPG
        exiftool -q -overwrite_original -Keys:Make=Apple \
          '-Keys:CreationDate=2024:01:01 10:00:00+01:00' IMG_1.MOV
        cp IMG_1.* again; cp IMG_1.JPG alone.jpg
        """)
      try #require(try await bench.scan([bench.library]).report.pairs == 2)
      let (summary, page) = try await sheet()
      #expect((summary.tiles, summary.stacked, summary.clips) == (2, 1, 1))
      #expect(page.contains("src=\"file://\(bench.library)/again/IMG_1.MOV\""))
      let stack = try #require(page.firstMatch(of: /<li>.*×2.*<\/li>/)?.output)
      #expect(stack.contains("\(bench.library)/IMG_1.JPG"))
      #expect(!stack.contains("alone.jpg"))
    }
  }
}
