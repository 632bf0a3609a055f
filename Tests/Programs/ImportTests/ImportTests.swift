import Foundation
import MediaTools
import Testing
import Workbench

/// `shoebox import`, as a photographer uses it.
@Suite(.enabled(if: Tool.areInstalled(.exiftool, .ffmpeg, .imageMagick)))
struct ImportTests {
  @Test func `an import copies each file once and keeps what belongs together`() async throws {
    let bench = try Workbench()
    try await bench.makeCard(pairs: 6, singles: 4)
    let before = try await bench.state(bench.card)
    let card = try await bench.contents(bench.card + "/DCIM")

    let dry = try await bench.importCard(["--dry-run"])
    #expect(dry.status == 0 && dry.report.copied == card.count)
    #expect(try await bench.contents(bench.library).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: bench.catalog))

    let first = try await bench.importCard()
    #expect(first.status == 0)
    #expect(first.report.copied == card.count && first.report.failed == 0)
    #expect(
      Set(first.report.files.map { "\($0.sourcePath) \($0.path ?? "")" })
        == Set(dry.report.files.map { "\($0.sourcePath) \($0.path ?? "")" }), "as planned")
    try await bench.expectWholeImport(card, "first")
    let names = Set(try await bench.contents(bench.library).keys)
    #expect(names.contains("2024/2024-06/IMG_0000.JPG"))
    #expect(names.contains("2024/2024-06/IMG_0000 (2).MOV"), "two folders have these names")
    #expect(names.contains("2023/2023-12/DSC_0000.XMP"))
    // Times are kept.
    #expect(
      try await bench.bash("stat -c %Y 'library/2023/2023-12/DSC_0001.JPG'") == "1700000001\n")
    #expect(try await bench.bash("find library -name '.shoebox*'").isEmpty)

    // The catalog has the copies, and the pairs.
    #expect(try await bench.list().count == 10)
    #expect(try await bench.list(["--type", "livePhotos"]).count == 6)
    let verified = try await bench.shoebox(["verify", "--format", "json"])
    #expect(verified.output.contains("\"first\":0"), "imports record digests: \(verified.output)")

    let second = try await bench.importCard()
    #expect(second.status == 0)
    #expect(second.report.copied == 0 && second.report.known == card.count)
    try await bench.expectWholeImport(card, "second")
    #expect(try await bench.state(bench.card) == before, "the source was changed")
  }

  @Test func `what the library has elsewhere is not copied again`() async throws {
    let bench = try Workbench()
    try await bench.makeCard(pairs: 2, singles: 2)
    // A whole pair and a single picture, under other names and in another library folder.
    try await bench.bash(
      """
      mkdir -p other library/mine
      cp card/DCIM/100APPLE/IMG_0000.JPG other/beach.jpg
      cp card/DCIM/100APPLE/IMG_0000.MOV other/beach.mov
      cp card/DCIM/101APPLE/DSC_0000.JPG library/mine/renamed.jpg
      """)
    try await bench.letFilesAge()
    _ = try await bench.scan([bench.folder + "/other", bench.library])
    let outcome = try await bench.importCard()
    #expect(outcome.status == 0)
    let names = Set(try await bench.contents(bench.library).keys)
    // The sidecar joins its picture; the one of the pair stays on the card, because the other folder is not the target.
    #expect(
      names == [
        "mine/renamed.jpg", "mine/renamed.XMP", "2023/2023-12/DSC_0001.JPG",
        "2024/2024-06/IMG_0000.JPG", "2024/2024-06/IMG_0000.MOV",
      ])
    #expect(outcome.report.known == 3 && outcome.report.kept == 0)
    #expect(outcome.report.left == 2, "volume.txt and the sidecar of the pair")
    let again = try await bench.importCard()
    #expect(again.report.copied == 0)
    // Where the other folder has a version of its own, the report names it.
    try await bench.bash("echo other >other/beach.AAE")
    let kept = try await bench.importCard().report.files.filter { $0.action == "kept" }
    #expect(kept.map(\.path) == [bench.folder + "/other/beach.AAE"])
  }

  @Test func `files that were moved without a scan are named when they are copied again`()
    async throws
  {
    let bench = try Workbench()
    try await bench.makeCard(pairs: 1, singles: 2)
    #expect(try await bench.importCard().status == 0)
    try await bench.bash("mkdir library/mine; mv library/2023/2023-12/DSC_0000.* library/mine")
    let command = ["import", bench.card, "--into", bench.library]
    let old = "\(bench.library)/2023/2023-12/DSC_0000.JPG"
    let trial = try await bench.shoebox(command + ["--dry-run"])
    #expect(trial.status == 0)
    #expect(
      trial.lines.contains {
        $0.hasPrefix("1 of them may be duplicates: ") && $0.contains(old)
          && $0.contains("run `shoebox scan`")
      }, "\(trial.output)")
    let outcome = try await bench.importCard()
    #expect(outcome.status == 0)
    let named = outcome.report.files.filter { $0.absentTwin != nil }
    #expect(named.map(\.absentTwin) == [old])
    #expect(named.map(\.action) == ["copied"])
    let again = try await bench.importCard()
    #expect(again.report.copied == 0)
    #expect(again.report.files.allSatisfy { $0.absentTwin == nil })
    // A scan finds what was moved.
    try await bench.bash("mv library/2024 library/trip")
    _ = try await bench.scan()
    let scanned = try await bench.shoebox(command + ["--dry-run"])
    #expect(scanned.lines.contains { $0.hasPrefix("would copy 0 files") }, "\(scanned.output)")
    #expect(!scanned.output.contains("duplicates"))
  }

  @Test func `half a live photo is completed next to its other half`() async throws {
    let bench = try Workbench()
    try await bench.makeCard(pairs: 1, singles: 0)
    try await bench.bash(
      "mkdir -p library/trip; cp -p card/DCIM/100APPLE/IMG_0000.JPG library/trip/sunset.JPG")
    try await bench.letFilesAge()
    _ = try await bench.scan([bench.library])
    let outcome = try await bench.importCard()
    #expect(outcome.status == 0)
    #expect(
      Set(try await bench.contents(bench.library).keys)
        == ["trip/sunset.JPG", "trip/sunset.MOV", "trip/sunset.AAE"])
    #expect(try await bench.list(["--type", "livePhotos"]).count == 1)
  }

  /// The library has one file of the group, elsewhere or in the target.
  @Test(arguments: ["other/beach.jpg", "library/trip/sunset.JPG"])
  func `of equal groups on the source one is copied, whatever the library has of them`(
    known: String
  ) async throws {
    let bench = try Workbench()
    try await bench.makeCard(pairs: 1, singles: 0)
    try await bench.bash(
      """
      mkdir -p other library/trip card/DCIM/102APPLE
      rm card/DCIM/100APPLE/*.AAE
      cp -p card/DCIM/100APPLE/* card/DCIM/102APPLE
      cp -p card/DCIM/100APPLE/IMG_0000.JPG \(known)
      """)
    try await bench.letFilesAge()
    _ = try await bench.scan([bench.folder + "/other", bench.library])
    let outcome = try await bench.importCard()
    #expect(outcome.status == 0)
    let isInTarget = known.hasPrefix("library/")
    #expect(outcome.report.copied == (isInTarget ? 1 : 2))
    #expect(outcome.report.known == (isInTarget ? 3 : 2))
    #expect(
      Set(try await bench.contents(bench.library).keys)
        == (isInTarget
          ? ["trip/sunset.JPG", "trip/sunset.MOV"]
          : ["2024/2024-06/IMG_0000.JPG", "2024/2024-06/IMG_0000.MOV"]))
  }

  @Test func `the sidecars of equal groups join the one copy`() async throws {
    let bench = try Workbench()
    try await bench.makeCard(pairs: 1, singles: 0)
    try await bench.bash(
      """
      rm card/DCIM/100APPLE/*.AAE
      for number in 2 3 4; do cp -rp card/DCIM/100APPLE card/DCIM/10${number}APPLE; done
      echo one >card/DCIM/102APPLE/IMG_0000.XMP
      echo one >card/DCIM/103APPLE/IMG_0000.XMP
      echo two >card/DCIM/104APPLE/IMG_0000.XMP
      """)
    let sidecar = "\(bench.library)/2024/2024-06/IMG_0000.XMP"
    for (run, copied) in [3, 0].enumerated() {
      let outcome = try await bench.importCard()
      #expect(outcome.status == 0)
      #expect(outcome.report.copied == copied, "run \(run)")
      let sidecars = outcome.report.files.filter { $0.sourcePath.hasSuffix(".XMP") }
      #expect(sidecars.map(\.path) == [sidecar, sidecar, sidecar], "run \(run)")
      #expect(sidecars.map(\.action) == [copied > 0 ? "copied" : "known", "known", "kept"])
      #expect(try await bench.bash("cat '\(sidecar)'") == "one\n")
      #expect(try await bench.contents(bench.library).count == 3)
    }
  }

  /// The names of the edited version and of its sidecar do not begin with the stem of the group, which may have a number.
  @Test(arguments: ["", " (2)"])
  func `a sidecar that comes later joins an original with its edited version`(number: String)
    async throws
  {
    let bench = try Workbench()
    try await bench.makeCard(pairs: 1, singles: 1)
    try await bench.bash(
      """
      cd card/DCIM/100APPLE; rm *.AAE *.MOV; mv IMG_0000.JPG IMG_0001.JPG
      mv ../101APPLE/DSC_0000.JPG IMG_E0001.JPG; rm -r ../101APPLE
      exiftool -q -overwrite_original -DateTimeOriginal=2024:06:01T10:15:30 -OffsetTimeOriginal=+02:00 \
        IMG_E0001.JPG
      if [ '\(number)' ]; then
        mkdir -p ../../../library/2024/2024-06; echo other >../../../library/2024/2024-06/IMG_0001.MOV
      fi
      """)
    #expect(try await bench.importCard().report.copied == 2)
    try await bench.bash(
      "cd card/DCIM/100APPLE; echo one >IMG_0001.AAE; echo two >IMG_O0001.AAE; echo three >IMG_E0001.XMP"
    )
    let outcome = try await bench.importCard()
    #expect(outcome.report.copied == 3 && outcome.report.kept == 0)
    let names = ["IMG_0001.AAE", "IMG_0001.JPG", "IMG_E0001.JPG", "IMG_E0001.XMP", "IMG_O0001.AAE"]
    var expected = Set(
      names.map { "2024/2024-06/" + $0.replacing(".", with: number + ".") })
    if !number.isEmpty { expected.insert("2024/2024-06/IMG_0001.MOV") }
    #expect(Set(try await bench.contents(bench.library).keys) == expected)
    let again = try await bench.importCard()
    #expect(again.report.copied == 0 && again.report.known == 5)
  }

  @Test func `names of other pictures are never taken`() async throws {
    let bench = try Workbench()
    try await bench.makeCard(pairs: 1, singles: 1)
    // Another video would become the clip of the picture, and another file the sidecar.
    try await bench.bash(
      """
      mkdir -p library/2024/2024-06 library/2023/2023-12
      echo other >library/2024/2024-06/img_0000.mov
      echo other >library/2023/2023-12/DSC_0000.xmp
      """)
    let before = try await bench.contents(bench.library)
    let outcome = try await bench.importCard(["--quiet"])
    #expect(outcome.report.failed == 0 && outcome.report.copied == 5)
    let after = try await bench.contents(bench.library)
    #expect(before.allSatisfy { after[$0.key] == $0.value })
    #expect(
      Set(after.keys).subtracting(before.keys) == [
        "2024/2024-06/IMG_0000 (2).JPG", "2024/2024-06/IMG_0000 (2).MOV",
        "2024/2024-06/IMG_0000 (2).AAE", "2023/2023-12/DSC_0000 (2).JPG",
        "2023/2023-12/DSC_0000 (2).XMP",
      ])
  }

  @Test func `a template names all files of a group`() async throws {
    let bench = try Workbench()
    try await bench.makeCard(pairs: 2, singles: 0)
    let outcome = try await bench.importCard([
      "--name", "{type}s/{captureDate:yyyyMMdd_HHmmss}_{index:3}{ext}",
    ])
    #expect(outcome.status == 0)
    #expect(
      Set(try await bench.contents(bench.library).keys) == [
        "images/20240601_101530_001.JPG", "images/20240601_101530_001.MOV",
        "images/20240601_101530_001.AAE", "images/20240601_101530_002.JPG",
        "images/20240601_101530_002.MOV",
      ])
    let wrong = ["import", bench.card, "--into", bench.library, "--name", "{id}"]
    #expect(try await bench.shoebox(wrong).status == 65)
  }

  @Test func `damaged files are copied, copies on the card are not`() async throws {
    let bench = try Workbench()
    try await bench.makeCard(pairs: 0, singles: 2)
    try await bench.bash(
      """
      cd card/DCIM/101APPLE
      # A block of zeros, as a failing card leaves it.
      head -c 4096 /dev/zero >zeros.jpg
      cp DSC_0001.JPG DSC_0001-copy.JPG
      echo text >notes.txt
      """)
    let outcome = try await bench.importCard()
    #expect(outcome.status == 0)
    #expect(outcome.report.copied == 4 && outcome.report.known == 1)
    #expect(outcome.report.left == 2, "notes.txt and volume.txt")
    #expect(outcome.report.files.first { $0.sourcePath.hasSuffix("zeros.jpg") }?.error != nil)
    // What a failed copy from a phone has left is named, too, if the library has such a file already.
    try await bench.bash("cp card/DCIM/101APPLE/zeros.jpg card/DCIM/101APPLE/IMG_5000.JPG")
    let again = try await bench.importCard()
    #expect(again.report.copied == 0)
    let named = again.report.files.filter { $0.error != nil }
    #expect(
      Set(named.map { $0.sourcePath.split(separator: "/").last }) == ["zeros.jpg", "IMG_5000.JPG"])
  }

  @Test(.enabled("no FUSE here") { await Workbench.canMountOddDisks })
  func `a file that cannot be read is named, and the rest is copied`() async throws {
    let bench = try Workbench()
    try await bench.makeCard(pairs: 0, singles: 3)
    try await bench.bash("mv card stock; mkdir card")
    let output = try await bench.bash(
      """
      export SHOEBOX_CATALOG='\(bench.catalog)'
      \(Workbench.inNamespace)
      odd_disk stock card --read-error DSC_0001.JPG
      status=0
      '\(bench.program)' import card --into library --format json || status=$?
      echo $status
      END
      """)
    let lines = output.split(separator: "\n")
    #expect(lines.last == "1")
    #expect(lines.first?.contains("Input/output error") == true)
    #expect(
      Set(try await bench.contents(bench.library).keys)
        == ["2023/2023-12/DSC_0000.JPG", "2023/2023-12/DSC_0000.XMP", "2023/2023-12/DSC_0002.JPG"])
    // The card is healthy again.
    try await bench.bash("rmdir card; mv stock card")
    let card = try await bench.contents(bench.card + "/DCIM")
    let second = try await bench.importCard()
    #expect(second.status == 0 && second.report.copied == 1)
    try await bench.expectWholeImport(card, "second")
  }

  /// The sidecar and the clip would belong to the other program's picture.
  @Test(.enabled("no FUSE here") { await Workbench.canMountOddDisks })
  func `a group gets no names if one of them is taken meanwhile`() async throws {
    let bench = try Workbench()
    try await bench.makeCard(pairs: 1, singles: 0)
    try await bench.bash("mv card stock; mkdir card; cp old.jpg stranger.jpg")
    let output = try await bench.bash(
      """
      export SHOEBOX_CATALOG='\(bench.catalog)'
      \(Workbench.inNamespace)
      odd_disk stock card --slow-open 1
      '\(bench.program)' import card --into library --format json >report &
      import=$!
      # The folder is made before the first file is opened.
      for _ in {1..600}; do
        [ ! -d library/2024/2024-06 ] || break
        sleep 0.05
      done
      cp stranger.jpg library/2024/2024-06/IMG_0000.JPG
      status=0
      wait $import || status=$?
      cat report
      echo $status
      END
      """)
    let lines = output.split(separator: "\n")
    #expect(lines.last == "1")
    #expect(output.contains("was created by another program meanwhile"))
    #expect(try await bench.bash("find library -type f") == "library/2024/2024-06/IMG_0000.JPG\n")
    try await bench.bash("rmdir card; mv stock card")
    let card = try await bench.contents(bench.card + "/DCIM")
    let second = try await bench.importCard()
    #expect(second.status == 0 && second.report.copied == card.count)
    #expect(
      Set(try await bench.contents(bench.library).keys)
        == Set(
          ["", " (2)"].flatMap { number in
            (number.isEmpty ? ["JPG"] : ["JPG", "MOV", "AAE"]).map {
              "2024/2024-06/IMG_0000\(number).\($0)"
            }
          }))
  }

  /// It was read before, and its top folder is read again several times until its files are known.
  @Test(.enabled("no FUSE here") { await Workbench.canMountOddDisks }, arguments: 1...6)
  func `a phone that is unplugged is no success`(listings: Int) async throws {
    let bench = try Workbench()
    try await bench.makeCard(pairs: 0, singles: 1)
    try await bench.bash("mv card stock; mkdir card")
    let output = try await bench.bash(
      """
      export SHOEBOX_CATALOG='\(bench.catalog)'
      \(Workbench.inNamespace)
      odd_disk stock card --unplugged-after \(listings)
      status=0
      '\(bench.program)' import card --into library --format json 2>messages || status=$?
      cat messages
      echo $status
      END
      """)
    let lines = output.split(separator: "\n")
    #expect(lines.last != "0", "\(output)")
    #expect(output.contains("cannot be read"), "\(output)")
    #expect(try await bench.contents(bench.library).isEmpty)
  }

  @Test func `wrong folders are refused`() async throws {
    let bench = try Workbench()
    try await bench.makeCard(pairs: 1, singles: 0)
    let inside = ["import", bench.library + "/x", "--into", bench.library]
    try await bench.bash("mkdir library/x")
    #expect(try await bench.shoebox(inside).status == 64)
    #expect(try await bench.shoebox(["import", bench.card, "--into", bench.folder]).status == 64)
    #expect(try await bench.shoebox(["import", bench.card, "--into", "nowhere"]).status == 69)
    #expect(try await bench.shoebox(["import", "nowhere", "--into", bench.library]).status == 69)
    #expect(try await bench.shoebox(["import", bench.card]).status == 64)
    #expect(!FileManager.default.fileExists(atPath: bench.folder + "/nowhere"))
  }
}
