import Foundation
import MediaTools
import Testing
import Workbench

extension ExportTests {
  /// Exports into a folder that has the results of a catalog that was deleted and made again.
  @Suite(.enabled(if: Tool.areInstalled(.exiftool, .ffmpeg, .heifEncoder, .imageMagick)))
  struct OtherCatalog {
    /// A library with two pictures of one name, one of another format, a video, a live photo and a sidecar.
    private func bench() async throws -> Workbench {
      let bench = try Workbench()
      try await bench.bash(
        """
        cd library
        mkdir 1 2
        for folder in 1 2; do
          convert -size 64x48 -seed $folder plasma:tomato-steelblue $folder/a.jpg
          exiftool -q -overwrite_original -GPSLatitude=47.37 -GPSLatitudeRef=N \
            -GPSLongitude=8.54 -GPSLongitudeRef=E $folder/a.jpg
        done
        exiftool -q -o 1/a.jpg.xmp -XMP-dc:Title=Lake 1/a.jpg
        convert -size 64x48 -seed 3 plasma:tomato-steelblue 3.png
        heif-enc -q 60 3.png -o h.heic >/dev/null
        rm 3.png
        ffmpeg -v error -f lavfi -i testsrc=s=64x48:r=10:d=1 -c:v libx265 -x265-params log-level=none v.mov
        ffmpeg -v error -f lavfi -i testsrc2=s=64x48:r=10:d=1 -c:v libx264 -movflags use_metadata_tags \
          -metadata com.apple.quicktime.creationdate=2024-06-01T10:15:29+0200 live.mov
        exiftool -q -o live.jpg -AllDates='2024:06:01 10:15:30' -OffsetTimeOriginal=+02:00 1/a.jpg
        """)
      _ = try await bench.scan([bench.library])
      #expect(try await bench.list(["--type", "livePhotos"]).count == 1)
      return bench
    }

    /// Deletes the catalog and makes it again: all assets get other identifiers.
    private func renew(_ bench: Workbench) async throws {
      let old = try await Set(bench.identifiers().values)
      try await bench.bash("rm '\(bench.catalog)'*")
      _ = try await bench.scan([bench.library])
      #expect(try await old.isDisjoint(with: bench.identifiers().values))
    }

    /// What is in the target, with inodes and times, but for the record.
    private func target(_ bench: Workbench) async throws -> [String] {
      try await bench.bash(
        "cd out && find . -type f -not -name '.*' -printf '%p\\t%i %T@ %s\\n' | sort"
      ).split(separator: "\n").map(String.init)
    }

    /// The path in a line of ``target(_:)``.
    private func name(_ line: String) -> String { String(line.prefix { $0 != "\t" }) }

    /// Each result may be that of any picture with the name.
    @Test func `many results with one wanted name are recognised`() async throws {
      let bench = try Workbench()
      try await bench.bash(
        """
        convert -size 16x16 xc:red one.jpg
        for number in {100..599}; do { cat one.jpg; echo $number; } >library/$number.jpg; done
        """)
      _ = try await bench.scan([bench.library])
      let naming = ["--name", "x{ext}"]
      #expect(try await bench.export(naming).summary.copied == 500)
      try await renew(bench)
      #expect(try await bench.export(naming).summary.skipped == 500)
    }

    @Test(arguments: [
      ["--flatten", "--sidecars", "xmp"], ["--strip-location"], ["--resources", "all"],
      ["--name", "{year}/{stem}", "--write-metadata"],
    ])
    func `results of the earlier catalog are not made a second time`(
      options: [String]
    ) async throws {
      let bench = try await bench()
      let first = try await bench.export(options, preset: "compatible")
      #expect(first.status == 0)
      #expect(first.summary.copied + first.summary.transcoded + first.summary.remuxed == 5)
      let before = try await target(bench)
      for flags in [[], ["--update"]] {
        try await renew(bench)
        // The second one finds lines about its own assets.
        for _ in 1...2 {
          let again = try await bench.export(options + flags, preset: "compatible")
          #expect(again.status == 0)
          #expect(again.summary.copied + again.summary.transcoded + again.summary.remuxed == 0)
          #expect(try await target(bench) == before)
        }
      }
      try await renew(bench)
      let replaced = try await bench.export(options + ["--overwrite"], preset: "compatible")
      #expect(replaced.status == 0)
      #expect(replaced.summary.skipped == 0)
      #expect(try await target(bench).map(name) == before.map(name))
    }

