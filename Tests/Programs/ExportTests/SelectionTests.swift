import Foundation
import Testing
import Workbench

extension ExportTests {
  /// The choice of assets and settings, and refused arguments.
  @Suite struct Selecting {
    @Test func `assets are chosen by filter, path or id`() async throws {
      let bench = try Workbench()
      for name in ["a", "b", "c"] { try bench.addPicture("\(name).gif") }
      _ = try await bench.scan([bench.library])
      let identifier = try await bench.list().first { $0.path.hasSuffix("b.gif") }?.id ?? ""
      #expect(try await bench.export(["--name", "[ab].gif"]).summary.copied == 2)
      try await bench.bash("rm -r out")
      #expect(
        try await bench.export([identifier, bench.library + "/c.gif", identifier]).summary.copied
          == 2)
      #expect(try await bench.bash("ls out") == "b.gif\nc.gif\n")
      let unknown = try await bench.shoebox(
        ["export", "--to", bench.target, bench.library + "/none.gif"])
      #expect(unknown.status == 1)
      #expect(unknown.errors.contains("none.gif"))
    }

    @Test func `names follow the template`() async throws {
      let bench = try Workbench()
      try bench.addPicture("x/a.gif")
      _ = try await bench.scan([bench.library])
      _ = try await bench.export(["--name", "{type}/{index:3}-{stem}{ext}"])
      #expect(try await bench.bash("cd out; find . -name '*.gif'") == "./image/001-a.gif\n")
    }

    /// ImageMagick's part of the same picture, which a camera has turned: it is seen with 40 × 60 pixels.
    @Test(arguments: [
      ("square", "40x40+0+10"), ("2:1", "40x20+0+20"), ("20,30", "20x30+10+15"),
      ("25%,50%,50%,50%", "20x30+10+30"), ("5,6,7,8", "7x8+5+6"),
    ])
    func `a crop is a part of the upright picture`(crop: String, geometry: String) async throws {
      let bench = try Workbench()
      try FileManager.default.createDirectory(
        atPath: bench.library, withIntermediateDirectories: true)
      _ = try await bench.bash(
        """
        convert -size 60x40 gradient:red-blue -rotate 30 -resize '60x40!' +repage -depth 8 PNG24:library/a.png
        exiftool -q -overwrite_original -Orientation#=6 library/a.png
        """)
      _ = try await bench.scan([bench.library])
      _ = try await bench.export(["--crop", crop, "--preset", "current"])
      let difference = try await bench.bash(
        """
        convert library/a.png -orient RightTop -auto-orient -crop \(geometry) +repage -strip part.png
        convert out/a.png -auto-orient +repage -strip result.png
        compare -metric AE part.png result.png null: 2>&1 || true
        """)
      #expect(difference.hasPrefix("0"), "\(difference)")
    }

    @Test func `names contain the exposure of assets that a filter selects`() async throws {
      let bench = try Workbench()
      try await bench.bash(
        "convert -size 8x8 xc:red library/a.jpg; exiftool -q -overwrite_original -ISO=320 library/a.jpg"
      )
      _ = try await bench.scan([bench.library])
      _ = try await bench.export(["--name", "{iso}-{stem}{ext}", "--where", "has(iso)"])
      #expect(try await bench.bash("ls out") == "320-a.jpg\n")
    }

