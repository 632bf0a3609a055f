import Foundation
import MediaTools
import Testing
import Workbench

/// `shoebox import` from cards that were scanned, that keep videos outside of `DCIM`, and into folders that are in the way.
@Suite(.enabled(if: Tool.areInstalled(.exiftool, .ffmpeg, .imageMagick)))
struct CardTests {
  @Test func `videos outside of DCIM are copied, and what is not copied is named`() async throws {
    let bench = try Workbench()
    try await bench.makeCard(pairs: 1, singles: 1)
    try await bench.bash(
      """
      mkdir -p card/private/M4ROOT/CLIP card/private/M4ROOT/THMBNL card/MP_ROOT/101ANV01
      ffmpeg -v error -i clip.mov -c copy -metadata title=one -f mp4 card/private/M4ROOT/CLIP/C0001.MP4
      ffmpeg -v error -i clip.mov -c copy -metadata title=other -f mp4 card/MP_ROOT/101ANV01/MAQ1.MP4
      cp picture.jpg card/private/M4ROOT/THMBNL/C0001T01.JPG
      """)
    let before = try await bench.state(bench.card)
    let pictures = try await bench.contents(bench.card + "/DCIM")
    let listing = try await bench.shoebox([
      "import", bench.card, "--into", bench.library, "--dry-run", "--verbose",
    ])
    #expect(listing.status == 0)
    #expect(listing.output.contains("THMBNL/C0001T01.JPG: left"))
    let outcome = try await bench.importCard()
    #expect(outcome.status == 0)
    #expect(outcome.report.copied == pictures.count + 2)
    #expect(outcome.report.left == 2, "volume.txt and the thumbnail")
    let names = try await bench.contents(bench.library).keys
    #expect(names.contains { $0.hasSuffix("/C0001.MP4") })
    #expect(names.contains { $0.hasSuffix("/MAQ1.MP4") })
    #expect(try await bench.importCard().report.copied == 0)
    #expect(try await bench.state(bench.card) == before, "the source was changed")
  }

  @Test func `a scanned card is copied`() async throws {
    let bench = try Workbench()
    try await bench.makeCard(pairs: 2, singles: 2)
    let card = try await bench.contents(bench.card + "/DCIM")
    try await bench.letFilesAge()
    #expect(try await bench.scan([bench.card]).status == 0)
    let first = try await bench.importCard()
    #expect(first.status == 0)
    #expect(first.report.copied == card.count && first.report.known == 0)
    try await bench.expectWholeImport(card, "first")
    let second = try await bench.importCard()
    #expect(second.status == 0)
    #expect(second.report.copied == 0 && second.report.known == card.count)
    try await bench.expectWholeImport(card, "second")
  }

  @Test(arguments: ["ln -s", "ln"])
  func `links to equal files on the card are not copies of them`(link: String) async throws {
    let bench = try Workbench()
    try await bench.bash(
      """
      mkdir -p card/DCIM; convert -size 64x48 plasma:tomato-steelblue card/DCIM/IMG_0001.JPG
      cp -p card/DCIM/IMG_0001.JPG card/DCIM/IMG_0002.JPG
      for name in IMG_0001.JPG IMG_0002.JPG; do
        \(link) "$PWD/card/DCIM/$name" library/$name
      done
      """)
    try await bench.letFilesAge()
    #expect(try await bench.scan([bench.library, "--follow-links"]).status == 0)
    let outcome = try await bench.importCard()
    #expect(outcome.status == 0)
    #expect(outcome.report.copied == 1 && outcome.report.known == 1, "\(outcome.report.files)")
  }

  @Test func `a folder that is in the way stops only its own files`() async throws {
    let bench = try Workbench()
    try await bench.makeCard(pairs: 1, singles: 1)
    try await bench.bash("echo text >library/2023; mkdir elsewhere")
    let first = try await bench.importCard()
    #expect(first.status == 1)
    #expect(first.report.copied == 3 && first.report.failed == 2)
    let errors = first.report.files.filter { $0.action == "failed" }.map(\.error)
    #expect(errors.allSatisfy { $0?.contains("rename the file") == true }, "\(errors)")

    try await bench.bash("rm library/2023; ln -s ../elsewhere library/2023")
    let second = try await bench.importCard()
    #expect(second.status == 1)
    #expect(second.report.known == 3 && second.report.failed == 2)
    let reasons = second.report.files.filter { $0.action == "failed" }.map(\.error)
    #expect(reasons.allSatisfy { $0?.contains("symbolic link") == true }, "\(reasons)")
    #expect(try await bench.contents(bench.folder + "/elsewhere").isEmpty)

    try await bench.bash("rm library/2023")
    let third = try await bench.importCard()
    #expect(third.status == 0 && third.report.copied == 2)
  }

  @Test func `many files with one name get numbers, and keep them`() async throws {
    let bench = try Workbench()
    try await bench.makeCard(pairs: 0, singles: 12)
    let card = try await bench.contents(bench.card + "/DCIM")
    let name = ["--name", "{type}s/photo{ext}"]
    #expect(try await bench.importCard(name).report.copied == card.count)
    let names = Set(try await bench.contents(bench.library).keys.filter { $0.hasSuffix(".JPG") })
    #expect(
      names == Set((2...12).map { "images/photo (\($0)).JPG" } + ["images/photo.JPG"]))

    // Without a catalog the numbers are found by content, also behind a new picture that comes first.
    try await bench.bash(
      """
      rm catalog.sqlite*
      { cat card/DCIM/101APPLE/DSC_0001.JPG; printf x; } >card/DCIM/100APPLE/AAA.JPG
      """)
    let second = try await bench.importCard(name)
    #expect(second.report.copied == 1 && second.report.known == card.count)
    let file = second.report.files.first { $0.sourcePath.hasSuffix("AAA.JPG") }
    #expect(file?.path?.hasSuffix("/images/photo (13).JPG") == true)
  }

  @Test func `the scan after an import obeys the configuration`() async throws {
    let bench = try Workbench()
    try await bench.makeCard(pairs: 1, singles: 1)
    try await bench.bash("echo 'exclude: [2023/]' >config.yaml")
    let outcome = try await bench.importCard(["--config", bench.folder + "/config.yaml"])
    #expect(outcome.status == 0 && outcome.report.copied == 5)
    #expect(try await bench.list().map(\.path) == [bench.library + "/2024/2024-06/IMG_0000.JPG"])
  }

  @Test func `an import does not make the loss of a library its state`() async throws {
    let bench = try Workbench()
    try await bench.makeCard(pairs: 1, singles: 0)
    try bench.addPictures(24)
    try await bench.letFilesAge()
    #expect(try await bench.scan([bench.library]).status == 0)
    try await bench.bash("cd library/folder0; rm picture?.gif picture1?.gif picture20.gif")
    let outcome = try await bench.importCard()
    #expect(outcome.status == 69)
    #expect(outcome.report.copied == 3)
    let missing = "SELECT count(*) FROM files WHERE missing_since IS NOT NULL"
    #expect(try await bench.query(missing) == ["0"])
  }
}