    /// Only what is known to be the same counts; all else is exported under a name of its own.
    @Test func `other content, other settings and changed files do not count`() async throws {
      let bench = try await bench()
      #expect(try await bench.export(["--flatten"], preset: "compatible").status == 0)
      try await bench.bash(
        """
        # The same size and time, but other content.
        touch -r library/h.heic stamp
        printf x | dd of=library/h.heic bs=1 seek=$(($(stat -c %s library/h.heic) - 20)) conv=notrunc status=none
        touch -r stamp library/h.heic
        printf x >>out/v.mp4
        """)
      try await renew(bench)
      let before = try await target(bench)
      #expect(try await bench.export(["--flatten"], preset: "compatible").status == 0)
      let added = Set(try await target(bench)).subtracting(before)
      #expect(Set(added.map(name)) == ["./h (2).jpg", "./v (2).mp4"])
      #expect(Set(before).isSubset(of: try await target(bench)))

      // A location that was to be left out is in the earlier results.
      try await renew(bench)
      #expect(
        try await bench.export(["--flatten", "--strip-location"], preset: "compatible").status == 0)
      let places = try await bench.bash(
        "cd out && exiftool -q -if '$GPSLatitude' -p '$FileName' *.jpg | sort")
      #expect(places == "a (2).jpg\na.jpg\nlive.jpg\n")
      #expect(try await bench.bash("cd out && ls a*.jpg | wc -l") == "4\n")
    }

    /// The catalog has made the results itself, so it replaces them, too.
    @Test func `results for a folder that was forgotten stay known`() async throws {
      let bench = try await bench()
      #expect(try await bench.export(["--flatten"], preset: "compatible").status == 0)
      let before = try await target(bench)
      func forget() async throws {
        #expect(try await bench.shoebox(["roots", "forget", bench.library]).status == 0)
        _ = try await bench.scan([bench.library])
      }
      try await forget()
      let again = try await bench.export(["--flatten"], preset: "compatible")
      #expect(again.summary.skipped == 5)
      #expect(try await target(bench) == before)
      // A copy of the same name gets a result of its own: the first is that of the original.
      try await bench.bash("mkdir library/3; cp -p library/1/a.jpg library/3")
      _ = try await bench.scan([bench.library])
      let copy = try await bench.export(["--flatten"], preset: "compatible")
      #expect(copy.summary.copied == 1 && copy.summary.skipped == 5)
      #expect(try await bench.bash("cmp library/1/a.jpg 'out/a (3).jpg'") == "")
      let after = try await target(bench)
      #expect(after.count == before.count + 1)
      try await forget()
      let updated = try await bench.export(
        ["--flatten", "--strip-location", "--update"], preset: "compatible")
      #expect(updated.status == 0)
      #expect(try await target(bench).map(name) == after.map(name))
      #expect(
        try await bench.bash("cd out && exiftool -q -if '$GPSLatitude' -p '$FileName' . || true")
          == "")
    }

    /// A source that changes later is named, and its result stays: this catalog has not made it.
    @Test func `results of the earlier catalog are replaced only with a flag`() async throws {
      let bench = try await bench()
      _ = try await bench.export()
      try await renew(bench)
      _ = try await bench.export()
      try await bench.bash("convert -size 30x30 xc:red library/1/a.jpg")
      let outcome = try await bench.shoebox(
        ["export", "--preset", "current", "--update", "--to", bench.target])
      #expect(outcome.output.contains("--overwrite replaces it"))
      #expect(try await bench.export(["--overwrite"]).status == 0)
      try await bench.bash("cmp library/1/a.jpg out/1/a.jpg")
      #expect(try await bench.export(["--update"]).summary.copied == 0)
    }
  }
}