    @Test(arguments: [
      (["--to", "out", "--preset", "compatable"], 65, "compatible"),
      (["--to", "out", "--video-preset", "nothing"], 65, "unknown video preset"),
      (["--to", "out", "--name", "{sten}"], 65, "{stem}"),
      (["--to", "out", "--crop", "1,2,3"], 65, "x,y,width,height"),
      (["--to", "out", "--crop", "10%,0,50%,50%"], 65, "per cent"),
      (["--to", "out", "--crop", "0%,0%,101%,50%"], 65, "per cent"),
      (["--to", "out", "--crop", "16:0"], 65, "ratio"),
      (["--to", "out", "--trim", "9-5"], 65, "ends before"),
      (["--to", "out", "--max-duration", "long"], 65, "duration"),
      (["--to", "out", "--max-pixels", "0"], 65, "pixels"),
      (["--to", "out", "--type", "screnshots"], 65, "screenshots"),
      (["--to", "out", "--update", "--overwrite"], 64, "exclude each other"),
      (["--to", ""], 64, "--to"), (["--to", "out", "--name", ""], 64, "--name"),
      (["--to", "out", "--preset", "web"], 65, "--image-preset web"),
      (["--to", "out", "--missing"], 64, "missing assets cannot be exported"), ([], 64, "--to"),
      (["--to", "out", "--live-photo", "both"], 64, "pair"),
      (["--to", "out", "--jobs", "0"], 64, "1024"),
      (["--to", "out", "--type", "images", "a.gif"], 64, "filters"),
    ])
    func `wrong arguments are refused before the export starts`(
      arguments: [String], status: Int, complaint: String
    ) async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      _ = try await bench.scan([bench.library])
      let outcome = try await bench.shoebox(["export"] + arguments)
      #expect(outcome.status == status, "\(outcome.errors)")
      #expect(outcome.errors.contains(complaint), "\(outcome.errors)")
      #expect(!FileManager.default.fileExists(atPath: bench.target))
    }

    @Test func `a limit chooses the first of an order`() async throws {
      let bench = try Workbench()
      for index in 0..<4 { try bench.addPicture("\(index).gif") }
      _ = try await bench.scan([bench.library])
      for (order, expected) in [([], ["0.gif", "1.gif"]), (["--reverse"], ["2.gif", "3.gif"])] {
        let arguments = ["export", "--sort", "name", "--limit", "2", "--to", bench.target]
        let outcome = try await bench.shoebox(arguments + order)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: bench.target)
        #expect(names.filter { $0.hasSuffix(".gif") }.sorted() == expected)
        try FileManager.default.removeItem(atPath: bench.target)
      }
      for wrong in [["--sort", "size"], ["--limit", "-1"], ["--limit", "1", bench.library]] {
        let refused = try await bench.shoebox(["export", "--to", bench.target] + wrong)
        #expect(refused.status == 64, "\(wrong)")
      }
    }

    /// The catalog reads keywords only if they are needed.
    @Test func `keywords become parts of names`() async throws {
      let bench = try Workbench()
      try await bench.bash(
        """
        convert -size 32x24 gradient: library/a.jpg
        exiftool -q -overwrite_original -XMP-dc:Subject=beach library/a.jpg
        """)
      _ = try await bench.scan([bench.library])
      let arguments = ["export", "--name", "{keyword}/{stem}", "--to", bench.target]
      #expect(try await bench.shoebox(arguments).status == 0)
      #expect(FileManager.default.fileExists(atPath: bench.target + "/beach/a.jpg"))
    }

    @Test func `an export that nothing matches says so and makes no folder`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      _ = try await bench.scan([bench.library])
      let outcome = try await bench.shoebox(["export", "--type", "videos", "--to", bench.target])
      #expect(outcome.status == 0)
      #expect(outcome.errors == "no asset matches: nothing to export\n")
      #expect(!FileManager.default.fileExists(atPath: bench.target))
    }

    @Test func `presets of the user are used and wrong ones refused`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      _ = try await bench.scan([bench.library])
      let home = ["XDG_CONFIG_HOME": bench.folder + "/config"]
      try await bench.bash(
        """
        mkdir -p config/shoebox/presets
        printf '{"kind": "image", "name": "mine", "format": "source"}' \
          >config/shoebox/presets/mine.json
        """)
      let listed = try await bench.shoebox(["presets", "--format", "csv"], environment: home)
      #expect(listed.status == 0)
      #expect(
        listed.output.contains("image,mine,,,,\(bench.folder)/config/shoebox/presets/mine.json"))
      let used = try await bench.shoebox(
        ["export", "--image-preset", "mine", "--to", bench.target], environment: home)
      #expect(used.status == 0)
      try await bench.bash(
        "printf '{\\n\"kind\": \"image\", \"name\": \"bad\", \"qualty\": 3}' "
          + ">config/shoebox/presets/bad.json")
      for arguments in [
        ["export", "--preset", "bad", "--to", bench.folder + "/other"], ["presets"],
        ["presets", "check", bench.folder + "/config/shoebox/presets/bad.json"],
      ] {
        let refused = try await bench.shoebox(arguments, environment: home)
        #expect(refused.status == 65, "\(arguments)")
        #expect(refused.errors.contains("bad.json: qualty: "), "\(refused.errors)")
        #expect(refused.errors.contains("did you mean quality"))
      }
      // It stops only exports that use it, or what it replaces.
      let others = ["export", "--image-preset", "mine", "--overwrite", "--to", bench.target]
      #expect(try await bench.shoebox(others, environment: home).status == 0)
      try await bench.bash("echo '{' >config/shoebox/presets/compatible.json")
      #expect(try await bench.shoebox(others, environment: home).status == 65)
      let bothKinds = others + ["--video-preset", "current"]
      #expect(try await bench.shoebox(bothKinds, environment: home).status == 0)
      let checked = try await bench.shoebox(
        ["presets", "check", bench.folder + "/config/shoebox/presets/mine.json"])
      #expect(checked.status == 0)
      #expect(checked.output == "image preset mine: well\n")
    }

    @Test func `the folder of presets may be a symbolic link, but not one to nothing`()
      async throws
    {
      let bench = try Workbench()
      let home = ["XDG_CONFIG_HOME": bench.folder + "/config"]
      try await bench.bash(
        """
        mkdir -p config/shoebox dotfiles
        printf '{"kind": "image", "name": "mine", "format": "source"}' >dotfiles/mine.json
        ln -s ../../dotfiles config/shoebox/presets
        """)
      let list = ["presets", "--format", "csv"]
      let listed = try await bench.shoebox(list, environment: home)
      #expect(listed.status == 0)
      #expect(listed.output.contains("image,mine,"))
      for change in [
        "mv dotfiles gone", "rm config/shoebox/presets; touch config/shoebox/presets",
      ] {
        try await bench.bash(change)
        let refused = try await bench.shoebox(list, environment: home)
        #expect(refused.status == 74, "\(change)")
        #expect(refused.errors.contains("\(bench.folder)/config/shoebox/presets: "))
      }
      // Services may have such a home.
      let nowhere = ["XDG_CONFIG_HOME": "", "HOME": "/dev/null"]
      #expect(try await bench.shoebox(list, environment: nowhere).status == 0)
    }

    @Test func `only correct presets are reported as OK`() async throws {
      let bench = try Workbench()
      try await bench.bash(
        """
        cat >presets.json <<'END'
        [{"kind": "image", "name": "q", "aliases": ["web"]}, {"kind": "video", "name": "q"},
         {"kind": "video", "name": "twice"}, {"kind": "video", "name": "Twice"}]
        END
        """)
      let checked = try await bench.shoebox(["presets", "check", "presets.json"])
      #expect(checked.status == 65)
      #expect(checked.output == "video preset q: well\n")
      #expect(checked.errors.contains("aliases: 'web' is a name of web already"))
      #expect(checked.errors.contains("'Twice' is also in"))
    }
  }
}
