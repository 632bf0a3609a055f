import Foundation
import Testing
import Workbench

extension ExportTests {
  /// Exports of assets with an original and an edited file.
  @Suite struct Edits {
    /// A red original, its blue edited version and their edit instructions.
    private func bench() async throws -> Workbench {
      let bench = try Workbench()
      try await bench.bash(
        """
        cd library
        convert -size 64x48 xc:red IMG_0001.JPG
        convert -size 64x48 xc:blue IMG_E0001.JPG
        convert -size 64x48 xc:lime a.jpg
        convert -size 64x48 xc:yellow a-edited.jpg
        exiftool -q -overwrite_original -AllDates='2024:06:01 10:15:00' ./*.[Jj][Pp][Gg]
        echo '<plist version="1.0"><dict><key>adjustmentFormatIdentifier</key><string>com.apple.photo\
        </string></dict></plist>' >IMG_0001.AAE
        """)
      _ = try await bench.scan([bench.library])
      return bench
    }

    private func colours(_ bench: Workbench) async throws -> [String: String] {
      let lines = try await bench.bash(
        "cd out; for f in *.[Jj][Pp][Gg]; do echo \"$f $(convert \"$f\" -scale 1x1 "
          + "-format '%[fx:int(r+.5)]%[fx:int(g+.5)]%[fx:int(b+.5)]' info:)\"; done")
      return Dictionary(
        lines.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
          .map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
    }

    @Test func `the edited version is exported by default`() async throws {
      let bench = try await bench()
      #expect(try await bench.export().summary.copied == 2)
      #expect(try await colours(bench) == ["IMG_E0001.JPG": "001", "a-edited.jpg": "110"])
      try await bench.bash("rm -r out")
      _ = try await bench.export(["--edits", "original"])
      #expect(try await colours(bench) == ["IMG_0001.JPG": "100", "a.jpg": "010"])
      _ = try await bench.export(["--edits", "both"])
      #expect(
        try await colours(bench) == [
          "IMG_0001.JPG": "100", "a.jpg": "010", "IMG_E0001.JPG": "001", "a-edited.jpg": "110",
        ])
      #expect(try await bench.export(["--edits", "both"]).summary.skipped == 2)
    }

    @Test(arguments: ["current", "compatible"])
    func `a file named by its path is exported`(preset: String) async throws {
      let bench = try await bench()
      for (name, colour) in [("IMG_E0001.JPG", "001"), ("IMG_0001.JPG", "100"), ("a.jpg", "010")] {
        _ = try await bench.export([
          "--preset", preset, "--edits", "current", bench.library + "/" + name,
        ])
        #expect(try await colours(bench) == [name: colour])
        try await bench.bash("rm -r out")
      }
    }

    @Test func `all files of an asset are exported under matching names`() async throws {
      let bench = try await bench()
      let made = try await bench.shoebox([
        "export", "--resources", "all", "--to", bench.target, "--format", "paths",
      ])
      #expect(made.status == 0, "\(made.errors)")
      let names = made.lines.map { $0.split(separator: "/").last.map(String.init) ?? "" }
      #expect(
        names.sorted()
          == ["IMG_0001.AAE", "IMG_0001.JPG", "IMG_E0001.JPG", "a-edited.jpg", "a.jpg"])
      try await bench.bash("cmp library/IMG_0001.AAE out/IMG_0001.AAE")
      // A catalog of the results finds the same families.
      let listed = try await bench.shoebox([
        "list", "--format", "paths0", "--resources", "all",
      ])
      #expect(listed.outputBytes.count { $0 == 0 } == 5)
      let refused = try await bench.shoebox([
        "export", "--resources", "all", "--live-photo", "still", "--to", bench.target,
      ])
      #expect(refused.status == 64)
    }

    @Test func `a note names the edits that an original lacks`() async throws {
      let bench = try Workbench()
      try await bench.bash(
        "cd library; for n in 1 2 3; do convert -size 64x48 xc:red IMG_000$n.JPG; done")
      try await bench.writeEdits(
        "IMG_0001.AAE",
        """
        [{'identifier': 'Effect', 'enabled': True}, {'identifier': 'Crop', 'enabled': True,
        'settings': {'xOrigin': 8, 'yOrigin': 0, 'width': 40, 'height': 48}}]
        """)
      try await bench.writeEdits("IMG_0002.AAE", "[{'identifier': 'Effect', 'enabled': False}]")
      _ = try await bench.scan([bench.library])
      let note =
        "The edits in IMG_0001.AAE (crop, filter) are not in IMG_0001.JPG, because the edited version "
        + "is not in the library."
      let made = try await bench.shoebox(["export", "--to", bench.target])
      #expect(made.status == 0)
      let notes = (made.lines + made.errors.split(separator: "\n").map(String.init)).filter {
        $0.hasPrefix("note: ")
      }
      #expect(notes == ["note: \(bench.library)/IMG_0001.JPG: \(note)"])
      try await bench.bash("rm -r out")
      struct Line: Decodable { var sourcePath: String; var notes: [String]? }
      let json = try await bench.shoebox(["export", "--to", bench.target, "--format", "jsonl"])
      let lines = json.lines.compactMap {
        try? JSONDecoder().decode(Line.self, from: Data($0.utf8))
      }
      #expect(lines.count == 3)
      #expect(lines.compactMap(\.notes) == [[note]])
      try await bench.bash("rm -r out")
      let original = try await bench.shoebox([
        "export", "--edits", "original", "--to", bench.target,
      ])
      #expect(!(original.output + original.errors).contains("note: "))
    }

    @Test func `the manifest lists every result`() async throws {
      let bench = try await bench()
      _ = try await bench.export(["--edits", "both", "--manifest", "m.jsonl"])
      struct Line: Decodable {
        struct Resource: Decodable { var type, url: String }
        var sourcePath, imageURL: String
        var resources: [Resource]
      }
      let text = try await bench.bash("cat m.jsonl")
      let line = try text.split(separator: "\n").map {
        try JSONDecoder().decode(Line.self, from: Data($0.utf8))
      }.first { $0.imageURL.hasSuffix("IMG_E0001.JPG") }
      #expect(line?.sourcePath == bench.library + "/IMG_E0001.JPG")
      #expect(line?.resources.map(\.type) == ["photo"])
      #expect(line?.resources.first?.url.hasSuffix("/out/IMG_0001.JPG") == true)
    }
  }
}
